/*
 * eval_ops.c - unary and binary operators
 *
 * Operands are converted to the operator's type first.  Unknown operands give
 * an unknown result, except where logic or known bounds settle it.
 */
#include "lang/eval_int.h"

enum tri { NO, YES, MAYBE };

static const struct type *operand_type(enum operator op)
{
	switch (op) {
	case OP_NOT:
	case OP_AND:
	case OP_OR:
		return &type_bool;
	case OP_EQ:
	case OP_NE:
		return &type_dynamic;
	default:
		return &type_number;
	}
}

static const struct type *result_type(enum operator op)
{
	return op >= OP_ADD || op == OP_NEG ? &type_number : &type_bool;
}

static bool is_true(const struct value *v)
{
	return value_usable(v) && v->boolean;
}

static const struct value *truth(struct eval *ev, enum tri t)
{
	if (t == MAYBE)
		return unknown_not_null(ev->arena, &type_bool);
	return t == YES ? &value_true : &value_false;
}

/* --- comparison --- */

struct bounds {
	const struct value *min, *max; /* NULL: unbounded */
};

static struct bounds bounds_of(const struct value *v)
{
	if (value_is_known(v))
		return (struct bounds){ v, v };
	if (v->refined)
		return (struct bounds){ v->refined->min, v->refined->max };
	return (struct bounds){ NULL, NULL };
}

/* x < y; bounds count as exclusive, which is cautious. */
static enum tri less(const struct value *x, const struct value *y)
{
	struct bounds bx, by;

	if (value_is_known(x) && value_is_known(y))
		return number_cmp(x, y) < 0 ? YES : NO;
	bx = bounds_of(x);
	by = bounds_of(y);
	if (bx.max && by.min && number_cmp(bx.max, by.min) < 0)
		return YES;
	if (bx.min && by.max && number_cmp(bx.min, by.max) > 0)
		return NO;
	return MAYBE;
}

static enum tri equal_numbers(struct eval *ev, const struct value *x,
			      const struct value *y)
{
	const struct value *eq;

	if (value_is_known(x) && value_is_known(y))
		return number_cmp(x, y) == 0 ? YES : NO;
	eq = value_equals(ev->arena, x, y);
	if (!value_is_known(eq))
		return MAYBE;
	return eq->boolean ? YES : NO;
}

static enum tri either(enum tri x, enum tri y)
{
	if (x == YES || y == YES)
		return YES;
	return x == MAYBE || y == MAYBE ? MAYBE : NO;
}

static const struct value *compare(struct eval *ev, enum operator op,
				   const struct value *x,
				   const struct value *y)
{
	bool swap = op == OP_GT || op == OP_GE;
	enum tri t = swap ? less(y, x) : less(x, y);

	if (t != YES && (op == OP_LE || op == OP_GE))
		t = either(t, equal_numbers(ev, x, y));
	return truth(ev, t);
}

/* Marks at any depth of either side count. */
static const struct value *equality(struct eval *ev, enum operator op,
				    const struct value *x,
				    const struct value *y)
{
	const struct marks *mx = NULL, *my = NULL;
	const struct value *eq;

	if (x->marks || x->inner_marks)
		x = value_unmark_deep(ev->arena, x, &mx);
	if (y->marks || y->inner_marks)
		y = value_unmark_deep(ev->arena, y, &my);
	eq = value_equals(ev->arena, x, y);
	if (value_is_known(eq) && op == OP_NE)
		eq = value_bool(!eq->boolean);
	return marked(ev->arena, eq, marks_join(ev->arena, mx, my));
}

/* --- arithmetic --- */

/* Why the result would not be a number; NULL if it is one. */
static const char *no_result(enum operator op, const struct value *x,
			     const struct value *y)
{
	bool ix = number_is_infinite(x), iy = number_is_infinite(y);
	bool zx = number_sign(x) == 0, zy = number_sign(y) == 0;
	bool same = number_sign(x) == number_sign(y);

	switch (op) {
	case OP_ADD:
		return ix && iy && !same ? "opposite infinities have no sum"
					 : NULL;
	case OP_SUB:
		return ix && iy && same
			       ? "an infinity minus itself is undefined"
			       : NULL;
	case OP_MUL:
		return (ix && zy) || (zx && iy)
			       ? "zero times infinity is undefined" : NULL;
	case OP_DIV:
		return (zx && zy) || (ix && iy)
			       ? "zero by zero and infinity by infinity are"
				 " undefined" : NULL;
	default:
		return (ix && zy) || (zx && iy)
			       ? "modulo of zero and infinity is undefined"
			       : NULL;
	}
}

static const struct value *arithmetic(struct arena *a, enum operator op,
				      const struct value *x,
				      const struct value *y)
{
	switch (op) {
	case OP_ADD:
		return number_add(a, x, y);
	case OP_SUB:
		return number_sub(a, x, y);
	case OP_MUL:
		return number_mul(a, x, y);
	case OP_DIV:
		return number_div(a, x, y);
	default:
		if (number_is_infinite(x) || number_is_infinite(y))
			return number_mul(a, x, y);
		return number_sign(y) == 0 ? x : number_mod(a, x, y);
	}
}

static const struct value *failed(struct eval *ev, const struct expr *e,
				  const char *why)
{
	eval_fail(ev, e, e->span, NULL, "Operation failed",
		  "The operation has no result: %s.", why);
	return value_unknown(ev->arena, result_type(e->op.op));
}

/* Operands of the right type, without marks of their own. */
static const struct value *operate(struct eval *ev, const struct expr *e,
				   const struct value *x,
				   const struct value *y)
{
	enum operator op = e->op.op;
	const char *why;

	if (op == OP_EQ || op == OP_NE)
		return equality(ev, op, x, y);
	if (value_is_null(x) || value_is_null(y))
		return failed(ev, e, value_is_null(x)
					     ? "the left operand is null"
					     : "the right operand is null");
	if (op == OP_AND || op == OP_OR) {
		if (!value_is_known(x) || !value_is_known(y))
			return truth(ev, MAYBE);
		return value_bool(op == OP_AND ? x->boolean && y->boolean
					       : x->boolean || y->boolean);
	}
	if (op < OP_ADD)
		return compare(ev, op, x, y);
	if (!value_is_known(x) || !value_is_known(y))
		return unknown_not_null(ev->arena, &type_number);
	why = no_result(op, x, y);
	return why ? failed(ev, e, why) : arithmetic(ev->arena, op, x, y);
}

/* One operand with its diagnostics kept apart, for the logic below. */
struct side {
	const struct value *v;
	const struct marks *marks;
	struct diags ds;
};

/* && and ||: which side decides alone?  An error on the other side is then
 * forgotten.  A null counts as false for this.  NULL: neither decides. */
static const struct value *decided(struct eval *ev, enum operator op,
				   const struct side *l,
				   const struct side *r,
				   const struct side **by)
{
	bool lk = value_is_known(l->v), rk = value_is_known(r->v);
	bool stop = op == OP_OR; /* the value that decides */

	if (!lk && !rk) {
		if (l->ds.errors)
			return NULL;
		*by = l;
		return truth(ev, MAYBE);
	}
	*by = l;
	if (lk && is_true(l->v) == stop)
		return value_bool(stop);
	*by = r;
	if (rk && is_true(r->v) == stop)
		return value_bool(stop);
	/* The known side leaves it to the unknown one. */
	*by = lk ? r : l;
	return lk && rk ? NULL : truth(ev, MAYBE);
}

static void take(struct eval *ev, const struct side *s)
{
	for (size_t i = 0; i < s->ds.len; i++)
		diags_push(ev->diags, s->ds.items[i]);
}

/* Evaluates and converts one operand; false: it does not fit (reported). */
static bool get_side(struct eval *ev, const struct expr *e,
		     const struct expr *operand, const char *name,
		     struct side *s)
{
	struct diags *was = ev->diags;
	const struct value *v;
	struct str why;

	s->ds = (struct diags)DIAGS_INIT(was->arena);
	ev->diags = &s->ds;
	v = eval_expr(ev, operand);
	ev->diags = was;
	s->v = eval_to(ev, v, operand_type(e->op.op), &why);
	if (!s->v) {
		eval_fail(ev, operand, operand->span, &e->span,
			  "Invalid operand",
			  "The %s operand does not fit the operator: %.*s.",
			  name, STR_ARG(why));
		return false;
	}
	s->v = unmarked(ev->arena, s->v, &s->marks);
	return true;
}

const struct value *eval_binary(struct eval *ev, const struct expr *e)
{
	enum operator op = e->op.op;
	const struct side *by;
	const struct value *v;
	const struct marks *m;
	struct side l, r;
	bool fit;

	fit = get_side(ev, e, e->op.left, "left", &l);
	fit &= get_side(ev, e, e->op.right, "right", &r);
	if (!fit) {
		take(ev, &l);
		take(ev, &r);
		return value_unknown(ev->arena, result_type(op));
	}
	m = marks_join(ev->arena, l.marks, r.marks);
	if (op == OP_AND || op == OP_OR) {
		v = decided(ev, op, &l, &r, &by);
		if (v) {
			take(ev, by);
			return marked(ev->arena, v, m);
		}
	}
	take(ev, &l);
	take(ev, &r);
	if (l.ds.errors || r.ds.errors)
		v = value_unknown(ev->arena, result_type(op));
	else
		v = operate(ev, e, l.v, r.v);
	return marked(ev->arena, v, m);
}

const struct value *eval_unary(struct eval *ev, const struct expr *e)
{
	enum operator op = e->op.op;
	size_t errors = ev->diags->errors;
	const struct value *v;
	const struct marks *m;
	struct str why;

	v = eval_expr(ev, e->op.left);
	v = eval_to(ev, v, operand_type(op), &why);
	if (!v)
		eval_fail(ev, e->op.left, e->op.left->span, &e->span,
			  "Invalid operand",
			  "The operand does not fit the operator: %.*s.",
			  STR_ARG(why));
	if (ev->diags->errors != errors)
		return value_unknown(ev->arena, result_type(op));
	if (value_is_null(v))
		return failed(ev, e, "the operand is null");
	/* As in OpenTofu, an unknown result forgets the operand's marks. */
	if (!value_is_known(v))
		return unknown_not_null(ev->arena, result_type(op));
	v = unmarked(ev->arena, v, &m);
	v = op == OP_NOT ? value_bool(!v->boolean)
			 : number_neg(ev->arena, v);
	return marked(ev->arena, v, m);
}
