/*
 * config_json.c - `configuration` of the published plan representation
 *
 * Expressions are shown by their constant value and by what they refer to;
 * bodies are shaped by the schemas in use.
 */
#include "engine/run/variables.h"
#include "ui/config_json_int.h"

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

static void put_references(struct jw *w, struct arena *a,
			   const struct traversal_vec *vars)
{
	struct diags ignored = DIAGS_INIT(a);

	jw_key(w, "references");
	jw_array(w);
	for (size_t i = 0; i < vars->len; i++) {
		struct reference r;

		if (reference_parse(a, &vars->items[i], &r, &ignored) == 0)
			put_reference(w, &r);
	}
	jw_array_end(w);
}

/* The value where it takes neither references nor functions to know it, and
 * what is referred to, be it in an arm that is not taken. */
static void put_expression(struct jw *w, struct expression e)
{
	static const struct scope nothing = { .resolve = no_reference,
					      .function = no_function };
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct traversal_vec vars = { 0 };
	const struct value *v;

	jw_object(w);
	v = eval_expression(&a, &nothing, e, &ds);
	if (!diags_failed(&ds) && value_wholly_known(v)) {
		jw_key(w, "constant_value");
		value_to_json(w, v, NULL);
	}
	expression_variables(&a, e, &vars);
	if (vars.len)
		put_references(w, &a, &vars);
	jw_object_end(w);
	arena_release(&a);
}

/* A member that is left out where there is nothing in it. */
static void member_unless_empty(struct jw *w, const char *name,
				const struct buf *object)
{
	if (str_is(buf_view(object), "{}"))
		return;
	jw_key(w, name);
	jw_raw(w, buf_view(object));
}

static void member_expression(struct jw *w, const char *name,
			      struct expression e)
{
	struct buf b = BUF_INIT;
	struct jw inner = JW_INIT(&b);

	if (!e.root)
		return;
	inner.html = w->html;
	put_expression(&inner, e);
	member_unless_empty(w, name, &b);
	buf_release(&b);
}

static struct body_schema body_schema_of(struct arena *a,
					 const struct schema_block *b)
{
	struct attr_schema *as =
		ARENA_ARRAY(a, struct attr_schema, b->nattrs + 1);
	struct block_schema *bs =
		ARENA_ARRAY(a, struct block_schema, b->nblocks + 1);

	for (size_t i = 0; i < b->nattrs; i++)
		as[i].name = arena_strndup(a, b->attrs[i].name.p,
					   b->attrs[i].name.n);
	for (size_t i = 0; i < b->nblocks; i++) {
		bs[i].type = arena_strndup(a, b->blocks[i].type_name.p,
					   b->blocks[i].type_name.n);
		if (b->blocks[i].nesting == NESTING_MAP)
			bs[i].labels[0] = "key";
	}
	return (struct body_schema){ as, bs };
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

static void put_body(struct jw *w, const struct body *body,
		     const struct schema_block *schema)
{
	struct arena a = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&a);
	struct body_schema bs = body_schema_of(&a, schema);
	struct body_content c = { 0 };

	body_partial(&a, body, &bs, &c, NULL, &ignored);
	jw_object(w);
	for (size_t i = 0; i < schema->nattrs; i++) {
		const struct attribute *at =
			content_attr(&c, bs.attrs[i].name);

		if (!at)
			continue;
		jw_key_str(w, at->name);
		put_expression(w, at->expr);
	}
	for (size_t i = 0; i < schema->nblocks; i++)
		put_blocks(w, &c, &schema->blocks[i]);
	jw_object_end(w);
	arena_release(&a);
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
			put_expression(w, attrs.items[i].expr);
		}
		jw_object_end(w);
	}
	arena_release(&a);
}

static void put_depends_on(struct jw *w, const struct traversal_vec *deps)
{
	struct arena a = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&a);
	struct buf b = BUF_INIT;

	if (!deps->len)
		return;
	jw_key(w, "depends_on");
	jw_array(w);
	for (size_t i = 0; i < deps->len; i++) {
		struct reference r;

		if (reference_parse(&a, &deps->items[i], &r, &ignored))
			continue;
		buf_set_len(&b, 0);
		reference_print(&b, &r);
		jw_str(w, buf_view(&b));
	}
	jw_array_end(w);
	buf_release(&b);
	arena_release(&a);
}

static void put_provisioners(struct jw *w,
			     const struct cfg_provisioner_vec *ps)
{
	if (!ps->len)
		return;
	jw_key(w, "provisioners");
	jw_array(w);
	for (size_t i = 0; i < ps->len; i++) {
		jw_object(w);
		jw_member_str(w, "type", ps->items[i].type);
		config_attributes_json(w, ps->items[i].body);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void put_expressions(struct jw *w, const struct body *body,
			    const struct schema_block *schema)
{
	struct buf b = BUF_INIT;
	struct jw inner = JW_INIT(&b);

	put_body(&inner, body, schema);
	member_unless_empty(w, "expressions", &b);
	buf_release(&b);
}

static void put_resource(struct jw *w, struct arena *a,
			 const struct cfg_resource *r,
			 const struct config_providers *ps,
			 const struct map *schemas)
{
	const struct resource_schema *schema = shown_schema(
		schemas, r->addr.mode, r->addr.type, r->provider);
	struct buf b = BUF_INIT;

	jw_object(w);
	resource_addr_print(&b, r->addr);
	jw_member_str(w, "address", buf_view(&b));
	buf_release(&b);
	jw_member_str(w, "mode", str_c(resource_mode_name(r->addr.mode)));
	jw_member_str(w, "type", r->addr.type);
	jw_member_str(w, "name", r->addr.name);
	jw_member_str(w, "provider_config_key",
		      config_provider_key(ps, a, r));
	put_provisioners(w, &r->provisioners);
	if (schema && schema->block) {
		put_expressions(w, r->body, schema->block);
		jw_member_int(w, "schema_version", (int64_t)schema->version);
	} else {
		config_attributes_json(w, r->body);
	}
	member_expression(w, "count_expression", r->count);
	member_expression(w, "for_each_expression", r->for_each);
	put_depends_on(w, &r->depends_on);
	jw_object_end(w);
}

static void put_variables(struct jw *w, const struct cfg_module *m)
{
	if (!m->variables.len)
		return;
	jw_key(w, "variables");
	jw_object(w);
	for (size_t i = 0; i < m->variables.len; i++) {
		const struct cfg_variable *v = m->variables.entries[i].value;
		struct arena a = ARENA_INIT;
		struct diags ds = DIAGS_INIT(&a);
		const struct value *value;

		jw_key_str(w, v->name);
		jw_object(w);
		if (v->type && v->type != &type_dynamic) {
			jw_key(w, "type");
			type_to_json(w, v->type);
		}
		if (v->default_value.root) {
			jw_key(w, "default");
			value = variable_default(&a, v, &ds);
			value_to_json(w, value ? value : &value_null_dynamic,
				      NULL);
		}
		if (v->description.n)
			jw_member_str(w, "description", v->description);
		if (!v->default_value.root)
			jw_member_bool(w, "required", true);
		if (v->sensitive)
			jw_member_bool(w, "sensitive", true);
		if (v->ephemeral)
			jw_member_bool(w, "ephemeral", true);
		if (v->deprecated.n)
			jw_member_str(w, "deprecated", v->deprecated);
		jw_object_end(w);
		arena_release(&a);
	}
	jw_object_end(w);
}

static void put_outputs(struct jw *w, const struct cfg_module *m)
{
	if (!m->outputs.len)
		return;
	jw_key(w, "outputs");
	jw_object(w);
	for (size_t i = 0; i < m->outputs.len; i++) {
		const struct cfg_output *o = m->outputs.entries[i].value;

		jw_key_str(w, o->name);
		jw_object(w);
		if (o->sensitive)
			jw_member_bool(w, "sensitive", true);
		if (o->ephemeral)
			jw_member_bool(w, "ephemeral", true);
		if (o->deprecated.n)
			jw_member_str(w, "deprecated", o->deprecated);
		if (o->value.root) {
			jw_key(w, "expression");
			put_expression(w, o->value);
		}
		put_depends_on(w, &o->depends_on);
		if (o->description.n)
			jw_member_str(w, "description", o->description);
		jw_object_end(w);
	}
	jw_object_end(w);
}

static void put_module(struct jw *w, struct arena *a,
		       const struct cfg_module *m,
		       const struct config_providers *ps,
		       const struct map *schemas);

static void put_calls(struct jw *w, struct arena *a,
		      const struct cfg_module *m,
		      const struct config_providers *ps,
		      const struct map *schemas)
{
	if (!m->calls.len)
		return;
	jw_key(w, "module_calls");
	jw_object(w);
	for (size_t i = 0; i < m->calls.len; i++) {
		const struct cfg_call *c = m->calls.entries[i].value;

		jw_key_str(w, c->name);
		jw_object(w);
		jw_member_str(w, "source", c->source);
		config_attributes_json(w, c->body);
		member_expression(w, "count_expression", c->count);
		member_expression(w, "for_each_expression", c->for_each);
		if (c->child) {
			jw_key(w, "module");
			put_module(w, a, c->child, ps, schemas);
		}
		if (c->version.n)
			jw_member_str(w, "version_constraint", c->version);
		put_depends_on(w, &c->depends_on);
		jw_object_end(w);
	}
	jw_object_end(w);
}

static void put_module(struct jw *w, struct arena *a,
		       const struct cfg_module *m,
		       const struct config_providers *ps,
		       const struct map *schemas)
{
	const struct map *kinds[] = { &m->managed, &m->data, &m->ephemeral };
	bool open = false;

	jw_object(w);
	put_outputs(w, m);
	for (size_t k = 0; k < 3; k++) {
		const struct map_entry *all = map_sorted(a, kinds[k]);

		for (size_t i = 0; i < kinds[k]->len; i++) {
			if (!open) {
				jw_key(w, "resources");
				jw_array(w);
				open = true;
			}
			put_resource(w, a, all[i].value, ps, schemas);
		}
	}
	if (open)
		jw_array_end(w);
	put_calls(w, a, m, ps, schemas);
	put_variables(w, m);
	jw_object_end(w);
}

void config_json(struct jw *w, const struct config *c,
		 const struct map *schemas)
{
	struct arena a = ARENA_INIT;
	struct config_providers ps = { 0 };
	struct buf b = BUF_INIT;
	struct jw inner = JW_INIT(&b);

	config_providers_collect(&ps, &a, c);
	jw_object(w);
	config_providers_json(&inner, &a, &ps);
	member_unless_empty(w, "provider_config", &b);
	buf_release(&b);
	jw_key(w, "root_module");
	if (c->root)
		put_module(w, &a, c->root, &ps, schemas);
	else
		jw_raw(w, STR("{}"));
	jw_object_end(w);
	arena_release(&a);
}
