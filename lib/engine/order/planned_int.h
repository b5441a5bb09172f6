/* planned_int.h - the nodes of the planned changes in the apply graph */
#ifndef TFPIPE_ENGINE_PLANNED_INT_H
#define TFPIPE_ENGINE_PLANNED_INT_H

#include "engine/order/apply_graph_int.h"

/* The changed object as the state has it; may be NULL. */
struct state_instance *agb_prior(const struct agb *b, const struct change *c);
/* Is the new object there before the old one goes, by the node's own account?
 */
bool agb_keeps_first(const struct apply_node *an);
/* The nodes of one change. */
int agb_change(struct agb *b, struct change *c);
/* Those of instance_nodes that a reference to address with a literal key means;
 * NULL: none. */
const struct node_list *agb_keyed_nodes(const struct agb *b, struct str address,
					struct inst_key literal);
/* A deposed object goes after whatever is done to the current one. */
void agb_connect_deposed(struct agb *b);

#endif
