/*
 * relevant_steps.c - which part of a resource's configuration a reference to it
 * leads to
 */
#include "config/module.h"
#include "engine/plan/plan_int.h"
#include "engine/run/providers.h"
#include "value/convert.h"

const struct schema_block *relevant_schema(struct relevant *x,
					   const struct cfg_resource *c)
{
	const struct resource_schema *s =
		run_resource_schema(x->p->run, c->provider, &c->addr, NULL);

	return s ? s->block : NULL;
}

struct body_vec VEC_OF(const struct body *);

/* The progress of a traversal into a resource's configuration. */
struct stepping {
	struct relevant *x;
	struct relevant_module *m;
	const struct cfg_resource *c;
	const struct schema_block *schema; /* of the bodies; NULL: the end */
	struct body_vec bodies;
};

static void step_to_attr(struct stepping *s, const char *name)
{
	const struct attr_schema attrs[] = { { name, false }, { 0 } };
	const struct block_schema none[] = { { 0 } };
	const struct body_schema only = { attrs, none };
	struct diags ignored = DIAGS_INIT(&s->x->a);

	for (size_t i = 0; i < s->bodies.len; i++) {
		struct body_content c = { 0 };

		body_partial(&s->x->a, s->bodies.items[i], &only, &c, NULL,
			     &ignored);
		if (c.attrs.len)
			relevant_expression(s->x, s->m, s->c,
					    c.attrs.items[0]->expr);
	}
	s->schema = NULL;
	s->bodies.len = 0;
}

/* A dynamic block is what it is made from, and its content. */
static void add_dynamic_parts(struct stepping *s, const struct body *b)
{
	static const struct attr_schema attrs[] = {
		{ "for_each", false },
		{ "labels", false },
		{ 0 },
	};
	static const struct block_schema blocks[] = { { .type = "content" },
						      { 0 } };
	static const struct body_schema parts = { attrs, blocks };
	struct diags ignored = DIAGS_INIT(&s->x->a);
	struct body_content c = { 0 };

	body_partial(&s->x->a, b, &parts, &c, NULL, &ignored);
	for (size_t i = 0; i < c.attrs.len; i++)
		relevant_expression(s->x, s->m, s->c, c.attrs.items[i]->expr);
	if (c.blocks.len)
		vec_push(&s->x->a, &s->bodies,
			 c.blocks.items[c.blocks.len - 1].body);
}

static void step_to_block(struct stepping *s, const char *name)
{
	const struct attr_schema none[] = { { 0 } };
	const struct block_schema blocks[] = { { .type = name },
					       { "dynamic", { "type" } },
					       { 0 } };
	const struct body_schema only = { none, blocks };
	struct diags ignored = DIAGS_INIT(&s->x->a);
	const struct body_vec from = s->bodies;

	s->bodies = (struct body_vec){ 0 };
	for (size_t i = 0; i < from.len; i++) {
		struct body_content c = { 0 };

		body_partial(&s->x->a, from.items[i], &only, &c, NULL,
			     &ignored);
		for (size_t k = 0; k < c.blocks.len; k++) {
			const struct block *b = &c.blocks.items[k];

			if (str_is(b->type, name))
				vec_push(&s->x->a, &s->bodies, b->body);
			else if (b->nlabels && str_is(b->labels[0].text, name))
				add_dynamic_parts(s, b->body);
		}
	}
}

/* One step of the traversal: into an argument, which is the end, or into a
 * single block.  Repeated blocks are not searched by index: they mean their
 * whole resource if nothing follows their name, and nothing otherwise (as
 * globalref in OpenTofu). */
static void take_step(struct stepping *s, struct str name)
{
	const struct schema_nested *n = schema_nested_find(s->schema, name);
	char *text = arena_strndup(&s->x->a, name.p, name.n);

	if (schema_attr_find(s->schema, name)) {
		step_to_attr(s, text);
	} else if (!n) {
		s->schema = NULL;
		s->bodies.len = 0;
	} else if (nesting_single(n->nesting)) {
		step_to_block(s, text);
		s->schema = n->block;
	}
}

static struct str step_name(struct relevant *x, const struct step *s)
{
	struct verror err = { 0 };
	const struct value *v;

	if (s->kind == STEP_ATTR)
		return s->name;
	v = s->kind == STEP_INDEX ? convert(&x->a, s->key, &type_string, &err)
				  : NULL;
	return v && value_usable(v) ? v->string : STR_NONE;
}

void relevant_from_resource(struct relevant *x, struct relevant_module *m,
			    const struct reference *r)
{
	const struct cfg_resource *c = config_resource(m->config, &r->resource);
	struct stepping s = { .x = x, .m = m, .c = c };

	if (!c)
		return;
	s.schema = relevant_schema(x, c);
	vec_push(&x->a, &s.bodies, c->body);
	for (size_t i = 0; i < r->nrest && s.schema && s.bodies.len; i++)
		take_step(&s, step_name(x, &r->rest[i]));
	for (size_t i = 0; i < s.bodies.len && s.schema; i++)
		relevant_body(x, m, c, s.bodies.items[i], s.schema);
}
