/*
 * status.h - the line below the progress on a terminal
 *
 * While operations run it shows how much is done, what is running and for how
 * long, the longest first, as many as fit.  It is redrawn ten times a second at
 * most, and cleared before any other line; the cursor stays at its beginning.
 * When it is off, none of this is written.
 *
 * It also records how long each operation took, to list the slowest at the end
 * of a longer apply.
 */
#ifndef TFPIPE_UI_STATUS_H
#define TFPIPE_UI_STATUS_H

#include "base/vec.h"
#include "ui/show/event_view.h"

enum { STATUS_SLOWEST = 5 };

struct status_op {
	struct buf text;  /* the address; the key of a deposed object follows */
	size_t addr;      /* so much of it is the address */
	const char *verb; /* "creating" */
	uint64_t since_ms; /* of the monotonic clock */
	uint64_t took_ms;  /* when it has ended */
};

struct status {
	int fd; /* a terminal */
	bool on;
	bool color; /* the line is dim */
	bool applying;
	size_t done, total; /* total 0: not known */
	/* in the order in which they began; malloc'd, as little is running at
	 * a time of much that runs */
	struct status_op *running;
	size_t nrunning, cap;
	struct status_op
		slow[STATUS_SLOWEST]; /* by took_ms, the slowest first */
	uint64_t began_ms;            /* applying */
	uint64_t drawn_ms;            /* last */
	bool drawn;                   /* it is on the screen now, */
	bool stale;                   /* and something has happened since */
};

/* fd: where progress is shown.  The line is off unless that is a terminal that
 * can clear a line. */
void status_init(struct status *s, int fd, bool color);
void status_release(struct status *s);

/* The part of tf-apply begins. */
void status_applying(struct status *s);
/* An event; if it is on. */
void status_event(struct status *s, const struct shown_event *e);
/* Another text in its place, at most ten times a second. */
void status_note(struct status *s, struct str text);
/* Waits for input on fd, or returns at once if there is nothing to show. */
void status_wait(struct status *s, int fd);
/* Clears the line.  Returns 0: it can be a struct out's `before`. */
int status_clear(void *status);
/* The slowest operations, if applying took long. */
void status_slowest(const struct status *s, struct buf *out);

/* For its tests: the line, of at most width columns. */
void status_line(const struct status *s, uint64_t now_ms, size_t width,
		 struct buf *out);

#endif
