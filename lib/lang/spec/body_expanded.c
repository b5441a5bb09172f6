/*
 * body_expanded.c - the references in a body whose dynamic blocks are expanded
 *
 * A block that is made more than once names the same things each time.
 */
#include "lang/spec/decode.h"
#include "lang/eval/eval.h"
#include "lang/spec/spec_int.h"
#include "lang/syntax/walk.h"

static void find_in(struct traversal_vec *out, const struct level *l,
		    struct expression e)
{
	struct traversal_vec all = { 0 };
	struct arena *a = l->d->a;

	expression_variables(a, e, &all);
	for (size_t i = 0; i < all.len; i++)
		if (!eval_find_local(l->locals, all.items[i].traversal.root))
			vec_push(a, out, all.items[i]);
}

static void find_at(struct traversal_vec *out, const struct level *l)
{
	const struct body_schema *raw = &l->schema->plan->raw;
	struct content c = { 0 };

	if (l->depth > DECODE_MAX_DEPTH)
		return;
	if (l->as_blocks)
		raw = body_effective_schema(l->d->a, l->body, l->schema, true);
	level_content(l, raw, &c);
	for (size_t i = 0; i < c.attrs.len && !l->unknown; i++)
		find_in(out, l, c.attrs.items[i]->expr);
	for (size_t i = 0; i < c.items.len; i++) {
		const struct item *it = &c.items.items[i];
		const struct schema_block *s =
			schema_of_block(l->d->a, l->schema, it->type);
		struct level in;

		if (!s)
			continue;
		in = level_inner(l, it, s);
		find_at(out, &in);
	}
}

void body_expanded_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     const struct scope *blocks,
			     struct traversal_vec *out)
{
	struct diags quiet = DIAGS_INIT(a);
	struct body_decoder d = {
		.a = a, .scope = blocks, .blocks = blocks, .ds = &quiet
	};
	struct level l = { .d = &d,
			   .body = b,
			   .schema = schema,
			   .as_blocks = schema->plan->as_blocks };

	find_at(out, &l);
}
