/*
 * eval_for.c - for expressions, in their three forms: tuple, object, object
 * grouped by key
 */
#include "lang/eval/eval_int.h"
#include "lang/eval/func.h"
#include "value/number.h"
#include "value/type.h"

struct for_loop {
	struct eval *ev;
	struct eval_loop mem;
	const struct expr *e;
	struct for_result *r;
	struct eval_local key, value; /* key is outside value */
	struct map seen;              /* keys so far, unless grouping */
	const struct marks *within;   /* of what is taken out of the whole */
	/* Unknown, marked as what may come to be an element (maybe_element) */
	const struct value *maybe;
};

static void fail(struct for_loop *l, const struct expr *about,
		 const char *summary, const char *why)
{
	eval_fail(l->ev, about, about->span, &l->e->span, summary, "%s", why);
}

static void open_scope(struct for_loop *l)
{
	l->key = (struct eval_local){ l->ev->locals, l->e->for_.key_name,
				      &value_unknown_dynamic };
	l->value = (struct eval_local){ l->ev->locals, l->e->for_.value_name,
					&value_unknown_dynamic };
	if (l->e->for_.key_name.n)
		l->value.outer = &l->key;
	l->ev->locals = &l->value;
}

/* The condition evaluated with unknown variables: is its type right at all?
 * Saves one message an element. *marks: those of the condition. */
static bool check_condition(struct for_loop *l, const struct marks **marks)
{
	const struct expr *ce = l->e->for_.cond;
	size_t errors = l->ev->diags->errors;
	const struct value *c = eval_expr(l->ev, ce);
	struct str why;

	if (value_is_null(c)) {
		fail(l, ce, "Condition is null",
		     "The value of the 'if' clause must not be null.");
		return false;
	}
	*marks = c->marks;
	if (!eval_to(l->ev, c, &type_bool, &why)) {
		eval_fail(l->ev, ce, ce->span, &l->e->span,
			  "Invalid 'for' condition",
			  "The 'if' clause must be a bool: %.*s.",
			  STR_ARG(why));
		return false;
	}
	return l->ev->diags->errors == errors;
}

/* Is the element included?  Reports errors until something is unknown. */
static bool included(struct for_loop *l)
{
	const struct expr *ce = l->e->for_.cond;
	const struct value *c = eval_expr(l->ev, ce), *b;
	bool tuple = !l->e->for_.key;
	struct str why;

	if (value_is_null(c)) {
		if (l->r->known)
			fail(l, ce, "Invalid 'for' condition",
			     "The value of the 'if' clause must not be null.");
		l->r->known = false;
		return false;
	}
	l->r->marks = marks_join(l->ev->arena, l->r->marks, c->marks);
	if (tuple && !value_is_known(c)) {
		l->r->known = false;
		return false;
	}
	b = eval_to(l->ev, c, &type_bool, &why);
	if (!b && l->r->known)
		eval_fail(l->ev, ce, ce->span, &l->e->span,
			  "Invalid 'for' condition",
			  "The 'if' clause must be a bool: %.*s.",
			  STR_ARG(why));
	if (!b || !value_is_known(b)) {
		l->r->known = false;
		return false;
	}
	return b->boolean;
}

/* The text of the element's key; STR_NONE: none that is known. */
static struct str element_key(struct for_loop *l)
{
	const struct expr *ke = l->e->for_.key;
	const struct value *k = eval_expr(l->ev, ke), *s;
	struct str why;

	if (value_is_null(k)) {
		if (l->r->known)
			fail(l, ke, "Invalid object key",
			     "A key must not be null.");
		return STR_NONE;
	}
	l->r->marks = marks_join(l->ev->arena, l->r->marks, k->marks);
	if (!value_is_known(k))
		return STR_NONE;
	s = eval_to(l->ev, k, &type_string, &why);
	if (!s) {
		if (l->r->known)
			eval_fail(l->ev, ke, ke->span, &l->e->span,
				  "Invalid object key",
				  "This value cannot be a key: %.*s.",
				  STR_ARG(why));
		return STR_NONE;
	}
	return s->string.p ? s->string : STR("");
}

static void maybe_element(struct for_loop *l)
{
	l->maybe = eval_still_ephemeral_by(l->ev, l->maybe, l->e->for_.value);
	if (l->e->for_.key)
		l->maybe = eval_still_ephemeral_by(l->ev, l->maybe,
						   l->e->for_.key);
}

static struct str shown_key(struct for_loop *l, struct str key)
{
	const char *hidden = func_hidden(l->r->marks);

	return hidden ? str_c(hidden)
		      : str_printf(l->ev->arena, "\"%.*s\"", STR_ARG(key));
}

static void one_element(struct for_loop *l)
{
	struct eval *ev = l->ev;
	struct arena *out = l->mem.out;
	const struct expr *e = l->e;
	const struct value *v;
	struct str key = STR_NONE;

	if (e->for_.cond && !included(l)) {
		if (!l->r->known)
			maybe_element(l);
		return;
	}
	if (e->for_.key) {
		key = element_key(l);
		if (!key.p) {
			l->r->known = false;
			maybe_element(l);
			return;
		}
		key = eval_loop_keep(&l->mem, key);
	}
	v = eval_expr(ev, e->for_.value);
	if (e->for_.key && !e->for_.group) {
		struct map_entry *m = map_slot(out, &l->seen, key);

		if (m->value) {
			eval_fail(ev, e->for_.key, e->for_.key->span, &e->span,
				  "Duplicate object key",
				  "Two elements have the key %.*s. Write"
				  " ... after the value to group the values"
				  " by key.",
				  STR_ARG(shown_key(l, key)));
			return;
		}
		m->value = l; /* any pointer: the key is taken */
	}
	if (e->for_.key)
		vec_push(out, &l->r->keys, key);
	vec_push(out, &l->r->values, v);
}

static const struct value *key_of(struct for_loop *l, const struct value *coll,
				  uint32_t i)
{
	struct arena *a = l->ev->arena;
	const struct type *t = coll->type;

	switch (t->kind) {
	case TYPE_SET:
		return coll->elems[i];
	case TYPE_MAP:
		return value_string(a, coll->keys[i]);
	case TYPE_OBJECT:
		return value_string(a, t->attrs[i].name);
	default:
		return value_int(a, i);
	}
}

static void iterate(struct for_loop *l, const struct value *coll)
{
	struct eval *ev = l->ev;
	struct for_result *r = l->r;
	bool want_key = l->e->for_.key_name.n != 0;

	eval_loop_open(&l->mem, ev);
	for (uint32_t i = 0; i < coll->len; i++) {
		l->value.value = marked(ev->arena, coll->elems[i], l->within);
		if (want_key)
			l->key.value = marked(ev->arena, key_of(l, coll, i),
					      l->within);
		one_element(l);
		if (ev->diags->errors >= EVAL_MAX_ERRORS)
			break;
		eval_loop_next(&l->mem, r->values.items, r->values.len,
			       &r->marks, &l->maybe);
	}
	eval_loop_close(&l->mem, r->values.items, r->values.len, &r->marks,
			&l->maybe);
}

/* A collection that may turn out to be anything. */
static void untyped(struct for_loop *l, const struct value *coll)
{
	const struct eval_local *outer = l->ev->locals;

	open_scope(l);
	l->maybe = eval_still_ephemeral(l->ev, l->maybe, coll);
	maybe_element(l);
	if (l->e->for_.cond)
		l->maybe = eval_still_ephemeral_by(l->ev, l->maybe,
						   l->e->for_.cond);
	l->r->marks = l->maybe->marks;
	l->ev->locals = outer;
}

/* The collection, unmarked; NULL: there is nothing to iterate over. */
static const struct value *collection(struct for_loop *l)
{
	const struct expr *ce = l->e->for_.coll;
	const struct value *v = eval_expr(l->ev, ce);

	if (value_is_null(v)) {
		fail(l, ce, "Iteration over null value",
		     "The collection of a 'for' expression must not be null.");
		return NULL;
	}
	if (v->type == &type_dynamic) {
		untyped(l, v);
		return NULL;
	}
	v = unmarked(l->ev->arena, v, &l->r->marks);
	if (!type_is_primitive(v->type))
		return v;
	eval_fail(
		l->ev, ce, ce->span, &l->e->span,
		"Iteration over non-iterable value",
		"A %.*s is not a collection that a 'for' expression could go through.",
		STR_ARG(type_friendly(l->ev->arena, v->type)));
	return NULL;
}

/* The marks of the collection, which the result gets, say more than those of
 * its parts, unless it is itself a part. */
static void forget_within(struct for_loop *l, const struct marks *coll)
{
	struct arena *a = l->ev->arena;

	if (!l->within || (coll->bits & MARK_WITHIN))
		return;
	for (size_t i = 0; i < l->r->values.len; i++)
		l->r->values.items[i] =
			value_without_marks(a, l->r->values.items[i],
					    MARK_WITHIN);
	l->r->marks = marks_without(a, l->r->marks, MARK_WITHIN);
}

/* The result is unknown: made of elements of which there may be none. */
static void mark_unknown(struct for_loop *l)
{
	for (size_t i = 0; i < l->r->values.len; i++)
		l->maybe = eval_still_ephemeral(l->ev, l->maybe,
						l->r->values.items[i]);
	l->r->marks = marks_join(l->ev->arena, l->r->marks, l->maybe->marks);
}

void eval_for_elements(struct eval *ev, const struct expr *e,
		       struct for_result *r)
{
	const struct eval_local *outer = ev->locals;
	struct for_loop l = {
		.ev = ev, .e = e, .r = r, .maybe = &value_unknown_dynamic
	};
	const struct marks *cond_marks = NULL, *whole;
	const struct value *coll;

	r->known = true;
	coll = collection(&l);
	if (!coll) { /* with marks, if it is none because it is unknown */
		r->failed = true;
		return;
	}
	whole = r->marks;
	l.within = marks_within(whole);
	open_scope(&l);
	if (e->for_.cond && !check_condition(&l, &cond_marks)) {
		r->failed = true;
	} else if (!value_is_known(coll)) {
		r->known = false;
		r->marks = marks_join(ev->arena, r->marks, cond_marks);
		maybe_element(&l);
	} else {
		iterate(&l, coll);
	}
	if (!r->failed && !r->known)
		mark_unknown(&l);
	forget_within(&l, whole);
	ev->locals = outer;
}

/* The values of equal keys in tuples, keys in order of appearance. */
static const struct value *grouped(struct arena *a, struct for_result *r)
{
	size_t n = r->values.len, ngroups;
	struct map index = { 0 };
	size_t *group = ARENA_ARRAY(a, size_t, n + 1);
	size_t *start, *fill;
	const struct value **sorted, **tuples;

	for (size_t i = 0; i < n; i++) {
		struct map_entry *m = map_slot(a, &index, r->keys.items[i]);

		if (!m->value)
			m->value = (void *)(uintptr_t)index.len;
		group[i] = (size_t)(uintptr_t)m->value - 1;
	}
	ngroups = index.len;
	start = ARENA_ARRAY(a, size_t, ngroups + 1);
	fill = ARENA_ARRAY(a, size_t, ngroups + 1);
	for (size_t i = 0; i < n; i++)
		start[group[i] + 1]++;
	for (size_t g = 0; g < ngroups; g++) {
		start[g + 1] += start[g];
		fill[g] = start[g];
	}
	sorted = ARENA_ARRAY(a, const struct value *, n);
	for (size_t i = 0; i < n; i++)
		sorted[fill[group[i]]++] = r->values.items[i];
	tuples = ARENA_ARRAY(a, const struct value *, ngroups);
	for (size_t g = 0; g < ngroups; g++) {
		r->keys.items[g] = index.entries[g].key;
		tuples[g] = value_tuple(a, sorted + start[g],
					start[g + 1] - start[g]);
	}
	return value_object(a, r->keys.items, tuples, ngroups);
}

const struct value *eval_for(struct eval *ev, const struct expr *e)
{
	struct for_result r = { 0 };
	const struct value *v;

	eval_for_elements(ev, e, &r);
	if (r.failed)
		return marked(ev->arena, &value_unknown_dynamic, r.marks);
	if (!r.known)
		v = &value_unknown_dynamic;
	else if (!e->for_.key)
		v = value_tuple(ev->arena, r.values.items, r.values.len);
	else if (e->for_.group)
		v = grouped(ev->arena, &r);
	else
		v = value_object(ev->arena, r.keys.items, r.values.items,
				 r.values.len);
	return marked(ev->arena, eval_not_too_deep(ev, e, v), r.marks);
}
