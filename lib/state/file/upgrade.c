/*
 * upgrade.c - see file_int.h
 *
 * The old versions list instances by their addresses ("t.n.0"), module by
 * module, with attributes as flat texts, whose form a provider knows.
 */
#include <errno.h>
#include <stdlib.h>

#include "state/file/file_int.h"
#include "base/base64.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "lang/syntax/ident.h"
#include "value/codec_json.h"
#include "value/type.h"

struct upgrade {
	struct arena *a;
	struct diags *ds;
	const char *name;
	int version;
	struct jw w;
};

/* Several instances of one resource stand apart. */
struct old_instance {
	struct str key; /* its number; empty: it has none */
	const struct json *json;
};

struct old_resource {
	bool data;
	struct str type, name, provider;
	VEC(struct old_instance) instances;
};

static int failed(struct upgrade *u, const char *what, struct str which)
{
	return diag_error(u->ds, NULL, "State format upgrade failed",
			  "%s has the format version %d, and cannot be brought "
			  "to version 4: %s \"%.*s\".",
			  u->name, u->version, what, STR_ARG(which));
}

/* A member of that kind, or NULL. */
static const struct json *member(const struct json *j, const char *name,
				 enum json_kind kind)
{
	const struct json *m = json_get(j, name);

	return m && m->kind == kind ? m : NULL;
}

/* --- outputs --- */

/* Lists and maps, where all their elements are of one type: the old language
 * had nothing else. */
static const struct type *simplified(const struct type *t)
{
	const struct type *elem = NULL;

	if ((t->kind != TYPE_TUPLE && t->kind != TYPE_OBJECT) || !t->len)
		return t;
	for (uint32_t i = 0; i < t->len; i++) {
		const struct type *e =
			t->kind == TYPE_TUPLE ? t->elems[i] : t->attrs[i].type;

		if (elem && e != elem)
			return t;
		elem = e;
	}
	elem = simplified(elem);
	return t->kind == TYPE_TUPLE ? type_list(elem) : type_map(elem);
}

static void put_outputs(struct upgrade *u, const struct json *outputs)
{
	struct jw *w = &u->w;

	for (uint32_t i = 0; outputs && i < outputs->len; i++) {
		const struct json *o = &outputs->members[i].value;
		const struct json *v =
			u->version == 1 ? o : json_get(o, "value");
		static const struct json null = { .kind = JSON_NULL };

		v = v ? v : &null;
		jw_key_str(w, outputs->members[i].name);
		jw_object(w);
		jw_key(w, "value");
		jw_json(w, v);
		jw_key(w, "type");
		type_to_json(w, simplified(type_of_json(u->a, v)));
		if (json_get_bool(o, "sensitive", false))
			jw_member_bool(w, "sensitive", true);
		jw_object_end(w);
	}
}

/* --- instances --- */

/* "x.#" counted maps as well as lists before version 3, and what was empty; it
 * is "x.%" of a map, and nothing of what is empty. */
static struct str count_name(struct arena *a, const struct json *attrs,
			     struct str name)
{
	const struct str prefix = str_sub(name, 0, name.n - 1);
	bool any = false, map = false;

	for (uint32_t i = 0; i < attrs->len; i++) {
		struct str key = attrs->members[i].name;
		ptrdiff_t dot;
		char *end;

		if (!str_starts(key, arena_strndup(a, prefix.p, prefix.n)) ||
		    str_eq(key, name))
			continue;
		key = str_sub(key, prefix.n, key.n);
		dot = str_chr(key, '.');
		key = dot > 0 ? str_sub(key, 0, (size_t)dot) : key;
		any = true;
		strtoll(arena_strndup(a, key.p, key.n), &end, 10);
		map |= *end != '\0' || !key.n;
	}
	if (!any)
		return STR_NONE;
	return map ? STR_CAT(a, prefix, STR("%")) : name;
}

static int put_attributes(struct upgrade *u, const struct json *instance)
{
	const struct json *attrs = member(instance, "attributes", JSON_OBJECT);
	struct str id = json_get_str(instance, "id");
	struct jw *w = &u->w;

	if (json_get_str(attrs, "id").n)
		id = STR_NONE;
	if (!id.n && (!attrs || !attrs->len))
		return 0;
	jw_key(w, "attributes_flat");
	jw_object(w);
	if (id.n)
		jw_member_str(w, "id", id);
	for (uint32_t i = 0; attrs && i < attrs->len; i++) {
		struct str name = attrs->members[i].name;
		const struct json *v = &attrs->members[i].value;

		if (v->kind != JSON_STRING)
			return failed(u, "no text is the attribute", name);
		if (u->version < 3 && name.n > 2 &&
		    str_is(str_sub(name, name.n - 2, name.n), ".#"))
			name = count_name(u->a, attrs, name);
		if (!name.n || (id.n && str_is(name, "id")))
			continue;
		jw_key_str(w, name);
		jw_str(w, v->text);
	}
	jw_object_end(w);
	return 0;
}

/* What the meta of an instance says of its schema's version. */
static bool schema_version(struct arena *a, const struct json *meta,
			   uint64_t *version)
{
	const struct json *v = json_get(meta, "schema_version");
	char *end;

	if (!v || (v->kind != JSON_STRING && v->kind != JSON_NUMBER) ||
	    !v->text.n || v->text.p[0] == '-')
		return false;
	errno = 0;
	if (v->kind == JSON_STRING)
		*version = strtoull(arena_strndup(a, v->text.p, v->text.n),
				    &end, 10);
	else /* as 2.0, too */
		*version =
			(uint64_t)strtod(arena_strndup(a, v->text.p, v->text.n),
					 &end);
	return !errno && !*end;
}

/* The rest of it is the provider's own. */
static void put_private(struct upgrade *u, const struct json *meta, bool known)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	bool any = false;

	w.html = true;
	jw_object(&w);
	for (uint32_t i = 0; meta && i < meta->len; i++) {
		if (known && str_is(meta->members[i].name, "schema_version"))
			continue;
		any = true;
		jw_key_str(&w, meta->members[i].name);
		jw_json(&w, &meta->members[i].value);
	}
	jw_object_end(&w);
	if (any)
		jw_member_str(&u->w, "private",
			      base64_encode(u->a, buf_view(&b)));
	buf_release(&b);
}

/* deposed: its number, from 1; 0: the current object. */
static int put_object(struct upgrade *u, struct str key,
		      const struct json *object, unsigned deposed)
{
	const struct json *meta = member(object, "meta", JSON_OBJECT);
	struct jw *w = &u->w;
	uint64_t version = 0;
	bool known = schema_version(u->a, meta, &version);

	jw_object(w);
	if (key.n) {
		jw_key(w, "index_key");
		jw_raw(w, key);
	}
	if (deposed)
		jw_member_str(w, "deposed", str_printf(u->a, "%08x", deposed));
	if (json_get_bool(object, "tainted", false) && u->version > 1)
		jw_member_str(w, "status", STR("tainted"));
	jw_member_int(w, "schema_version", known ? (int64_t)version : 0);
	put_private(u, meta, known);
	if (put_attributes(u, object))
		return -1;
	jw_object_end(w);
	return 0;
}

static int put_instance(struct upgrade *u, const struct old_instance *i)
{
	const struct json *current = member(i->json, "primary", JSON_OBJECT);
	const struct json *deposed = member(i->json, "deposed", JSON_ARRAY);

	if (current && put_object(u, i->key, current, 0))
		return -1;
	for (uint32_t n = 0; deposed && n < deposed->len; n++)
		if (put_object(u, i->key, &deposed->items[n], n + 1))
			return -1;
	return 0;
}

/* --- resources --- */

/* "data.t.n.0": the resource, as its map has it, and the number. */
static int split_address(struct upgrade *u, struct str text,
			 struct old_resource *r, struct str *key)
{
	struct str parts[4], rest = text;
	size_t n = 0, at;
	char *end;

	for (ptrdiff_t dot = 0; dot >= 0 && n < 4; n++) {
		dot = str_chr(rest, '.');
		parts[n] = dot < 0 ? rest : str_sub(rest, 0, (size_t)dot);
		rest = dot < 0 ? STR_NONE
			       : str_sub(rest, (size_t)dot + 1, rest.n);
	}
	r->data = n > 2 && str_is(parts[0], "data");
	at = r->data;
	if (rest.n || n < at + 2 || n > at + 3)
		return failed(u, "no address is", text);
	r->type = parts[at];
	r->name = parts[at + 1];
	*key = STR_NONE;
	if (n < at + 3)
		return 0;
	errno = 0;
	*key = str_printf(u->a, "%lld",
			  strtoll(arena_strndup(u->a, parts[n - 1].p,
						parts[n - 1].n),
				  &end, 0));
	return errno || *end || !parts[n - 1].n
		       ? failed(u, "no address is", text)
		       : 0;
}

/* The provider of an instance, which counts for its whole resource: written as
 * between 0.12 and 0.13, with the module. */
static struct str provider_of(struct upgrade *u, struct str module,
			      const struct old_resource *r,
			      const struct json *instance)
{
	struct str p = json_get_str(instance, "provider");
	ptrdiff_t end = str_chr(r->type, '_');

	if (str_find(p, STR("provider.")) >= 0)
		return p;
	if (!p.n)
		p = end < 0 ? r->type : str_sub(r->type, 0, (size_t)end);
	return STR_CAT(u->a, module, module.n ? STR(".") : STR_NONE,
		       STR("provider."), p);
}

static int put_resource(struct upgrade *u, struct str module,
			const struct old_resource *r)
{
	struct jw *w = &u->w;

	jw_object(w);
	if (module.n)
		jw_member_str(w, "module", module);
	jw_member_str(w, "mode", r->data ? STR("data") : STR("managed"));
	jw_member_str(w, "type", r->type);
	jw_member_str(w, "name", r->name);
	jw_member_str(w, "provider", r->provider);
	jw_key(w, "instances");
	jw_array(w);
	for (size_t i = 0; i < r->instances.len; i++)
		if (put_instance(u, &r->instances.items[i]))
			return -1;
	jw_array_end(w);
	jw_object_end(w);
	return 0;
}

static int put_resources(struct upgrade *u, struct str module,
			 const struct json *list)
{
	struct map all = { 0 };

	for (uint32_t i = 0; list && i < list->len; i++) {
		struct old_resource *r = ARENA_NEW(u->a, struct old_resource);
		struct old_instance in = { .json = &list->members[i].value };
		struct map_entry *e;

		if (split_address(u, list->members[i].name, r, &in.key))
			return -1;
		e = map_slot(u->a, &all,
			     STR_CAT(u->a, r->data ? STR("data.") : STR_NONE,
				     r->type, STR("."), r->name));
		if (!e->value) {
			r->provider = provider_of(u, module, r, in.json);
			e->value = r;
		}
		r = e->value;
		vec_push(u->a, &r->instances, in);
	}
	for (size_t i = 0; i < all.len; i++)
		if (put_resource(u, module, all.entries[i].value))
			return -1;
	return 0;
}

/* --- modules --- */

/* ["root", "a", "b"]: module.a.module.b; a path that is left out is the root's.
 * No module had a key then. */
static int module_of(struct upgrade *u, const struct json *module,
		     struct str *out)
{
	const struct json *path = json_get(module, "path");
	struct str_vec names = { 0 };
	struct buf b = BUF_INIT;

	if (json_texts(u->a, path, &names) ||
	    (names.len ? !str_is(names.items[0], "root") : u->version > 1))
		return failed(u, "there is a module without a path, beside",
			      names.len ? names.items[0] : STR_NONE);
	for (size_t i = 1; i < names.len; i++) {
		if (!ident_valid(names.items[i])) {
			buf_release(&b);
			return failed(u, "no name of a module is",
				      names.items[i]);
		}
		buf_addf(&b, "%smodule.%.*s", i > 1 ? "." : "",
			 STR_ARG(names.items[i]));
	}
	*out = buf_take(u->a, &b);
	return 0;
}

static int put_modules(struct upgrade *u, const struct json *modules)
{
	const uint32_t n = modules ? modules->len : 0;
	struct str module;

	jw_key(&u->w, "outputs");
	jw_object(&u->w);
	for (uint32_t i = 0; i < n; i++) {
		if (module_of(u, &modules->items[i], &module))
			return -1;
		if (!module.n)
			put_outputs(u, member(&modules->items[i], "outputs",
					      JSON_OBJECT));
	}
	jw_object_end(&u->w);
	jw_key(&u->w, "resources");
	jw_array(&u->w);
	for (uint32_t i = 0; i < n; i++)
		if (module_of(u, &modules->items[i], &module) ||
		    put_resources(u, module,
				  member(&modules->items[i], "resources",
					 JSON_OBJECT)))
			return -1;
	jw_array_end(&u->w);
	return 0;
}

struct str state_upgrade(struct arena *a, struct str text, int version,
			 const char *name, struct diags *ds)
{
	struct upgrade u = { a, ds, name, version, { 0 } };
	struct buf b = BUF_INIT;
	struct json_error error = { 0 };
	const struct json *old = json_parse(a, text, &error);
	struct str made = STR_NONE, program;
	int64_t serial = json_get_int(old, "serial", 0);

	if (!old) {
		diag_error(
			ds, NULL, "Unsupported state file format",
			"%s could not be read as JSON: %s at byte offset %zu.",
			name, error.message, error.offset);
		return STR_NONE;
	}
	if (serial < 0) {
		failed(&u, "the serial is negative:",
		       str_printf(a, "%lld", (long long)serial));
		return STR_NONE;
	}
	program = json_get_str(old, "terraform_version");
	u.w = (struct jw)JW_INIT(&b);
	jw_object(&u.w);
	jw_member_int(&u.w, "version", 4);
	jw_member_str(&u.w, "terraform_version",
		      program.n ? program : STR("0.0.0"));
	jw_member_int(&u.w, "serial", serial);
	jw_member_str(&u.w, "lineage", json_get_str(old, "lineage"));
	if (!put_modules(&u, member(old, "modules", JSON_ARRAY))) {
		jw_object_end(&u.w);
		made = buf_dup(a, &b);
	}
	buf_release(&b);
	return made;
}
