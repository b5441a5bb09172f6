/*
 * commands.h - the edits of edit.h, done to the stored state, for the `state`
 * commands
 *
 * The state must have been read (access.h) unless said otherwise.  Functions
 * return 0, or -1 after a diagnostic in the access's ds; then the stored state
 * is unchanged.
 */
#ifndef TFPIPE_STATE_COMMANDS_H
#define TFPIPE_STATE_COMMANDS_H

#include "base/opts.h"
#include "state/backend/access.h"
#include "state/edit/edit.h"

/* Finds all that the addresses name, even if some are wrong. */
int state_find(struct state_access *a, const struct str_vec *addresses,
	       bool missing_ok, struct state_ref_vec *out);

/* The address of one instance, and what it names, a current object; *r: its
 * resource.  NULL: diagnosed. */
int state_instance_parse(struct arena *a, struct str text,
			 struct instance_addr *out, struct diags *ds);
struct state_instance *state_find_one(struct state_access *a,
				      const struct instance_addr *addr,
				      struct str text,
				      struct state_resource **r);

/* Stores what state_move has done.  The other state, where it moved to, comes
 * first: an object is better in both than in none.  to may be from. */
int state_store_moved(struct state_access *from, struct state_access *to);
/* Forgets all of them. */
int state_remove_all(struct state_access *a, const struct state_ref_vec *refs);
/* Gives the resources another provider. */
int state_replace_provider(struct state_access *a,
			   const struct state_resource_vec *rs,
			   struct provider_addr to);
/* A provider as replace-provider takes it; which: "from" or "to". */
int state_provider_parse(struct arena *a, struct str text, const char *which,
			 struct provider_addr *out, struct diags *ds);
/* Reads the state, marks the object or takes the mark away, and stores it.  1:
 * it is missing, and may be. */
int state_mark(struct state_access *a, struct str address, bool tainted,
	       bool missing_ok);

/* Reads a state to push from file; - is standard input.  The state refers to
 * *text, which gets the file's text.  Store it with backend_push, whether or
 * not there is a state.  NULL: diagnosed; also when it is empty. */
struct state *state_pushed(struct arena *a, struct str file,
			   struct envelope *env, struct buf *text,
			   struct diags *ds);

#endif
