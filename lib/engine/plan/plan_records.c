/*
 * plan_records.c - a plan as records
 *
 * plan, schema, prior_state, prior_output, resource_drift, resource_change and
 * planned, output_change, check_result: in this order, each kind sorted by
 * address, so that equal plans are equal bytes.
 */
#include <stdlib.h>

#include "engine/plan/plan_int.h"
#include "config/module.h"
#include "engine/change/record.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "engine/stage/plan_reader.h"
#include "provider/open.h"
#include "provider/source.h"
#include "json/write.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "addr/provider.h"
#include "provider/schema_cache.h"

/* --- the schemas in use --- */

struct schema_use {
	struct str key; /* for order and uniqueness */
	struct provider_addr provider;
	const char *mode;
	struct str type;
	const struct resource_schema *schema; /* NULL: the provider's own */
	const struct schema_block *block;
};

struct schema_uses {
	struct plan *p;
	struct map seen;
	const struct schema_block *last;
	VEC(struct schema_use) all;
};

static void use(struct schema_uses *u, struct provider_addr provider,
		const char *mode, struct str type,
		const struct resource_schema *schema,
		const struct schema_block *block)
{
	struct arena *a = u->p->arena;
	struct schema_use x = { .provider = provider,
				.mode = mode,
				.type = type,
				.schema = schema,
				.block = block };

	/* Most resources are like the one before. */
	if (!block || block == u->last)
		return;
	u->last = block;
	x.key = STR_CAT(a, provider_addr_text(a, provider), STR(" "),
			str_c(mode), STR(" "), type);
	if (map_has(&u->seen, x.key))
		return;
	map_put(a, &u->seen, x.key, u);
	vec_push(a, &u->all, x);
}

static void use_resource(struct schema_uses *u, struct provider_addr provider,
			 const struct resource_addr *r)
{
	struct diags quiet = DIAGS_INIT(u->p->arena);
	const struct resource_schema *s =
		run_resource_schema(u->p->run, provider, r, &quiet);

	if (s)
		use(u, provider, resource_mode_name(r->mode), r->type, s,
		    s->block);
}

static void use_module(struct schema_uses *u, const struct cfg_module *m)
{
	const struct map *maps[] = { &m->managed, &m->data, &m->ephemeral };
	struct diags quiet = DIAGS_INIT(u->p->arena);

	for (size_t k = 0; k < 3; k++)
		for (size_t i = 0; i < maps[k]->len; i++) {
			const struct cfg_resource *r =
				maps[k]->entries[i].value;

			use_resource(u, r->provider, &r->addr);
		}
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *c = m->providers.entries[i].value;
		const struct provider_schema *s =
			run_provider_schema(u->p->run, c->provider, &quiet);

		if (s)
			use(u, c->provider, "provider", STR(""), NULL,
			    s->config);
	}
}

static int by_key(const void *x, const void *y)
{
	const struct schema_use *a = x, *b = y;

	return str_cmp(a->key, b->key);
}

static void plan_write_schemas(struct stream_out *o, struct plan *p)
{
	const struct config *c = p->run->config;
	struct schema_uses u = { .p = p };

	for (size_t i = 0; i < c->modules.len; i++)
		use_module(&u, c->modules.entries[i].value);
	for (size_t i = 0; i < p->state->resources.len; i++) {
		const struct state_resource *r = p->state->resources.items[i];

		if (r->instances.len)
			use_resource(&u, r->provider.provider, &r->addr);
	}
	if (u.all.len)
		qsort(u.all.items, u.all.len, sizeof(*u.all.items), by_key);
	for (size_t i = 0; i < u.all.len; i++) {
		const struct schema_use *x = &u.all.items[i];
		struct jw w = stream_record(o, "schema", STR_NONE);

		jw_member_str(&w, "provider",
			      provider_addr_text(p->arena, x->provider));
		jw_member_str(&w, "mode", str_c(x->mode));
		jw_member_str(&w, "type", x->type);
		jw_member_int(&w, "version",
			      x->schema ? (int64_t)x->schema->version : 0);
		jw_key(&w, "block");
		schema_block_json(&w, x->block);
		if (x->schema && x->schema->identity) {
			jw_key(&w, "identity");
			schema_block_json(&w, x->schema->identity);
		}
		stream_record_end(o, &w);
	}
}

/* --- what refreshing and moving made of the previous state --- */

struct prior_line {
	struct instance_addr addr;
	struct str deposed;
	const struct state_resource *resource;
	const struct state_instance *now; /* NULL: gone */
};

struct prior_lines {
	struct plan *p;
	struct map index; /* address and deposed key -> position + 1 */
	VEC(struct prior_line) all;
};

static void prior_add(struct prior_lines *x, const struct prior_line *l)
{
	struct arena *a = x->p->arena;
	struct str key = str_printf(a, "%.*s %.*s",
				    STR_ARG(instance_addr_text(a, &l->addr)),
				    STR_ARG(l->deposed));
	struct map_entry *e = map_slot(a, &x->index, key);

	if (e->value) {
		x->all.items[(uintptr_t)e->value - 1] = *l;
		return;
	}
	vec_push(a, &x->all, *l);
	e->value = (void *)(uintptr_t)x->all.len;
}

/* Objects that moved: gone from where they were, unless something else is
 * there now. */
static void prior_moves(struct prior_lines *x)
{
	const struct moves *m = &x->p->moves;
	const struct state *s = x->p->state;

	for (size_t i = 0; i < m->results.len; i++) {
		const struct moved_instance *r = m->results.entries[i].value;
		const struct state_resource *at =
			state_resource(s, r->to.module, &r->to.resource);
		const struct state_resource *was =
			state_resource(s, r->from.module, &r->from.resource);
		const struct state_instance *si;
		size_t next = 0;

		while (at && (si = state_next_object(at, r->to.key, &next))) {
			struct prior_line to = { r->to, si->deposed, at, si };
			struct prior_line from = { r->from, si->deposed, at,
						   NULL };

			if (!was ||
			    !state_deposed(was, r->from.key, si->deposed))
				prior_add(x, &from);
			prior_add(x, &to);
		}
	}
}

static int line_order(const void *x, const void *y)
{
	const struct prior_line *a = x, *b = y;
	int c = instance_addr_cmp(&a->addr, &b->addr);

	return c ? c : str_cmp(a->deposed, b->deposed);
}

static void write_objects(struct stream_out *o, struct plan *p)
{
	struct prior_lines x = { .p = p };

	prior_moves(&x);
	for (size_t i = 0; i < p->prior.len; i++) {
		const struct prior_change *c = &p->prior.items[i];
		const struct state_instance *si = c->now ? c->now : c->old;
		struct prior_line l = {
			{ c->resource->module, c->resource->addr, si->key },
			si->deposed,
			c->resource,
			c->now,
		};

		prior_add(&x, &l);
	}
	if (x.all.len)
		qsort(x.all.items, x.all.len, sizeof(*x.all.items), line_order);
	for (size_t i = 0; i < x.all.len; i++) {
		const struct prior_line *l = &x.all.items[i];
		struct jw w;

		if (l->now) {
			state_instance_record(o, "prior_state", l->resource,
					      l->now);
			continue;
		}
		w = stream_record(o, "prior_state",
				  instance_addr_text(p->arena, &l->addr));
		if (l->deposed.n)
			jw_member_str(&w, "deposed", l->deposed);
		jw_member_bool(&w, "gone", true);
		stream_record_end(o, &w);
	}
}

static bool in_previous(const struct plan *p, struct str name)
{
	return state_output(p->state, name) != NULL;
}

/* Destroying looked first at what the outputs are now. */
static void write_refreshed_outputs(struct stream_out *o, struct plan *p)
{
	const struct state_output_list outs = state_outputs_sorted(p->state);

	for (size_t i = 0; i < outs.len; i++)
		state_output_record(o, "prior_output", &outs.items[i]);
	for (size_t i = 0; i < p->gone_outputs.len; i++) {
		const struct state_output gone = {
			.name = p->gone_outputs.items[i],
		};

		state_output_record(o, "prior_output", &gone);
	}
}

/* Outputs whose values are known already count as evaluated. */
static void write_outputs(struct stream_out *o, struct plan *p)
{
	if (p->mode == RUN_DESTROY) {
		write_refreshed_outputs(o, p);
		return;
	}
	for (size_t i = 0; i < p->outputs.len; i++) {
		struct state_output now;

		if (plan_output_now(p, &p->outputs.items[i], &now) &&
		    (now.value || in_previous(p, now.name)))
			state_output_record(o, "prior_output", &now);
	}
}

static void plan_write_prior(struct stream_out *o, struct plan *p)
{
	write_objects(o, p);
	write_outputs(o, p);
}

/* --- the plan --- */

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
		.what = { .mode = p->mode,
			  .refresh = ro->refresh,
			  .minimal_refresh = ro->refresh && ro->minimal_refresh,
			  .refresh_older_than = ro->refresh_older_than,
			  .set = ro->only },
		.unread = (int64_t)p->unread,
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

const struct resource_schema *plan_schema_of(struct plan *p,
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
				   plan_schema_of(p, p->drift.items[i]));
	for (size_t i = 0; i < p->run->changes.len; i++)
		change_write(o, p->run->changes.items[i],
			     plan_schema_of(p, p->run->changes.items[i]));
}

static int by_address(const void *x, const void *y)
{
	const struct settled_output *a = x, *b = y;

	return str_cmp(a->address, b->address);
}

/* What is applied by the run that has planned it keeps these values; a plan
 * that is saved has them worked out again, as in OpenTofu. */
static void write_settled(struct stream_out *o, struct plan *p)
{
	if (!o->unsealed || !p->settled_outputs.len)
		return;
	qsort(p->settled_outputs.items, p->settled_outputs.len,
	      sizeof(*p->settled_outputs.items), by_address);
	for (size_t i = 0; i < p->settled_outputs.len; i++)
		module_output_write(o, p->settled_outputs.items[i].address,
				    p->settled_outputs.items[i].value);
}

void plan_write(struct stream_out *o, struct plan *p)
{
	write_plan(o, p);
	plan_write_schemas(o, p);
	plan_write_prior(o, p);
	write_changes(o, p);
	for (size_t i = 0; i < p->outputs.len; i++)
		output_change_write(o, &p->outputs.items[i]);
	write_settled(o, p);
	checks_records(o, &p->run->checks);
}
