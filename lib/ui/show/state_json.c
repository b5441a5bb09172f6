/*
 * state_json.c - the published representation of a state
 *
 * Source: the published format, version 1.0, as OpenTofu 1.12.6 writes it.
 */
#include "ui/show/show_int.h"
#include "addr/provider.h"
#include "json/write.h"
#include "base/product.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/type.h"

static void put_values(struct jw *w, struct arena *a, const struct value *v)
{
	if (!value_is_null(v)) {
		jw_key(w, "values");
		value_to_json(w, value_unmark_deep(a, v, NULL), NULL);
	}
	jw_key(w, "sensitive_values");
	value_sensitive_json(w, v);
}

static void put_resource(struct jw *w, const struct state_entry *e,
			 struct state_objects *objects)
{
	struct arena a = ARENA_INIT;
	const struct state_resource *r = e->r;
	const struct resource_schema *schema;
	const struct value *v = state_object(objects, &a, r, e->i, &schema);
	struct instance_addr at = { r->module, r->addr, e->i->key };

	if (!v)
		goto out;
	jw_object(w);
	jw_member_str(w, "address", instance_addr_text(&a, &at));
	jw_member_str(w, "mode", str_c(resource_mode_name(r->addr.mode)));
	jw_member_str(w, "type", r->addr.type);
	jw_member_str(w, "name", r->addr.name);
	inst_key_member(w, "index", e->i->key);
	jw_member_str(w, "provider_name",
		      provider_addr_text(&a, r->provider.provider));
	jw_member_int(w, "schema_version",
		      (int64_t)(schema ? schema->version
				       : e->i->schema_version));
	put_values(w, &a, v);
	if (e->i->identity.n) {
		jw_key(w, "identity");
		jw_raw(w, e->i->identity);
		if (!e->i->identity_unversioned)
			jw_member_int(w, "identity_schema_version",
				      (int64_t)e->i->identity_schema_version);
	}
	if (e->i->ndependencies) {
		jw_key(w, "depends_on");
		jw_array(w);
		for (size_t d = 0; d < e->i->ndependencies; d++)
			jw_str(w, e->i->dependencies[d]);
		jw_array_end(w);
	}
	if (e->i->tainted)
		jw_member_bool(w, "tainted", true);
	if (e->i->deposed.n)
		jw_member_str(w, "deposed_key", e->i->deposed);
	jw_object_end(w);
out:
	arena_release(&a);
}

/* Modules follow their parent; one pass over the entries writes the tree. */
static struct module_addr prefix(struct module_addr m, size_t len)
{
	m.len = len;
	return m;
}

static bool inside(struct module_addr m, struct module_addr parent)
{
	return m.len >= parent.len &&
	       module_addr_equal(prefix(m, parent.len), parent);
}

/* Writes resources and child_modules of the module; returns the index of the
 * first entry that is not in it. */
static size_t put_module(struct jw *w, const struct state_entry_vec *es,
			 size_t at, struct module_addr m,
			 struct state_objects *objects)
{
	bool open = false;

	while (at < es->len && module_addr_equal(es->items[at].r->module, m)) {
		const struct state_entry *e = &es->items[at++];

		if (e->i && !open) {
			jw_key(w, "resources");
			jw_array(w);
			open = true;
		}
		if (e->i)
			put_resource(w, e, objects);
	}
	if (open)
		jw_array_end(w);
	open = false;
	while (at < es->len && inside(es->items[at].r->module, m)) {
		struct module_addr child =
			prefix(es->items[at].r->module, m.len + 1);
		struct buf b = BUF_INIT;

		if (!open) {
			jw_key(w, "child_modules");
			jw_array(w);
			open = true;
		}
		jw_object(w);
		module_addr_print(&b, child);
		jw_member_str(w, "address", buf_view(&b));
		buf_release(&b);
		at = put_module(w, es, at, child, objects);
		jw_object_end(w);
	}
	if (open)
		jw_array_end(w);
	return at;
}

static void put_outputs(struct jw *w, const struct state *st)
{
	const struct state_output_list outs = state_outputs_sorted(st);
	struct arena a = ARENA_INIT;

	if (!outs.len)
		return;
	jw_key(w, "outputs");
	jw_object(w);
	for (size_t i = 0; i < outs.len; i++) {
		const struct state_output *o = &outs.items[i];
		const struct value *v = value_unmark_deep(&a, o->value, NULL);

		jw_key_str(w, o->name);
		jw_object(w);
		jw_member_bool(w, "sensitive",
			       value_has_mark_deep(o->value, MARK_SENSITIVE));
		if (o->deprecated.n)
			jw_member_str(w, "deprecated", o->deprecated);
		jw_key(w, "value");
		value_to_json(w, v, NULL);
		jw_key(w, "type");
		type_to_json(w, v->type);
		jw_object_end(w);
	}
	jw_object_end(w);
	arena_release(&a);
}

static void put_state_values(struct jw *w, const struct state *st,
			     struct state_objects *objects)
{
	struct arena a = ARENA_INIT;
	struct state_entry_vec es = { 0 };
	struct module_addr root = { NULL, 0 };

	state_entries(&a, st, true, &es);
	jw_object(w);
	put_outputs(w, st);
	jw_key(w, "root_module");
	jw_object(w);
	put_module(w, &es, 0, root, objects);
	jw_object_end(w);
	jw_object_end(w);
	arena_release(&a);
}

int state_json(struct jw *w, const struct state *st,
	       struct state_objects *objects)
{
	jw_object(w);
	jw_member_str(w, "format_version", STR("1.0"));
	if (!state_is_empty(st)) {
		jw_member_str(w, "terraform_version",
			      st->terraform_version.n
				      ? st->terraform_version
				      : STR(COMPATIBLE_VERSION));
		jw_key(w, "values");
		put_state_values(w, st, objects);
		state_checks_json(w, st);
	}
	if (objects->part_of)
		shown_parts_json(w, objects->part_of);
	jw_object_end(w);
	return objects->why.n ? -1 : 0;
}
