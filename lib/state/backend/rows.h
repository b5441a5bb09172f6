/*
 * rows.h - a state that is kept as rows, an instance or output each
 *
 * Where a backend keeps rows, several runs may change different parts of one
 * state at the same time.  A plan takes no lock.  An apply claims what it
 * changes and what it reads for that, each outcome is a committed row, and
 * there is no journal but the database.  Commands that change the state as a
 * whole claim all of it (backend_lock).
 */
#ifndef TFPIPE_STATE_BACKEND_ROWS_H
#define TFPIPE_STATE_BACKEND_ROWS_H

#include "state/backend/backend.h"

/* An address that a run works on. */
struct claim {
	struct str address;  /* of an instance, "output.x", or, to read, the
				resource, as far as keys are known; empty: all
				there is */
	struct str resource; /* without any keys; empty for an output */
	struct str within;   /* to read: how addresses of its instances that are
				meant begin, "module.a[0]."; empty: of all */
	bool writes;
};
struct claim_vec VEC_OF(struct claim);

/* The resource of an instance: "module.a.t.n" of "module.a[0].t.n[1]". */
struct str claim_resource(struct arena *a, struct module_addr m,
			  struct resource_addr r);
/* Is it a state of rows? */
bool backend_by_row(const struct backend *b);
/* What of a state is needed: the instances of resources, without keys. */
struct state_part {
	bool all_but;             /* not these, but the others; */
	struct str_vec resources; /* else these, and what they depend on */
};
/* Only that will be read; before backend_read.  Does nothing where there are no
 * rows. */
void backend_narrow(struct backend *b, const struct state_part *part);
/* Claims all of it, or nothing, waiting up to timeout_ms for those who are in
 * the way; the error says who they are and what they claim.  From then on
 * outcomes are committed as they happen.  The state that the caller works on
 * was read by somebody else; *now is what is stored of the resources and
 * outputs that are claimed.  lock: false to write without any claim.  -1
 * after a diagnostic. */
int backend_claim(struct backend *b, const struct claim_vec *claims, bool lock,
		  uint64_t timeout_ms, struct state **now, struct diags *ds);

#endif
