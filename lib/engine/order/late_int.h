/* late_int.h - what is destroyed late: when all is done that needs it */
#ifndef TFPIPE_ENGINE_LATE_INT_H
#define TFPIPE_ENGINE_LATE_INT_H

#include "engine/order/apply_graph_int.h"

/* Does the old object go late by its own account: when the new one is there, or
 * as its state says? */
bool agb_is_late(const struct change *c, const struct state_instance *si);
/* Notes which resources were moved and which must go late. */
void agb_note_late(struct agb *b, const struct change_vec *changes);
/* Does the object of a change that only destroys go late, for the sake of what
 * depended on it? */
bool agb_forced_late(struct agb *b, const struct change *c);
/* Is the node, which destroys the object of a change, in a circle, and does
 * that object depend on what is made again when the old one is gone?  Then it
 * cannot go late, if it only goes. */
bool agb_goes_early(struct agb *b, uint32_t node, const struct change *c,
		    const struct state_instance *si);
/* Calls visit with each resource that dependencies of `user` mean, as seen from
 * there: the one that has the name now and, as seen from where the user was,
 * the one that had it before it moved.  was: agb_local_place; NULL: the
 * dependencies are new, and mean present resources. */
void agb_each_dependency(struct agb *b, const struct family *user,
			 const struct family *was, struct dependencies on,
			 agb_family_fn *visit, void *data);

#endif
