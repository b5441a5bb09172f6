/*
 * config_json.c - `configuration` of the published plan representation:
 * modules and what they hold
 */
#include "ui/show/show_int.h"
#include "addr/reference.h"
#include "engine/run/values.h"
#include "json/write.h"
#include "value/codec_json.h"
#include "value/type.h"

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

static void put_provisioners(struct jw *w, const struct cfg_provisioner_vec *ps,
			     const struct map *schemas)
{
	if (!ps->len)
		return;
	jw_key(w, "provisioners");
	jw_array(w);
	for (size_t i = 0; i < ps->len; i++) {
		jw_object(w);
		jw_member_str(w, "type", ps->items[i].type);
		if (schemas)
			config_attributes_json(w, ps->items[i].body);
		jw_object_end(w);
	}
	jw_array_end(w);
}

static void put_expressions(struct jw *w, const struct cfg_resource *r,
			    const struct map *schemas)
{
	const struct resource_schema *schema =
		shown_schema(schemas, r->addr.mode, r->addr.type, r->provider);

	if (schema && schema->block) {
		config_expressions_json(w, r->body, schema->block);
		jw_member_int(w, "schema_version", (int64_t)schema->version);
	} else {
		config_attributes_json(w, r->body);
	}
	config_member_expression(w, "count_expression", r->count);
	config_member_expression(w, "for_each_expression", r->for_each);
}

static void put_resource(struct jw *w, struct arena *a,
			 const struct cfg_resource *r,
			 const struct config_providers *ps,
			 const struct map *schemas)
{
	struct buf b = BUF_INIT;

	jw_object(w);
	resource_addr_print(&b, r->addr);
	jw_member_str(w, "address", buf_view(&b));
	buf_release(&b);
	jw_member_str(w, "mode", str_c(resource_mode_name(r->addr.mode)));
	jw_member_str(w, "type", r->addr.type);
	jw_member_str(w, "name", r->addr.name);
	jw_member_str(w, "provider_config_key", config_provider_key(ps, a, r));
	put_provisioners(w, &r->provisioners, schemas);
	if (schemas)
		put_expressions(w, r, schemas);
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

static void put_outputs(struct jw *w, const struct cfg_module *m,
			const struct map *schemas)
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
		if (o->value.root && schemas) {
			jw_key(w, "expression");
			config_expression_json(w, o->value);
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

static void put_child(struct jw *w, struct arena *a, const struct cfg_call *c,
		      const struct config_providers *ps,
		      const struct map *schemas)
{
	config_attributes_json(w, c->body);
	config_member_expression(w, "count_expression", c->count);
	config_member_expression(w, "for_each_expression", c->for_each);
	if (!c->child)
		return;
	jw_key(w, "module");
	put_module(w, a, c->child, ps, schemas);
}

static void put_calls(struct jw *w, struct arena *a, const struct cfg_module *m,
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
		jw_member_str(w, "source", c->source_written);
		if (schemas)
			put_child(w, a, c, ps, schemas);
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
	put_outputs(w, m, schemas);
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
	config_providers_json(&inner, &a, &ps, schemas);
	config_member_unless_empty(w, "provider_config", &b);
	buf_release(&b);
	jw_key(w, "root_module");
	if (c->root)
		put_module(w, &a, c->root, &ps, schemas);
	else
		jw_raw(w, STR("{}"));
	jw_object_end(w);
	arena_release(&a);
}
