/*
 * body_json.c - JSON bodies: a schema says what the properties are
 *
 * A body is an object or an array of objects taken together.  An argument is a
 * property; a block is one whose value is peeled label by label: each level an
 * object (or array of objects) whose names are labels, then an object for one
 * block or an array for several; null for none.
 */
#include "lang/syntax/body.h"
#include "lang/syntax/syntax_int.h"

struct prop_list VEC_OF(const struct json_prop *);

struct json_body_reader {
	struct arena *a;
	const struct body *b;
	const struct source *src;
	struct body_content *out;
	struct diags *ds;
};

struct body *json_body(struct arena *a, const struct source *src,
		       struct json_node *n)
{
	struct body *b = ARENA_NEW(a, struct body);

	b->src = src;
	b->span = n->span;
	b->end = json_node_start(n);
	if (n->kind == JSON_NODE_OBJECT && n->span.end)
		b->end = (struct span){ n->span.end - 1, n->span.end };
	b->json = true;
	b->node = n;
	return b;
}

static void wrong_type(const struct source *src, const struct json_node *n,
		       struct diags *ds, const char *detail)
{
	struct range at = source_range(src, json_node_start(n));

	diag_error(ds, &at, "Incorrect JSON value type", "%s", detail);
}

static void add_props(struct arena *a, const struct json_node *n,
		      struct prop_list *out)
{
	for (uint32_t i = 0; i < n->len; i++)
		vec_push(a, out, &n->props[i]);
}

static void wrong_level(const struct source *src, const struct json_node *n,
			const char *label, bool array_too, struct diags *ds)
{
	wrong_type(
		src, n, ds,
		arena_printf(ds->arena,
			     "An object with %s for names is expected here%s.",
			     label ? arena_printf(ds->arena, "%ss", label)
				   : "arguments and block types",
			     array_too ? ", or an array of such objects" : ""));
}

/* The properties of n; label: what they are the names of, or NULL for the
 * arguments and blocks of a body. */
static void collect(struct arena *a, const struct source *src,
		    const struct json_node *n, const char *label,
		    struct prop_list *out, struct diags *ds)
{
	if (n->kind == JSON_NODE_NULL)
		return;
	if (n->kind == JSON_NODE_OBJECT) {
		add_props(a, n, out);
		return;
	}
	if (n->kind != JSON_NODE_ARRAY) {
		wrong_level(src, n, label, true, ds);
		return;
	}
	for (uint32_t i = 0; i < n->len; i++) {
		if (n->items[i].kind == JSON_NODE_OBJECT)
			add_props(a, &n->items[i], out);
		else
			wrong_level(src, &n->items[i], label, false, ds);
	}
}

/* --- blocks --- */

/* The labels on the way to a block, innermost first. */
struct label_chain {
	const struct label_chain *outer;
	const struct json_prop *prop;
};

struct block_maker {
	struct json_body_reader *r;
	const struct block_schema *schema;
	const struct json_prop *type;
};

static void add_block(struct block_maker *m, const struct label_chain *labels,
		      struct json_node *n, struct span open)
{
	struct json_body_reader *r = m->r;
	struct block bl = { .type = m->type->name.text,
			    .type_span = m->type->name.span,
			    .header = open,
			    .open = open,
			    .close = { n->span.end - 1, n->span.end },
			    .src = r->src };
	struct label *list;
	size_t i;

	for (const struct label_chain *l = labels; l; l = l->outer)
		bl.nlabels++;
	list = ARENA_ARRAY(r->a, struct label, bl.nlabels);
	i = bl.nlabels;
	for (const struct label_chain *l = labels; l; l = l->outer)
		list[--i] = (struct label){ l->prop->name.text,
					    l->prop->name.span };
	bl.labels = list;
	bl.body = json_body(r->a, r->src, n);
	vec_push(r->a, &r->out->blocks, bl);
}

static void read_blocks(struct block_maker *m, const char *const *label_names,
			const struct label_chain *labels, struct json_node *n)
{
	struct json_body_reader *r = m->r;
	struct span open = json_node_start(n);
	struct prop_list props = { 0 };
	struct range at;

	if (*label_names) { /* at most four: recursion is bounded */
		collect(r->a, r->src, n, *label_names, &props, r->ds);
		for (size_t i = 0; i < props.len; i++) {
			struct label_chain l = { labels, props.items[i] };

			read_blocks(m, label_names + 1, &l,
				    (struct json_node *)&l.prop->value);
		}
		if (props.len)
			return;
		at = source_range(r->src, open);
		diag_error(
			r->ds, &at, "Missing block label",
			"A property is expected here: its name is the %s of the %s block.",
			*label_names, m->schema->type);
	} else if (n->kind == JSON_NODE_OBJECT) {
		add_block(m, labels, n, open);
	} else if (n->kind == JSON_NODE_ARRAY) {
		for (uint32_t i = 0; i < n->len; i++)
			add_block(m, labels, &n->items[i], open);
	} else if (n->kind != JSON_NODE_NULL) {
		wrong_type(r->src, n, r->ds,
			   arena_printf(r->ds->arena,
					"An object with the content of a "
					"\"%s\" block is expected here, or an "
					"array of them.",
					m->schema->type));
	}
}

/* --- arguments --- */

static struct attribute make_attr(struct arena *a, const struct source *src,
				  const struct json_prop *p)
{
	return (struct attribute){
		.name = p->name.text,
		.name_span = p->name.span,
		.span = { p->name.span.start, p->value.span.end },
		.expr = json_expression(a, src, (struct json_node *)&p->value),
	};
}

static void duplicate(const struct source *src, const struct json_prop *p,
		      const struct attribute *old, const char *summary,
		      bool with_context, struct diags *ds)
{
	struct range at = source_range(src, p->name.span);

	diag_error(ds, &at, summary, "\"%.*s\" is set on line %u already.",
		   STR_ARG(p->name.text), attribute_range(old).start.line);
	if (with_context)
		ds->items[ds->len - 1].context = at;
}

static void read_prop(struct json_body_reader *r,
		      const struct body_schema *schema,
		      const struct json_prop *p)
{
	const struct attr_schema *as = schema_attr(schema, p->name.text);
	const struct block_schema *bs;
	const struct attribute *old;
	struct attribute made;
	struct block_maker m;

	if (body_hides_attr(r->b, p->name.text))
		return;
	if (as) {
		old = content_attr(r->out, as->name);
		if (old) {
			duplicate(r->src, p, old, "Duplicate argument", true,
				  r->ds);
			return;
		}
		made = make_attr(r->a, r->src, p);
		vec_push(r->a, &r->out->attrs,
			 arena_dup(r->a, &made, sizeof(made)));
	} else {
		bs = schema_block(schema, p->name.text);
		if (!bs)
			return;
		m = (struct block_maker){ r, bs, p };
		read_blocks(&m, bs->labels, NULL,
			    (struct json_node *)&p->value);
	}
}

static void extraneous(struct json_body_reader *r,
		       const struct body_schema *schema,
		       const struct json_prop *p)
{
	struct range at = source_range(r->src, p->name.span);
	struct arena scratch = ARENA_INIT;
	VEC(const char *) names = { 0 };
	const char *near;

	for (const struct attr_schema *s = schema->attrs; s && s->name; s++)
		if (!content_attr(r->out, s->name))
			vec_push(&scratch, &names, s->name);
	for (const struct block_schema *s = schema->blocks; s && s->type; s++)
		vec_push(&scratch, &names, s->type);
	vec_push(&scratch, &names, NULL);
	near = text_suggest(p->name.text, names.items);
	diag_error(r->ds, &at, "Extraneous JSON object property",
		   "No argument or block is named \"%.*s\" here.%s%s%s",
		   STR_ARG(p->name.text), near ? " Did you mean \"" : "",
		   near ? near : "", near ? "\"?" : "");
	r->ds->items[r->ds->len - 1].context = at;
	arena_release(&scratch);
}

int json_body_read(struct arena *a, const struct body *b,
		   const struct body_schema *schema, struct body_content *out,
		   struct body **rest, bool strict, struct diags *ds)
{
	struct json_body_reader r = { a, b, b->src, out, ds };
	size_t before = ds->errors;
	struct prop_list props = { 0 };

	out->missing = b->end;
	collect(a, b->src, b->node, NULL, &props, ds);
	for (size_t i = 0; i < props.len; i++)
		read_prop(&r, schema, props.items[i]);
	for (const struct attr_schema *s = schema->attrs; s && s->name; s++)
		if (s->required && !content_attr(out, s->name))
			body_missing_argument(b, s->name, ds);
	for (size_t i = 0; strict && i < props.len; i++) {
		struct str name = props.items[i]->name.text;

		if (!str_is(name, "//") && !schema_attr(schema, name) &&
		    !schema_block(schema, name) && !body_hides_attr(b, name))
			extraneous(&r, schema, props.items[i]);
	}
	if (rest)
		*rest = body_without(a, b, schema);
	return ds->errors > before ? -1 : 0;
}

void body_hidden_names(struct arena *a, const struct body *b,
		       struct str_vec *out)
{
	struct diags ignored = DIAGS_INIT(a);
	struct prop_list props = { 0 };
	struct map seen = { 0 };

	if (b->json)
		collect(a, b->src, b->node, NULL, &props, &ignored);
	for (size_t i = 0; i < props.len; i++) {
		struct str name = props.items[i]->name.text;

		if (body_hides_attr(b, name) && !map_put(a, &seen, name, out))
			vec_push(a, out, name);
	}
}

int json_body_attributes(struct arena *a, const struct body *b,
			 struct attribute_vec *out, struct diags *ds)
{
	const struct json_node *n = b->node;
	size_t before = ds->errors;
	struct map seen = { 0 };

	if (n->kind != JSON_NODE_OBJECT) {
		wrong_type(
			b->src, n, ds,
			"An object is expected here, with the arguments of this block.");
		return -1;
	}
	for (uint32_t i = 0; i < n->len; i++) {
		const struct json_prop *p = &n->props[i];
		uintptr_t at;

		if (str_is(p->name.text, "//") ||
		    body_hides_attr(b, p->name.text))
			continue;
		at = (uintptr_t)map_get(&seen, p->name.text);
		if (at) {
			duplicate(b->src, p, &out->items[at - 1],
				  "Duplicate attribute definition", false, ds);
			continue;
		}
		vec_push(a, out, make_attr(a, b->src, p));
		map_put(a, &seen, p->name.text, (void *)(uintptr_t)out->len);
	}
	return ds->errors > before ? -1 : 0;
}
