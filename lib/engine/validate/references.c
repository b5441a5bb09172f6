/*
 * references.c - references, checked at each place before it is evaluated
 *
 * An expression whose references are wrong is not evaluated: all its other
 * errors follow from that.  Conditions are, as in OpenTofu, with missing
 * references unknown.
 */
#include "config/check/refs.h"
#include "engine/run/conditions.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "engine/validate/validate_int.h"
#include "lang/spec/decode.h"
#include "lang/syntax/walk.h"

static void check_steps(void *data, const struct reference *r)
{
	struct visit *x = data;

	schema_check_reference(x->w.module, r, &x->w.ds);
}

static struct refs_place place_of(struct visit *x)
{
	struct refs_place p = x->place;

	p.m = x->w.module->config;
	p.scratch = x->w.a;
	p.ds = &x->w.ds;
	p.steps = check_steps;
	p.data = x;
	return p;
}

/* Checks that named objects exist, and that the steps after them are in their
 * schemas.  Returns 0 or bits of config/check/refs.h; every expression is
 * evaluated after this. */
static unsigned visit_references(struct visit *x,
				 const struct traversal_vec *refs)
{
	const struct refs_place p = place_of(x);

	return config_refs_check(&p, refs);
}

static unsigned of_condition(void *data, const struct traversal_vec *refs)
{
	return visit_references(data, refs);
}

struct condition_use visit_conditions(struct visit *x, enum condition_kind kind)
{
	return (struct condition_use){ .kind = kind,
				       .references = of_condition,
				       .data = x };
}

void visit_depends_on(struct visit *x, const struct traversal_vec *v)
{
	const struct refs_place p = place_of(x);

	config_refs_depends_on(&p, v);
}

int visit_local(struct visit *x, const struct cfg_local *l)
{
	const struct refs_place p = place_of(x);

	return config_refs_local(&p, l);
}

unsigned visit_expression(struct visit *x, struct expression e)
{
	struct traversal_vec refs = { 0 };

	expression_variables(x->w.a, e, &refs);
	return visit_references(x, &refs);
}

void visit_rule(struct visit *x, struct run_scope *s, struct expression e)
{
	if (!e.root)
		return;
	s->failed = false;
	s->condition = true;
	s->wrong = visit_expression(x, e);
	eval_expression(x->w.a, &s->scope, e, &x->w.ds);
	s->wrong = 0;
}

/* Expands the blocks first.  Wrong references in what decides that do not make
 * the rest of the body wrong. */
const struct value *visit_body_value(struct visit *x, struct run_scope *s,
				     const struct body *b,
				     const struct schema_block *schema)
{
	struct traversal_vec refs = { 0 };
	struct run_scope blocks = *s;

	blocks.scope.data = &blocks;
	if (body_block_variables(x->w.a, b, schema, &refs)) {
		blocks.wrong = visit_references(x, &refs);
		refs.len = 0;
		body_expanded_variables(x->w.a, b, schema, &blocks.scope,
					&refs);
	} else {
		body_variables(x->w.a, b, schema, &refs);
	}
	if (visit_references(x, &refs))
		return NULL;
	s->failed = false;
	return body_decode_blocks(x->w.a, b, schema, &s->scope, &blocks.scope,
				  &x->w.ds);
}

const struct value *visit_body(struct visit *x, struct run_scope *s,
			       const struct body *b,
			       const struct schema_block *schema,
			       struct str address)
{
	const size_t errors = x->w.ds.errors;
	const struct value *v = visit_body_value(x, s, b, schema);
	const size_t decoded = x->w.ds.len;

	if (!v || x->w.ds.errors != errors || s->failed)
		return NULL;
	v = body_report_deprecated(x->w.a, b, v, &x->w.ds);
	diags_address(&x->w.ds, decoded, address);
	return x->w.ds.errors != errors ? NULL : v;
}

void visit_provider_references(struct visit *x, const struct plan_provider *p)
{
	const struct provider_schema *s;
	struct traversal_vec refs = { 0 };

	if (!p->config)
		return;
	s = run_provider_schema(x->v->run, p->addr.provider, &x->w.ds);
	if (!s || !s->config)
		return;
	x->place.each = p->config->for_each.root != NULL;
	x->place.count = p->config->count.root != NULL;
	body_variables(x->w.a, p->config->body, s->config, &refs);
	visit_references(x, &refs);
}
