/* family_int.h - joins, and the instances of a resource that meet in them */
#ifndef TFPIPE_ENGINE_FAMILY_INT_H
#define TFPIPE_ENGINE_FAMILY_INT_H

#include "engine/order/apply_graph_int.h"

uint32_t agb_node(struct agb *b, enum node_kind kind, enum apply_kind what,
		  struct str address, struct change *c,
		  const struct cfg_resource *config);
uint32_t agb_join(struct agb *b, struct str name);
uint32_t gather_before(struct agb *b, struct gather *g);
uint32_t gather_after(struct agb *b, struct gather *g);
/* Before any family is made: notes which calls of modules have both instances
 * with keys and one without, as after a moved block or another count. */
void agb_note_calls(struct agb *b, const struct change_vec *changes);
/* The family in one module instance, and that of all. */
struct family *agb_local_family(struct agb *b, const struct instance_addr *i);
struct family *agb_config_family(struct agb *b, const struct instance_addr *i);
/* All that i belongs to, from that of all instances to the local one.  Good
 * until the next call. */
const struct family_vec *agb_families(struct agb *b,
				      const struct instance_addr *i);
/* The part of `whole` in those instances of modules that f is in, too, which is
 * local; whole itself where they share none with a key; NULL if there is no
 * part. */
struct family *agb_seen_from(struct agb *b, const struct family *f,
			     struct family *whole);

#endif
