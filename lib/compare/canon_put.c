/* canon_put.c - the lines of a record; see compare_int.h */
#include <ctype.h>
#include <stdlib.h>

#include "addr/addr.h"
#include "compare/compare_int.h"
#include "json/tree.h"
#include "json/write.h"

#define HIDDEN STR("(sensitive value)")

struct putting {
	struct canon *c;
	const struct canon_kind *k;
	const struct json *rec;
	struct buf *out;
	struct leaf_walk w;
};

/* --- lines --- */

/* A text of several lines has a line for each. */
static void put_lines(struct buf *out, struct str path, struct str text)
{
	size_t from = 0;

	for (size_t i = 0; text.p[0] == '"' && i + 3 < text.n; i++) {
		if (text.p[i] != '\\')
			continue;
		if (text.p[++i] != 'n' || i + 2 >= text.n)
			continue;
		buf_addf(out, "%.*s\t%s%.*s\"\n", STR_ARG(path),
			 from ? "\"" : "", STR_ARG(str_sub(text, from, i + 1)));
		from = i + 1;
	}
	buf_addf(out, "%.*s\t%s%.*s\n", STR_ARG(path), from ? "\"" : "",
		 STR_ARG(str_sub(text, from, text.n)));
}

static void put_text(struct putting *p, struct str path, struct str text)
{
	put_lines(p->out, path, text);
}

static void put_leaf(void *data, const struct compared_leaf *l)
{
	struct putting *p = data;
	struct str text = compared_shown(l, COMPARED_SHOWN);

	/* What stream_redact has hidden is a text of these words. */
	if (str_is(text, "\"(sensitive value)\""))
		text = HIDDEN;
	put_text(p, l->path, text);
}

static void put_hidden(struct putting *p)
{
	put_text(p, buf_view(&p->w.path), HIDDEN);
}

/* --- members --- */

struct canon_members VEC_OF(const struct json_member *);

static int by_name(const void *x, const void *y)
{
	const struct json_member *const *a = x, *const *b = y;

	return str_cmp((*a)->name, (*b)->name);
}

static void sorted(struct canon *c, const struct json *j,
		   struct canon_members *out)
{
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++)
		vec_push(&c->scratch, out, &j->members[i]);
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), by_name);
}

static void put_value(struct putting *p, const struct json *j)
{
	const struct leaf_masks none = { 0 };

	if (j)
		leaf_walk(&p->w, j, &none);
}

static void put_any(struct putting *p, const struct json *j);

/* {"value":…,"type":…}, as the stream has values; not an expression. */
static bool is_encoded(const struct putting *p, const struct json *j)
{
	return p->k->form != CANON_EVENT && json_get(j, "value");
}

/* Does the source text make something secret by itself? */
static bool makes_secret(struct str text)
{
	static const struct str word = { "sensitive", 9 };

	for (struct str rest = text;;) {
		const ptrdiff_t at = str_find(rest, word);
		size_t i;

		if (at < 0)
			return false;
		i = (size_t)at + word.n;
		while (i < rest.n && memchr(" \t", rest.p[i], 2))
			i++;
		if (i < rest.n && rest.p[i] == '(' &&
		    (!at || !(isalnum((unsigned char)rest.p[at - 1]) ||
			      memchr("_-", rest.p[at - 1], 2))))
			return true;
		rest = str_sub(rest, (size_t)at + word.n, rest.n);
	}
}

/* May the member of the configuration have a secret? */
static bool is_secret(const struct putting *p, const struct json_member *m)
{
	const struct json *rec = p->rec;

	if (p->c->show_sensitive)
		return false;
	if (str_is(m->name, "expr"))
		return m->value.kind == JSON_STRING &&
		       makes_secret(m->value.text);
	if (str_is(str_c(p->k->kind), "encryption"))
		return str_is(m->name, "body");
	return (str_is(m->name, "default") || str_is(m->name, "value")) &&
	       (json_get_bool(rec, "sensitive", false) ||
		json_get_bool(rec, "ephemeral", false));
}

static void put_member(struct putting *p, const struct json_member *m)
{
	const size_t at = p->w.path.len;

	addr_attr_name(&p->w.path, m->name);
	if (is_secret(p, m))
		put_hidden(p);
	else if (str_is(m->name, "constant_value"))
		put_value(p, &m->value);
	else if (str_is(m->name, "value") && is_encoded(p, &m->value))
		put_value(p, json_get(&m->value, "value"));
	else if (str_is(m->name, "value") && m->value.kind != JSON_OBJECT)
		put_value(p, &m->value);
	else
		put_any(p, &m->value);
	buf_set_len(&p->w.path, at);
}

static void put_members(struct putting *p, const struct json *j)
{
	struct canon_members all = { 0 };

	sorted(p->c, j, &all);
	for (size_t i = 0; i < all.len; i++)
		if (!canon_is_place(all.items[i]))
			put_member(p, all.items[i]);
}

static void put_element(struct putting *p, const struct json *j)
{
	const size_t at = p->w.path.len;

	buf_puts(&p->w.path, "[]");
	if (j->kind >= JSON_ARRAY && j->len)
		put_text(p, buf_view(&p->w.path),
			 j->kind == JSON_ARRAY ? STR("[") : STR("{"));
	put_any(p, j);
	buf_set_len(&p->w.path, at);
}

/* What says nothing has no line: as in the stream, where it may be left out. */
static void put_any(struct putting *p, const struct json *j)
{
	if (j->kind == JSON_OBJECT)
		put_members(p, j);
	else if (j->kind == JSON_ARRAY)
		for (uint32_t i = 0; i < j->len; i++)
			put_element(p, &j->items[i]);
	else if (j->kind != JSON_BOOL || j->boolean)
		put_value(p, j);
}

/* The values of the root's variables, by name. */
static void put_variables(struct putting *p, const struct json *j)
{
	struct canon_members all = { 0 };
	const size_t at = p->w.path.len;

	sorted(p->c, j, &all);
	for (size_t i = 0; i < all.len; i++) {
		addr_attr_name(&p->w.path, all.items[i]->name);
		put_value(p, json_get(&all.items[i]->value, "value"));
		buf_set_len(&p->w.path, at);
	}
}

/* Of providers the version; the hash is that of a package for this platform. */
static void put_providers(struct putting *p, const struct json *j)
{
	struct canon_members all = { 0 };
	const size_t at = p->w.path.len;

	sorted(p->c, j, &all);
	for (size_t i = 0; i < all.len; i++) {
		const struct json *v =
			json_get(&all.items[i]->value, "version");

		addr_attr_name(&p->w.path, all.items[i]->name);
		put_text(p, buf_view(&p->w.path),
			 v && v->kind == JSON_STRING ? v->text : STR("null"));
		buf_set_len(&p->w.path, at);
	}
}

/* --- changes --- */

static bool any_true(const struct json *j)
{
	bool any = j && j->kind == JSON_BOOL && j->boolean;

	for (uint32_t i = 0; j && !any && j->kind >= JSON_ARRAY && i < j->len;
	     i++)
		any = any_true(j->kind == JSON_ARRAY ? &j->items[i]
						     : &j->members[i].value);
	return any;
}

static struct str text_of(struct canon *c, const struct json *j)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	w.one_form = true;
	if (j)
		jw_json(&w, j);
	else
		jw_null(&w);
	return buf_take(&c->scratch, &b);
}

static bool hides(const struct putting *p, const struct leaf_masks *m)
{
	const struct json *const masks[] = { m->sensitive, m->also };

	for (int i = 0; i < 2 && !p->c->show_sensitive; i++)
		if (masks[i] && masks[i]->kind == JSON_BOOL &&
		    masks[i]->boolean)
			return true;
	return false;
}

/* What was there and will not be so afterwards. */
static void put_before(struct putting *p, const struct json *was,
		       const struct json *is, const struct leaf_masks *m)
{
	struct leaf_masks shown = *m;
	struct canon_members all = { 0 };
	const size_t at = p->w.path.len;

	shown.unknown = NULL;
	if (was->kind != JSON_OBJECT || !is || is->kind != JSON_OBJECT ||
	    hides(p, m)) {
		if (any_true(m->unknown) ||
		    !str_eq(text_of(p->c, was), text_of(p->c, is)))
			leaf_walk(&p->w, was, &shown);
		return;
	}
	sorted(p->c, was, &all);
	for (size_t i = 0; i < all.len; i++) {
		const struct str name = all.items[i]->name;
		const struct leaf_masks sub =
			leaf_masks_below(m, name, UINT32_MAX);

		addr_attr_name(&p->w.path, name);
		put_before(p, &all.items[i]->value, leaf_member(is, name),
			   &sub);
		buf_set_len(&p->w.path, at);
	}
}

static void put_change_member(struct putting *p, const struct json *change,
			      const struct json_member *m)
{
	const struct leaf_masks masks = { json_get(change, "after_unknown"),
					  json_get(change, "after_sensitive"),
					  json_get(change,
						   "before_sensitive") };
	const struct leaf_masks none = { 0 };
	const size_t at = p->w.path.len;

	addr_attr_name(&p->w.path, m->name);
	if (str_is(m->name, "before"))
		put_before(p, &m->value, json_get(change, "after"), &masks);
	else if (str_is(m->name, "before_identity"))
		put_before(p, &m->value, json_get(change, "after_identity"),
			   &none);
	else if (str_is(m->name, "after_identity"))
		put_value(p, &m->value);
	else if (str_is(m->name, "generated_config") && !p->c->show_sensitive)
		put_hidden(p);
	else if (str_is(m->name, "after"))
		leaf_walk(&p->w, &m->value, &masks);
	else if (!str_ends(m->name, "_sensitive") &&
		 !str_is(m->name, "after_unknown"))
		put_any(p, &m->value);
	buf_set_len(&p->w.path, at);
}

static void put_change(struct putting *p, const struct json *change)
{
	static const struct json_member later = { STR_INIT("after"),
						  { .kind = JSON_NULL } };
	struct canon_members all = { 0 };

	sorted(p->c, change, &all);
	for (size_t i = 0; i < all.len; i++)
		put_change_member(p, change, all.items[i]);
	if (!json_get(change, "after"))
		put_change_member(p, change, &later);
}

/* --- records --- */

static void put_attributes(struct putting *p, const struct json *j)
{
	struct canon_members all = { 0 };

	sorted(p->c, j, &all);
	for (size_t i = 0; i < all.len; i++)
		compared_state_attribute(&p->w, all.items[i]);
}

static void put_record_member(struct putting *p, const struct json_member *m)
{
	const enum canon_form form = p->k->form;
	const size_t at = p->w.path.len;

	if (form == CANON_CHANGE && str_is(m->name, "change")) {
		addr_attr_name(&p->w.path, m->name);
		put_change(p, &m->value);
	} else if (form == CANON_OBJECT && (str_starts(m->name, "attributes") ||
					    str_is(m->name, "identity"))) {
		addr_attr_name(&p->w.path, m->name);
		put_attributes(p, &m->value);
	} else if (str_is(str_c(p->k->kind), "plan") &&
		   str_is(m->name, "variables")) {
		addr_attr_name(&p->w.path, m->name);
		put_variables(p, &m->value);
	} else if (str_is(str_c(p->k->kind), "plan") &&
		   str_is(m->name, "providers")) {
		addr_attr_name(&p->w.path, m->name);
		put_providers(p, &m->value);
	} else {
		put_member(p, m);
	}
	buf_set_len(&p->w.path, at);
}

/* What was done, not how long it took and what came of it. */
static void put_event(struct putting *p)
{
	static const char *const members[] = { "changes", "outputs", "type",
					       NULL };
	const struct json *action =
		json_get(json_get(p->rec, "hook"), "action");

	for (uint32_t i = 0; i < p->rec->len; i++)
		for (int k = 0; members[k]; k++)
			if (str_is(p->rec->members[i].name, members[k]))
				put_member(p, &p->rec->members[i]);
	if (action && action->kind == JSON_STRING)
		put_text(p, STR("hook.action"), text_of(p->c, action));
}

void canon_put(struct canon *c, const struct canon_kind *k,
	       const struct json *rec, struct buf *out)
{
	struct putting p = { .c = c, .k = k, .rec = rec, .out = out };
	struct canon_members all = { 0 };

	p.w = (struct leaf_walk){ .arena = &c->scratch,
				  .show_sensitive = c->show_sensitive,
				  .lines = true,
				  .path = BUF_INIT,
				  .put = put_leaf,
				  .data = &p };
	if (k->form == CANON_EVENT) {
		put_event(&p);
	} else {
		sorted(c, rec, &all);
		for (size_t i = 0; i < all.len; i++)
			if (!canon_is_place(all.items[i]) &&
			    !canon_is_left_out(k, all.items[i]->name))
				put_record_member(&p, all.items[i]);
	}
	buf_release(&p.w.path);
}

/* --- secrets --- */

enum { LETTERS = 4 }; /* of a text that is hidden elsewhere, at least */

static void note(void *data, const struct compared_leaf *l)
{
	struct canon *c = data;
	struct buf lines = BUF_INIT;

	if (l->hidden != COMPARED_SENSITIVE || !l->text.n ||
	    l->text.p[0] != '"')
		return;
	put_lines(&lines, STR_NONE, l->text);
	for (struct str rest = buf_view(&lines); rest.n;) {
		const size_t n = (size_t)str_chr(rest, '\n');
		const struct str text = str_sub(rest, 1, n);

		if (text.n >= LETTERS + 2)
			map_put(c->arena, &c->secrets, str_dup(c->arena, text),
				c);
		rest = str_sub(rest, n + 1, rest.n);
	}
	buf_release(&lines);
}

static void note_in(struct canon *c, const struct json *j,
		    const struct json *sensitive)
{
	const struct leaf_masks m = { NULL, sensitive, NULL };
	struct leaf_walk w = {
		.arena = &c->scratch, .path = BUF_INIT, .put = note, .data = c
	};

	if (j && sensitive)
		leaf_walk(&w, j, &m);
	buf_release(&w.path);
}

void canon_note_secrets(struct canon *c, const struct json *rec)
{
	static const struct json all = { .kind = JSON_BOOL, .boolean = true };
	const struct json *change = json_get(rec, "change");
	const struct json *vars = json_get(rec, "variables");

	note_in(c, json_get(change, "before"),
		json_get(change, "before_sensitive"));
	note_in(c, json_get(change, "after"),
		json_get(change, "after_sensitive"));
	for (uint32_t i = 0; vars && vars->kind == JSON_OBJECT && i < vars->len;
	     i++) {
		const struct json *v = &vars->members[i].value;
		const struct json *marks = json_get(v, "sensitive");

		if (marks && marks->kind == JSON_ARRAY && marks->len)
			note_in(c, json_get(v, "value"), &all);
	}
}

/* --- what it is about --- */

static struct str text_at(const struct json *rec, const char *name)
{
	const struct json *j = json_get(rec, name);

	if (j && j->kind == JSON_OBJECT)
		j = json_get(j, "expr") ? json_get(j, "expr")
					: json_get(j, "to_display");
	return j && j->kind == JSON_STRING ? j->text : STR_NONE;
}

struct str canon_address(struct arena *a, const struct json *rec)
{
	static const char *const names[] = { "address", "name", "from", "to",
					     "type" };
	const struct json *hook = json_get(json_get(rec, "hook"), "resource");
	const struct str module = json_get_str(rec, "module");
	struct str text = hook ? json_get_str(hook, "addr") : STR_NONE;

	for (size_t i = 0; !text.n && i < sizeof(names) / sizeof(*names); i++) {
		text = text_at(rec, names[i]);
		if (i == 0 && json_get(rec, "address"))
			break;
		if (text.n && module.n)
			text = STR_CAT(a, module, STR("."), text);
	}
	if (!hook && !json_get(rec, "address") && json_get(rec, "@module"))
		text = STR_NONE;
	if (json_get_str(rec, "deposed").n)
		text = STR_CAT(a, text, STR(" (deposed object)"));
	return text;
}
