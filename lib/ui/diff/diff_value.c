/*
 * diff_value.c - differences of values: by their type, or by the JSON alone
 */
#include <stdlib.h>

#include "ui/diff/diff.h"
#include "json/write.h"
#include "ui/diff/diff_int.h"

/* --- values by their JSON alone --- */

static const struct diff *json_compute(struct arena *a,
				       const struct diff_input *in,
				       const void *unused)
{
	(void)unused;
	return diff_json(a, in);
}

int diff_by_key(const void *x, const void *y)
{
	const struct diff_child *a = x, *b = y;

	return str_cmp(a->key, b->key);
}

enum { VALUES = 2, PARTS = 5 };

static const struct json **part(struct diff_input *in, size_t which)
{
	const struct json **all[PARTS] = {
		&in->before,           &in->after,           &in->unknown,
		&in->before_sensitive, &in->after_sensitive,
	};

	return all[which];
}

/* All member names that occur in any of the objects, sorted, once each. */
static void all_keys(struct arena *a, const struct json *const *objs, size_t n,
		     struct child_vec *out)
{
	struct map seen = { 0 };

	for (size_t o = 0; o < n; o++) {
		if (!objs[o] || objs[o]->kind != JSON_OBJECT)
			continue;
		for (uint32_t i = 0; i < objs[o]->len; i++) {
			struct str key = objs[o]->members[i].name;

			if (map_has(&seen, key))
				continue;
			map_put(a, &seen, key, out);
			vec_push(a, out, (struct diff_child){ key, NULL });
		}
	}
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), diff_by_key);
}

static void place_members(struct diff_input *inputs, size_t which,
			  const struct json *obj, const struct child_vec *kids)
{
	if (!obj || obj->kind != JSON_OBJECT || !kids->len)
		return;
	for (uint32_t i = 0; i < obj->len; i++) {
		struct diff_child key = { obj->members[i].name, NULL };
		const struct diff_child *k =
			bsearch(&key, kids->items, kids->len,
				sizeof(*kids->items), diff_by_key);

		if (k)
			*part(&inputs[k - kids->items], which) =
				&obj->members[i].value;
	}
}

const struct diff_input *diff_members(struct arena *a,
				      const struct diff_input *in, bool hidden,
				      struct child_vec *kids)
{
	struct diff_input parent = *in, *out;
	const struct json *objs[PARTS];

	for (size_t p = 0; p < PARTS; p++)
		objs[p] = *part(&parent, p);
	all_keys(a, objs, hidden ? PARTS : VALUES, kids);
	out = ARENA_ARRAY(a, struct diff_input, kids->len);
	for (size_t p = 0; p < PARTS; p++)
		place_members(out, p, objs[p], kids);
	for (size_t i = 0; i < kids->len; i++)
		diff_child_settle(a, in, kids->items[i].key, &out[i]);
	return out;
}

enum diff_action diff_container_action(const struct diff_input *in,
				       enum json_kind kind)
{
	bool b = in->before && in->before->kind == kind;
	bool n = in->after && in->after->kind == kind;

	return b == n ? DIFF_NOOP : b ? DIFF_DELETE : DIFF_CREATE;
}

static const struct diff *json_object(struct arena *a,
				      const struct diff_input *in)
{
	struct child_vec kids = { 0 };
	enum diff_action action = diff_container_action(in, JSON_OBJECT);
	const struct diff_input *c = diff_members(a, in, true, &kids);

	for (size_t i = 0; i < kids.len; i++) {
		kids.items[i].diff = diff_json(a, &c[i]);
		action = diff_combine(action, kids.items[i].diff->action);
	}
	return diff_with_children(diff_make(a, DIFF_OBJECT, action, false),
				  &kids);
}

struct list_walk {
	struct arena *a;
	const struct diff_input *in;
	const struct type *elem; /* NULL: by JSON */
	struct child_vec kids;
	enum diff_action action;
};

static bool elem_equal(void *data, size_t b, size_t n)
{
	struct list_walk *w = data;

	return diff_json_equal(&w->in->before->items[b],
			       &w->in->after->items[n]);
}

/* Two strings of several lines that have a line in common. */
static bool share_a_line(struct arena *a, struct str x, struct str y)
{
	struct map lines = { 0 };

	if (str_chr(x, '\n') < 0 && str_chr(y, '\n') < 0)
		return false;
	for (int side = 0; side < 2; side++) {
		struct str s = side ? y : x;

		for (;;) {
			ptrdiff_t nl = str_chr(s, '\n');
			struct str line =
				nl < 0 ? s : str_sub(s, 0, (size_t)nl);

			if (side && map_has(&lines, line))
				return true;
			if (!side)
				map_put(a, &lines, line, a);
			if (nl < 0)
				break;
			s = str_sub(s, (size_t)nl + 1, s.n);
		}
	}
	return false;
}

static bool elem_pair(void *data, size_t b, size_t n)
{
	struct list_walk *w = data;
	const struct json *x = &w->in->before->items[b];
	const struct json *y = &w->in->after->items[n];

	if (w->elem && w->elem->kind == TYPE_OBJECT)
		return true;
	if (!w->elem && x->kind == JSON_OBJECT && y->kind == JSON_OBJECT)
		return true;
	return x->kind == JSON_STRING && y->kind == JSON_STRING &&
	       share_a_line(w->a, x->text, y->text);
}

static void elem_process(void *data, size_t b, size_t n)
{
	struct list_walk *w = data;
	struct diff_input c = diff_child_index(w->a, w->in, b, n);
	const struct diff *d;

	c.partly &= !w->elem;
	d = w->elem ? diff_typed(w->a, &c, w->elem) : diff_json(w->a, &c);
	vec_push(w->a, &w->kids, (struct diff_child){ STR_NONE, d });
	w->action = diff_combine(w->action, d->action);
}

static const struct diff *list_diff(struct arena *a,
				    const struct diff_input *in,
				    const struct type *elem)
{
	struct list_walk w = {
		a, in, elem, { 0 }, diff_container_action(in, JSON_ARRAY)
	};
	struct diff_sequence s = { diff_length(in->before),
				   diff_length(in->after),
				   elem_equal,
				   elem_pair,
				   elem_process,
				   &w };

	diff_walk(a, &s);
	return diff_with_children(diff_make(a, DIFF_LIST, w.action,
					    elem ? diff_path_ends(in->replace)
						 : false),
				  &w.kids);
}

static const struct diff *json_primitive(struct arena *a,
					 const struct diff_input *in)
{
	bool b = !diff_absent(in->before) || in->before_explicit;
	bool n = !diff_absent(in->after) || in->after_explicit;
	enum diff_action action = !b && n   ? DIFF_CREATE
				  : b && !n ? DIFF_DELETE
				  : diff_json_equal(in->before, in->after)
					  ? DIFF_NOOP
					  : DIFF_UPDATE;
	struct diff *d = diff_make(a, DIFF_PRIMITIVE, action, false);

	d->before = in->before;
	d->after = in->after;
	return d;
}

static const struct diff *json_update(struct arena *a,
				      const struct diff_input *in,
				      enum json_kind kind)
{
	if (kind == JSON_OBJECT)
		return json_object(a, in);
	if (kind == JSON_ARRAY)
		return list_diff(a, in, NULL);
	return json_primitive(a, in);
}

const struct diff *diff_json(struct arena *a, const struct diff_input *in)
{
	const struct diff *d =
		diff_if_sensitive(a, in, DIFF_SENSITIVE, json_compute, NULL);
	enum json_kind b, n;
	struct diff_input del, cre, own = *in;
	struct diff *change;

	/* A null that becomes unknown is new, also where it is written out; by
	 * type it is no change. */
	own.before_explicit &= !diff_absent(in->before);
	if (!d)
		d = diff_if_unknown(a, &own, NULL, json_compute, NULL);
	if (d)
		return d;
	b = in->before ? in->before->kind : JSON_NULL;
	n = in->after ? in->after->kind : JSON_NULL;
	if (b == n || (n == JSON_NULL && !in->after_explicit) ||
	    (b == JSON_NULL && !in->before_explicit))
		return json_update(a, in, b == JSON_NULL ? n : b);
	del = diff_as_delete(in);
	cre = diff_as_create(in);
	change = diff_make(a, DIFF_TYPE_CHANGE, DIFF_UPDATE, false);
	change->inner = json_update(a, &del, b);
	change->inner_after = json_update(a, &cre, n);
	return change;
}

/* --- values by their type --- */

static const struct diff *typed_compute(struct arena *a,
					const struct diff_input *in,
					const void *type)
{
	return diff_typed(a, in, type);
}

static const struct diff *object_diff(struct arena *a,
				      const struct diff_input *in,
				      const struct type *t)
{
	enum diff_action action = diff_default_action(in);
	struct child_vec kids = { 0 };

	for (uint32_t i = 0; i < t->len; i++) {
		struct diff_input c = diff_child_key(a, in, t->attrs[i].name);
		const struct diff *d;

		c.before_explicit = c.after_explicit = false;
		d = diff_typed(a, &c, t->attrs[i].type);
		if (d->action == DIFF_NOOP && diff_absent(c.before) &&
		    diff_absent(c.after))
			continue;
		vec_push(a, &kids, (struct diff_child){ t->attrs[i].name, d });
		action = diff_combine(action, d->action);
	}
	return diff_with_children(diff_make(a, DIFF_OBJECT, action,
					    diff_path_ends(in->replace)),
				  &kids);
}

static const struct diff *map_diff(struct arena *a, const struct diff_input *in,
				   const struct type *elem)
{
	enum diff_action action = diff_container_action(in, JSON_OBJECT);
	struct child_vec kids = { 0 };
	const struct diff_input *c = diff_members(a, in, true, &kids);

	for (size_t i = 0; i < kids.len; i++) {
		kids.items[i].diff = diff_typed(a, &c[i], elem);
		action = diff_combine(action, kids.items[i].diff->action);
	}
	return diff_with_children(diff_make(a, DIFF_MAP, action,
					    diff_path_ends(in->replace)),
				  &kids);
}

static const struct diff *tuple_diff(struct arena *a,
				     const struct diff_input *in,
				     const struct type *t)
{
	enum diff_action action = diff_default_action(in);
	struct child_vec kids = { 0 };

	for (uint32_t i = 0; i < t->len; i++) {
		struct diff_input c = diff_child_index(a, in, i, i);
		const struct diff *d;

		diff_unless_relevant(&c);
		d = diff_typed(a, &c, t->elems[i]);
		vec_push(a, &kids, (struct diff_child){ STR_NONE, d });
		action = diff_combine(action, d->action);
	}
	return diff_with_children(diff_make(a, DIFF_LIST, action,
					    diff_path_ends(in->replace)),
				  &kids);
}

/* Pairs equal elements of two sets, then lists what is only before and what is
 * only after.  Hashes keep the comparisons cheap. */
struct set_walk {
	struct arena *a;
	const struct diff_input *in;
	size_t nb, na;
	ptrdiff_t *match; /* before -> after, or -1 */
	bool *taken;      /* of after */
};

static uint64_t json_hash(const struct json *j)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	uint64_t h;

	jw_json(&w, j);
	h = str_hash(buf_view(&b));
	buf_release(&b);
	return h;
}

static void set_match(struct set_walk *w)
{
	uint64_t *hashes = ARENA_ARRAY(w->a, uint64_t, w->na);

	for (size_t n = 0; n < w->na; n++)
		hashes[n] = json_hash(&w->in->after->items[n]);
	for (size_t b = 0; b < w->nb; b++) {
		uint64_t h = json_hash(&w->in->before->items[b]);

		w->match[b] = -1;
		for (size_t n = 0; n < w->na; n++) {
			struct diff_input c;

			if (w->taken[n] || hashes[n] != h)
				continue;
			c = diff_child_index(w->a, w->in, b, n);
			if (diff_json_equal(c.before, c.after) &&
			    diff_true(c.before_sensitive) ==
				    diff_true(c.after_sensitive) &&
			    !diff_true(c.unknown)) {
				w->match[b] = (ptrdiff_t)n;
				w->taken[n] = true;
				break;
			}
		}
	}
}

enum diff_action diff_set_elems(struct arena *a, const struct diff_input *in,
				diff_fn *f, const void *schema,
				struct child_vec *kids)
{
	struct set_walk w = {
		a,    in,  diff_length(in->before), diff_length(in->after),
		NULL, NULL
	};
	enum diff_action action = diff_default_action(in);

	w.match = ARENA_ARRAY(a, ptrdiff_t, w.nb);
	w.taken = ARENA_ARRAY(a, bool, w.na);
	set_match(&w);
	for (size_t i = 0; i < w.nb + w.na; i++) {
		bool before = i < w.nb;
		size_t b = before ? i : w.nb, n = before ? w.na : i - w.nb;
		struct diff_input c;
		const struct diff *d;

		if (before && w.match[i] >= 0)
			n = (size_t)w.match[i];
		if (!before && w.taken[n])
			continue;
		c = diff_child_index(a, in, b, n);
		c.partly = false;
		d = f(a, &c, schema);
		vec_push(a, kids, (struct diff_child){ STR_NONE, d });
		action = diff_combine(action, d->action);
	}
	return action;
}

static const struct diff *set_diff(struct arena *a, const struct diff_input *in,
				   const struct type *elem)
{
	struct child_vec kids = { 0 };
	enum diff_action action =
		diff_set_elems(a, in, typed_compute, elem, &kids);

	return diff_with_children(diff_make(a, DIFF_SET, action,
					    diff_path_ends(in->replace)),
				  &kids);
}

const struct diff *diff_typed(struct arena *a, const struct diff_input *in,
			      const struct type *t)
{
	const struct diff *d;
	struct diff *p;

	if (!t || t->kind == TYPE_DYNAMIC)
		return diff_json(a, in);
	d = diff_if_sensitive(a, in, DIFF_SENSITIVE, typed_compute, t);
	if (!d)
		d = diff_if_unknown(a, in, NULL, typed_compute, t);
	if (d)
		return d;
	switch (t->kind) {
	case TYPE_OBJECT:
		return object_diff(a, in, t);
	case TYPE_MAP:
		return map_diff(a, in, t->elem);
	case TYPE_LIST:
		return list_diff(a, in, t->elem);
	case TYPE_SET:
		return set_diff(a, in, t->elem);
	case TYPE_TUPLE:
		return tuple_diff(a, in, t);
	default:
		p = diff_make(a, DIFF_PRIMITIVE, diff_action_of(in),
			      diff_path_ends(in->replace));
		p->before = in->before;
		p->after = in->after;
		return p;
	}
}
