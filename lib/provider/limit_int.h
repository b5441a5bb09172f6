/* limit_int.h - at most so many provider processes at a time */
#ifndef TFPIPE_PROVIDER_LIMIT_INT_H
#define TFPIPE_PROVIDER_LIMIT_INT_H

#include "provider/remote_int.h"

/* A process was started; is closed. */
void limit_started(const struct known *k);
void limit_close(const struct known *k, struct plugin *p);
/* p has got a process; is closed. */
void limit_awake(struct remote_provider *p);
void limit_forget(struct remote_provider *p);
/* For callers that cannot wait: ends unused processes. */
void limit_make_room(const struct known *k);
bool limit_reached(const struct known *k);
/* p->message is its configuration. */
void limit_configured(struct remote_provider *p);
/* Keeps the request if it has to wait. */
bool limit_waits(struct rpc *c);
void limit_answered(struct remote_provider *p);
/* Nothing is started any more. */
void limit_stop(struct remote_provider *p);

#endif
