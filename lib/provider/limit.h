/* limit.h - at most so many provider processes at a time */
#ifndef TFPIPE_PROVIDER_LIMIT_H
#define TFPIPE_PROVIDER_LIMIT_H

#include "provider/provider.h"

struct provider;
struct provider_source;

/* With src->max_processes: would a request have to wait for room now?  p NULL:
 * one to a provider that is not open yet. */
bool provider_asleep(const struct provider_source *src,
		     const struct provider *p);
/* src->work_waits has become less. */
void provider_source_work_done(struct provider_source *src);
/* Waits for the processes that were asked to end to make room. */
void provider_source_settle(struct provider_source *src);

#endif
