/*
 * dynamic.c - dynamic blocks: from one block with for_each to the blocks it
 * stands for
 *
 * An unknown for_each gives one block whose content is unknown.
 */
#include "lang/eval/eval.h"
#include "lang/spec/spec_int.h"
#include "value/convert.h"
#include "value/number.h"

static const struct attr_schema plain_attrs[] = {
	{ "for_each", true },
	{ "iterator", false },
	{ 0 },
};
static const struct attr_schema label_attrs[] = {
	{ "for_each", true },
	{ "iterator", false },
	{ "labels", true },
	{ 0 },
};
static const struct block_schema content_block[] = {
	{ .type = "content" },
	{ 0 },
};
const struct body_schema dynamic_body = { plain_attrs, content_block };
static const struct body_schema labelled_body = { label_attrs, content_block };

/* The arguments of one dynamic block. */
struct generator {
	const struct level *l;
	const struct block *b;        /* the dynamic block */
	const struct block_schema *s; /* of the blocks it makes */
	struct str iterator;
	const struct value *each;           /* unmarked */
	const struct marks *marks, *within; /* of the blocks, of their values */
	struct expression *labels;
	size_t nlabels;
	const struct body *content;
};

static int error_at(const struct level *l, struct expression e,
		    const struct eval_local *locals, const char *summary,
		    const char *why)
{
	struct range at = expression_range(e);
	struct diags *ds = l->d->ds;

	diag_error(ds, &at, summary, "%s", why);
	eval_explain(ds->arena, l->d->blocks, locals, e, 0,
		     &ds->items[ds->len - 1]);
	return -1;
}

static int get_iterator(struct generator *g, const struct attribute *attr)
{
	struct traversal_ref t;
	struct range at;

	g->iterator = g->b->labels[0].text;
	if (!attr)
		return 0;
	if (expression_traversal(g->l->d->a, attr->expr, &t, g->l->d->ds))
		return -1;
	if (t.traversal.nsteps) {
		at = source_range(t.src, t.span);
		return diag_error(
			g->l->d->ds, &at, "Invalid dynamic iterator name",
			"The iterator of a dynamic block must be one name.");
	}
	g->iterator = t.traversal.root;
	return 0;
}

static int get_for_each(struct generator *g, const struct attribute *attr)
{
	static const char summary[] = "Invalid dynamic for_each value";
	const struct level *l = g->l;
	size_t errors = l->d->ds->errors;
	const struct value *v;

	v = eval_with_locals(l->d->a, l->d->blocks, l->locals, attr->expr,
			     l->d->ds);
	if (l->d->ds->errors != errors)
		return -1;
	g->marks = v->marks;
	g->each = v = unmarked(l->d->a, v, &g->marks);
	g->within = marks_within(g->marks);
	g->marks = marks_without(l->d->a, g->marks, MARK_WITHIN);
	if (type_is_primitive(v->type))
		return error_at(
			l, attr->expr, l->locals, summary,
			"A collection is needed here, to make a block for each of its elements.");
	if (value_is_null(v))
		return error_at(l, attr->expr, l->locals, summary,
				"A null value cannot be used in for_each.");
	return 0;
}

static int get_labels(struct generator *g, const struct attribute *attr)
{
	struct body_decoder *d = g->l->d;
	size_t want = 0;
	struct range at;

	if (!attr)
		return 0;
	while (want < 4 && g->s->labels[want])
		want++;
	if (expression_list(d->a, attr->expr, &g->labels, &g->nlabels, d->ds))
		return -1;
	if (g->nlabels > want) {
		at = expression_range(g->labels[want]);
		return diag_error(d->ds, &at, "Extraneous dynamic block label",
				  "Blocks of type \"%s\" have %zu label(s).",
				  g->s->type, want);
	}
	if (g->nlabels < want) {
		at = expression_range(attr->expr);
		return diag_error(d->ds, &at,
				  "Insufficient dynamic block labels",
				  "Blocks of type \"%s\" have %zu label(s).",
				  g->s->type, want);
	}
	return 0;
}

static int get_content(struct generator *g, const struct body_content *c)
{
	struct diags *ds = g->l->d->ds;
	struct range at;

	if (c->blocks.len == 1) {
		g->content = c->blocks.items[0].body;
		return 0;
	}
	if (c->blocks.len == 0) {
		at = source_range(g->b->body->src, c->missing);
		return diag_error(ds, &at, "Missing dynamic content block",
				  "A dynamic block needs a \"content\" block:"
				  " the body of the blocks it makes.");
	}
	at = source_range(c->blocks.items[1].src, c->blocks.items[1].header);
	return diag_error(ds, &at, "Extraneous dynamic content block",
			  "A dynamic block has only one \"content\" block.");
}

static int read_generator(struct generator *g)
{
	struct body_decoder *d = g->l->d;
	const struct body_schema *s =
		g->s->labels[0] ? &labelled_body : &dynamic_body;
	struct body_content c = { 0 };

	if (body_content(d->a, g->b->body, s, &c, d->ds))
		return -1;
	if (get_iterator(g, content_attr(&c, "iterator")) ||
	    get_for_each(g, content_attr(&c, "for_each")) ||
	    get_labels(g, content_attr(&c, "labels")))
		return -1;
	return get_content(g, &c);
}

static const char *bad_label(const struct value *v)
{
	if (!v)
		return "A label must be a string.";
	if (value_is_null(v))
		return "A label must not be null.";
	if (!value_is_known(v))
		return "A label must be known, and this value is not known yet.";
	if (v->marks)
		return "This value is marked (as sensitive, say) and cannot be a label.";
	return NULL;
}

static int make_labels(struct generator *g, struct item *it)
{
	struct body_decoder *d = g->l->d;
	struct str *labels = ARENA_ARRAY(d->a, struct str, g->nlabels);

	for (size_t i = 0; i < g->nlabels; i++) {
		size_t errors = d->ds->errors;
		struct verror err = { 0 };
		const struct value *v;
		const char *why;

		v = eval_with_locals(d->a, d->blocks, it->locals, g->labels[i],
				     d->ds);
		if (d->ds->errors != errors)
			return -1;
		v = convert(d->a, value_without_marks(d->a, v, MARK_WITHIN),
			    &type_string, &err);
		why = bad_label(v);
		if (why)
			return error_at(g->l, g->labels[i], it->locals,
					"Invalid dynamic block label", why);
		labels[i] = v->string;
	}
	it->labels = labels;
	it->nlabels = g->nlabels;
	return 0;
}

static void make_block(struct generator *g, const struct value *key,
		       const struct value *value, struct item_vec *out)
{
	static const struct str names[] = { STR_INIT("key"),
					    STR_INIT("value") };
	struct arena *a = g->l->d->a;
	const struct value *kv[] = { marked(a, key, g->within),
				     marked(a, value, g->within) };
	struct eval_local *it = ARENA_NEW(a, struct eval_local);
	struct item item = {
		.type = g->b->labels[0].text,
		.body = g->content,
		.locals = it,
		.marks = g->marks,
		.unknown = g->l->unknown || !value_is_known(g->each),
	};

	item.header = source_range(g->b->src, g->b->header);
	it->outer = g->l->locals;
	it->name = g->iterator;
	it->value = value_object(a, names, kv, 2);
	if (make_labels(g, &item) == 0)
		vec_push(a, out, item);
}

static void make_blocks(struct generator *g, struct item_vec *out)
{
	const struct value *v = g->each, *key;
	struct arena *a = g->l->d->a;

	for (uint32_t i = 0; i < v->len; i++) {
		if (v->type->kind == TYPE_SET)
			key = v->elems[i];
		else if (v->type->kind == TYPE_MAP)
			key = value_string(a, v->keys[i]);
		else if (v->type->kind == TYPE_OBJECT)
			key = value_string(a, v->type->attrs[i].name);
		else
			key = value_int(a, i);
		make_block(g, key, v->elems[i], out);
		if (g->l->d->ds->errors >= EVAL_MAX_ERRORS)
			return;
	}
}

void dynamic_expand(const struct level *l, const struct block *b,
		    const struct body_schema *schema, struct item_vec *out)
{
	struct generator g = { .l = l, .b = b, .s = schema->blocks };
	struct range at;

	while (g.s->type && (g.s->labels[0] == schema_dynamic_block.labels[0] ||
			     !str_is(b->labels[0].text, g.s->type)))
		g.s++;
	if (!g.s->type) {
		at = source_range(b->src, b->labels[0].span);
		diag_error(l->d->ds, &at, "Unsupported block type",
			   "Blocks of type \"%.*s\" are not expected here.",
			   STR_ARG(b->labels[0].text));
		return;
	}
	if (read_generator(&g))
		return;
	if (value_is_known(g.each))
		make_blocks(&g, out);
	else
		make_block(&g, &value_unknown_dynamic, &value_unknown_dynamic,
			   out);
}
