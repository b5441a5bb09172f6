/*
 * diff.c - computing differences; see diff.h
 *
 * Source of the rules: what OpenTofu 1.12.6 displays.
 */
#include <stdio.h>

#include "json/tree.h"
#include "ui/diff/diff_int.h"

bool diff_absent(const struct json *j)
{
	return !j || j->kind == JSON_NULL;
}

bool diff_true(const struct json *j)
{
	return j && j->kind == JSON_BOOL && j->boolean;
}

bool diff_json_equal(const struct json *x, const struct json *y)
{
	if (diff_absent(x) || diff_absent(y))
		return diff_absent(x) && diff_absent(y);
	if (x->kind != y->kind)
		return false;
	switch (x->kind) {
	case JSON_BOOL:
		return x->boolean == y->boolean;
	case JSON_NUMBER:
	case JSON_STRING:
		return str_eq(x->text, y->text);
	case JSON_ARRAY:
		if (x->len != y->len)
			return false;
		for (uint32_t i = 0; i < x->len; i++)
			if (!diff_json_equal(&x->items[i], &y->items[i]))
				return false;
		return true;
	case JSON_OBJECT:
		if (x->len != y->len)
			return false;
		for (uint32_t i = 0; i < x->len; i++) {
			const struct json_member *m = &x->members[i], *n;

			n = &y->members[i];
			if (!str_eq(m->name, n->name) ||
			    !diff_json_equal(&m->value, &n->value))
				return false;
		}
		return true;
	default:
		return true;
	}
}

static struct diff_paths narrow(struct arena *a, struct diff_paths p,
				struct str key, size_t index, bool by_index)
{
	const struct json **kept;
	struct diff_paths out = { NULL, 0, p.depth + 1 };
	char number[24];
	struct str text = key;

	if (!p.n)
		return out;
	if (by_index) {
		text.n = (size_t)snprintf(number, sizeof(number), "%zu", index);
		text.p = number;
	}
	kept = ARENA_ARRAY(a, const struct json *, p.n);
	for (size_t i = 0; i < p.n; i++) {
		const struct json *path = p.paths[i];

		if (path->len > p.depth &&
		    (path->items[p.depth].kind == JSON_STRING ||
		     path->items[p.depth].kind == JSON_NUMBER) &&
		    str_eq(path->items[p.depth].text, text))
			kept[out.n++] = path;
	}
	out.paths = kept;
	return out;
}

bool diff_path_ends(struct diff_paths p)
{
	for (size_t i = 0; i < p.n; i++)
		if (p.paths[i]->len == p.depth)
			return true;
	return false;
}

struct diff_input diff_input_from(struct arena *a, const struct json *ch)
{
	struct diff_input in = { 0 };
	const struct json *paths = json_get(ch, "replace_paths");

	in.before = json_get(ch, "before");
	in.after = json_get(ch, "after");
	in.unknown = json_get(ch, "after_unknown");
	in.before_sensitive = json_get(ch, "before_sensitive");
	in.after_sensitive = json_get(ch, "after_sensitive");
	if (paths && paths->kind == JSON_ARRAY) {
		const struct json **list =
			ARENA_ARRAY(a, const struct json *, paths->len);

		for (uint32_t i = 0; i < paths->len; i++)
			if (paths->items[i].kind == JSON_ARRAY)
				list[in.replace.n++] = &paths->items[i];
		in.replace.paths = list;
	}
	return in;
}

struct diff_input diff_input_same(const struct json *value,
				  const struct json *sensitive)
{
	return (struct diff_input){ .before = value,
				    .after = value,
				    .before_sensitive = sensitive,
				    .after_sensitive = sensitive };
}

/* What is relevant in the child of in. */
static void narrow_relevant(struct arena *a, const struct diff_input *in,
			    struct str key, size_t index, bool by_index,
			    struct diff_input *c)
{
	c->partly = in->partly && !diff_path_ends(in->relevant);
	if (c->partly)
		c->relevant = narrow(a, in->relevant, key, index, by_index);
}

void diff_unless_relevant(struct diff_input *c)
{
	if (!c->partly || c->relevant.n)
		return;
	c->after = c->before;
	c->after_explicit = c->before_explicit;
	c->unknown = NULL;
	c->after_sensitive = c->before_sensitive;
}

void diff_child_settle(struct arena *a, const struct diff_input *in,
		       struct str key, struct diff_input *c)
{
	c->before_explicit = c->before != NULL;
	c->after_explicit = c->after != NULL;
	c->replace = narrow(a, in->replace, key, 0, false);
	narrow_relevant(a, in, key, 0, false, c);
	diff_unless_relevant(c);
}

struct diff_input diff_child_key(struct arena *a, const struct diff_input *in,
				 struct str key)
{
	char *name = arena_strndup(a, key.p, key.n);
	struct diff_input c = { 0 };

	c.before = json_get(in->before, name);
	c.after = json_get(in->after, name);
	c.unknown = json_get(in->unknown, name);
	c.before_sensitive = json_get(in->before_sensitive, name);
	c.after_sensitive = json_get(in->after_sensitive, name);
	diff_child_settle(a, in, key, &c);
	return c;
}

static const struct json *item(const struct json *j, size_t i)
{
	return j && j->kind == JSON_ARRAY && i < j->len ? &j->items[i] : NULL;
}

size_t diff_length(const struct json *j)
{
	return j && j->kind == JSON_ARRAY ? j->len : 0;
}

struct diff_input diff_child_index(struct arena *a, const struct diff_input *in,
				   size_t b, size_t n)
{
	struct diff_input c = { 0 };
	size_t index;

	c.before = item(in->before, b);
	c.after = item(in->after, n);
	c.before_explicit = c.before != NULL;
	c.after_explicit = c.after != NULL;
	c.unknown = item(in->unknown, n);
	c.before_sensitive = item(in->before_sensitive, b);
	c.after_sensitive = item(in->after_sensitive, n);
	index = b < diff_length(in->before) ? b : n;
	c.replace = narrow(a, in->replace, STR_NONE, index, true);
	narrow_relevant(a, in, STR_NONE, index, true, &c);
	return c;
}

struct diff_input diff_as_delete(const struct diff_input *in)
{
	struct diff_input d = *in;

	d.after_explicit = false;
	d.after = d.unknown = d.after_sensitive = NULL;
	return d;
}

struct diff_input diff_as_create(const struct diff_input *in)
{
	struct diff_input d = *in;

	d.before_explicit = false;
	d.before = d.before_sensitive = NULL;
	return d;
}

enum diff_action diff_action_of(const struct diff_input *in)
{
	bool b = !diff_absent(in->before) || in->before_explicit;
	bool n = !diff_absent(in->after) || in->after_explicit;

	if (!b && n)
		return DIFF_CREATE;
	if (b && !n)
		return DIFF_DELETE;
	if (diff_json_equal(in->before, in->after) &&
	    in->before_explicit == in->after_explicit &&
	    diff_true(in->before_sensitive) == diff_true(in->after_sensitive))
		return DIFF_NOOP;
	return DIFF_UPDATE;
}

enum diff_action diff_default_action(const struct diff_input *in)
{
	if (diff_absent(in->before))
		return diff_absent(in->after) ? DIFF_NOOP : DIFF_CREATE;
	return diff_absent(in->after) ? DIFF_DELETE : DIFF_NOOP;
}

enum diff_action diff_combine(enum diff_action current, enum diff_action next)
{
	return next == DIFF_NOOP || next == current ? current : DIFF_UPDATE;
}

struct diff *diff_make(struct arena *a, enum diff_kind kind,
		       enum diff_action action, bool replace)
{
	struct diff *d = ARENA_NEW(a, struct diff);

	d->kind = kind;
	d->action = action;
	d->replace = replace;
	return d;
}

struct diff *diff_with_children(struct diff *d, const struct child_vec *v)
{
	d->children = v->items;
	d->nchildren = v->len;
	return d;
}

/* --- what comes before the type: sensitive, unknown --- */

const struct diff *diff_if_sensitive(struct arena *a,
				     const struct diff_input *in,
				     enum diff_kind kind, diff_fn *f,
				     const void *schema)
{
	bool b = diff_true(in->before_sensitive);
	bool n = diff_true(in->after_sensitive);
	struct diff_input plain = *in;
	enum diff_action action;
	struct diff *d;

	if (!b && !n)
		return NULL;
	plain.before_sensitive = plain.after_sensitive = NULL;
	d = diff_make(a, kind, DIFF_NOOP, diff_path_ends(in->replace));
	d->inner = f(a, &plain, schema);
	d->before_sensitive = b;
	d->after_sensitive = n;
	action = d->inner->action;
	if (action == DIFF_NOOP && b != n &&
	    !(diff_absent(in->before) && !in->before_explicit &&
	      diff_absent(in->after) && !in->after_explicit))
		action = DIFF_UPDATE;
	d->action = action;
	return d;
}

const struct diff *diff_if_unknown(struct arena *a, const struct diff_input *in,
				   const struct json *child_unknown, diff_fn *f,
				   const void *schema)
{
	struct diff_input cur = *in, before;
	struct diff *d;

	if (!diff_true(in->unknown))
		return NULL;
	cur.after_explicit = true;
	d = diff_make(a, DIFF_UNKNOWN, diff_action_of(&cur),
		      diff_path_ends(in->replace));
	if (!diff_absent(in->before)) {
		before = diff_as_delete(&cur);
		before.unknown = child_unknown;
		d->inner = f(a, &before, schema);
	}
	return d;
}
