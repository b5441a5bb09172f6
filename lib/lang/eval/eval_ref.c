/*
 * eval_ref.c - references: a variable and all steps written after it
 *
 * x.a[i].b is one chain of nodes.  When x is not a local variable of a for or
 * the like, the whole chain is handed to the scope, keys evaluated, so that
 * r[count.index].id touches one instance; what the scope leaves over is
 * applied here, as are the steps after any other kind of base.
 */
#include "lang/eval/eval.h"
#include "lang/eval/eval_int.h"

enum { FEW = 8 }; /* steps kept on the C stack */

struct chain {
	const struct expr *base; /* SCOPE, or any other node */
	struct ref_step *steps;
	const struct expr **about; /* the node each step stands in */
	size_t nsteps;
	struct ref_step few_steps[FEW];
	const struct expr *few_about[FEW];
};

static const struct expr *without_parens(const struct expr *e)
{
	while (e->kind == EXPR_PARENS)
		e = e->items[0];
	return e;
}

const struct eval_local *eval_find_local(const struct eval_local *locals,
					 struct str name)
{
	while (locals && !str_eq(locals->name, name))
		locals = locals->outer;
	return locals;
}

static void step_of(struct ref_step *to, const struct step *from)
{
	*to = (struct ref_step){ .is_attr = from->kind == STEP_ATTR,
				 .name = from->name,
				 .key = from->key,
				 .span = from->span };
}

/* Takes the chain that ends in e apart. Keys are evaluated later. */
static void chain_open(struct eval *ev, struct chain *c, const struct expr *e)
{
	const struct expr *b = e;
	size_t n = 0, i;

	for (; b->kind == EXPR_GET_ATTR || b->kind == EXPR_INDEX;
	     b = without_parens(b->get.on))
		n++;
	c->base = b;
	c->nsteps = n + (b->kind == EXPR_SCOPE ? b->scope.nsteps : 0);
	c->steps = c->few_steps;
	c->about = c->few_about;
	if (c->nsteps > FEW) {
		c->steps = ARENA_ARRAY(ev->arena, struct ref_step, c->nsteps);
		c->about =
			ARENA_ARRAY(ev->arena, const struct expr *, c->nsteps);
	}
	i = c->nsteps;
	for (b = e; b->kind == EXPR_GET_ATTR || b->kind == EXPR_INDEX;
	     b = without_parens(b->get.on)) {
		c->about[--i] = b;
		if (b->kind == EXPR_GET_ATTR)
			step_of(&c->steps[i], &b->get.step);
		else
			c->steps[i] =
				(struct ref_step){ .span = b->get.step.span };
	}
	while (i > 0) {
		c->about[--i] = b;
		step_of(&c->steps[i], &b->scope.steps[i]);
	}
}

static void chain_keys(struct eval *ev, struct chain *c)
{
	for (size_t i = 0; i < c->nsteps; i++)
		if (!c->steps[i].is_attr && !c->steps[i].key)
			c->steps[i].key = eval_expr(ev, c->about[i]->get.key);
}

/* The result may be any element of v.  The key's marks count as for a known
 * result: not with objects. */
static const struct value *index_still_ephemeral(struct eval *ev,
						 const struct value *got,
						 const struct value *v,
						 const struct value *key)
{
	if (!value_is_known(key))
		got = eval_still_ephemeral(ev, got, v);
	return v->type->kind == TYPE_OBJECT
		       ? got
		       : eval_still_ephemeral(ev, got, key);
}

static const struct value *apply(struct eval *ev, const struct value *v,
				 const struct ref_step *s,
				 const struct expr *about)
{
	struct access_error err;
	const struct value *got;

	got = s->is_attr ? access_attr(ev->arena, v, s->name, &err)
			 : access_index(ev->arena, v, s->key, &err);
	if (got && !s->is_attr && !value_is_known(got))
		got = index_still_ephemeral(ev, got, v, s->key);
	if (got)
		return got;
	return eval_fail(ev, about, s->span, NULL, err.summary, "%.*s",
			 STR_ARG(err.detail));
}

/* A for loop evaluates the same bad reference once for each element: keeps only
 * the first of equal diagnostics of this evaluation. */
static void drop_repeated(struct diags *ds, size_t from, size_t told)
{
	size_t keep = from, look = from > 64 ? from - 64 : 0;

	if (look < told)
		look = told < from ? told : from;
	for (size_t i = from; i < ds->len; i++) {
		struct diag *d = &ds->items[i];
		bool again = false;

		for (size_t j = look; j < keep && !again; j++) {
			const struct diag *o = &ds->items[j];

			again = o->subject.start.byte ==
					d->subject.start.byte &&
				o->subject.end.byte == d->subject.end.byte &&
				str_eq(o->subject.file, d->subject.file) &&
				str_eq(o->summary, d->summary) &&
				str_eq(o->detail, d->detail);
		}
		if (again)
			ds->errors -= d->severity == SEV_ERROR;
		else
			ds->items[keep++] = *d;
	}
	ds->len = keep;
}

static const struct value *unknown_variable(struct eval *ev,
					    const struct ref *r)
{
	const struct scope *s = ev->scope;
	struct str hint;

	if (!s || !s->resolve)
		return eval_fail(ev, NULL, r->root_span, NULL,
				 "Variables not allowed",
				 "No variables can be used here.");
	hint = eval_suggestion(ev->arena, r->root, s->root_name, s->data,
			       ev->locals);
	return eval_fail(ev, NULL, r->root_span, NULL, "Unknown variable",
			 "There is no variable \"%.*s\".%.*s", STR_ARG(r->root),
			 STR_ARG(hint));
}

/* Asks the scope. *used: how many steps are done. */
static const struct value *resolve(struct eval *ev, const struct ref *r,
				   size_t *used)
{
	const struct scope *s = ev->scope;
	const struct value *v = NULL;
	size_t before = ev->top->len;

	*used = 0;
	if (s && s->resolve)
		v = s->resolve(s->data, ev, r, used, ev->top);
	if (ev->top->len != before)
		drop_repeated(ev->top, before, ev->told);
	if (v)
		return v;
	*used = r->nsteps;
	return unknown_variable(ev, r);
}

static const struct value *base_value(struct eval *ev, struct chain *c,
				      struct span whole, size_t *used)
{
	const struct expr *b = c->base;
	const struct eval_local *local;
	struct ref r;

	*used = 0;
	if (b->kind != EXPR_SCOPE)
		return eval_expr(ev, b);
	local = eval_find_local(ev->locals, b->scope.root);
	if (local)
		return local->value;
	chain_keys(ev, c);
	r = (struct ref){ .root = b->scope.root,
			  .root_span = b->scope.root_span,
			  .src = ev->src,
			  .steps = c->steps,
			  .nsteps = c->nsteps,
			  .span = { b->span.start, whole.end } };
	return resolve(ev, &r, used);
}

const struct value *eval_reference(struct eval *ev, const struct expr *e)
{
	const struct value *v;
	struct chain c;
	size_t i;

	chain_open(ev, &c, e);
	v = base_value(ev, &c, e->span, &i);
	for (; i < c.nsteps; i++) {
		struct ref_step *s = &c.steps[i];

		if (!s->is_attr && !s->key)
			s->key = eval_expr(ev, c.about[i]->get.key);
		v = apply(ev, v, s, c.about[i]);
	}
	return v;
}

const struct value *eval_traversal(struct eval *ev, const struct traversal *t,
				   size_t n, const struct source *src)
{
	struct expr e = { .kind = EXPR_SCOPE, .scope = *t };
	const struct source *was = ev->src;
	const struct value *v;

	e.scope.nsteps = n;
	e.span.start = t->root_span.start;
	e.span.end = n ? t->steps[n - 1].span.end : t->root_span.end;
	ev->src = src;
	v = eval_reference(ev, &e);
	ev->src = was;
	return v;
}
