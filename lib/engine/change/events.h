/*
 * events.h - what happens, as it happens: the records of the UI stream
 *
 * Each event is one `event` record whose members are those of OpenTofu's -json
 * UI stream, under the same names and in the same order.  Records are flushed
 * at the end of each turn of the loop, so that a burst of events is one write.
 * out.before (base/io.h) saves what must be safe before a record leaves.  A
 * reader that goes away does not stop the run (io.h notes it).
 */
#ifndef TFPIPE_ENGINE_CHANGE_EVENTS_H
#define TFPIPE_ENGINE_CHANGE_EVENTS_H

#include "base/loop.h"
#include "engine/change/change.h"

struct event_counts {
	unsigned add, change, import, remove, forget;
};

struct event_flight; /* an operation that is running */

enum {
	EVENT_SLOWEST = 5,
	EVENT_PROGRESS_MS = 1000, /* between two records `progress` */
};

struct event_slow {
	struct str address, deposed;
	const char *action; /* as in events; "refresh" of what was read */
	uint64_t ms;        /* what it took; 0: there is none */
};

struct events {
	struct arena *arena;
	struct stream_out *out;
	struct loop *loop;
	struct event_counts counts; /* of what completed */
	uint64_t progress_ms;       /* between "Still creating": 10 s */
	bool soon;           /* flush at the end of this turn in any case */
	uint64_t flushed_ms; /* when last */
	struct event_slow slow[EVENT_SLOWEST]; /* the slowest first */
	uint64_t progress_due;                 /* of the record */
	/* The current second, written out: made once a second. */
	long second;
	char date[32], zone[16];
};

void events_init(struct events *e, struct arena *a, struct stream_out *out,
		 struct loop *loop);

/* Events are flushed at the end of the turn, or, while the loop is busy with
 * what completes at once, every 10 ms.  events_flush_soon does not wait. */
void events_flush_soon(struct events *e);
void events_flush_later(struct events *e);

/* An operation starts: a must be what is done to the object now, so never a
 * replacement as a whole.  deposed: the key, if it is done to such an object.
 * prior may be NULL.  Ends with event_complete or
 * event_errored, once; until then there is an apply_progress every 10 s. */
struct event_flight *event_start(struct events *e,
				 const struct instance_addr *addr,
				 struct str deposed, enum action a,
				 const struct value *prior);
void event_complete(struct event_flight *f, const struct value *state);
void event_errored(struct event_flight *f);
/* Ends it without a word. */
void event_abandon(struct event_flight *f);

/* An object is being read, or was (done). object: as known before, after. */
void event_refresh(struct events *e, const struct instance_addr *addr,
		   struct str deposed, const struct value *object, bool done);

/* A step of an import, shown to people only: the address (if not NULL), `what`,
 * ": Importing..." and the like, then the id or, if that is empty, the
 * attribute that best names the identity (may be NULL). */
void event_import(struct events *e, const struct instance_addr *addr,
		  const char *what, struct str id,
		  const struct value *identity);

/* An ephemeral resource is not opened while planning: shown to people only. */
void event_deferred(struct events *e, const struct instance_addr *addr,
		    const char *reason);

/* events.c: the events of provisioners and of ephemeral resources */

void event_provision_start(struct events *e, const struct instance_addr *addr,
			   struct str provisioner);
void event_provision_output(struct events *e, const struct instance_addr *addr,
			    struct str provisioner, struct str text);
void event_provision_end(struct events *e, const struct instance_addr *addr,
			 struct str provisioner, bool failed);
/* "Opening...", "Open complete" and the like. */
void event_ephemeral(struct events *e, const struct instance_addr *addr,
		     const char *message, bool complete);

/*
 * slowest.c: the records `slowest` and `progress`
 */

/* Something was done since then, by clock_ms.  What took less than a second is
 * soon forgotten. */
void events_took(struct events *e, const struct instance_addr *addr,
		 struct str deposed, const char *action, uint64_t since);
/* What took longest, at the end of a phase: "plan" or "apply". */
void events_slowest(struct events *e, const char *phase);

struct event_progress {          /* of planning: what is known so far */
	size_t read, to_read;    /* objects */
	size_t planned, to_plan; /* instances */
};

/* A record a second, from the second on.  Returns whether it was written, and
 * is to be flushed. */
bool events_progress(struct events *e, const struct event_progress *p);

/* events_run.c: the events about the run as a whole: summary, outputs */

/* operation: "apply", "destroy" or "plan". */
void event_summary(struct events *e, const struct event_counts *counts,
		   const char *operation);
/* The root outputs of s. */
void event_outputs(struct events *e, const struct state *s);
/* A plain message. */
void event_log(struct events *e, const char *message);
/* The whole state (JSON on one line), which no file could take. */
void event_state_dump(struct events *e, struct str state);
/* That the lock of the state is waited for, at once: the loop does not run. */
void event_lock_wait(struct events *e);
/* Something for people only. */
void event_note(struct events *e, struct str message);

/*
 * stop.c: requests to stop: from a terminal, another process, or the driver
 *
 * The first request lets what runs be finished, the second ends at once.  One
 * press of Ctrl-C can arrive twice: from the terminal, and from the driver,
 * which hands on what it was sent, for it may have been sent to the driver
 * alone.  So SIGINT, SIGTERM and SIGHUP are counted apart from SIGUSR1, by
 * which the driver hands on, and the larger count holds.  SIGHUP is one request
 * however often it comes: a terminal that is closed sends it, and the shell on
 * it does, too.
 */

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
