/*
 * eval_splat.c - splats: x.*.a and x[*].a
 *
 * On a list, set or tuple the part after the splat is applied to each element.
 * Any other value counts as a sequence of one element, and null as none.
 */
#include "lang/eval/eval_int.h"
#include "value/refine.h"

static const struct value *each_of(struct eval *ev, const struct expr *e,
				   const struct value *item)
{
	const struct value *was = ev->item, *v;

	ev->item = item;
	v = eval_expr(ev, e->splat.each);
	ev->item = was;
	return v;
}

/* v, the unknown result: what follows the splat may be ephemeral. */
static const struct value *each_still_ephemeral(struct eval *ev,
						const struct expr *e,
						const struct value *v)
{
	const struct value *was = ev->item;

	ev->item = &value_unknown_dynamic;
	v = eval_still_ephemeral_by(ev, v, e->splat.each);
	ev->item = was;
	return v;
}

static bool is_sequence(const struct type *t)
{
	return t->kind == TYPE_LIST || t->kind == TYPE_SET ||
	       t->kind == TYPE_TUPLE;
}

/* The type of the result, from the type of the source alone. */
static const struct type *result_type(struct eval *ev, const struct expr *e,
				      const struct type *t)
{
	const struct type **types;

	if (t->kind != TYPE_TUPLE)
		return type_list(
			each_of(ev, e, value_unknown(ev->arena, t->elem))
				->type);
	types = ARENA_ARRAY(ev->arena, const struct type *, t->len);
	for (uint32_t i = 0; i < t->len; i++)
		types[i] = each_of(ev, e, value_unknown(ev->arena, t->elems[i]))
				   ->type;
	return type_tuple(types, t->len);
}

static const struct value *unknown_result(struct eval *ev, const struct expr *e,
					  const struct value *v)
{
	const struct type *t = result_type(ev, e, v->type);
	struct refinement r = { .not_null = true, .len_max = UINT64_MAX };

	if (t->kind == TYPE_LIST && v->refined) {
		r.len_min = v->refined->len_min;
		r.len_max = v->refined->len_max;
	}
	return value_unknown_refined(ev->arena, t, &r);
}

/* Elements of one type each, or unknown: into a list. */
static const struct value *as_list(struct eval *ev, const struct expr *e,
				   const struct value **vals, size_t n)
{
	const struct type *t = &type_dynamic;

	for (size_t i = 0; i < n; i++) {
		if (t == &type_dynamic)
			t = vals[i]->type;
		else if (vals[i]->type != &type_dynamic && vals[i]->type != t)
			return eval_fail(ev, NULL, e->splat.each->span,
					 &e->span,
					 "Invalid nested splat expressions",
					 "The inner splat made elements of"
					 " different types, which have no"
					 " place in one list. A for expression"
					 " makes a tuple, which may hold"
					 " them.");
	}
	for (size_t i = 0; i < n && t != &type_dynamic; i++) {
		struct str why;

		if (vals[i]->type != t)
			vals[i] = eval_to(ev, vals[i], t, &why);
	}
	return value_list(ev->arena, t, vals, n);
}

static const struct value *known_result(struct eval *ev, const struct expr *e,
					const struct value *v, bool maybe_none)
{
	const struct type *t = v->type;
	size_t n = v->len, errors = ev->diags->errors, done;
	const struct value **vals;
	struct eval_loop mem;

	vals = ARENA_ARRAY(ev->arena, const struct value *, n);
	eval_loop_open(&mem, ev);
	for (done = 0; done < n && ev->diags->errors < EVAL_MAX_ERRORS;) {
		vals[done] = each_of(ev, e, v->elems[done]);
		eval_loop_next(&mem, vals, ++done, NULL, NULL);
	}
	eval_loop_close(&mem, vals, done, NULL, NULL);
	if (ev->diags->errors >= EVAL_MAX_ERRORS)
		return &value_unknown_dynamic;
	if (maybe_none)
		return eval_still_ephemeral(ev, &value_unknown_dynamic,
					    vals[0]);
	if (ev->diags->errors != errors) {
		struct diags *was = ev->diags;
		struct diags none = DIAGS_INIT(ev->arena);

		ev->diags = &none; /* the same errors again */
		t = result_type(ev, e, t);
		ev->diags = was;
		return value_unknown(ev->arena, t);
	}
	if (t->kind == TYPE_TUPLE)
		return value_tuple(ev->arena, vals, n);
	if (n == 0)
		return value_list(ev->arena, result_type(ev, e, t)->elem, NULL,
				  0);
	return as_list(ev, e, vals, n);
}

const struct value *eval_splat(struct eval *ev, const struct expr *e)
{
	const struct expr *on = e->splat.on;
	size_t errors = ev->diags->errors;
	const struct value *v = eval_expr(ev, on);
	struct span to_marker = { on->span.start, e->splat.marker.end };
	const struct marks *m;
	bool maybe_none = false;

	if (ev->diags->errors != errors)
		return &value_unknown_dynamic;
	m = v->marks;
	if (value_is_null(v)) {
		if (!is_sequence(v->type))
			return marked(ev->arena,
				      value_tuple(ev->arena, NULL, 0), m);
		return eval_fail(
			ev, on, on->span, &to_marker, "Splat of null value",
			"A splat cannot be applied to a null sequence.");
	}
	if (v->type == &type_dynamic)
		return each_still_ephemeral(ev, e, v);
	if (!is_sequence(v->type)) {
		/* Whether it is null decides on zero or one elements. */
		maybe_none = !value_is_known(v) &&
			     !(v->refined && v->refined->not_null);
		v = value_tuple(ev->arena, &v, 1);
	} else {
		v = unmarked(ev->arena, v, &m);
	}
	v = value_is_known(v)
		    ? known_result(ev, e, v, maybe_none)
		    : each_still_ephemeral(ev, e, unknown_result(ev, e, v));
	return marked(ev->arena, eval_not_too_deep(ev, e, v), m);
}
