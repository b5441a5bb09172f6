/*
 * records.c - a plan as records
 *
 * plan, schema, prior_state, prior_output, resource_drift, resource_change and
 * planned, output_change, check_result: in this order, each kind sorted by address, so that
 * equal plans are equal bytes.
 */
#include <stdlib.h>

#include "engine/change/change_int.h"
#include "engine/change/record.h"
#include "engine/plan/plan_int.h"
#include "provider/source.h"
#include "value/codec.h"

/* --- plan --- */

static void text_list(struct jw *w, const char *name,
		      const struct target *ts, size_t n)
{
	struct buf b = BUF_INIT;

	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < n; i++) {
		buf_set_len(&b, 0);
		target_print(&b, &ts[i]);
		jw_str(w, buf_view(&b));
	}
	jw_array_end(w);
	buf_release(&b);
}

static void replace_list(struct jw *w, const struct run_options *o)
{
	struct buf b = BUF_INIT;

	jw_key(w, "replace");
	jw_array(w);
	for (size_t i = 0; i < o->nreplace; i++) {
		buf_set_len(&b, 0);
		instance_addr_print(&b, &o->replace[i]);
		jw_str(w, buf_view(&b));
	}
	jw_array_end(w);
	buf_release(&b);
}

/* The root module's variables with their final values, defaults too. */
static void variables(struct jw *w, struct plan *p, bool redact)
{
	const struct map *all = &p->run->root->config->variables;
	struct diags quiet = DIAGS_INIT(p->arena);

	jw_key(w, "variables");
	jw_object(w);
	for (size_t i = 0; i < all->len; i++) {
		const struct cfg_variable *v = all->entries[i].value;
		const struct value *value;
		bool failed = false;

		if (v->ephemeral)
			continue;
		value = run_variable(p->run->root, v, &failed, &quiet);
		if (failed)
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
	return p->moves.results.len > 0;
}

bool plan_has_changes(const struct plan *p)
{
	return p->run && applyable(p);
}

static void write_plan(struct stream_out *o, struct plan *p)
{
	static const char *const modes[] = {
		[RUN_NORMAL] = "normal",
		[RUN_DESTROY] = "destroy",
		[RUN_REFRESH_ONLY] = "refresh-only",
	};
	const struct run_options *ro = &p->opts.run;
	struct jw w = stream_record(o, "plan", STR_NONE);

	jw_member_str(&w, "mode", str_c(modes[p->mode]));
	jw_member_str(&w, "timestamp", ro->timestamp);
	jw_member_str(&w, "workspace", p->run->opts.workspace);
	jw_member_bool(&w, "refresh", ro->refresh);
	text_list(&w, "targets", ro->targets, ro->ntargets);
	text_list(&w, "excludes", ro->excludes, ro->nexcludes);
	replace_list(&w, ro);
	variables(&w, p, o->redact);
	providers(&w, p->run);
	relevant_records(&w, p);
	jw_member_bool(&w, "errored", p->errored);
	jw_member_bool(&w, "applyable", applyable(p));
	jw_member_bool(&w, "complete",
		       !p->errored && !ro->ntargets && !ro->nexcludes);
	stream_record_end(o, &w);
}

/* --- schema --- */

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

static const char *const mode_names[] = {
	[MODE_MANAGED] = "managed",
	[MODE_DATA] = "data",
	[MODE_EPHEMERAL] = "ephemeral",
};

static void use(struct schema_uses *u, struct provider_addr provider,
		const char *mode, struct str type,
		const struct resource_schema *schema,
		const struct schema_block *block)
{
	struct arena *a = u->p->arena;
	struct schema_use x = { .provider = provider, .mode = mode,
				.type = type, .schema = schema,
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
	const struct resource_schema *s = run_resource_schema(
		u->p->run, provider, r, &quiet);

	if (s)
		use(u, provider, mode_names[r->mode], r->type, s, s->block);
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
		const struct provider_schema *s = run_provider_schema(
			u->p->run, c->provider, &quiet);

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

static void write_schemas(struct stream_out *o, struct plan *p)
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

/* --- prior_state --- */

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
	struct str key = str_printf(
		a, "%.*s %.*s", STR_ARG(instance_addr_text(a, &l->addr)),
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
		const struct state_resource *at = state_resource(
			s, r->to.module, &r->to.resource);
		const struct state_resource *was = state_resource(
			s, r->from.module, &r->from.resource);

		if (r->superseded)
			continue;
		for (size_t k = 0; at && k < at->instances.len; k++) {
			const struct state_instance *si =
				at->instances.items[k];
			struct prior_line to = { r->to, si->deposed, at, si };
			struct prior_line from = { r->from, si->deposed, at,
						   NULL };

			if (!key_equal(si->key, r->to.key))
				continue;
			if (!was || !state_deposed(was, r->from.key,
						   si->deposed))
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

static void write_prior(struct stream_out *o, struct plan *p)
{
	struct prior_lines x = { .p = p };

	prior_moves(&x);
	for (size_t i = 0; i < p->prior.len; i++) {
		const struct prior_change *c = &p->prior.items[i];
		const struct state_instance *si = c->now ? c->now : c->old;
		struct prior_line l = {
			{ c->resource->module, c->resource->addr, si->key },
			si->deposed, c->resource, c->now,
		};

		prior_add(&x, &l);
	}
	if (x.all.len)
		qsort(x.all.items, x.all.len, sizeof(*x.all.items),
		      line_order);
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

/* Outputs whose values are known already count as evaluated. */
static void write_prior_outputs(struct stream_out *o, struct plan *p)
{
	for (size_t i = 0; i < p->outputs.len; i++) {
		const struct output_change *c = &p->outputs.items[i];
		struct state_output out = { .name = c->name };

		if (c->action == ACTION_DELETE ||
		    !value_wholly_known(c->after))
			continue;
		if (!value_is_null(c->after)) {
			const struct cfg_output *cfg = map_get(
				&p->run->root->config->outputs, c->name);

			out.value = value_unmark_deep(p->arena, c->after,
						      NULL);
			if (cfg->sensitive)
				out.value = value_with_marks(
					p->arena, out.value,
					&marks_sensitive);
			out.deprecated = cfg->deprecated;
		} else if (!in_previous(p, c->name)) {
			continue;
		}
		state_output_record(o, "prior_output", &out);
	}
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
		change_write_published(o, "resource_drift", p->drift.items[i],
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
	write_schemas(o, p);
	write_prior(o, p);
	write_prior_outputs(o, p);
	write_changes(o, p);
	for (size_t i = 0; i < p->outputs.len; i++)
		write_output(o, p, &p->outputs.items[i]);
	checks_records(o, &p->run->checks);
}
