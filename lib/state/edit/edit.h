/*
 * edit.h - changes people make to a state by hand: moving, removing, tainting,
 * replacing providers; and finding instances by address
 *
 * Nothing here reads or writes files.  Summaries of diagnostics are those of
 * `tofu state`, `tofu taint`.
 */
#ifndef TFPIPE_STATE_EDIT_H
#define TFPIPE_STATE_EDIT_H

#include "state/state.h"

/* One instance key of a resource: its current object and deposed ones. */
struct state_ref {
	struct state_resource *r;
	struct inst_key key;
};
struct state_ref_vec VEC_OF(struct state_ref);

/* An address as these commands take it; diagnostics are the language's own. */
int state_target_parse(struct arena *a, struct str text, struct target *out,
		       struct diags *ds);

struct str state_ref_text(struct arena *a, const struct state_ref *ref);
/* didyoumean_hint of the addresses in the state. */
struct str state_hint(struct arena *a, const struct state *s, struct str given);

/* All instances, in the order of `state list`. */
void state_all(struct arena *a, const struct state *s,
	       struct state_ref_vec *out);
/* The instances that text names (module, resource or instance).  Nothing found
 * is an error unless missing_ok. */
int state_lookup(struct arena *a, const struct state *s, struct str text,
		 bool missing_ok, struct state_ref_vec *out, struct diags *ds);

/* The current object's id attribute as `state list -id` compares it. */
struct str state_object_id(struct arena *a, const struct state_instance *i);

/* Removes current and deposed objects, and the resource if none is left. */
void state_forget(struct state *s, const struct state_ref *ref);

struct state_moved {
	struct str from, to; /* addresses as messages show them */
};
struct state_moved_vec VEC_OF(struct state_moved);

/* The resources of a provider, in file order; and the change itself. */
struct state_resource_vec VEC_OF(struct state_resource *);
void state_of_provider(struct arena *a, const struct state *s,
		       struct provider_addr p, struct state_resource_vec *out);

/* Marks the current object, or takes the mark away. Returns 1 when the
 * instance is missing and missing_ok (a warning says so). */
int state_taint(struct state *s, struct str address, bool tainted,
		bool missing_ok, struct diags *ds);

#endif
