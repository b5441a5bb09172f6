/*
 * edit.h - changes people make to a state by hand: moving, removing, tainting,
 * replacing providers; and finding instances by address
 *
 * Nothing here reads or writes files.  Summaries of diagnostics are those of
 * `tofu state`, `tofu taint`.
 */
#ifndef TFPIPE_STATE_EDIT_EDIT_H
#define TFPIPE_STATE_EDIT_EDIT_H

#include "state/state.h"
#include "config/config.h"
#include "state/backend/backend.h"

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
void state_of_provider(struct arena *a, const struct state *s,
		       struct provider_addr p, struct state_resource_vec *out);

/* Marks the current object, or takes the mark away. Returns 1 when the
 * instance is missing and missing_ok (a warning says so). */
int state_taint(struct state *s, struct str address, bool tainted,
		bool missing_ok, struct diags *ds);

/* move.c: `state mv`: modules, resources and instances to other addresses */

/* Moves what `source` names in `from` to `dest` in `to` (often the same state;
 * both in one arena). With dry_run it only reports what would be moved. */
int state_move(struct arena *a, struct state *from, struct state *to,
	       struct str source, struct str dest, bool dry_run,
	       struct state_moved_vec *out, struct diags *ds);

/*
 * translate.c: providers of Terraform's registry in a state
 *
 * Terraform writes registry.terraform.io where a configuration names no host,
 * and here the same configuration means the default registry.  So a resource of
 * a state that has the one host is taken as the other's, unless the
 * configuration itself names that provider with its host.  What is read is
 * changed in memory alone, and stored with the next write.
 */

/* Is there such a resource, and did nobody turn the translation off
 * (OPENTOFU_STATEFILE_PROVIDER_ADDRESS_TRANSLATION=0)?  Tells whether a
 * configuration must be at hand. */
bool state_translatable(const struct state *s);
/* c: of the whole tree; NULL: there is none.  Sets s->translated if a resource
 * was changed. */
void state_translate(struct state *s, const struct config *c);

/*
 * edit_commands.c: the edits of edit.h, done to the stored state, for the
 * `state` commands
 *
 * The state must have been read (access.c) unless said otherwise.  Functions
 * return 0, or -1 after a diagnostic in the access's ds; then the stored state
 * is unchanged.
 */

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
