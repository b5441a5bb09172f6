/*
 * records.c - a plan as records
 *
 * plan, schema, prior_state, prior_output, resource_drift, resource_change and
 * planned, output_change, check_result: in this order, each kind sorted by
 * address, so that equal plans are equal bytes.
 */
#include "engine/plan/plan_int.h"
#include "config/module.h"
#include "engine/change/record.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "engine/stage/plan_reader.h"
#include "provider/open.h"
#include "provider/source.h"

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

static void variables(struct plan *p, struct plan_record *out)
{
	const struct map *all = &p->run->root->config->variables;

	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_variable *v = all->entries[i].value;
		const struct value *value;

		if (v->ephemeral) {
			vec_push(p->arena, &out->ephemeral_variables, v->name);
			continue;
		}
		value = variable(p, v);
		if (value)
			inputs_set(p->arena, &out->variables, v->name, value);
	}
}

static void providers(struct plan *p, struct map *out)
{
	const struct map *processes = &p->run->provider_processes;

	for (size_t i = 0; i < processes->len; i++) {
		const struct map_entry *e = &processes->entries[i];

		if (e->value != &provider_failed)
			map_put(p->arena, out, e->key,
				(void *)provider_package(e->value));
	}
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
	for (size_t i = 0; i < p->prior.len; i++) {
		const struct prior_change *c = &p->prior.items[i];

		if (c->resource->addr.mode == MODE_MANAGED &&
		    (c->now || !c->was_null))
			return true;
	}
	return false; /* objects that only moved need no approval */
}

bool plan_has_changes(const struct plan *p)
{
	return p->run && applyable(p);
}

static void write_plan(struct stream_out *o, struct plan *p)
{
	const struct run_options *ro = &p->opts.run;
	struct buf relevant = BUF_INIT;
	struct plan_record r = {
		.what = { p->mode, ro->refresh, ro->only },
		.timestamp = ro->timestamp,
		.workspace = p->run->opts.workspace,
		.errored = p->errored,
		.empty = p->errored && !p->run->changes.len &&
			 !p->outputs.len && !p->has_outputs,
		.applyable = applyable(p),
		.complete = !p->errored && !target_set_narrows(&ro->only),
	};

	variables(p, &r);
	providers(p, &r.providers);
	relevant_attributes(p, &relevant);
	r.relevant_attributes = buf_view(&relevant);
	plan_record_write(o, &r);
	buf_release(&relevant);
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

void plan_write(struct stream_out *o, struct plan *p)
{
	write_plan(o, p);
	plan_write_schemas(o, p);
	plan_write_prior(o, p);
	write_changes(o, p);
	for (size_t i = 0; i < p->outputs.len; i++)
		output_change_write(o, &p->outputs.items[i]);
	checks_records(o, &p->run->checks);
}
