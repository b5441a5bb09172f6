/* moves_check.c - are the move statements, and the removed blocks, valid? */
#include <stdlib.h>

#include "addr/target.h"
#include "config/module.h"
#include "engine/plan/plan_int.h"
#include "engine/run/expand.h"
#include "graph/graph.h"
#include "graph/plan_select.h"

/* A statement's end in one module instance. */
struct absolute {
	enum move_kind kind;
	bool whole;
	struct instance_addr addr;
	struct str text;
};

struct seen {
	struct str other;
	struct range at;
};

struct checking {
	struct arena *a;
	const struct config *c;
	const struct moves_world *w;
	struct diags *ds;
	/* text of the absolute end -> struct seen *, by whether it is whole: an
	 * instance without a key is not its resource */
	struct map from[2], to[2];
};

static void absolute(struct arena *a, const struct move_endpoint *e,
		     struct module_addr base, struct absolute *out)
{
	struct module_step *steps =
		arena_dup(a, e->steps, e->nsteps * sizeof(*steps));
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < e->base; i++)
		steps[i].key = base.steps[i].key;
	out->kind = e->kind;
	out->whole = e->whole;
	out->addr = (struct instance_addr){ { steps, e->nsteps },
					    e->resource,
					    e->key };
	if (e->kind == MOVE_MODULE)
		module_addr_print(&b, out->addr.module);
	else
		instance_addr_print(&b, &out->addr);
	out->text = buf_dup(a, &b);
	buf_release(&b);
}

static const char *noun(const struct absolute *x)
{
	if (x->kind == MOVE_MODULE)
		return x->whole ? "module call" : "module instance";
	return x->whole ? "resource" : "resource instance";
}

static bool call_exists(const struct moves_world *w, struct module_addr m,
			const struct config *c)
{
	struct module_addr parent = { m.steps, m.len - 1 };
	const struct cfg_module *cm = config_module(c, parent);
	const struct cfg_call *call =
		cm ? map_get(&cm->calls, m.steps[m.len - 1].name) : NULL;

	return call && w->module_exists(w->data, parent) &&
	       w->call_planned(w->data, call);
}

static bool still_exists(const struct checking *x, const struct absolute *e)
{
	const struct moves_world *w = x->w;

	if (e->kind == MOVE_MODULE)
		return e->whole ? call_exists(w, e->addr.module, x->c)
				: w->module_exists(w->data, e->addr.module);
	return e->whole ? w->resource_exists(w->data, &e->addr)
			: w->instance_exists(w->data, &e->addr);
}

static void check_existing(struct checking *x, const struct move *m,
			   const struct absolute *from,
			   const struct absolute *to)
{
	if (still_exists(x, from))
		diag_error(x->ds, &m->at, "Moved object still exists",
			   "%.*s is said to have moved to %.*s, but the "
			   "configuration still declares that %s.",
			   STR_ARG(from->text), STR_ARG(to->text), noun(from));
}

/* Each address moves to, or comes from, one other only. */
static void check_single(struct checking *x, struct map *seen,
			 const struct move *m, const struct absolute *key,
			 const struct absolute *other, const char *how)
{
	struct seen *s = map_get(seen, key->text);

	if (!s) {
		s = ARENA_NEW(x->a, struct seen);
		s->other = other->text;
		s->at = m->at;
		map_put(x->a, seen, key->text, s);
		return;
	}
	if (str_eq(s->other, other->text))
		return;
	diag_error(
		x->ds, &m->at, "Ambiguous move statements",
		"%.*s %s %.*s by the statement at %.*s:%u,%u, and %.*s by this one.",
		STR_ARG(key->text), how, STR_ARG(s->other), STR_ARG(s->at.file),
		s->at.start.line, s->at.start.column, STR_ARG(other->text));
}

static void check_in(struct checking *x, const struct move *m,
		     struct module_addr base)
{
	struct absolute from, to;

	absolute(x->a, &m->from, base, &from);
	absolute(x->a, &m->to, base, &to);
	if (str_eq(from.text, to.text) && from.whole == to.whole) {
		diag_error(x->ds, &m->at, "Redundant move statement",
			   "The statement moves %.*s to where it is.",
			   STR_ARG(from.text));
		return;
	}
	check_existing(x, m, &from, &to);
	check_single(x, &x->from[from.whole], m, &from, &to, "moves to");
	check_single(x, &x->to[to.whole], m, &to, &from, "comes from");
}

static void put_move(struct buf *b, const struct move *m)
{
	buf_addf(b, "\n  - %.*s:%u,%u: ", STR_ARG(m->at.file), m->at.start.line,
		 m->at.start.column);
	move_endpoint_print(b, &m->from);
	buf_puts(b, " -> ");
	move_endpoint_print(b, &m->to);
}

/* Reports the statements of one component, of which `first` is the first. */
static void report_cycle(const struct moves *m, const uint32_t *component,
			 size_t first, struct diags *ds)
{
	struct buf b = BUF_INIT;

	for (size_t i = first; i < m->moves.len; i++)
		if (component[i] == component[first])
			put_move(&b, &m->moves.items[i]);
	diag_error(
		ds, NULL, "Cyclic dependency in move statements",
		"These statements form a cycle, so that nothing would ever arrive:%.*s",
		STR_ARG(buf_view(&b)));
	buf_release(&b);
}

static void check_cycles(struct arena *a, const struct moves *m,
			 struct diags *ds)
{
	const uint32_t *component = graph_components(a, moves_graph(a, m));
	uint32_t *sizes = ARENA_ARRAY(a, uint32_t, m->moves.len);

	for (size_t i = 0; i < m->moves.len; i++)
		sizes[component[i]]++;
	for (size_t i = 0; i < m->moves.len; i++) {
		if (sizes[component[i]] > 1)
			report_cycle(m, component, i, ds);
		sizes[component[i]] = 0; /* it is reported */
	}
}

static int moves_validate(struct arena *a, const struct moves *m,
			  const struct config *c, const struct moves_world *w,
			  struct diags *ds)
{
	struct checking x = { .a = a, .c = c, .w = w, .ds = ds };
	struct plan *p = w->data;

	for (size_t i = 0; i < m->moves.len; i++) {
		const struct move *mv = &m->moves.items[i];
		struct module_addr base = { mv->from.steps, mv->from.base };
		const struct cfg_module *cm = config_module(c, base);
		struct run_module_vec all = { 0 };
		struct diags quiet = DIAGS_INIT(a);
		bool failed = false;

		if (!cm || (w->destroying && cm->parent) ||
		    !plan_graph_has_module(p->pg, cm))
			continue;
		run_modules(p->run, cm, &all, &failed, &quiet);
		for (size_t k = 0; k < all.len; k++)
			check_in(&x, mv, all.items[k]->addr);
	}
	if (!diags_failed(ds))
		check_cycles(a, m, ds);
	return diags_failed(ds) ? -1 : 0;
}

int moves_check_removals(const struct moves *m, const struct config *c,
			 struct diags *ds)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < m->removals.len; i++) {
		const struct removal *r = &m->removals.items[i];
		const struct instance_addr *at = &r->from.addr;
		bool module = r->from.kind == TARGET_MODULE;
		struct buf b = BUF_INIT;

		if (module ? !config_module(c, at->module)
			   : !config_resource_at(c, at->module, &at->resource))
			continue;
		target_print(&b, &r->from);
		diag_error(
			ds, &r->config->at,
			module ? "Removed module block still exists"
			       : "Removed resource block still exists",
			"%.*s is said to be removed, but its block is still there.",
			STR_ARG(buf_view(&b)));
		buf_release(&b);
	}
	return ds->errors == errors ? 0 : -1;
}

static int order(const void *x, const void *y)
{
	return instance_addr_cmp(x, y);
}

static bool among(const struct target *ts, size_t n,
		  const struct instance_addr *i)
{
	for (size_t k = 0; k < n; k++)
		if (target_contains(&ts[k], i))
			return true;
	return false;
}

int moves_check_targets(const struct moves *m, const struct target_set *only,
			struct diags *ds)
{
	const size_t ntargets = only->targets.len,
		     nexcludes = only->excludes.len;
	VEC(struct instance_addr) bad = { 0 };
	struct buf list = BUF_INIT;
	const char *option = ntargets ? "-target" : "-exclude";
	int rc;

	for (size_t i = 0; i < m->results.len; i++) {
		const struct moved_instance *r = m->results.entries[i].value;
		const struct instance_addr *ends[] = { &r->from, &r->to };

		for (int e = 0; e < 2 && !r->superseded; e++) {
			if ((ntargets &&
			     !among(only->targets.items, ntargets, ends[e])) ||
			    (nexcludes &&
			     among(only->excludes.items, nexcludes, ends[e])))
				vec_push(ds->arena, &bad, *ends[e]);
		}
	}
	if (!bad.len)
		return 0;
	qsort(bad.items, bad.len, sizeof(*bad.items), order);
	for (size_t i = 0; i < bad.len; i++) {
		struct instance_addr whole = bad.items[i];

		if (i &&
		    resource_addr_equal(bad.items[i - 1].resource,
					whole.resource) &&
		    module_addr_equal(bad.items[i - 1].module, whole.module))
			continue;
		whole.key = KEY_ABSENT;
		buf_addf(&list, "\n  %s='%.*s'", option,
			 STR_ARG(instance_addr_text(ds->arena, &whole)));
	}
	rc = diag_error(ds, NULL,
			"Moved resource instances excluded by targeting",
			"Resource instances have moved to new addresses, and "
			"planning must look at both the old and the new "
			"ones. %s:%.*s",
			ntargets ? "Leave -target out, or add"
				 : "Leave -exclude out, or these",
			STR_ARG(buf_view(&list)));
	buf_release(&list);
	return rc;
}

static void moves_warn_blocked(const struct moves *m, struct diags *ds)
{
	struct buf b = BUF_INIT;

	if (!m->blocked.len)
		return;
	for (size_t i = 0; i < m->blocked.len; i++)
		buf_addf(&b, "\n  - %.*s", STR_ARG(m->blocked.items[i]));
	diag_warning(ds, NULL, "Unresolved resource instance address changes",
		     "Some objects could not move because there are others at "
		     "their destinations:%.*s\n\nThey are planned to be "
		     "destroyed. If that is not intended, resolve the "
		     "conflicts with the state commands first.",
		     STR_ARG(buf_view(&b)));
	buf_release(&b);
}

/* --- all the checks --- */

/* Modules that the walk did not reach, because a dependency failed or they are
 * not selected, do not exist for moves. */
static bool module_met(const struct plan *p, const struct cfg_module *m)
{
	uint32_t node = plan_graph_expansion(p->pg, m);

	return node == GRAPH_NONE || p->work[node];
}

static bool module_exists(void *data, struct module_addr m)
{
	struct plan *p = data;
	struct diags quiet = DIAGS_INIT(p->arena);
	struct run_module *rm = run_module(p->run, m, &quiet);

	return rm && module_met(p, rm->config);
}

static bool call_planned(void *data, const struct cfg_call *c)
{
	struct plan *p = data;

	return !c->child || module_met(p, c->child);
}

static struct run_resource *find_resource(struct plan *p,
					  const struct instance_addr *i)
{
	struct diags quiet = DIAGS_INIT(p->arena);
	struct run_module *m = run_module(p->run, i->module, &quiet);
	struct run_resource *rr =
		m ? run_resource(m, &i->resource, &quiet) : NULL;
	uint32_t node;

	if (!rr)
		return NULL;
	node = plan_graph_resource(p->pg, rr->config);
	return node != GRAPH_NONE && p->work[node] ? rr : NULL;
}

static bool resource_exists(void *data, const struct instance_addr *i)
{
	return find_resource(data, i) != NULL;
}

static bool instance_exists(void *data, const struct instance_addr *i)
{
	struct run_resource *rr = find_resource(data, i);

	return rr && expansion_index(&rr->exp, i->key) >= 0;
}

int moves_check(struct plan *p, struct diags_mark before)
{
	const struct moves_world world = { p,
					   module_exists,
					   call_planned,
					   resource_exists,
					   instance_exists,
					   p->mode == RUN_DESTROY };
	struct diags ds = DIAGS_INIT(p->arena);

	moves_validate(p->arena, &p->moves, p->run->config, &world, &ds);
	if (diags_failed(&ds)) {
		diags_rollback(p->diags, before);
		diags_append(p->diags, &ds);
		return -1;
	}
	diags_append(p->diags, &ds);
	if (!diags_failed(p->diags))
		moves_warn_blocked(&p->moves, p->diags);
	return 0;
}
