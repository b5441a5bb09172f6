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
/* Before anything is entered into families: if the change's object has moved to
 * another of them, what was in either before is in agb_places from now on. */
void agb_note_move(struct agb *b, const struct change *c);
/* The family in one module instance, and that of all. */
struct family *agb_local_family(struct agb *b, const struct instance_addr *i);
struct family *agb_config_family(struct agb *b, const struct instance_addr *i);
/* All that i belongs to, from that of all instances to the local one.  Good
 * until the next call. */
const struct family_vec *agb_families(struct agb *b,
				      const struct instance_addr *i);
/* The same of where the change's object was, as far as anything has moved to or
 * from there; elsewhere that is what agb_families has. */
const struct family_vec *agb_places(struct agb *b, const struct change *c);
/* The local one of these; `local`, that of where it is, if nothing moved. */
struct family *agb_local_place(struct agb *b, const struct change *c,
			       struct family *local);
/* The part of `whole` in those instances of modules that f is in, too, which is
 * local; whole itself where they share none with a key; NULL if there is no
 * part. */
struct family *agb_seen_from(struct agb *b, const struct family *f,
			     struct family *whole);
/* The same of what was at the address of a resource without keys, for f of
 * agb_local_place.  NULL: nothing was. */
struct family *agb_place_seen_from(struct agb *b, const struct family *f,
				   struct str address);

#endif
