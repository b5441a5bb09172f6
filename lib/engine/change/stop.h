/*
 * stop.h - requests to stop: from a terminal, another process, or the driver
 *
 * The first request lets what runs be finished, the second ends at once.  One
 * press of Ctrl-C can arrive twice: from the terminal, and from the driver,
 * which hands on what it was sent, for it may have been sent to the driver
 * alone.  So SIGINT, SIGTERM and SIGHUP are counted apart from SIGUSR1, by
 * which the driver hands on, and the larger count holds.  SIGHUP is one request
 * however often it comes: a terminal that is closed sends it, and the shell on
 * it does, too.
 */
#ifndef TFPIPE_ENGINE_CHANGE_STOP_H
#define TFPIPE_ENGINE_CHANGE_STOP_H

#include "engine/change/events.h"

/* Requests wait from now on, until they are listened to: input read before then
 * is read to its end.  Called first in main. */
void stop_hold(void);
/* Does one wait? */
bool stop_waits(void);

struct stop_requests {
	struct events *events; /* for messages; may be NULL */
	unsigned direct, handed_on, seen;
	bool hung_up;
	void (*stop)(void *data, bool at_once);
	void *data;
};

/* From now on; stop is called once for each of the first two requests. */
void stop_listen(struct stop_requests *s, struct loop *l);

#endif
