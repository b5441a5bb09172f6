/*
 * apply_graph.h - the graph of the apply phase
 *
 * Made from the configuration's graph and the planned changes: a node for each
 * thing that is done to an instance, ordered by the references of the
 * configuration, by the dependencies that the state recorded, and, where
 * something is destroyed, by the rules of destroying.md: what depends on an
 * object goes before it, create_before_destroy turns edges round.
 *
 * Instances of a resource are not connected with each other: they meet in
 * joins (NODE_JOIN), so that edges stay linear in the size of the state.  A
 * resource of the configuration has a join before its instances ("... (open)",
 * behind what it refers to) and one after them ("... (done)", which its users
 * depend on).
 */
#ifndef TFPIPE_ENGINE_ORDER_APPLY_GRAPH_H
#define TFPIPE_ENGINE_ORDER_APPLY_GRAPH_H

#include "engine/change/change.h"
#include "graph/plan_graph.h"

enum apply_kind {
	APPLY_NOTHING, /* joins, locals, most variables: evaluated when asked
	                    for */
	APPLY_CHANGE,  /* create, update, read; no-op: conditions only */
	APPLY_DESTROY, /* the current object */
	APPLY_DESTROY_DEPOSED,
	APPLY_FORGET,    /* current or deposed */
	APPLY_PROVIDER,  /* configure */
	APPLY_EPHEMERAL, /* open all instances */
	APPLY_OUTPUT,    /* of the root module, or preconditions of others */
	APPLY_CHECK,
	APPLY_VARIABLE, /* its validations, evaluated now */
	APPLY_VALUE,    /* local, output of a module that a resource is put
	                    into: for what there is to say of that */
};

/* Data of each node of the graph.  The object of one that is no resource's is
 * that of the plan graph's node. */
struct apply_node {
	enum apply_kind kind;
	struct change *change;                /* CHANGE, DESTROY*, FORGET */
	const struct cfg_resource *config;    /* of the resource; may be NULL */
	const struct plan_provider *provider; /* itself, or the change's */
	/* NOTHING: where this managed or data resource is expanded */
	const struct cfg_resource *expands;
	/* DESTROY_DEPOSED: the object's deposed key.  CHANGE with
	 * create_before_destroy: the key that the old object gets. */
	struct str deposed;
	/* NOTHING: all instances of this managed or data resource have been
	 * seen to; "... (done)" */
	const struct cfg_resource *gathers;
	bool needed; /* EPHEMERAL, PROVIDER, expands: it is used */
	bool idle;   /* expands: waits for nothing that its number of
	                instances depends on */
	bool begun;  /* the walk reached it */
	bool cbd;    /* CHANGE: create_before_destroy, own or forced */
	bool stays;  /* OUTPUT before: what it derives from is not done */
	bool own;    /* VARIABLE, with targets: checked for its own sake */
};

struct apply_graph {
	struct graph *g;
	struct plan_graph *pg;
};

struct apply_graph_options {
	bool destroy;      /* the plan's mode: everything goes */
	bool refresh_only; /* the same: no changes */
	struct target_set only;
	const struct map
		*outputs; /* by name: what was planned; NULL: unknown */
	/* The instances whose changes were taken out of the plan. */
	const struct instance_addr *taken;
	size_t ntaken;
	/* Edges that the user added: to the graph of the plan, and to this one,
	 * where both nodes must exist.  NULL: none. */
	const struct graph_link_vec *links, *own_links;
};

/* state is the prior state of the plan.  NULL with diagnostics: a cycle, or a
 * change that does not fit the state. */
struct apply_graph *apply_graph_build(struct arena *a, const struct config *c,
				      const struct state *state,
				      const struct change_vec *changes,
				      const struct apply_graph_options *o,
				      struct diags *ds);

static inline struct apply_node *apply_node(const struct apply_graph *ag,
					    uint32_t node)
{
	return ag->g->nodes.items[node].data;
}

#endif
