/* moves_world.c - see moves_int.h */
#include "engine/plan/moves_int.h"
#include "engine/run/expand.h"
#include "graph/plan_select.h"

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
