/* state_list.h - the objects of a state in the order they are shown */
#ifndef TFPIPE_UI_STATE_LIST_H
#define TFPIPE_UI_STATE_LIST_H

#include "state/state.h"

struct state_entry { /* one object */
	const struct state_resource *r;
	const struct state_instance *i; /* NULL: the resource has none */
};

struct state_entry_vec VEC_OF(struct state_entry);

/* Sorted by address; a module's resources, then the modules in it. empty: with
 * resources that are kept without instances. */
void state_entries(struct arena *a, const struct state *st, bool empty,
		   struct state_entry_vec *out);

#endif
