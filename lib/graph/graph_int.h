/* graph_int.h - what the files of this room share */
#ifndef TFPIPE_GRAPH_GRAPH_INT_H
#define TFPIPE_GRAPH_GRAPH_INT_H

#include "graph/plan_graph.h"
#include "config/module.h"
#include "lang/eval/func.h"

/* destroy_order.c: the order in which a destroy plan looks at what goes */

/* Edges between NODE_DESTROY nodes, in destroy_order.c. */
void plan_graph_order_destroy(struct plan_graph *pg);

/* plan_graph.c: what the files of the plan graph share */

/* The nodes of one module.  Those of one kind are numbered on from a base, in
 * the order of the module's map. */
struct plan_graph_module {
	struct cfg_module *config;
	struct plan_graph_module *parent;
	uint32_t expand, close; /* GRAPH_NONE: root */
	uint32_t variables, locals, outputs, checks;
	uint32_t managed, data, ephemeral;
	struct plan_graph_module **children; /* by index in config->calls */
	struct map args; /* of the call, see call_arguments */
};

/* Calls fn for each reference in the configuration of a node, with the module
 * it is to be read in, and call (may be NULL) with each function of a
 * provider. */
typedef void plan_ref_fn(void *data, const struct plan_graph_module *m,
			 const struct traversal_ref *t);
typedef void plan_call_fn(void *data, const struct plan_graph_module *m,
			  const struct func_of_provider *f,
			  const struct call_ref *at);

/* The nodes that a reference in m means, in out (room for nouts). A whole
 * module means its close node and all outputs. */
struct plan_ref_target {
	uint32_t first, count; /* consecutive nodes */
	uint32_t close;        /* GRAPH_NONE: not a whole module */
};

/* Adds a node, with its planning data. */
uint32_t plan_add(struct plan_graph *pg, enum node_kind kind,
		  struct str address, struct cfg_module *m, void *object);

struct plan_graph_module *plan_module(const struct plan_graph *pg,
				      const struct cfg_module *m);

/* Static module path and resource of a configuration resource or an orphan. */
struct resource_addr graph_node_resource(const struct graph_node *n);

/* destroy_select.c: -target and -exclude of a destroy plan */

/* The address of a resource of the state, without keys. */
struct str state_config_address(struct arena *a,
				const struct state_resource *r);

/* pattern.c: may there be an instance with the keys that a pattern has? */

/* The node being a resource whose names a pattern fits: may there be an
 * instance with the keys that it has? */
bool pattern_may_name(const struct plan_graph *pg, const struct graph_node *n,
		      const struct target *t);

/*
 * plan_instance.c: which instance of a provider an edge means, where that
 * is known without evaluating anything: the key is written down, or recorded
 */

/* The address of the very instance of the provider that is chosen, or that all
 * objects of the state resource were made with; empty: it is not known here. */
struct str plan_chosen_instance(struct arena *a,
				const struct cfg_provider_choice *c);
struct str plan_recorded_instance(struct arena *a,
				  const struct state_resource *r,
				  enum node_kind kind);

/*
 * plan_refs.c: which references, and calls of providers' functions, a
 * node's configuration holds, and what nodes they mean
 */

void plan_node_references(struct arena *a, const struct plan_graph *pg,
			  uint32_t node, plan_ref_fn *fn, plan_call_fn *call,
			  void *data);
bool plan_ref_resolve(const struct plan_graph *pg,
		      const struct plan_graph_module *m,
		      const struct reference *r, struct plan_ref_target *out);

/*
 * plan_select.c: which nodes -target and -exclude leave, and which
 * resources are created before they are destroyed
 */

/* Has the resource an instance that the target names? */
bool target_has_some(const struct target *t, const struct state_resource *r);
/* Does it name instances, of a resource or of a module? */
bool target_has_keys(const struct target *t);
/* Does the target name the resource of the node, or an instance of it? */
bool target_names_node(const struct plan_graph *pg, const struct graph_node *n,
		       const struct target *t);

/*
 * plan_serving.c: the provider configurations that serve resources, see
 * plan_graph.c
 */

/* The node of a provider configuration, which is added if need be. */
uint32_t plan_provider_node(struct plan_graph *pg,
			    const struct provider_config_addr *addr,
			    const struct cfg_provider *config);
/* Can the module have each provider configuration that its call passes to it?
 * Else an error, and -1 (OpenTofu: ProviderConfigTransformer). */
int plan_check_passed(const struct plan_graph *pg, const struct cfg_module *m,
		      struct diags *ds);
/* Connects the node with the one of the provider configuration that serves a
 * resource: of the configuration, or (recorded) one that only the state
 * knows. */
int plan_connect_provider(struct plan_graph *pg, uint32_t node,
			  const struct cfg_resource *r, struct diags *ds);
int plan_connect_recorded(struct plan_graph *pg, uint32_t node,
			  const struct state_resource *r, enum node_kind kind,
			  struct diags *ds);

/* select_targets.c: what -target names, and what that depends on */

/* Selects, in set, what the targets name (see plan_graph_select: direct) and
 * what that needs, down to the instances that references name.  kept: what the
 * excludes leave, or NULL. */
void select_targets(struct plan_graph *pg, const struct target *ts, size_t nts,
		    const unsigned char *kept, unsigned char *set);
/* Does the configuration of node depend on an instance of `to` that is not
 * selected, though others of it are? */
bool select_depends_on_left_out(const struct plan_graph *pg, uint32_t node,
				uint32_t to);
/* Does anything that the targets select depend on this instance?  A dependency
 * on all of a resource does not count if the targets name other instances of it
 * in this module instance. */
bool select_instance_needed(const struct plan_graph *pg, uint32_t node,
			    const struct instance_addr *i,
			    const struct plan_seen *s);

#endif
