/* expand.c - the instances of modules and resources */
#include "engine/run/values.h"
#include "engine/run/run.h"
#include "engine/run/expand.h"
#include "config/module.h"
#include "engine/run/overrides.h"
#include "engine/run/providers.h"
#include "engine/run/run_int.h"

static void call_children(struct run_call *rc)
{
	struct run *r = rc->module->run;

	rc->children = ARENA_ARRAY(r->arena, struct run_module *, rc->exp.n);
	for (size_t i = 0; i < rc->exp.n; i++) {
		struct repetition rep =
			expansion_repetition(r->arena, &rc->exp, i);

		rc->children[i] =
			run_module_new(r, rc->config->child, rc->module, rc,
				       expansion_key(&rc->exp, i), &rep);
	}
}

/* Says in the last error, which is that there is no telling how many instances
 * the object has, which option leaves it out. */
static void name_way_out(const struct run_module *m, const char *kind,
			 struct str name, const struct expansion *e,
			 struct diags *ds)
{
	struct buf b = BUF_INIT;
	struct diag *d;

	if (e->kind != EXPAND_FAILED || !e->late || !ds->len)
		return;
	d = &ds->items[ds->len - 1];
	module_addr_print(&b, m->addr);
	d->detail = str_printf(ds->arena,
			       "%.*s\n\nTo apply in two steps, leave it out of "
			       "the first with -exclude='%.*s%s%s%.*s'.",
			       STR_ARG(d->detail), (int)b.len, b.p ? b.p : "",
			       b.len ? "." : "", kind, STR_ARG(name));
	buf_release(&b);
}

struct run_call *run_call(struct run_module *m, const struct cfg_call *c,
			  struct diags *ds)
{
	ptrdiff_t i = map_index(&m->config->calls, c->name);
	struct run_call *rc = m->calls[i];
	struct run_mark mark = run_mark(m->run, ds);
	const struct json *edited;

	if (rc)
		return rc;
	rc = ARENA_NEW(m->run->arena, struct run_call);
	rc->config = m->config->calls.entries[i].value;
	rc->module = m;
	m->calls[i] = rc;
	edited = override_instances(m, "module.", c->name);
	if (edited)
		override_expansion(m, edited, c->count, c->for_each, c->enabled,
				   &rc->exp, ds);
	else
		expansion_evaluate(m, c->count, c->for_each, c->enabled,
				   &rc->exp, ds);
	name_way_out(m, "module.", c->name, &rc->exp, ds);
	if (run_waits(&mark)) { /* to be done again */
		m->calls[i] = NULL;
		rc->exp = (struct expansion){ .kind = EXPAND_FAILED };
	}
	if (!c->child)
		rc->exp.n = 0;
	if (rc->exp.kind != EXPAND_FAILED)
		call_children(rc);
	return rc;
}

struct run_module *run_module(struct run *r, struct module_addr m,
			      struct diags *ds)
{
	struct run_module *at = r->root;

	for (size_t i = 0; at && i < m.len; i++) {
		struct cfg_call *c =
			map_get(&at->config->calls, m.steps[i].name);
		struct run_call *rc;
		ptrdiff_t k;

		if (!c)
			return NULL;
		rc = run_call(at, c, ds);
		k = expansion_index(&rc->exp, m.steps[i].key);
		at = k < 0 || !rc->children ? NULL : rc->children[k];
	}
	return at;
}

struct run_module *run_module_aside(struct run *r, struct cfg_module *c)
{
	struct map_entry *e;

	if (!c->parent)
		return r->root;
	e = map_slot(r->arena, &r->aside, c->path);
	if (!e->value) {
		e->key = c->path;
		e->value = run_module_new(r, c, NULL, NULL, KEY_ABSENT, NULL);
	}
	return e->value;
}

/* Appends the instances of c to out, from those of its parent. */
static void list_modules(struct run *r, const struct cfg_module *c,
			 struct run_module_vec *out, bool *failed,
			 struct diags *ds)
{
	struct run_module_vec parents = { 0 };

	if (!c->parent) {
		vec_push(r->arena, out, r->root);
		return;
	}
	run_modules(r, c->parent, &parents, failed, ds);
	for (size_t i = 0; i < parents.len; i++) {
		struct run_call *rc = run_call(parents.items[i], c->call, ds);

		if (rc->exp.kind == EXPAND_FAILED) {
			*failed = true; /* reported for one instance, not all */
			return;
		}
		for (size_t k = 0; k < rc->exp.n; k++)
			vec_push(r->arena, out, rc->children[k]);
	}
}

void run_modules(struct run *r, const struct cfg_module *c,
		 struct run_module_vec *out, bool *failed, struct diags *ds)
{
	struct run_module_vec *known = map_get(&r->module_lists, c->path);

	if (!known) {
		bool bad = false;

		known = ARENA_NEW(r->arena, struct run_module_vec);
		list_modules(r, c, known, &bad, ds);
		if (bad) {
			*failed = true;
			*out = *known;
			return;
		}
		map_put(r->arena, &r->module_lists, c->path, known);
	}
	*out = *known;
}

static void resource_instances(struct run_resource *rr)
{
	rr->instances = ARENA_ARRAY(rr->module->run->arena, struct run_instance,
				    rr->exp.n);
	for (size_t i = 0; i < rr->exp.n; i++) {
		rr->instances[i].resource = rr;
		rr->instances[i].key = expansion_key(&rr->exp, i);
	}
}

void run_keep_visible(struct run_resource *rr, struct inst_key key)
{
	struct run_instance *x =
		ARENA_NEW(rr->module->run->arena, struct run_instance);

	x->resource = rr;
	x->key = key;
	vec_push(rr->module->run->arena, &rr->extra, x);
}

/* When applying, instances that a selection, or refreshing alone, leaves in
 * the state though the configuration has none are seen as when planning. */
static void keep_left_out(struct run_resource *rr)
{
	struct run *r = rr->module->run;
	const struct state_resource *sr = rr->prior;
	struct state_instance **sorted;

	if (r->opts.phase != RUN_APPLY || !sr ||
	    (!target_set_narrows(&r->opts.only) &&
	     r->opts.mode != RUN_REFRESH_ONLY) ||
	    rr->exp.kind == EXPAND_FAILED)
		return;
	sorted = state_instances_sorted(r->arena, sr);
	for (size_t i = 0; i < sr->instances.len; i++) {
		struct state_instance *si = sorted[i];
		struct instance_addr addr = { sr->module, sr->addr, si->key };

		if (!si->deposed.n && expansion_index(&rr->exp, si->key) < 0 &&
		    !run_change(r, &addr))
			run_keep_visible(rr, si->key);
	}
}

/* The edited record of the resource's instances; NULL: none. */
static const struct json *edited_instances(const struct run_resource *rr)
{
	struct buf b = BUF_INIT;
	const struct json *j;

	if (!rr->module->run->opts.overrides)
		return NULL;
	resource_addr_print(&b, rr->config->addr);
	j = override_instances(rr->module, "", buf_view(&b));
	buf_release(&b);
	return j;
}

/* Does the state hold an object there that stays? */
static bool stays(const struct run_resource *rr,
		  const struct state_instance *si)
{
	const struct instance_addr addr = { rr->prior->module, rr->prior->addr,
					    si->key };
	const struct change *c = run_change(rr->module->run, &addr);

	return !si->deposed.n && !(c && (c->action == ACTION_DELETE ||
					 c->action == ACTION_FORGET));
}

/* The instances are those of the state that stay. */
static void expand_as_held(struct run_resource *rr)
{
	const struct cfg_resource *c = rr->config;
	const size_t max = rr->prior ? rr->prior->instances.len : 0;
	struct arena *a = rr->module->run->arena;
	struct str *keys = ARENA_ARRAY(a, struct str, max);
	struct state_instance **sorted =
		max ? state_instances_sorted(a, rr->prior) : NULL;
	struct expansion *e = &rr->exp;

	e->kind = c->count.root      ? EXPAND_COUNT
		  : c->for_each.root ? EXPAND_EACH
				     : EXPAND_SINGLE;
	e->keys = keys;
	for (size_t i = 0; i < max; i++) {
		const struct inst_key k = sorted[i]->key;

		if (!stays(rr, sorted[i]))
			continue;
		if (e->kind == EXPAND_COUNT && k.kind == KEY_INT && k.i >= 0)
			e->n = (size_t)k.i + 1;
		else if (e->kind == EXPAND_SINGLE && k.kind == KEY_NONE)
			e->n = 1;
		if (e->kind != EXPAND_EACH || k.kind != KEY_STRING)
			continue;
		keys[e->n] = k.s;
		map_put(a, &e->index, k.s, &keys[e->n++]);
	}
}

static void expand_resource(struct run_resource *rr, struct diags *ds)
{
	const struct cfg_resource *c = rr->config;
	const struct json *edited = edited_instances(rr);

	if (map_has(&rr->module->run->idle, run_idle_key(&c)))
		expand_as_held(rr);
	else if (edited)
		override_expansion(rr->module, edited, c->count, c->for_each,
				   c->lifecycle->enabled, &rr->exp, ds);
	else if (rr->module->run->opts.console &&
		 (c->count.root || c->for_each.root ||
		  c->lifecycle->enabled.root))
		rr->exp.kind = EXPAND_UNKNOWN;
	else
		expansion_evaluate(rr->module, c->count, c->for_each,
				   c->lifecycle->enabled, &rr->exp, ds);
	if (rr->exp.late) {
		struct buf b = BUF_INIT;

		resource_addr_print(&b, c->addr);
		name_way_out(rr->module, "", buf_view(&b), &rr->exp, ds);
		buf_release(&b);
	}
}

struct run_resource *run_resource(struct run_module *m,
				  const struct resource_addr *addr,
				  struct diags *ds)
{
	struct run_resource **slots[] = { m->managed, m->data, m->ephemeral };
	ptrdiff_t i = config_resource_place(m->config, addr);
	struct cfg_resource *c;
	struct run_resource *rr;
	struct run_mark mark = run_mark(m->run, ds);

	if (i < 0)
		return NULL;
	rr = slots[addr->mode][i];
	if (rr)
		return rr;
	c = config_resources(m->config, addr->mode)->entries[i].value;
	rr = ARENA_NEW(m->run->arena, struct run_resource);
	slots[addr->mode][i] = rr;
	rr->config = c;
	rr->module = m;
	rr->prior = state_resource(m->run->state, m->addr, addr);
	if (m->run->opts.phase != RUN_EVAL || m->run->opts.console)
		rr->schema =
			run_resource_schema(m->run, c->provider, addr, NULL);
	expand_resource(rr, ds);
	if (run_waits(&mark)) { /* to be done again */
		slots[addr->mode][i] = NULL;
		rr->exp = (struct expansion){ .kind = EXPAND_FAILED };
	}
	resource_instances(rr);
	keep_left_out(rr);
	return rr;
}

struct run_instance *run_instance(struct run_resource *r, struct inst_key k)
{
	ptrdiff_t i = expansion_index(&r->exp, k);

	if (i >= 0)
		return &r->instances[i];
	for (size_t x = 0; x < r->extra.len; x++)
		if (inst_key_equal(r->extra.items[x]->key, k))
			return r->extra.items[x];
	return NULL;
}

struct instance_addr run_instance_addr(const struct run_instance *i)
{
	return (struct instance_addr){ i->resource->module->addr,
				       i->resource->config->addr, i->key };
}

struct str run_address(struct arena *a, const struct run_module *m,
		       const char *kind, struct str name)
{
	return str_printf(a, "%.*s%s%s%.*s", STR_ARG(m->path),
			  m->path.n ? "." : "", kind, STR_ARG(name));
}
