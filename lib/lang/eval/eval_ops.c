/*
 * eval_ops.c - unary and binary operators
 *
 * Operands are converted to the operator's type first.  Unknown operands give
 * an unknown result, except where logic or known bounds settle it.
 */
#include "lang/eval/eval_int.h"
#include "value/value.h"
#include "value/marks.h"
#include "value/refine.h"

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

static const struct value *truth(enum tri t)
{
	if (t == MAYBE)
		return &value_unknown_bool;
	return t == YES ? &value_true : &value_false;
}

/* --- comparison --- */

struct bounds {
	const struct value *min, *max; /* NULL: unbounded */
};

static struct bounds bounds_of(const struct value *v)
{
	const struct refinement *r;

	if (value_is_known(v))
		return (struct bounds){ v, v };
	r = value_refinement(v);
	return (struct bounds){ r->min, r->max };
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
		return number_equal(x, y) ? YES : NO;
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
				   const struct value *x, const struct value *y)
{
	bool swap = op == OP_GT || op == OP_GE;
	enum tri t = swap ? less(y, x) : less(x, y);

	if (t != YES && (op == OP_LE || op == OP_GE))
		t = either(t, equal_numbers(ev, x, y));
	return truth(t);
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

/* NULL: the result is not a number. */
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
		return number_mod(a, x, y);
	}
}

static const char *no_number(enum operator op)
{
	switch (op) {
	case OP_ADD:
		return "opposite infinities have no sum";
	case OP_SUB:
		return "an infinity minus itself is undefined";
	case OP_MUL:
		return "zero times infinity is undefined";
	case OP_DIV:
		return "zero by zero and infinity by infinity are undefined";
	default:
		return "modulo of zero and infinity is undefined";
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
				   const struct value *x, const struct value *y)
{
	enum operator op = e->op.op;
	const struct value *v;

	if (op == OP_EQ || op == OP_NE)
		return equality(ev, op, x, y);
	if (value_is_null(x) || value_is_null(y))
		return failed(ev, e,
			      value_is_null(x) ? "the left operand is null"
					       : "the right operand is null");
	if (op == OP_AND || op == OP_OR) {
		if (!value_is_known(x) || !value_is_known(y))
			return truth(MAYBE);
		return value_bool(op == OP_AND ? x->boolean && y->boolean
					       : x->boolean || y->boolean);
	}
	if (op < OP_ADD)
		return compare(ev, op, x, y);
	if (!value_is_known(x) || !value_is_known(y))
		return unknown_not_null(ev->arena, &type_number);
	v = arithmetic(ev->arena, op, x, y);
	return v ? v : failed(ev, e, no_number(op));
}

/* One operand with its diagnostics kept apart, for the logic below. */
struct side {
	const struct value *v;
	const struct marks *marks;
	struct diags ds;
};

/* && and ||: which side decides alone?  An error on the other side is then
 * forgotten.  A null counts as false for this.  NULL: neither decides. */
static const struct value *decided(enum operator op, struct side *l,
				   struct side *r, struct side **by)
{
	bool lk = value_is_known(l->v), rk = value_is_known(r->v);
	bool stop = op == OP_OR; /* the value that decides */

	if (!lk && !rk) {
		if (l->ds.errors)
			return NULL;
		*by = l;
		return truth(MAYBE);
	}
	*by = l;
	if (lk && is_true(l->v) == stop)
		return value_bool(stop);
	*by = r;
	if (rk && is_true(r->v) == stop)
		return value_bool(stop);
	/* The known side leaves it to the unknown one. */
	*by = lk ? r : l;
	return lk && rk ? NULL : truth(MAYBE);
}

static void take(struct diags *to, const struct diags *from)
{
	for (size_t i = 0; i < from->len; i++)
		diags_push(to, from->items[i]);
}

static void get_side(struct eval *ev, const struct expr *operand,
		     struct side *s, struct arena *scratch)
{
	struct diags *was = ev->diags;

	s->ds = (struct diags)DIAGS_INIT(scratch);
	ev->diags = &s->ds;
	s->v = eval_expr(ev, operand);
	ev->diags = was;
}

/* Converts to the operator's type and unmarks; reports a value that does not
 * fit to ev->diags. */
static bool fit_side(struct eval *ev, const struct expr *e,
		     const struct expr *operand, const char *name,
		     struct side *s)
{
	struct str why;

	s->v = eval_to(ev, s->v, operand_type(e->op.op), &why);
	if (s->v) {
		s->v = unmarked(ev->arena, s->v, &s->marks);
		return true;
	}
	eval_fail(ev, operand, operand->span, &e->span, "Invalid operand",
		  "The %s operand does not fit the operator: %.*s.", name,
		  STR_ARG(why));
	return false;
}

/* Both sides' diagnostics, in l. */
static void join_sides(struct side *l, const struct side *r)
{
	if (l->ds.len)
		take(&l->ds, &r->ds);
	else
		l->ds = r->ds;
}

/* l op r, into l: its value and the diagnostics that count. */
static void combine(struct eval *ev, const struct expr *e, struct side *l,
		    struct side *r)
{
	struct diags *was = ev->diags, misfits = DIAGS_INIT(l->ds.arena);
	enum operator op = e->op.op;
	const struct value *v;
	const struct marks *m;
	struct side *by;
	bool fit;

	ev->diags = &misfits;
	fit = fit_side(ev, e, e->op.left, "left", l);
	fit &= fit_side(ev, e, e->op.right, "right", r);
	ev->diags = was;
	if (!fit) {
		take(&misfits, &l->ds);
		take(&misfits, &r->ds);
		l->ds = misfits;
		l->v = value_unknown(ev->arena, result_type(op));
		return;
	}
	m = marks_join(ev->arena, l->marks, r->marks);
	if (op == OP_AND || op == OP_OR) {
		v = decided(op, l, r, &by);
		if (v) {
			l->ds = by->ds;
			l->v = marked(ev->arena, v, m);
			return;
		}
	}
	join_sides(l, r);
	if (l->ds.errors) {
		v = value_unknown(ev->arena, result_type(op));
	} else {
		ev->diags = &l->ds;
		v = operate(ev, e, l->v, r->v);
		ev->diags = was;
	}
	l->v = marked(ev->arena, v, m);
}

static void run_chain(struct eval *ev, const struct expr *const *nodes,
		      size_t n, struct side *l, struct arena *scratch)
{
	struct side r;

	get_side(ev, nodes[n - 1]->op.left, l, scratch);
	while (n-- > 0) {
		get_side(ev, nodes[n]->op.right, &r, scratch);
		combine(ev, nodes[n], l, &r);
	}
}

/* a + b + c + … leans to the left and may be of any length: from the innermost
 * operator outwards, in a loop.  With && or ||, which may drop errors, the
 * first run leaves out what explains them. */
const struct value *eval_binary(struct eval *ev, const struct expr *e)
{
	const struct expr *few[8] = { NULL }, **nodes = few, *b;
	struct arena scratch = ARENA_INIT; /* diagnostics that may not count */
	bool quiet = ev->quiet, logic = false;
	struct side l;
	size_t n = 0;

	for (b = e; b->kind == EXPR_BINARY; b = b->op.left) {
		logic |= b->op.op == OP_AND || b->op.op == OP_OR;
		n++;
	}
	if (n > sizeof(few) / sizeof(few[0]))
		nodes = ARENA_ARRAY(ev->arena, const struct expr *, n);
	n = 0;
	for (b = e; b->kind == EXPR_BINARY; b = b->op.left)
		nodes[n++] = b;
	ev->quiet |= logic;
	run_chain(ev, nodes, n, &l, &scratch);
	ev->quiet = quiet;
	if (l.ds.errors && logic && !quiet)
		run_chain(ev, nodes, n, &l, &scratch);
	diags_append(ev->diags, &l.ds);
	arena_release(&scratch);
	return l.v;
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
	if (!value_is_known(v))
		return eval_still_ephemeral(
			ev, unknown_not_null(ev->arena, result_type(op)), v);
	v = unmarked(ev->arena, v, &m);
	v = op == OP_NOT ? value_bool(!v->boolean) : number_neg(ev->arena, v);
	return marked(ev->arena, v, m);
}
