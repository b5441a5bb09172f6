/*
 * stored.h - does what the plan was shown with hold of what is there now?
 *
 * The stream agrees with itself (stage/plan_reader.h).  What it says of the
 * state, of outputs and of schemas is compared here with the state that is
 * stored and with the providers, for people were shown changes of those.
 */
#ifndef TFPIPE_ENGINE_APPLY_STORED_H
#define TFPIPE_ENGINE_APPLY_STORED_H

#include "engine/apply/apply_int.h"

/* The state, before anything of the plan is in it.  0, or -1. */
int stored_check(struct apply *ap);
/* What planning found, which is in the state by now, fits the schemas that it
 * was shown with, so that others can read it.  0, or -1. */
int stored_check_prior(struct apply *ap);
/* Does a state have the object as the plan tells of it, */
bool stored_same_object(struct apply *ap, const struct state *s,
			struct change_entry *e);
/* and the output?  previous: the plan's record; STR_NONE: it has none. */
bool stored_same_output(struct apply *ap, struct arena *a,
			const struct state *s, struct str name,
			struct str previous);
/* The schema that the change was shown with is the provider's. */
int stored_check_schema(struct op *o);

#endif
