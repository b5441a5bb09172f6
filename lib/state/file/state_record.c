/*
 * state_record.c - state as records: `state`, `previous_run_state`,
 * `prior_state`, `previous_output`, `prior_output`, `previous_check`
 * (tf-stream(5)), each written and read
 *
 * Attributes travel as their raw JSON text, in one line.  Read back, a record's
 * texts are copied into the state's arena: a line is gone after its callback.
 */
#include <stddef.h>

#include "state/file/file.h"
#include "addr/addr.h"
#include "json/read.h"
#include "json/write.h"
#include "state/file/file_int.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/marks.h"

#define HIDDEN STR("(sensitive value)")

/* As a state file has it, escapes included. */
static void member_text(struct jw *w, const char *name, struct str json)
{
	bool html = w->html;

	jw_key(w, name);
	w->html = true;
	jw_text(w, json);
	w->html = html;
}

static void instance_texts(struct jw *w, const struct state_instance *i)
{
	if (i->attributes.n)
		member_text(w, "attributes", i->attributes);
	if (i->attributes_flat.n)
		member_text(w, "attributes_flat", i->attributes_flat);
	if (i->sensitive.n && !str_is(i->sensitive, "[]"))
		member_text(w, "sensitive_attributes", i->sensitive);
	if (i->private_data.n)
		jw_member_str(w, "private", i->private_data);
	if (!i->identity.n)
		return;
	member_text(w, "identity", i->identity);
	if (!i->identity_unversioned)
		jw_member_int(w, "identity_schema_version",
			      (int64_t)i->identity_schema_version);
}

void state_instance_members(struct jw *w, const struct state_resource *r,
			    const struct state_instance *i, bool redact)
{
	struct arena scratch = ARENA_INIT;

	if (i->deposed.n)
		jw_member_str(w, "deposed", i->deposed);
	jw_member_str(w, "provider", state_provider_text(&scratch, r, i));
	jw_member_int(w, "schema_version", (int64_t)i->schema_version);
	if (redact) {
		jw_member_str(w, "attributes", HIDDEN);
		if (i->private_data.n)
			jw_member_str(w, "private", HIDDEN);
	} else {
		instance_texts(w, i);
	}
	if (i->ndependencies) {
		jw_key(w, "dependencies");
		jw_array(w);
		for (size_t n = 0; n < i->ndependencies; n++)
			jw_str(w, i->dependencies[n]);
		jw_array_end(w);
	}
	if (i->create_before_destroy)
		jw_member_bool(w, "create_before_destroy", true);
	if (i->skip_destroy)
		jw_member_bool(w, "skip_destroy", true);
	if (i->tainted)
		jw_member_str(w, "status", STR("tainted"));
	arena_release(&scratch);
}

void state_instance_record(struct stream_out *o, const char *kind,
			   const struct state_resource *r,
			   const struct state_instance *i)
{
	struct buf address = BUF_INIT;
	struct jw w;

	state_resource_text(&address, r->module, &r->addr);
	inst_key_print(&address, i->key);
	w = stream_record(o, kind, buf_view(&address));
	state_instance_members(&w, r, i, o->redact);
	stream_record_end(o, &w);
	buf_release(&address);
}

void state_output_members(struct jw *w, const struct state_output *out,
			  bool redact)
{
	bool sensitive =
		out->value && value_has_mark_deep(out->value, MARK_SENSITIVE);
	struct arena scratch = ARENA_INIT;

	if (!out->value) {
		jw_member_bool(w, "gone", true);
		return;
	}
	jw_key(w, "value");
	if (sensitive && redact)
		jw_str(w, HIDDEN);
	else
		value_to_stream(w,
				value_unmark_deep(&scratch, out->value, NULL));
	jw_member_bool(w, "sensitive", sensitive);
	if (out->deprecated.n)
		jw_member_str(w, "deprecated", out->deprecated);
	arena_release(&scratch);
}

struct str state_output_address(struct arena *a, struct str name)
{
	return str_printf(a, "output.%.*s", STR_ARG(name));
}

void state_output_record(struct stream_out *o, const char *kind,
			 const struct state_output *out)
{
	struct arena scratch = ARENA_INIT;
	struct jw w = stream_record(o, kind,
				    state_output_address(&scratch, out->name));

	state_output_members(&w, out, o->redact);
	stream_record_end(o, &w);
	arena_release(&scratch);
}

static void check_record(struct stream_out *o, const struct state_check *c)
{
	struct jw w = stream_record(o, "previous_check", c->config_addr);

	jw_member_str(&w, "object_kind", c->object_kind);
	jw_member_str(&w, "status", c->status);
	if (c->objects.n)
		member_text(&w, "objects", c->objects);
	stream_record_end(o, &w);
}

/* The addresses of resources without instances. */
static void member_kept(struct jw *w, struct state_resource *const *rs,
			size_t n)
{
	struct buf address = BUF_INIT;
	bool any = false;

	for (size_t i = 0; i < n; i++) {
		if (!rs[i]->kept || rs[i]->instances.len)
			continue;
		if (!any) {
			jw_key(w, "kept");
			jw_array(w);
		}
		any = true;
		address.len = 0;
		state_resource_text(&address, rs[i]->module, &rs[i]->addr);
		jw_str(w, buf_view(&address));
	}
	if (any)
		jw_array_end(w);
	buf_release(&address);
}

void state_records(struct stream_out *o, const struct state *s)
{
	struct state_output_list outs;
	struct arena scratch = ARENA_INIT;
	struct state_resource **rs = state_resources_sorted(&scratch, s);
	struct jw w = stream_record(o, "state", STR_NONE);

	jw_member_int(&w, "serial", (int64_t)s->serial);
	jw_member_str(&w, "lineage", s->lineage);
	if (s->terraform_version.n)
		jw_member_str(&w, "terraform_version", s->terraform_version);
	if (s->backend.n)
		jw_member_str(&w, "backend", s->backend);
	if (s->workspace.n)
		jw_member_str(&w, "workspace", s->workspace);
	if (s->checks_known)
		jw_member_bool(&w, "checks_known", true);
	if (s->translated)
		jw_member_bool(&w, "translated", true);
	member_kept(&w, rs, s->resources.len);
	stream_record_end(o, &w);
	for (size_t n = 0; n < s->resources.len; n++) {
		struct state_instance **is =
			state_instances_sorted(&scratch, rs[n]);

		for (size_t k = 0; k < rs[n]->instances.len; k++)
			state_instance_record(o, "previous_run_state", rs[n],
					      is[k]);
	}
	outs = state_outputs_sorted(s);
	for (size_t n = 0; n < outs.len; n++)
		state_output_record(o, "previous_output", &outs.items[n]);
	for (size_t n = 0; n < s->checks.len; n++)
		check_record(o, &s->checks.items[n]);
	arena_release(&scratch);
}
