/* state.h - the state as it is being made, and its journal */
#ifndef TFPIPE_ENGINE_STATE_H
#define TFPIPE_ENGINE_STATE_H

#include "engine/apply/apply_int.h"

/* The journal is written with the events, before them. */
void apply_journal_start(struct apply *ap);
/* Makes obj the object at (address, deposed key) in the state; NULL removes. */
void apply_put(struct apply *ap, const struct instance_addr *addr,
	       struct str deposed, const struct resource_object *obj,
	       const struct resource_schema *schema,
	       const struct run_provider *p);
void apply_remove(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p);
/* The instance with all that is deposed of it. */
void apply_remove_all(struct apply *ap, const struct instance_addr *addr);
/* The current object becomes a deposed one, or the reverse. */
void apply_depose(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p);
bool apply_restore(struct apply *ap, const struct instance_addr *addr,
		   struct str deposed, const struct run_provider *p);
void apply_intent(struct op *o, struct str deposed);
/* A root output gets this value; NULL removes it. */
void apply_output(struct apply *ap, struct str name, const struct value *v,
		  struct str deprecated);
int apply_write_state(struct apply *ap, struct diags *ds);

#endif
