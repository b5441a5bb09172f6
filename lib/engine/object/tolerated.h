/*
 * tolerated.h - logs the broken rules that providers are excused for
 *
 * Providers of the legacy SDK cannot keep some rules, and no provider is held
 * to what it reads: users are not bothered, but the log (TF_LOG, level WARN)
 * shows the possible cause of a later error.
 */
#ifndef TFPIPE_ENGINE_OBJECT_TOLERATED_H
#define TFPIPE_ENGINE_OBJECT_TOLERATED_H

#include "engine/object/objchange.h"

/* Does anybody read the log? Finding out what to say costs time. */
bool tolerated_logged(void);
/* One line; nothing if there is nothing wrong. what: "an invalid plan for". */
void tolerated_log(struct arena *a, struct str provider, const char *what,
		   struct str address, const char *why,
		   const struct verror_vec *wrong);

extern const char tolerated_legacy[]; /* a reason why */

#endif
