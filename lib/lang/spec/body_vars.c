/*
 * body_vars.c - the references and calls in a body, dynamic blocks understood:
 * their iterators are no references
 */
#include "lang/spec/decode.h"
#include "lang/eval/eval.h"
#include "lang/spec/spec_int.h"
#include "lang/syntax/walk.h"

struct walk {
	struct arena *a;
	struct traversal_vec *out;
	struct call_vec *calls; /* NULL: not asked for */
	bool unexpanded;        /* not what only the expanded blocks use */
	int content;            /* in how many dynamic blocks' contents */
	bool blocks_alone;      /* see body_block_variables() */
	bool dynamic;           /* there was such a block */
};

static void add_expr(struct walk *w, struct expression e,
		     const struct eval_local *it)
{
	size_t keep = w->out->len;

	expression_uses(w->a, e, w->out, w->calls);
	for (size_t i = keep; i < w->out->len; i++)
		if (!eval_find_local(it, w->out->items[i].traversal.root))
			w->out->items[keep++] = w->out->items[i];
	w->out->len = keep;
}

/* The argument of a body, which may be content that nothing expands. */
static void add_argument(struct walk *w, struct expression e,
			 const struct eval_local *it)
{
	if (!w->unexpanded || !w->content)
		add_expr(w, e, it);
}

static void add_shaped(struct walk *w, const struct body *b,
		       const struct schema_block *schema,
		       const struct eval_local *it, int depth);
static void add_unshaped(struct walk *w, const struct body *b,
			 const struct eval_local *it, int depth);

/* The inside of a block of the given type; schema NULL: unshaped. */
static void add_inner(struct walk *w, const struct body *b, struct str type,
		      const struct schema_block *schema,
		      const struct eval_local *it, int depth)
{
	const struct schema_block *inner;

	if (!schema) {
		add_unshaped(w, b, it, depth + 1);
		return;
	}
	inner = schema_of_block(w->a, schema, type);
	if (inner)
		add_shaped(w, b, inner, it, depth + 1);
}

static void add_dynamic(struct walk *w, const struct block *b,
			const struct schema_block *schema,
			const struct eval_local *it, int depth)
{
	static const struct attr_schema attrs[] = {
		{ "for_each", false },
		{ "iterator", false },
		{ "labels", false },
		{ 0 },
	};
	const struct body_schema s = { attrs, dynamic_body.blocks };
	struct diags quiet = DIAGS_INIT(w->a);
	struct body_content c = { 0 };
	struct eval_local inner = { .outer = it };
	const struct attribute *attr;
	struct traversal_ref t;

	if (b->nlabels == 0)
		return;
	w->dynamic = true;
	inner.name = b->labels[0].text;
	body_partial(w->a, b->body, &s, &c, NULL, &quiet);
	attr = content_attr(&c, "iterator");
	if (attr) {
		if (expression_traversal(w->a, attr->expr, &t, &quiet))
			return;
		inner.name = t.traversal.root;
	}
	attr = content_attr(&c, "for_each");
	if (attr)
		add_expr(w, attr->expr, it);
	attr = content_attr(&c, "labels");
	if (attr)
		add_expr(w, attr->expr, &inner);
	w->content++;
	for (size_t i = 0; i < c.blocks.len; i++)
		add_inner(w, c.blocks.items[i].body, b->labels[0].text, schema,
			  &inner, depth);
	w->content--;
}

static void add_blocks(struct walk *w, const struct block_vec *blocks,
		       const struct schema_block *schema,
		       const struct eval_local *it, int depth)
{
	for (size_t i = 0; i < blocks->len; i++) {
		const struct block *b = &blocks->items[i];

		if (str_is(b->type, "dynamic"))
			add_dynamic(w, b, schema, it, depth);
		else
			add_inner(w, b->body, b->type, schema, it, depth);
	}
}

static void add_shaped(struct walk *w, const struct body *b,
		       const struct schema_block *schema,
		       const struct eval_local *it, int depth)
{
	struct diags quiet = DIAGS_INIT(w->a);
	struct body_content c = { 0 };

	if (depth > DECODE_MAX_DEPTH)
		return;
	body_partial(w->a, b, body_effective_schema(w->a, b, schema, false), &c,
		     NULL, &quiet);
	for (size_t i = 0; i < c.attrs.len && !w->blocks_alone; i++)
		add_argument(w, c.attrs.items[i]->expr, it);
	add_blocks(w, &c.blocks, schema, it, depth);
}

/* JSON does not distinguish blocks from attributes: only "dynamic" is
 * recognised, at this level. */
static void add_unshaped_json(struct walk *w, const struct body *b,
			      const struct eval_local *it, int depth)
{
	static const struct attr_schema none[] = { { 0 } };
	const struct block_schema blocks[] = { schema_dynamic_block, { 0 } };
	const struct body_schema s = { none, blocks };
	struct diags quiet = DIAGS_INIT(w->a);
	struct body_content c = { 0 };
	struct attribute_vec attrs = { 0 };
	struct body *rest = NULL;

	body_partial(w->a, b, &s, &c, &rest, &quiet);
	body_attributes(w->a, rest ? rest : b, &attrs, &quiet);
	for (size_t i = 0; i < attrs.len; i++)
		add_argument(w, attrs.items[i].expr, it);
	add_blocks(w, &c.blocks, NULL, it, depth);
}

static struct str block_name(const struct block *b)
{
	return str_is(b->type, "dynamic") && b->nlabels ? b->labels[0].text
							: b->type;
}

static void add_unshaped_native(struct walk *w, const struct body *b,
				const struct eval_local *it, int depth)
{
	struct block_vec blocks = { 0 };

	for (size_t i = 0; i < b->attrs.len; i++)
		if (!body_hides_attr(b, b->attrs.items[i].name))
			add_argument(w, b->attrs.items[i].expr, it);
	for (size_t i = 0; i < b->blocks.len; i++)
		if (!body_hides_block(b, block_name(&b->blocks.items[i])))
			vec_push(w->a, &blocks, b->blocks.items[i]);
	add_blocks(w, &blocks, NULL, it, depth);
}

/* Leaves out of the first body what the second one overrides. */
static void add_merged(struct walk *w, const struct body_merged *m,
		       const struct eval_local *it, int depth)
{
	const struct body *first = m->first, *second = m->second;
	struct str_vec names = { 0 };

	if (m->kind == BODY_OVERRIDE && !second->json && !second->merged) {
		for (size_t i = 0; i < second->attrs.len; i++)
			vec_push(w->a, &names, second->attrs.items[i].name);
		for (size_t i = 0; i < second->blocks.len; i++)
			vec_push(w->a, &names,
				 block_name(&second->blocks.items[i]));
		first = body_hide(w->a, first, names.items, names.len);
	}
	add_unshaped(w, first, it, depth + 1);
	add_unshaped(w, second, it, depth + 1);
}

static void add_unshaped(struct walk *w, const struct body *b,
			 const struct eval_local *it, int depth)
{
	if (depth > DECODE_MAX_DEPTH)
		return;
	if (b->merged)
		add_merged(w, b->merged, it, depth);
	else if (b->json)
		add_unshaped_json(w, b, it, depth);
	else
		add_unshaped_native(w, b, it, depth);
}

void body_uses(struct arena *a, const struct body *b,
	       const struct schema_block *schema, struct traversal_vec *vars,
	       struct call_vec *calls)
{
	struct walk w = { .a = a, .out = vars, .calls = calls };

	add_shaped(&w, b, schema, NULL, 0);
}

void body_variables(struct arena *a, const struct body *b,
		    const struct schema_block *schema,
		    struct traversal_vec *out)
{
	body_uses(a, b, schema, out, NULL);
}

void body_argument_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     struct traversal_vec *out)
{
	struct walk w = { .a = a, .out = out };
	struct diags quiet = DIAGS_INIT(a);
	struct body_content c = { 0 };

	body_partial(a, b, &schema->plan->raw, &c, NULL, &quiet);
	for (size_t i = 0; i < c.attrs.len; i++)
		add_expr(&w, c.attrs.items[i]->expr, NULL);
}

bool body_block_variables(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  struct traversal_vec *out)
{
	struct walk w = { .a = a, .out = out, .blocks_alone = true };

	add_shaped(&w, b, schema, NULL, 0);
	return w.dynamic;
}

void body_uses_unshaped(struct arena *a, const struct body *b,
			struct traversal_vec *vars, struct call_vec *calls)
{
	struct walk w = { .a = a, .out = vars, .calls = calls };

	add_unshaped(&w, b, NULL, 0);
}

void body_variables_unshaped(struct arena *a, const struct body *b,
			     struct traversal_vec *out)
{
	body_uses_unshaped(a, b, out, NULL);
}

void body_variables_unexpanded(struct arena *a, const struct body *b,
			       struct traversal_vec *out)
{
	struct walk w = { .a = a, .out = out, .unexpanded = true };

	add_unshaped(&w, b, NULL, 0);
}
