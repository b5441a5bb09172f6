/*
 * eval_cond.c - conditionals: cond ? yes : no
 *
 * Both arms are evaluated and unified in type before the choice, so that the
 * result's type does not depend on the condition; only the chosen arm's
 * diagnostics count.  Marks of all three parts reach the result.
 */
#include "lang/eval/eval_int.h"
#include "value/refine.h"
#include "value/type.h"
#include "value/convert.h"

struct arm {
	const struct expr *e;
	const char *name;
	const struct value *v; /* unmarked once the choice is made */
	struct diags ds;
};

/* One of the arms often fails, as in x == null ? 0 : x.size, so failing is
 * cheap: diagnostics go to scratch, without explanations. */
static void get_arm(struct eval *ev, struct arm *arm, const struct expr *e,
		    const char *name, struct arena *scratch)
{
	arm->e = e;
	arm->name = name;
	arm->ds = (struct diags)DIAGS_INIT(scratch);
	arm->v = eval_attempt(ev, e, &arm->ds);
}

static bool untyped_null(const struct value *v)
{
	return value_is_null(v) && v->type == &type_dynamic && !v->marks;
}

/* The common type; NULL if there is none.  *convert: whether the arms need
 * converting to it. */
static const struct type *common_type(struct eval *ev, const struct arm *yes,
				      const struct arm *no)
{
	const struct type *types[2] = { yes->v->type, no->v->type };

	if (types[0] == types[1])
		return types[0];
	if (untyped_null(yes->v))
		return types[1];
	if (untyped_null(no->v))
		return types[0];
	if (types[0] == &type_dynamic || types[1] == &type_dynamic)
		return &type_dynamic;
	return unify(ev->arena, types, 2);
}

/* --- how two types differ --- */

static void describe(struct arena *a, struct buf *b, const struct type *y,
		     const struct type *n, int depth);

static void describe_objects(struct arena *a, struct buf *b,
			     const struct type *y, const struct type *n,
			     int depth)
{
	for (uint32_t i = 0; i < y->len; i++) {
		int k = type_attr_index(n, y->attrs[i].name);

		if (k < 0) {
			buf_addf(
				b,
				"the true value has an attribute \"%.*s\" that the false value lacks",
				STR_ARG(y->attrs[i].name));
			return;
		}
		if (n->attrs[k].type != y->attrs[i].type) {
			buf_addf(b, "in attribute \"%.*s\", ",
				 STR_ARG(y->attrs[i].name));
			describe(a, b, y->attrs[i].type, n->attrs[k].type,
				 depth + 1);
			return;
		}
	}
	for (uint32_t i = 0; i < n->len; i++)
		if (type_attr_index(y, n->attrs[i].name) < 0) {
			buf_addf(
				b,
				"the false value has an attribute \"%.*s\" that the true value lacks",
				STR_ARG(n->attrs[i].name));
			return;
		}
}

static void describe_tuples(struct arena *a, struct buf *b,
			    const struct type *y, const struct type *n,
			    int depth)
{
	if (y->len != n->len) {
		buf_addf(b, "the true tuple has length %u, the false one %u",
			 (unsigned)y->len, (unsigned)n->len);
		return;
	}
	for (uint32_t i = 0; i < y->len; i++)
		if (y->elems[i] != n->elems[i]) {
			buf_addf(b, "in element %u, ", (unsigned)i);
			describe(a, b, y->elems[i], n->elems[i], depth + 1);
			return;
		}
}

static void describe(struct arena *a, struct buf *b, const struct type *y,
		     const struct type *n, int depth)
{
	struct str yn, nn;

	if (depth < 32 && y->kind == n->kind) {
		if (y->kind == TYPE_OBJECT) {
			describe_objects(a, b, y, n, depth);
			return;
		}
		if (y->kind == TYPE_TUPLE) {
			describe_tuples(a, b, y, n, depth);
			return;
		}
		if (type_is_collection(y) && y->elem->kind == n->elem->kind &&
		    (y->elem->kind == TYPE_OBJECT ||
		     y->elem->kind == TYPE_TUPLE)) {
			buf_puts(b, "in the elements, ");
			describe(a, b, y->elem, n->elem, depth + 1);
			return;
		}
	}
	yn = type_friendly(a, y);
	nn = type_friendly(a, n);
	if (str_eq(yn, nn))
		buf_puts(
			b,
			"something deep inside the two values differs in type");
	else
		buf_addf(b, "the true value is %.*s, the false value %.*s",
			 STR_ARG(yn), STR_ARG(nn));
}

static const struct value *inconsistent(struct eval *ev, const struct expr *e,
					const struct arm *yes,
					const struct arm *no)
{
	struct span both = { yes->e->span.start, no->e->span.end };
	struct buf b = BUF_INIT;

	describe(ev->arena, &b, yes->v->type, no->v->type, 0);
	eval_fail(ev, e, both, &e->span,
		  "Inconsistent conditional result types",
		  "Both results must have types that agree: %.*s.",
		  STR_ARG(buf_view(&b)));
	buf_release(&b);
	return &value_unknown_dynamic;
}

/* --- unknown condition: what both results have in common --- */

/* The looser of two lower (or upper) bounds; NULL is the loosest. */
static void looser(const struct value *x, bool xinc, const struct value *y,
		   bool yinc, bool lower, const struct value **out,
		   bool *outinc)
{
	int c;

	*out = NULL;
	*outinc = false;
	if (!x || !y)
		return;
	c = number_cmp(x, y);
	if (c == 0) {
		*out = x;
		*outinc = xinc || yinc;
		return;
	}
	if (!lower)
		c = -c;
	*out = c < 0 ? x : y;
	*outinc = c < 0 ? xinc : yinc;
}

static struct refinement range_of(const struct value *v)
{
	struct refinement r = { .len_max = UINT64_MAX };

	if (!value_is_known(v))
		return v->refined ? *v->refined : r;
	if (value_is_null(v))
		return r;
	r.not_null = true;
	if (v->type == &type_number) {
		r.min = r.max = v;
		r.min_inclusive = r.max_inclusive = true;
	} else if (type_is_collection(v->type)) {
		r.len_min = r.len_max = v->len;
	}
	return r;
}

static const struct value *undecided(struct eval *ev, const struct arm *yes,
				     const struct arm *no, const struct type *t)
{
	struct refinement y = range_of(yes->v), n = range_of(no->v);
	struct refinement both = { .len_max = UINT64_MAX };
	const struct type *yt = yes->v->type, *nt = no->v->type;

	if (value_is_null(yes->v) && value_is_null(no->v))
		return value_null(ev->arena, t);
	if (t == &type_dynamic)
		return &value_unknown_dynamic;
	both.not_null = y.not_null && n.not_null;
	if (yt == &type_number && nt == &type_number) {
		looser(y.min, y.min_inclusive, n.min, n.min_inclusive, true,
		       &both.min, &both.min_inclusive);
		looser(y.max, y.max_inclusive, n.max, n.max_inclusive, false,
		       &both.max, &both.max_inclusive);
	} else if (yt == nt && type_is_collection(yt)) {
		both.len_min = y.len_min < n.len_min ? y.len_min : n.len_min;
		both.len_max = y.len_max > n.len_max ? y.len_max : n.len_max;
	} else if (!both.not_null) {
		return value_unknown(ev->arena, t);
	}
	return value_unknown_refined(ev->arena, t, &both);
}

/* Beside a collection of anything, such as tomap({}), OpenTofu finds out that
 * the elements of an object or tuple have a type in common, but then does not
 * convert them to it: elements of different types are an error. */
static bool elements_differ(struct arena *a, const struct value *v,
			    const struct type *t)
{
	const struct type *from = v->type, *u;
	const struct type **parts;
	bool differ = false;

	if (!(from->kind == TYPE_OBJECT && t->kind == TYPE_MAP) &&
	    !(from->kind == TYPE_TUPLE && t->kind == TYPE_LIST))
		return false;
	if (t->elem != &type_dynamic || value_is_null(v) || !value_is_known(v))
		return false;
	parts = ARENA_ARRAY(a, const struct type *, from->len);
	for (uint32_t i = 0; i < from->len; i++) {
		parts[i] = from->kind == TYPE_OBJECT ? from->attrs[i].type
						     : from->elems[i];
		differ |= parts[i] != parts[0];
	}
	if (!differ)
		return false;
	u = unify(a, parts, from->len);
	return u && u != &type_dynamic;
}

static const struct value *chosen(struct eval *ev, const struct expr *e,
				  const struct arm *arm, const struct type *t)
{
	const struct value *v = arm->v;
	struct str why;

	if (arm->ds.errors && !ev->quiet)
		eval_expr(ev, arm->e); /* once more, to explain */
	else
		diags_append(ev->diags, &arm->ds);
	if (elements_differ(ev->arena, v, t)) {
		why = STR("all its elements must have the same type");
	} else {
		v = eval_to(ev, v, t, &why);
		if (v)
			return v;
	}
	eval_fail(ev, arm->e, arm->e->span, &e->span,
		  "Inconsistent conditional result types",
		  "The %s result cannot take the common type: %.*s.", arm->name,
		  STR_ARG(why));
	return value_unknown(ev->arena, t);
}

static const struct value *choose(struct eval *ev, const struct expr *e,
				  struct arm *yes, struct arm *no)
{
	const struct expr *ce = e->conditional.cond;
	const struct marks *cm, *ym, *nm;
	const struct value *c;
	const struct type *t;
	struct str why;

	t = common_type(ev, yes, no);
	if (!t)
		return inconsistent(ev, e, yes, no);
	c = eval_expr(ev, ce);
	if (value_is_null(c)) {
		eval_fail(ev, ce, ce->span, &e->span, "Null condition",
			  "A condition must be true or false, not null.");
		return value_unknown(ev->arena, t);
	}
	c = unmarked(ev->arena, c, &cm);
	yes->v = unmarked(ev->arena, yes->v, &ym);
	no->v = unmarked(ev->arena, no->v, &nm);
	cm = marks_join(ev->arena, marks_join(ev->arena, cm, ym), nm);
	if (!value_is_known(c)) {
		c = marked(ev->arena, undecided(ev, yes, no, t), cm);
		return eval_still_ephemeral(ev,
					    eval_still_ephemeral(ev, c, yes->v),
					    no->v);
	}
	c = eval_to(ev, c, &type_bool, &why);
	if (!c) {
		eval_fail(ev, ce, ce->span, &e->span,
			  "Incorrect condition type",
			  "The condition must be a bool: %.*s.", STR_ARG(why));
		return value_unknown(ev->arena, t);
	}
	return marked(ev->arena, chosen(ev, e, c->boolean ? yes : no, t), cm);
}

const struct value *eval_conditional(struct eval *ev, const struct expr *e)
{
	struct arena scratch = ARENA_INIT;
	const struct value *v;
	struct arm yes, no;

	get_arm(ev, &yes, e->conditional.yes, "true", &scratch);
	get_arm(ev, &no, e->conditional.no, "false", &scratch);
	v = choose(ev, e, &yes, &no);
	arena_release(&scratch);
	return v;
}
