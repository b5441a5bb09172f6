/* calls_int.h - calls of providers' functions, which take their time */
#ifndef TFPIPE_ENGINE_CALLS_INT_H
#define TFPIPE_ENGINE_CALLS_INT_H

#include "engine/run/run.h"

/* Notes that the current evaluation needs a pending call: its value is only a
 * placeholder. */
void run_asks(struct run *r, struct run_asked *what);
/* Frees the outcomes of all calls. */
void run_calls_free(struct run *r);
/* A function of a provider: of an instance, which is configured for it, or
 * (NULL) of p, which is not.  NULL if there is none. */
const struct func *run_provider_function(struct run *r, struct run_provider *in,
					 struct provider *p, struct str name);
bool run_asked_over(const struct run_asked *what);
/* Is there a value that counts, for now at least? */
static inline bool run_memo_kept(const struct run_memo *m)
{
	return m->value && !(m->waits && run_asked_over(m->waits));
}

#endif
