/* overrides.c - see overrides.h */
#include "engine/run/overrides.h"
#include "addr/provider.h"
#include "addr/walk.h"
#include "base/visible.h"
#include "config/module.h"
#include "engine/change/change.h"
#include "engine/run/expand.h"
#include "engine/run/run_int.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/convert.h"

int override_refused(struct diags *ds, const char *record, struct str address,
		     const char *why)
{
	return diag_error(ds, NULL, "Edited record cannot be used",
			  "The record %s of %.*s was edited. %s", record,
			  STR_ARG(visible_word(ds->arena, address)), why);
}

/* --- records --- */

static int read_value(struct arena *a, struct overrides *o, struct str address,
		      const struct json *value, struct diags *ds)
{
	struct verror err = { 0 };
	const struct value *v = value_from_stream(a, value, &err);

	if (!v)
		return diag_error(ds, NULL, "Invalid stream",
				  "The value of %.*s cannot be read: %.*s.",
				  STR_ARG(address),
				  STR_ARG(verror_text(ds->arena, &err)));
	map_put(a, &o->values, address, (void *)v);
	return 0;
}

int overrides_read(struct arena *a, struct overrides *o, struct str line,
		   const struct map *only, struct diags *ds)
{
	const struct json *j = stream_parse(a, line, ds), *value;
	struct graph_link link;
	struct str address;

	if (!j)
		return -1;
	link.from = json_get_str(j, "from");
	link.to = json_get_str(j, "to");
	address = json_get_str(j, "address");
	value = json_get(j, "value");
	if (only && !map_has(only, address))
		return 0;
	if (link.from.n && link.to.n)
		vec_push(a, &o->links, link);
	else if (value)
		return read_value(a, o, address, value, ds);
	else if (json_get(j, "count") || json_get(j, "for_each") ||
		 json_get(j, "enabled"))
		map_put(a, &o->expansions, address, (void *)j);
	return 0;
}

static void write_expansion(struct stream_out *out, struct str address,
			    const struct json *j)
{
	static const char *const members[] = { "count", "for_each", "enabled" };
	struct jw w = stream_record(out, "edited", address);

	for (size_t i = 0; i < sizeof(members) / sizeof(*members); i++) {
		const struct json *m = json_get(j, members[i]);

		if (!m)
			continue;
		jw_key(&w, members[i]);
		jw_json(&w, m);
	}
	stream_record_end(out, &w);
}

void overrides_write(struct stream_out *out, const struct overrides *o)
{
	struct arena scratch = ARENA_INIT;
	struct jw w;

	for (size_t i = 0; i < o->values.len; i++) {
		const struct value *v = o->values.entries[i].value;

		if (out->redact)
			v = change_redacted(&scratch, v);
		w = stream_record(out, "edited", o->values.entries[i].key);
		jw_key(&w, "value");
		value_to_stream(&w, v);
		stream_record_end(out, &w);
	}
	for (size_t i = 0; i < o->expansions.len; i++)
		write_expansion(out, o->expansions.entries[i].key,
				o->expansions.entries[i].value);
	for (size_t i = 0; i < o->links.len; i++) {
		w = stream_record(out, "edited", STR_NONE);
		jw_member_str(&w, "from", o->links.items[i].from);
		jw_member_str(&w, "to", o->links.items[i].to);
		stream_record_end(out, &w);
	}
	arena_release(&scratch);
}

/* --- in a run --- */

static bool counts(const struct run_module *m, const struct map *of)
{
	return of->len && m->run->opts.phase != RUN_VALIDATE;
}

static const void *of_object(const struct run_module *m, const struct map *of,
			     const char *kind, struct str name)
{
	struct arena scratch = ARENA_INIT;
	const void *found = map_get(of, run_address(&scratch, m, kind, name));

	arena_release(&scratch);
	return found;
}

const struct value *override_value(const struct run_module *m, struct str name)
{
	const struct overrides *o = m->run->opts.overrides;

	return o && counts(m, &o->values)
		       ? of_object(m, &o->values, "local.", name)
		       : NULL;
}

const struct json *override_instances(const struct run_module *m,
				      const char *kind, struct str name)
{
	const struct overrides *o = m->run->opts.overrides;

	return o && counts(m, &o->expansions)
		       ? of_object(m, &o->expansions, kind, name)
		       : NULL;
}

/* The value of a key that for_each has; in a set all keys are as good. */
static int take_key(struct arena *a, const struct expansion *of, struct str key,
		    struct expansion *e, const struct value **values)
{
	ptrdiff_t i = map_index(&of->index, key);

	if (of->values && i < 0)
		return -1;
	if (values)
		values[e->n] = of->values[i];
	map_put(a, &e->index, key, (void *)&e->keys[e->n++]);
	return 0;
}

/* Keeps these keys alone; their values are those that for_each gives. */
static int choose_keys(struct arena *a, const struct json *keys,
		       struct expansion *e)
{
	struct str *sorted = ARENA_ARRAY(a, struct str, keys->len + 1);
	const struct value **values =
		e->values ? ARENA_ARRAY(a, const struct value *, keys->len + 1)
			  : NULL;
	const struct expansion all = *e;

	for (uint32_t i = 0; i < keys->len; i++) {
		if (keys->items[i].kind != JSON_STRING)
			return -1;
		sorted[i] = keys->items[i].text;
	}
	str_sort(sorted, keys->len);
	*e = (struct expansion){ .kind = EXPAND_EACH,
				 .keys = sorted,
				 .values = values };
	for (uint32_t i = 0; i < keys->len; i++)
		if ((i && str_eq(sorted[i], sorted[i - 1])) ||
		    take_key(a, &all, sorted[i], e, values))
			return -1;
	return 0;
}

static int choose(struct run_module *m, const struct json *j,
		  struct expression for_each, struct expression enabled,
		  struct expansion *e, struct diags *ds)
{
	const struct json *n = json_get(j, "count");
	const struct json *keys = json_get(j, "for_each");
	const struct json *on = json_get(j, "enabled");

	if (!!n + !!keys + !!on != 1)
		return -1;
	if (for_each.root) {
		expansion_evaluate(m, EXPRESSION_NONE, for_each,
				   EXPRESSION_NONE, e, ds);
		if (e->kind != EXPAND_EACH)
			return 0;
		return keys && keys->kind == JSON_ARRAY
			       ? choose_keys(m->run->arena, keys, e)
			       : -1;
	}
	*e = (struct expansion){ .kind = EXPAND_SINGLE };
	if (enabled.root) {
		e->n = json_get_bool(j, "enabled", false);
		return on && on->kind == JSON_BOOL ? 0 : -1;
	}
	*e = (struct expansion){ .kind = EXPAND_COUNT };
	e->n = (size_t)json_get_int(j, "count", -1);
	return n && e->n <= INSTANCES_MAX ? 0 : -1;
}

void override_expansion(struct run_module *m, const struct json *record,
			struct expression count, struct expression for_each,
			struct expression enabled, struct expansion *e,
			struct diags *ds)
{
	if ((!count.root && !for_each.root && !enabled.root) ||
	    choose(m, record, for_each, enabled, e, ds)) {
		override_refused(ds, "expansion",
				 json_get_str(record, "address"),
				 "It must have the one of count, for_each and "
				 "enabled that the configuration has: a "
				 "number, a list of different keys (where "
				 "for_each is a map, of those in it), or a "
				 "boolean.");
		*e = (struct expansion){ .kind = EXPAND_FAILED };
	}
}

/* --- is there such an object? --- */

/* The end of NAME or NAME[KEY] at the beginning of text. */
static size_t step_end(struct str text)
{
	bool quoted = false;
	size_t i = 0;

	while (i < text.n && text.p[i] != '.' && text.p[i] != '[')
		i++;
	if (i == text.n || text.p[i] == '.')
		return i;
	for (i++; i < text.n && (quoted || text.p[i] != ']'); i++) {
		if (quoted && text.p[i] == '\\')
			i++;
		else if (text.p[i] == '"')
			quoted = !quoted;
	}
	return i < text.n ? i + 1 : text.n;
}

/* The module instance that the address begins with; *rest is what follows, for
 * a call "module.NAME".  NULL: there is none. */
static struct run_module *module_of(struct run *r, struct str address,
				    struct str *rest)
{
	static const struct str word = { "module.", 7 };
	struct diags ignored = DIAGS_INIT(r->arena);
	struct module_addr m;
	size_t from = 0;

	for (;;) {
		struct str at = str_sub(address, from, address.n);
		size_t end;

		*rest = at;
		if (!str_starts(at, word.p))
			break;
		end = word.n + step_end(str_sub(at, word.n, at.n));
		if (end >= at.n)
			break;
		from += end + 1;
	}
	if (!from)
		return r->root;
	return module_addr_parse(r->arena, str_sub(address, 0, from - 1), &m,
				 &ignored)
		       ? NULL
		       : run_module(r, m, &ignored);
}

static bool is_provider(const struct run_module *m, struct str text)
{
	const struct map *all = &m->config->providers;
	struct arena *a = m->run->arena;

	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_provider *p = all->entries[i].value;
		const struct provider_config_addr addr = { .provider =
								   p->provider,
							   .alias = p->alias };

		if (str_eq(provider_config_text(a, &addr), text))
			return true;
	}
	return false;
}

static bool has_instances(struct run *r, struct str address)
{
	struct diags ignored = DIAGS_INIT(r->arena);
	struct instance_addr i;
	struct str rest;
	const struct run_module *m = module_of(r, address, &rest);

	if (!m)
		return false;
	if (str_starts(rest, "module."))
		return map_has(&m->config->calls, str_sub(rest, 7, rest.n));
	return is_provider(m, rest) ||
	       (!instance_addr_parse(r->arena, rest, &i, &ignored) &&
		config_resource(m->config, &i.resource));
}

static bool is_local(struct run *r, struct str address)
{
	struct str rest;
	const struct run_module *m = module_of(r, address, &rest);

	return m && str_starts(rest, "local.") &&
	       map_has(&m->config->locals, str_sub(rest, 6, rest.n));
}

static void check(struct run *r, const struct map *of, const char *record,
		  bool (*is)(struct run *r, struct str address),
		  struct diags *ds)
{
	for (size_t i = 0; i < of->len; i++)
		if (!is(r, of->entries[i].key))
			override_refused(
				ds, record, of->entries[i].key,
				"The configuration has no such object.");
}

void overrides_check(struct run *r, struct diags *ds)
{
	const struct overrides *o = r->opts.overrides;

	if (!o)
		return;
	check(r, &o->values, "local_value", is_local, ds);
	check(r, &o->expansions, "expansion", has_instances, ds);
}
