/*
 * plan_serving_int.h - the provider configurations that serve resources, see
 * plan_graph_int.h
 */
#ifndef TFPIPE_GRAPH_PLAN_SERVING_INT_H
#define TFPIPE_GRAPH_PLAN_SERVING_INT_H

#include "graph/plan_graph.h"

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

#endif
