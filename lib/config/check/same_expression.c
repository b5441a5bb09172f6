/*
 * same_expression.c - do two expressions say the same?
 *
 * Only as written, parentheses aside: good enough to warn of a provider's
 * for_each that equals that of its resources.  Depth is bounded by the
 * parser's limit.
 */
#include "config/check/check_int.h"
#include "value/value.h"

static bool same(struct expression x, struct expression y);

static struct expression sub(struct expression of, const struct expr *x)
{
	return (struct expression){ of.src, x };
}

static bool same_sub(struct expression x, const struct expr *px,
		     struct expression y, const struct expr *py)
{
	if (!px || !py)
		return px == py;
	return same(sub(x, px), sub(y, py));
}

static bool same_list(struct expression x, const struct expr *const *lx,
		      size_t nx, struct expression y,
		      const struct expr *const *ly, size_t ny)
{
	if (nx != ny)
		return false;
	for (size_t i = 0; i < nx; i++)
		if (!same_sub(x, lx[i], y, ly[i]))
			return false;
	return true;
}

static bool same_steps(const struct traversal *x, const struct traversal *y)
{
	if (!str_eq(x->root, y->root) || x->nsteps != y->nsteps)
		return false;
	for (size_t i = 0; i < x->nsteps; i++) {
		const struct step *sx = &x->steps[i], *sy = &y->steps[i];

		if (sx->kind != sy->kind || !str_eq(sx->name, sy->name))
			return false;
		if (sx->kind == STEP_INDEX &&
		    !value_equal_unmarked(sx->key, sy->key))
			return false;
	}
	return true;
}

static bool same_object(struct expression x, struct expression y)
{
	if (x.root->object.nitems != y.root->object.nitems)
		return false;
	for (size_t i = 0; i < x.root->object.nitems; i++) {
		const struct object_item *ix = &x.root->object.items[i];
		const struct object_item *iy = &y.root->object.items[i];

		if (!same_sub(x, ix->key, y, iy->key) ||
		    !same_sub(x, ix->value, y, iy->value))
			return false;
	}
	return true;
}

static bool same_for(struct expression x, struct expression y)
{
	const struct expr *ex = x.root, *ey = y.root;

	return str_eq(ex->for_.key_name, ey->for_.key_name) &&
	       str_eq(ex->for_.value_name, ey->for_.value_name) &&
	       ex->for_.group == ey->for_.group &&
	       same_sub(x, ex->for_.coll, y, ey->for_.coll) &&
	       same_sub(x, ex->for_.key, y, ey->for_.key) &&
	       same_sub(x, ex->for_.value, y, ey->for_.value) &&
	       same_sub(x, ex->for_.cond, y, ey->for_.cond);
}

static bool same_index(struct expression x, struct expression y)
{
	return same_sub(x, x.root->get.on, y, y.root->get.on) &&
	       same_sub(x, x.root->get.key, y, y.root->get.key);
}

static bool same(struct expression x, struct expression y)
{
	while (x.root->kind == EXPR_PARENS)
		x.root = x.root->items[0];
	while (y.root->kind == EXPR_PARENS)
		y.root = y.root->items[0];
	if (x.root->kind != y.root->kind)
		return false;
	switch (x.root->kind) {
	case EXPR_SCOPE:
		return same_steps(&x.root->scope, &y.root->scope);
	case EXPR_LITERAL:
		return value_equal_unmarked(x.root->literal, y.root->literal);
	case EXPR_GET_ATTR:
		return str_eq(x.root->get.step.name, y.root->get.step.name) &&
		       same_sub(x, x.root->get.on, y, y.root->get.on);
	case EXPR_INDEX:
		return same_index(x, y);
	case EXPR_CALL:
		return str_eq(x.root->call.name, y.root->call.name) &&
		       same_list(x, x.root->call.args, x.root->call.nargs, y,
				 y.root->call.args, y.root->call.nargs);
	case EXPR_CONDITIONAL:
		return same_sub(x, x.root->conditional.cond, y,
				y.root->conditional.cond) &&
		       same_sub(x, x.root->conditional.yes, y,
				y.root->conditional.yes) &&
		       same_sub(x, x.root->conditional.no, y,
				y.root->conditional.no);
	case EXPR_UNARY:
	case EXPR_BINARY:
		return x.root->op.op == y.root->op.op &&
		       same_sub(x, x.root->op.left, y, y.root->op.left) &&
		       same_sub(x, x.root->op.right, y, y.root->op.right);
	case EXPR_TUPLE:
	case EXPR_TEMPLATE:
		return same_list(x, x.root->items, x.root->nitems, y,
				 y.root->items, y.root->nitems);
	case EXPR_OBJECT:
		return same_object(x, y);
	case EXPR_FOR:
		return same_for(x, y);
	default:
		return false;
	}
}

bool same_expressions(struct expression x, struct expression y)
{
	return same(x, y);
}
