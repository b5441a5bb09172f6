/*
 * records.c - a plan as records
 *
 * plan, schema, prior_state, prior_output, resource_drift, resource_change and
 * planned, output_change, check_result: in this order, each kind sorted by
 * address, so that equal plans are equal bytes.
 */
#include "engine/plan/records.h"

#include <stdlib.h>

#include "engine/change/record.h"
#include "engine/plan/plan_int.h"
#include "engine/plan/relevant.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "engine/run/variables.h"
#include "engine/stage/selectors.h"
#include "provider/source.h"
#include "value/codec.h"

/* --- plan --- */

/* A root variable's value as given, or its default; NULL: it has none. */
static const struct value *variable(struct plan *p,
				    const struct cfg_variable *v)
{
	const struct input *in = map_get(&p->run->inputs.by_name, v->name);
	struct diags quiet = DIAGS_INIT(p->arena);
	const struct value *value;
	bool failed = false;

	if (in && in->value && in->source != INPUT_DEFAULT)
		return cfg_variable_marked(p->arena, v, in->value);
	value = run_variable(p->run->root, v, &failed, &quiet);
	return failed ? NULL : value;
}

static void variables(struct jw *w, struct plan *p, bool redact)
{
	const struct map *all = &p->run->root->config->variables;

	jw_key(w, "variables");
	jw_object(w);
	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_variable *v = all->entries[i].value;
		const struct value *value =
			v->ephemeral ? NULL : variable(p, v);

		if (!value)
			continue;
		jw_key_str(w, v->name);
		value_to_stream(w, redact ? change_redacted(p->arena, value)
					  : value);
	}
	jw_object_end(w);
	jw_key(w, "ephemeral_variables");
	jw_array(w);
	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_variable *v = all->entries[i].value;

		if (v->ephemeral)
			jw_str(w, v->name);
	}
	jw_array_end(w);
}

/* What the built-in provider is goes without saying: null. */
static void providers(struct jw *w, const struct run *r)
{
	jw_key(w, "providers");
	jw_object(w);
	for (size_t i = 0; i < r->provider_processes.len; i++) {
		const struct map_entry *e = &r->provider_processes.entries[i];
		const struct provider_package *p;

		if (e->value == &provider_failed)
			continue;
		jw_key_str(w, e->key);
		p = provider_package(e->value);
		if (!p) {
			jw_null(w);
			continue;
		}
		jw_object(w);
		if (p->version.n)
			jw_member_str(w, "version", p->version);
		if (p->hash.n)
			jw_member_str(w, "hash", p->hash);
		jw_object_end(w);
	}
	jw_object_end(w);
}

static bool applyable(const struct plan *p)
{
	const struct run *r = p->run;

	if (p->errored)
		return false;
	for (size_t i = 0; i < r->changes.len; i++) {
		const struct change *c = r->changes.items[i];

		if (c->action != ACTION_NOOP || c->import_id.n ||
		    c->import_identity ||
		    !instance_addr_equal(&c->addr, &c->prev_addr))
			return true;
	}
	for (size_t i = 0; i < p->outputs.len; i++)
		if (p->outputs.items[i].action != ACTION_NOOP)
			return true;
	if (p->mode != RUN_REFRESH_ONLY)
		return false;
	for (size_t i = 0; i < p->prior.len; i++)
		if (p->prior.items[i].resource->addr.mode == MODE_MANAGED)
			return true;
	return false; /* what has only moved is nothing to ask about */
}

bool plan_has_changes(const struct plan *p)
{
	return p->run && applyable(p);
}

static void write_plan(struct stream_out *o, struct plan *p)
{
	const struct run_options *ro = &p->opts.run;
	struct jw w = stream_record(o, "plan", STR_NONE);

	jw_member_str(&w, "mode", str_c(run_mode_name(p->mode)));
	jw_member_str(&w, "timestamp", ro->timestamp);
	jw_member_str(&w, "workspace", p->run->opts.workspace);
	jw_member_bool(&w, "refresh", ro->refresh);
	target_set_members(&w, &ro->only);
	variables(&w, p, o->redact);
	providers(&w, p->run);
	relevant_records(&w, p);
	jw_member_bool(&w, "errored", p->errored);
	jw_member_bool(&w, "applyable", applyable(p));
	jw_member_bool(&w, "complete",
		       !p->errored && !target_set_narrows(&ro->only));
	stream_record_end(o, &w);
}

/* --- changes --- */

static const struct resource_schema *schema_of(struct plan *p,
					       const struct change *c)
{
	struct diags quiet = DIAGS_INIT(p->arena);

	return run_resource_schema(p->run, c->provider.provider,
				   &c->addr.resource, &quiet);
}

static void write_changes(struct stream_out *o, struct plan *p)
{
	for (size_t i = 0; i < p->drift.len; i++)
		change_write_drift(o, p->drift.items[i],
				   schema_of(p, p->drift.items[i]));
	for (size_t i = 0; i < p->run->changes.len; i++)
		change_write(o, p->run->changes.items[i],
			     schema_of(p, p->run->changes.items[i]));
}

/* What is known of an output's new value: as in published plans, nothing at
 * all where everything is unknown. */
static void after_member(struct jw *w, const struct value *v)
{
	if (v->state == VALUE_UNKNOWN)
		return;
	jw_key(w, "after");
	value_known_json(w, v);
}

static void write_output(struct stream_out *o, struct plan *p,
			 const struct output_change *c)
{
	static const struct value hidden = {
		.type = &type_string,
		.string = STR_INIT("(sensitive value)"),
	};
	bool redact = o->redact && c->sensitive;
	const struct value *after = value_unmark_deep(p->arena, c->after,
						      NULL);
	struct str address =
		str_printf(p->arena, "output.%.*s", STR_ARG(c->name));
	struct jw w = stream_record(o, "output_change", address);

	jw_key(&w, "change");
	jw_object(&w);
	jw_key(&w, "actions");
	change_actions_json(&w, c->action);
	jw_key(&w, "before");
	value_to_json(&w, redact ? &hidden : c->before, NULL);
	after_member(&w, redact ? &hidden : after);
	jw_key(&w, "after_unknown");
	if (value_wholly_known(after))
		jw_bool(&w, false);
	else
		value_unknown_json(&w, after);
	jw_member_bool(&w, "before_sensitive", c->sensitive);
	jw_member_bool(&w, "after_sensitive", c->sensitive);
	jw_object_end(&w);
	jw_key(&w, "planned");
	value_to_stream(&w, redact ? &hidden : c->after);
	stream_record_end(o, &w);
}

void plan_write(struct stream_out *o, struct plan *p)
{
	write_plan(o, p);
	plan_write_schemas(o, p);
	plan_write_prior(o, p);
	write_changes(o, p);
	for (size_t i = 0; i < p->outputs.len; i++)
		write_output(o, p, &p->outputs.items[i]);
	checks_records(o, &p->run->checks);
}
