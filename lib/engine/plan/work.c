/* work.c - a resource's node: its instances, each a job (job.c) */
#include "engine/plan/plan_int.h"
#include "addr/reference.h"
#include "config/module.h"
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "graph/plan_graph.h"
#include "graph/plan_select.h"
#include "lang/spec/decode.h"

static void begin(struct plan_work *w)
{
	if (!w->items.len)
		plan_node_done(w);
	else
		plan_work_queue(w);
}

static bool wanted(const struct plan *p, uint32_t node,
		   const struct instance_addr *i, bool gone,
		   const struct plan_seen *seen)
{
	return plan_graph_wanted(p->pg, node, i, gone, seen,
				 &p->run->opts.only);
}

static struct plan_seen see(const struct plan_work *w,
			    const struct run_resource *rr)
{
	const struct target_set *only = &w->p->run->opts.only;
	struct plan_seen seen = { 0 };

	for (size_t i = 0; only->targets.len && i < rr->exp.n; i++) {
		struct instance_addr addr =
			run_instance_addr(&rr->instances[i]);

		plan_graph_see(w->p->pg, w->node, &addr, only, &seen);
	}
	return seen;
}

/* The results of its conditions have a place, whether they are evaluated or
 * not.
 */
static void expect_checks(struct plan *p, const struct cfg_resource *c,
			  const struct instance_addr *i)
{
	struct check_group *g;
	struct buf b = BUF_INIT;

	if (!c->lifecycle->preconditions.len &&
	    !c->lifecycle->postconditions.len)
		return;
	g = checks_group(&p->run->checks, c->module, CHECK_RESOURCE, STR_NONE,
			 &c->addr);
	instance_addr_print(&b, i);
	checks_object(&p->run->checks, g, i->module, i->key, buf_view(&b));
	buf_release(&b);
}

static void add_item(struct plan_work *w, struct run_resource *rr,
		     struct run_instance *inst, struct state_resource *sr,
		     struct state_instance *si)
{
	struct plan_item it = { rr, inst, sr, si };

	vec_push(w->p->arena, &w->items, it);
	w->p->progress.to_plan++;
}

static void add_instances(struct plan_work *w, struct run_resource *rr,
			  const struct plan_seen *seen)
{
	for (size_t i = 0; i < rr->exp.n; i++) {
		struct run_instance *inst = &rr->instances[i];
		struct instance_addr addr = run_instance_addr(inst);
		struct state_instance *si =
			rr->prior ? state_instance(rr->prior, inst->key) : NULL;

		expect_checks(w->p, rr->config, &addr);
		inst->excluded = !wanted(w->p, w->node, &addr, false, seen);
		if (!inst->excluded)
			add_item(w, rr, inst, rr->prior, si);
	}
}

/* Instances of the state that the configuration no longer asks for. rr NULL:
 * the whole module instance is gone. */
static void add_orphans(struct plan_work *w, struct run_resource *rr,
			struct state_resource *sr, const struct plan_seen *seen)
{
	struct state_instance **sorted;

	if (!sr)
		return;
	sorted = state_instances_sorted(w->p->arena, sr);
	for (size_t i = 0; i < sr->instances.len; i++) {
		struct state_instance *si = sorted[i];
		struct instance_addr addr = { sr->module, sr->addr, si->key };
		bool in;

		if (si->deposed.n ||
		    (rr && expansion_index(&rr->exp, si->key) >= 0))
			continue;
		in = wanted(w->p, w->node, &addr, true, seen);
		if (in)
			add_item(w, rr, NULL, sr, si);
		if (rr && (!in || w->p->skip_changes))
			run_keep_visible(rr, si->key);
	}
}

/* The resource in module instances that exist no more. */
static void add_lost_modules(struct plan_work *w)
{
	struct plan *p = w->p;
	struct str at = p->pg->g->nodes.items[w->node].address;
	struct state_resource_vec *all = map_get(&p->by_config, at);
	const struct plan_seen nothing = { 0 };

	for (size_t i = 0; all && i < all->len; i++)
		if (!run_module(p->run, all->items[i]->module, &w->diags))
			add_orphans(w, NULL, all->items[i], &nothing);
}

/* -replace with an address that names no instance. */
static void check_replace(struct plan_work *w, const struct run_resource *rr)
{
	const struct run_options *o = &w->p->run->opts;
	struct buf hint = BUF_INIT;

	if (rr->exp.kind == EXPAND_SINGLE && rr->exp.n == 1)
		return;
	for (size_t i = 0; i < o->only.replace.len; i++) {
		const struct instance_addr *r = &o->only.replace.items[i];

		if (r->key.kind != KEY_NONE ||
		    !resource_addr_equal(r->resource, rr->config->addr))
			continue;
		buf_set_len(&hint, 0);
		for (size_t k = 0; k < rr->exp.n; k++) {
			struct instance_addr a =
				run_instance_addr(&rr->instances[k]);

			buf_puts(&hint, "\n  -replace='");
			instance_addr_print(&hint, &a);
			buf_putc(&hint, '\'');
		}
		diag_warning(
			&w->diags, NULL,
			"Incompletely-matched force-replace resource instance",
			"-replace=%.*s names no instance: %s%.*s",
			STR_ARG(instance_addr_text(w->p->arena, r)),
			rr->exp.n ? "the resource has several, by key:"
				  : "the resource has none.",
			STR_ARG(buf_view(&hint)));
	}
	buf_release(&hint);
}

static bool names_itself(struct plan_work *w, const struct traversal_ref *t,
			 struct reference *out)
{
	struct diags ignored = DIAGS_INIT(w->p->arena);

	return !reference_parse(w->p->arena, t, out, &ignored) &&
	       out->kind == REF_RESOURCE &&
	       resource_addr_equal(out->resource, w->config->addr);
}

static void note_own(void *data, uint32_t to, struct inst_key key,
		     const struct expr *picks, const struct traversal_ref *why)
{
	struct plan_work *w = data;

	(void)to;
	(void)picks;
	(void)why;
	vec_push(w->p->arena, &w->own, key);
}

static void find_self_references(struct plan_work *w)
{
	struct traversal_vec v = { 0 };
	struct reference r;

	body_variables_unshaped(w->p->arena, w->config->body, &v);
	for (size_t i = 0; i < v.len; i++)
		if (names_itself(w, &v.items[i], &r))
			vec_push(w->p->arena, &w->self_refs, r);
	plan_graph_own_refs(w->p->arena, w->p->pg, w->node, note_own, w);
}

/* Marks the instances that a reference to the own resource means: one, or
 * all. */
static void mark_named(const struct run_resource *rr, struct inst_key key,
		       bool *named)
{
	ptrdiff_t i =
		key.kind == KEY_NONE ? -1 : expansion_index(&rr->exp, key);

	for (size_t k = 0; k < rr->exp.n; k++)
		named[k] |= i < 0 || i == (ptrdiff_t)k;
}

/* All instances have the same references, so two that these name wait for each
 * other. */
static int check_circle(struct plan_work *w, const struct run_resource *rr)
{
	struct arena *a = w->p->arena;
	struct buf b = BUF_INIT;
	size_t n = 0;
	bool *named;
	int rc = 0;

	if (rr->exp.n < 2 || !w->own.len)
		return 0;
	named = ARENA_ARRAY(a, bool, rr->exp.n);
	for (size_t i = 0; i < w->own.len; i++)
		mark_named(rr, w->own.items[i], named);
	for (size_t i = 0; i < rr->exp.n; i++) {
		struct instance_addr addr =
			run_instance_addr(&rr->instances[i]);

		if (!named[i])
			continue;
		buf_puts(&b, n++ ? ", " : "");
		instance_addr_print(&b, &addr);
	}
	if (n > 1)
		rc = diag_error(
			&w->diags, NULL,
			arena_printf(a, "Cycle: %.*s", STR_ARG(buf_view(&b))),
			"Each of these instances refers to the others.");
	buf_release(&b);
	return rc;
}

/* Is there an instance that the others refer to?  Then it comes first. */
static void order_instances(struct plan_work *w)
{
	for (size_t i = 0; i < w->own.len; i++) {
		struct inst_key key = w->own.items[i];

		for (size_t k = 0; key.kind != KEY_NONE && k < w->items.len;
		     k++) {
			struct plan_item it = w->items.items[k];

			if (!it.inst || !inst_key_equal(it.inst->key, key))
				continue;
			w->items.items[k] = w->items.items[0];
			w->items.items[0] = it;
			w->first_alone = true;
			return;
		}
	}
}

/* Until all that is evaluated for it is known, again and again. */
static void expand(void *data)
{
	struct plan_work *w = data;
	struct plan *p = w->p;
	const struct run_mark mark = run_mark(p->run, &w->diags);
	struct run_module_vec modules = { 0 };
	bool failed = false;

	run_modules(p->run, w->config->module, &modules, &failed, &w->diags);
	plan_imports_resolve(w);
	for (size_t i = 0; i < modules.len; i++)
		run_resource(modules.items[i], &w->config->addr, &w->diags);
	if (run_must_wait(&mark, expand, w))
		return;
	plan_imports_add(w);
	for (size_t i = 0; i < modules.len; i++) {
		struct run_resource *rr =
			run_resource(modules.items[i], &w->config->addr,
				     &w->diags);
		struct plan_seen seen;

		if (rr->exp.kind == EXPAND_FAILED || check_circle(w, rr)) {
			failed = true;
			continue;
		}
		check_replace(w, rr);
		seen = see(w, rr);
		add_instances(w, rr, &seen);
		add_orphans(w, rr, rr->prior, &seen);
	}
	add_lost_modules(w);
	if (failed || diags_failed(&w->diags)) {
		w->failed = true;
		w->items.len = 0;
	} else {
		checks_expanded(&p->run->checks, w->config->module,
				CHECK_RESOURCE, STR_NONE, &w->config->addr);
	}
	order_instances(w);
	begin(w);
}

void plan_resource(struct plan_work *w)
{
	struct plan *p = w->p;

	w->config = p->pg->g->nodes.items[w->node].object;
	w->deps = plan_graph_dependencies(p->arena, p->pg, w->node);
	if (w->config->addr.mode != MODE_MANAGED)
		plan_graph_data_waits(p->arena, p->pg, w->node, &w->waits);
	find_self_references(w);
	expand(w);
}

/* Orphans, deposed objects, and all that is to be destroyed. */
void plan_state_resource(struct plan_work *w)
{
	struct plan *p = w->p;
	const struct graph_node *n = &p->pg->g->nodes.items[w->node];
	struct state_resource *sr = n->object;
	struct state_instance **sorted = state_instances_sorted(p->arena, sr);
	uint32_t at = plan_node(p->pg, w->node)->state_index;
	const struct plan_seen nothing = { 0 }; /* nobody refers to it */

	if (n->module)
		w->config = config_resource(n->module, &sr->addr);
	for (size_t i = 0; i < sr->instances.len; i++) {
		struct state_instance *si = sorted[i];
		struct instance_addr addr = { sr->module, sr->addr, si->key };
		bool in = p->mode == RUN_DESTROY
				  ? p->destroy.wanted[at][si->slot]
				  : wanted(p, w->node, &addr, true, &nothing);

		if (!si->deposed.n == (n->kind != NODE_DEPOSED) && in)
			add_item(w, NULL, NULL, sr, si);
	}
	begin(w);
}
