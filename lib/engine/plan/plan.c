/* plan.c - see plan.h: one planning run from beginning to end */
#include <stdlib.h>

#include "engine/plan/plan.h"
#include "addr/target.h"
#include "base/didyoumean.h"
#include "engine/change/events.h"
#include "engine/order/apply_graph.h"
#include "engine/plan/plan_int.h"
#include "engine/run/overrides.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "graph/plan_select.h"
#include "graph/plan_graph.h"
#include "graph/graph.h"

static void walk_finished(void *data, struct graph_walk *w)
{
	(void)w;
	plan_close_ephemerals(data);
}

static void index_state(struct plan *p)
{
	for (size_t i = 0; i < p->state->resources.len; i++) {
		struct state_resource *sr = p->state->resources.items[i];
		struct state_resource_vec *v;
		struct buf b = BUF_INIT;

		module_addr_print_path(&b, sr->module);
		if (b.len)
			buf_putc(&b, '.');
		resource_addr_print(&b, sr->addr);
		v = map_get(&p->by_config, buf_view(&b));
		if (!v) {
			v = ARENA_NEW(p->arena, struct state_resource_vec);
			map_put(p->arena, &p->by_config, buf_dup(p->arena, &b),
				v);
		}
		vec_push(p->arena, v, sr);
		buf_release(&b);
	}
}

static struct str nearest_object(struct plan *p, struct str given)
{
	const struct graph *g = p->pg->g;
	const struct map *modules = &p->run->config->modules;
	struct str_vec names = { 0 };

	for (size_t i = 0; i < modules->len; i++)
		vec_push(p->arena, &names, modules->entries[i].key);
	for (uint32_t i = 0; i < g->nodes.len; i++)
		if (node_is_resource(&g->nodes.items[i]))
			vec_push(p->arena, &names, g->nodes.items[i].address);
	return didyoumean_word(given, names.items, names.len);
}

/* Programs are not told, as OpenTofu tells nobody. */
static void note_unused(struct plan *p, struct str given, const char *option)
{
	const struct str near = nearest_object(p, given);

	if (p->opts.events && !p->pre_destroy)
		event_note(p->opts.events,
			   str_printf(p->arena,
				      "-%s=%.*s means no resource.%s%.*s%s",
				      option, STR_ARG(given),
				      near.n ? " Did you mean " : "",
				      STR_ARG(near), near.n ? "?" : ""));
}

/* A name that is not there may be one of yesterday; a pattern that means
 * nothing is a mistake. */
static void tell_of_unused(struct plan *p, const struct target *ts, size_t n,
			   const char *option)
{
	for (size_t i = 0; i < n; i++) {
		struct buf text = BUF_INIT;

		if (plan_graph_names(p->pg, &ts[i]))
			continue;
		target_print(&text, &ts[i]);
		if (ts[i].glob.n)
			diag_warning(
				p->diags, NULL, "Pattern matches nothing",
				"There is no resource that -%s=%.*s means.",
				option, STR_ARG(buf_view(&text)));
		else
			note_unused(p, buf_dup(p->arena, &text), option);
		buf_release(&text);
	}
}

static void select_nodes(struct plan *p)
{
	const struct run_options *o = &p->run->opts;

	for (size_t i = 0; i < o->only.replace.len; i++) {
		const struct target t = { .kind = TARGET_RESOURCE,
					  .addr = o->only.replace.items[i] };

		tell_of_unused(p, &t, 1, "replace");
	}
	tell_of_unused(p, o->only.targets.items, o->only.targets.len, "target");
	tell_of_unused(p, o->only.excludes.items, o->only.excludes.len,
		       "exclude");
	if (p->mode == RUN_DESTROY) {
		destroy_select(p->arena, p->state, &o->only, &p->destroy);
		if (target_set_narrows(&o->only))
			plan_graph_select_destroy(p->pg, &p->destroy);
	} else {
		p->pg->only_reads = p->skip_changes || p->pre_destroy;
		plan_graph_select(p->pg, &o->only);
	}
	plan_graph_force_cbd(p->pg);
}

static void collect_work(struct plan *p, const struct plan_work *w)
{
	diags_append(p->diags, &w->diags);
	for (size_t i = 0; i < w->items.len; i++)
		if (w->items.items[i].diags)
			diags_append(p->diags, w->items.items[i].diags);
}

/* The diagnostics of all nodes and their objects, in the order of those,
 * whatever finished first. */
static void collect_diags(struct plan *p)
{
	for (size_t i = 0; i < p->pg->g->nodes.len; i++)
		if (p->work[i])
			collect_work(p, p->work[i]);
}

static void stop(void *data, bool at_once)
{
	struct plan *p = data;

	p->stopped = true;
	run_providers_stop(p->run);
	graph_walk_stop(p->walk);
	p->finished |= at_once;
}

static void walk(struct plan *p)
{
	static const struct graph_walk_ops ops = {
		.start = plan_node_start,
		.finished = walk_finished,
	};

	p->work = ARENA_ARRAY(p->arena, struct plan_work *,
			      p->pg->g->nodes.len + 1);
	p->walk = graph_walk_new(p->arena, p->pg->g, &ops, p);
	p->requests = (struct stop_requests){ .events = p->opts.events,
					      .stop = stop,
					      .data = p };
	stop_listen(&p->requests, p->loop);
	graph_walk_begin(p->walk);
	if (loop_run(p->loop, &p->finished) || !p->finished)
		diag_error(p->diags, NULL, "Planning was interrupted",
			   "The event loop ended before the work was done.");
	collect_diags(p);
	if (p->stopped)
		diag_error(
			p->diags, NULL, "execution halted",
			"The run was interrupted before everything was planned.");
}

static int change_order(const void *x, const void *y)
{
	const struct change *const *a = x, *const *b = y;
	int c = instance_addr_cmp(&(*a)->addr, &(*b)->addr);

	return c ? c : str_cmp((*a)->deposed, (*b)->deposed);
}

/* The instances of a resource come in order: often there is nothing to do. */
static void sort_changes(struct change_vec *v)
{
	size_t i = 1;

	while (i < v->len && change_order(&v->items[i - 1], &v->items[i]) <= 0)
		i++;
	if (i < v->len)
		qsort(v->items, v->len, sizeof(struct change *), change_order);
}

static struct plan *plan_new(struct arena *a, struct loop *l, struct config *c,
			     struct state *previous,
			     const struct plan_options *o, struct diags *ds)
{
	struct plan *p = ARENA_NEW(a, struct plan);

	p->arena = a;
	p->loop = l;
	p->diags = ds;
	p->opts = *o;
	p->opts.run.phase = RUN_PLAN;
	p->mode = o->run.mode;
	p->skip_changes = p->mode == RUN_REFRESH_ONLY;
	p->state = previous;
	if (!o->import) { /* which moves and removes nothing */
		moves_collect(a, c, previous, &p->moves, ds);
		p->state = moves_apply(a, &p->moves, previous);
	}
	return p;
}

/* Destroying visits no variables, but what was given must fit all the same. */
static void check_inputs(struct plan *p)
{
	const struct map *all = &p->run->root->config->variables;
	bool failed = false;

	for (size_t i = 0; i < all->len; i++)
		run_variable(p->run->root, all->entries[i].value, &failed,
			     p->diags);
}

/* One walk; -1 after errors that leave no result. */
static int plan_walk(struct plan *p, struct config *c)
{
	const struct run_options *o = &p->opts.run;
	const struct diags_mark before = diags_mark(p->diags);

	if (diags_failed(p->diags) ||
	    moves_check_targets(&p->moves, &o->only, p->diags))
		return -1;
	p->run = run_new(p->arena, p->loop, c, p->state, o, p->diags);
	p->run->inputs = p->opts.inputs;
	if (run_provider_keys(p->run, p->diags))
		return -1;
	index_state(p);
	p->pg = plan_graph_build(p->arena, c, p->state,
				 p->mode == RUN_DESTROY ? PLAN_GRAPH_DESTROY
							: PLAN_GRAPH_NORMAL,
				 p->diags);
	if (!p->pg || (o->overrides &&
		       plan_graph_link(p->pg, &o->overrides->links, p->diags)))
		return -1;
	select_nodes(p);
	p->reads = reads_open(p);
	walk(p);
	if (p->reads)
		reads_save(p);
	if (p->mode == RUN_DESTROY)
		check_inputs(p);
	plan_outputs_finish(p);
	if (plan_imports_check(p, before) || moves_check(p, before))
		return -1;
	overrides_check(p->run, p->diags);
	drift_of_moves(p);
	sort_changes(&p->run->changes);
	sort_changes(&p->drift);
	p->errored = diags_failed(p->diags);
	if ((p->errored || target_set_narrows(&p->run->opts.only)) &&
	    p->mode != RUN_DESTROY)
		plan_name_checks(p);
	return 0;
}

static bool destroys_something(const struct change_vec *v)
{
	for (size_t i = 0; i < v->len; i++)
		if (action_replaces(v->items[i]->action) ||
		    v->items[i]->action == ACTION_DELETE)
			return true;
	return false;
}

/* Destroying turns edges round: can what was planned be carried out?  Without
 * it the order is that of planning, and destroying everything follows the
 * state alone. */
static void check_order(struct plan *p, const struct state *prior)
{
	const struct run_options *o = &p->opts.run;
	const struct apply_graph_options ao = {
		.only = o->only,
		.links = o->overrides ? &o->overrides->links : NULL,
	};
	struct arena scratch = ARENA_INIT;

	if (p->mode != RUN_NORMAL || p->errored ||
	    !destroys_something(&p->run->changes))
		return;
	if (!apply_graph_build(&scratch, p->run->config, prior,
			       &p->run->changes, &ao, p->diags))
		p->errored = true;
	arena_release(&scratch);
}

/* Sets the outputs as they would be now, where that is known. */
static void refresh_outputs(struct plan *p, struct state *s)
{
	for (size_t i = 0; i < p->outputs.len; i++) {
		struct state_output now;

		if (!plan_output_now(p, &p->outputs.items[i], &now))
			continue;
		state_output_set(s, now.name, now.value);
		if (now.value)
			state_output_deprecate(s, now.name, now.deprecated);
	}
}

/* The state as refreshing left it. */
static struct state *refreshed_state(struct plan *p)
{
	bool outputs = p->pre_destroy && p->outputs.len;
	struct state *s;

	if (!p->prior.len && !outputs)
		return p->state;
	s = moves_copy_state(p->arena, p->state);
	if (outputs)
		refresh_outputs(p, s);
	for (size_t i = 0; i < p->prior.len; i++) {
		const struct prior_change *c = &p->prior.items[i];
		struct state_resource *r =
			state_resource_make(s, c->resource->module,
					    &c->resource->addr);

		r->provider = c->resource->provider;
		if (c->now)
			state_put(s, r, c->now);
		else
			state_remove(s, r, c->old->key, c->old->deposed);
	}
	return s;
}

/* Destroying looks first at what is really there, which is a whole normal
 * plan; its changes are forgotten. */
static struct plan *refresh_first(struct arena *a, struct loop *l,
				  struct config *c, struct state *previous,
				  const struct plan_options *o,
				  struct diags *ds)
{
	struct diags own = DIAGS_INIT(a);
	struct plan_options normal = *o;
	struct plan *p;

	normal.run.mode = RUN_NORMAL;
	p = plan_new(a, l, c, previous, &normal, &own);
	p->pre_destroy = true;
	if (!imports_validate(a, c, o->generate_config_path.n > 0, &own) &&
	    !moves_check_removals(&p->moves, c, &own))
		plan_walk(p, c);
	if (diags_failed(&own)) {
		diags_append(ds, &own);
		plan_free(p);
		return NULL;
	}
	return p;
}

/* Remembers which outputs refreshing has removed. */
static void note_gone_outputs(struct plan *p, const struct state *before)
{
	const struct state_output_list outs = state_outputs_sorted(before);

	for (size_t i = 0; i < outs.len; i++)
		if (!state_output(p->state, outs.items[i].name))
			vec_push(p->arena, &p->gone_outputs,
				 outs.items[i].name);
}

static struct plan *plan_destroying(struct arena *a, struct loop *l,
				    struct config *c, struct state *previous,
				    const struct plan_options *o,
				    struct diags *ds)
{
	const struct state *before = previous;
	struct plan *first = NULL, *p;

	if (o->run.refresh && !state_is_empty(previous)) {
		first = refresh_first(a, l, c, previous, o, ds);
		if (!first)
			return NULL;
		previous = refreshed_state(first);
		plan_free(first); /* before its processes are started anew */
	}
	p = plan_new(a, l, c, previous, o, ds);
	if (plan_walk(p, c)) {
		plan_free(p);
		p = NULL;
	}
	if (first && p) {
		note_gone_outputs(p, before);
		p->moves = first->moves;
		for (size_t i = 0; i < first->prior.len; i++)
			vec_push(a, &p->prior, first->prior.items[i]);
	}
	return p;
}

static void warn_targeting(const struct run_options *o, struct diags *ds)
{
	if (target_set_narrows(&o->only))
		diag_warning(ds, NULL, "Resource targeting is in effect",
			     "The plan is made with -target or -exclude and "
			     "may not hold all changes that the "
			     "configuration asks for. These options are for "
			     "exceptional situations, such as recovering "
			     "from mistakes.");
}

static void warn_deprecated_inputs(const struct config *c,
				   const struct inputs *in, struct diags *ds)
{
	for (size_t i = 0; i < c->root->variables.len; i++) {
		const struct cfg_variable *v =
			c->root->variables.entries[i].value;
		const struct input *given = map_get(&in->by_name, v->name);

		if (v->deprecated.n && given && given->source != INPUT_DEFAULT)
			diag_warning(
				ds, &v->at,
				"Deprecated variable used from the root module",
				"The variable \"%.*s\" is deprecated: %.*s",
				STR_ARG(v->name), STR_ARG(v->deprecated));
	}
}

/* Reported before anything is read, which may fail. */
static void warn_of_nothing(const struct state *s, struct diags *ds)
{
	for (size_t i = 0; i < s->resources.len; i++) {
		const struct state_resource *r = s->resources.items[i];

		if (r->addr.mode == MODE_MANAGED && r->instances.len)
			return;
	}
	diag_warning(
		ds, NULL, "Empty or non-existent state",
		"No objects are tracked in the state, so there is nothing to refresh.");
}

struct plan *plan_run(struct arena *a, struct loop *l, struct config *c,
		      struct state *previous, const struct plan_options *o,
		      struct diags *ds)
{
	const bool generate = o->generate_config_path.n > 0;
	struct map invented = { 0 };
	struct plan *p;

	if (o->run.only.replace.len && o->run.mode != RUN_NORMAL) {
		diag_error(ds, NULL, "Unsupported plan mode",
			   "-replace goes with normal planning only.");
		return NULL;
	}
	if (o->refreshed)
		warn_of_nothing(previous, ds);
	warn_deprecated_inputs(c, &o->inputs, ds);
	warn_targeting(&o->run, ds);
	if (o->run.mode == RUN_DESTROY)
		return plan_destroying(a, l, c, previous, o, ds);
	if (o->run.mode == RUN_NORMAL) {
		if (imports_validate(a, c, generate, ds))
			return NULL;
		if (generate)
			imports_invent(a, c, &invented);
	}
	if (o->import && import_command_check(a, c, previous, o->import, ds))
		return NULL;
	p = plan_new(a, l, c, previous, o, ds);
	if (o->import)
		plan_import_command(p, o->import);
	p->invented = invented;
	if (p->mode == RUN_NORMAL && moves_check_removals(&p->moves, c, ds)) {
		plan_free(p);
		return NULL;
	}
	if (plan_walk(p, c)) {
		plan_free(p);
		return NULL;
	}
	check_order(p, refreshed_state(p));
	return p;
}

void plan_free(struct plan *p)
{
	if (p->run)
		run_free(p->run);
}
