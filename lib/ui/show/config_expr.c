/*
 * config_expr.c - expressions and bodies in `configuration`
 *
 * Expressions are shown by their constant value and by what they refer to;
 * bodies are shaped by the schemas in use.
 */
#include "addr/reference.h"
#include "json/write.h"
#include "lang/spec/decode.h"
#include "lang/syntax/walk.h"
#include "ui/show/show_int.h"
#include "value/codec_json.h"
#include "value/number.h"

static const struct value *no_reference(void *data, struct eval *ev,
					const struct ref *r, size_t *used,
					struct diags *ds)
{
	(void)data, (void)ev, (void)r, (void)used, (void)ds;
	return NULL;
}

static const struct func *no_function(void *data, struct str name)
{
	(void)data, (void)name;
	return NULL;
}

static const struct scope nothing = { .resolve = no_reference,
				      .function = no_function };

static void put_step(struct buf *b, const struct step *s)
{
	struct arena a = ARENA_INIT;

	if (s->kind == STEP_ATTR)
		buf_addf(b, ".%.*s", STR_ARG(s->name));
	else if (s->kind == STEP_INDEX && s->key->type->kind == TYPE_STRING)
		buf_addf(b, "[\"%.*s\"]", STR_ARG(s->key->string));
	else if (s->kind == STEP_INDEX)
		buf_addf(b, "[%.*s]", STR_ARG(value_number_text(&a, s->key)));
	arena_release(&a);
}

/* A reference and, after it, every shorter form of it. */
static void put_reference(struct jw *w, const struct reference *r)
{
	struct buf b = BUF_INIT;
	struct reference bare = *r;

	for (size_t n = r->nrest; n > 0; n--) {
		buf_set_len(&b, 0);
		reference_print(&b, r);
		for (size_t i = 0; i < n; i++)
			put_step(&b, &r->rest[i]);
		jw_str(w, buf_view(&b));
	}
	buf_set_len(&b, 0);
	reference_print(&b, r);
	jw_str(w, buf_view(&b));
	if (r->kind == REF_MODULE && r->output.n) {
		bare.output = STR_NONE;
	} else if ((r->kind == REF_RESOURCE || r->kind == REF_MODULE) &&
		   r->key.kind != KEY_NONE) {
		bare.key = KEY_ABSENT;
	} else {
		buf_release(&b);
		return;
	}
	buf_set_len(&b, 0);
	reference_print(&b, &bare);
	jw_str(w, buf_view(&b));
	buf_release(&b);
}

/* Writes the variables, then the functions of providers; nothing if there are
 * neither. */
static void put_references(struct jw *w, struct arena *a,
			   const struct traversal_vec *vars,
			   const struct call_vec *calls)
{
	struct diags ignored = DIAGS_INIT(a);
	bool any = vars->len > 0;

	for (size_t i = 0; i < calls->len; i++)
		any |= str_starts(calls->items[i].name, "provider::");
	if (!any)
		return;
	jw_key(w, "references");
	jw_array(w);
	for (size_t i = 0; i < vars->len; i++) {
		struct reference r;

		if (reference_parse(a, &vars->items[i], &r, &ignored) == 0)
			put_reference(w, &r);
	}
	for (size_t i = 0; i < calls->len; i++)
		if (str_starts(calls->items[i].name, "provider::"))
			jw_str(w, calls->items[i].name);
	jw_array_end(w);
}

/* Writes the value if it needs neither references nor functions, and the
 * references, also those in arms that are not taken. */
void config_expression_json(struct jw *w, struct expression e)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct traversal_vec vars = { 0 };
	struct call_vec calls = { 0 };
	const struct value *v;

	jw_object(w);
	v = eval_expression(&a, &nothing, e, &ds);
	if (!diags_failed(&ds) && value_wholly_known(v)) {
		jw_key(w, "constant_value");
		value_to_json(w, v, NULL);
	}
	expression_uses(&a, e, &vars, &calls);
	put_references(w, &a, &vars, &calls);
	jw_object_end(w);
	arena_release(&a);
}

/* Writes a member unless it is empty. */
void config_member_unless_empty(struct jw *w, const char *name,
				const struct buf *object)
{
	if (str_is(buf_view(object), "{}"))
		return;
	jw_key(w, name);
	jw_raw(w, buf_view(object));
}

void config_member_expression(struct jw *w, const char *name,
			      struct expression e)
{
	struct buf b = BUF_INIT;
	struct jw inner = JW_INIT(&b);

	if (!e.root)
		return;
	inner.html = w->html;
	config_expression_json(&inner, e);
	config_member_unless_empty(w, name, &b);
	buf_release(&b);
}

/* --- attributes that are given as blocks --- */

/* Writes the list that the blocks give, if it needs no references. */
static void put_constant_list(struct jw *w, struct arena *a,
			      const struct block_vec *blocks,
			      const struct schema_block *element)
{
	const struct value **vals =
		ARENA_ARRAY(a, const struct value *, blocks->len);
	struct diags ds = DIAGS_INIT(a);

	for (size_t i = 0; i < blocks->len; i++) {
		vals[i] = body_decode(a, blocks->items[i].body, element,
				      &nothing, &ds);
		if (!value_wholly_known(vals[i]))
			return;
	}
	if (diags_failed(&ds))
		return;
	jw_key(w, "constant_value");
	jw_array(w);
	for (size_t i = 0; i < blocks->len; i++)
		value_to_json(w, vals[i], element->implied);
	jw_array_end(w);
}

static void put_attr_blocks(struct jw *w, struct arena *a,
			    const struct body_content *c,
			    const struct schema_attr *attr)
{
	const struct schema_block *element =
		schema_of_elements(a, attr->type->elem);
	struct block_vec blocks = { 0 };
	struct traversal_vec vars = { 0 };
	const struct call_vec none = { 0 };

	for (size_t i = 0; i < c->blocks.len; i++)
		if (str_eq(c->blocks.items[i].type, attr->name))
			vec_push(a, &blocks, c->blocks.items[i]);
	if (!blocks.len)
		return;
	for (size_t i = 0; i < blocks.len; i++)
		body_argument_variables(a, blocks.items[i].body, element,
					&vars);
	jw_key_str(w, attr->name);
	jw_object(w);
	put_constant_list(w, a, &blocks, element);
	put_references(w, a, &vars, &none);
	jw_object_end(w);
}

static void put_body(struct jw *w, const struct body *body,
		     const struct schema_block *schema);

static void put_blocks(struct jw *w, const struct body_content *c,
		       const struct schema_nested *n)
{
	bool list = n->nesting == NESTING_LIST || n->nesting == NESTING_SET;
	bool map = n->nesting == NESTING_MAP, open = false;

	for (size_t i = 0; i < c->blocks.len; i++) {
		const struct block *b = &c->blocks.items[i];

		if (!str_eq(b->type, n->type_name))
			continue;
		if (!open) {
			jw_key_str(w, n->type_name);
			if (list)
				jw_array(w);
			else if (map)
				jw_object(w);
		} else if (!list && !map) {
			return;
		}
		open = true;
		if (map && b->nlabels)
			jw_key_str(w, b->labels[0].text);
		put_body(w, b->body, n->block);
	}
	if (open && list)
		jw_array_end(w);
	else if (open && map)
		jw_object_end(w);
}

static const struct attribute *given(const struct body_content *c,
				     struct str name)
{
	for (size_t i = 0; i < c->attrs.len; i++)
		if (str_eq(c->attrs.items[i]->name, name))
			return c->attrs.items[i];
	return NULL;
}

static void put_body(struct jw *w, const struct body *body,
		     const struct schema_block *schema)
{
	struct arena a = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&a);
	const struct body_schema *bs = body_schema_in_use(&a, body, schema);
	struct body_content c = { 0 };

	body_partial(&a, body, bs, &c, NULL, &ignored);
	jw_object(w);
	for (size_t i = 0; i < schema->nattrs; i++) {
		const struct schema_attr *attr = &schema->attrs[i];
		const struct attribute *at = given(&c, attr->name);

		if (at) {
			jw_key_str(w, at->name);
			config_expression_json(w, at->expr);
		} else if (!attr->nested && may_be_blocks(attr->type)) {
			put_attr_blocks(w, &a, &c, attr);
		}
	}
	for (size_t i = 0; i < schema->nblocks; i++)
		put_blocks(w, &c, &schema->blocks[i]);
	jw_object_end(w);
	arena_release(&a);
}

void config_expressions_json(struct jw *w, const struct body *body,
			     const struct schema_block *schema)
{
	struct buf b = BUF_INIT;
	struct jw inner = JW_INIT(&b);

	put_body(&inner, body, schema);
	config_member_unless_empty(w, "expressions", &b);
	buf_release(&b);
}

void config_attributes_json(struct jw *w, const struct body *body)
{
	struct arena a = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&a);
	struct attribute_vec attrs = { 0 };

	if (!body)
		return;
	body_attributes(&a, body, &attrs, &ignored);
	if (attrs.len) {
		jw_key(w, "expressions");
		jw_object(w);
		for (size_t i = 0; i < attrs.len; i++) {
			jw_key_str(w, attrs.items[i].name);
			config_expression_json(w, attrs.items[i].expr);
		}
		jw_object_end(w);
	}
	arena_release(&a);
}
