/*
 * live.h - what tf-ui does: shows a stream as it arrives
 *
 * It is the end of a pipe.  Progress is shown as it arrives; the plan, the
 * diagnostics and the summary are shown when their phase has ended: only then
 * is it known whether it failed.  As text, as the -json UI stream, or both.
 */
#ifndef TFPIPE_UI_LIVE_LIVE_H
#define TFPIPE_UI_LIVE_LIVE_H

#include "ui/diag_text.h"
#include "base/vec.h"
#include "ui/show/show.h"

/* The operation shown: LIVE_STREAM is any that the stream holds, the others are
 * the parts of tf's commands. */
enum live_op_id {
	LIVE_STREAM,    /* planned, and applied if tf-apply is in the pipe */
	LIVE_PLAN,      /* tf plan */
	LIVE_CONFIRM,   /* the plan of tf apply, to be approved by a person */
	LIVE_APPROVED,  /* the plan of tf apply -auto-approve */
	LIVE_APPLY,     /* what tf-apply does, the plan was shown before */
	LIVE_REFRESH,   /* tf refresh: the plan, */
	LIVE_REFRESHED, /* and storing what it found */
	LIVE_IMPORT,
	LIVE_VALIDATE,
	LIVE_OPS,
};

/* The parts of an operation that are shown. */
struct live_op {
	const char *name;
	bool plan;        /* the plan */
	bool failed_plan; /* also one that failed before any change */
	bool apply_only;  /* nothing that came before tf-apply's part */
	bool applies;     /* the part of tf-apply may come: checks are evaluated
			       in it again */
	bool tells_planned; /* programs are told what will be done before it is */
	bool counts;        /* how many were added, changed, destroyed */
	bool outputs;       /* the outputs of the new state */
	bool next_step;     /* which command to run next */
	bool defers;        /* warnings, to the apply that follows */
	bool imported;      /* that the import is done */
	bool validates;     /* whether the configuration is valid, instead */
};

extern const struct live_op live_ops[LIVE_OPS];

struct live_options {
	enum live_op_id op;
	bool json;
	bool continued; /* of a command whose beginning another display
				   showed: no version line */
	bool begun;     /* there are messages already: no version line */
	bool detailed_exitcode; /* 2 when there is something to apply */
	bool no_color, show_sensitive, raw_provisioners;
	bool warnings; /* apply: the plan's have not been shown */
	bool concise;  /* no progress */
	const struct plan_form *form; /* of the plan; NULL: text.  If it stands
					 alone, all else goes to standard
					 error */
	size_t max_size;              /* of it, in bytes; 0: no limit */
	struct diag_display display;
	struct str json_into; /* file for the -json UI stream as well */
	struct str out;       /* where the plan is saved (plan_file.c) */
	struct str feed;      /* or gets a copy, without `end` */
	struct str generated; /* where generated configuration goes */
};

/* Shows what comes from fd.  Returns the exit status: 0, 1 on failure, 2 as
 * -detailed-exitcode has it. */
int live_run(struct arena *a, const struct live_options *o, int fd);

/* live_event.c: the operations and what is shown of each (live.h) */

/* -1: there is no operation of that name. */
int live_op_find(struct str name, enum live_op_id *op);

/*
 * status.c: the line below the progress on a terminal
 *
 * While operations run it shows how much is done, of a longer apply how much in
 * a second and how long the rest will take, what is running and for how long,
 * the longest first, as many as fit.  It is redrawn ten times a second at most,
 * and cleared before any other line; the cursor stays at its beginning.  When
 * it is off, none of this is written.
 *
 * Before the apply it counts objects that are read, and instances that are
 * planned, as tf-plan tells (record `progress`).
 */

struct status_op {
	struct buf text;  /* the address; the key of a deposed object follows */
	size_t addr;      /* so much of it is the address */
	const char *verb; /* "creating" */
	uint64_t since_ms; /* of the monotonic clock */
};

struct status {
	int fd; /* a terminal */
	bool on;
	bool color; /* the line is dim */
	bool applying;
	size_t done, total;      /* of what is read, or applied; 0: not known */
	size_t planned, to_plan; /* 0: not told */
	/* in the order in which they began; malloc'd, as little is running at
	 * a time of much that runs */
	struct status_op *running;
	size_t nrunning, cap;
	uint64_t began_ms; /* planning, or applying */
	uint64_t drawn_ms; /* last */
	bool drawn;        /* it is on the screen now, */
	bool stale;        /* and something has happened since */
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
/* How far planning has come: a record `progress`.  partial: how much will be
 * read is known by it alone. */
void status_progress(struct status *s, const struct json *record, bool partial);
/* Is it on, and did planning, or applying, take so long that people ask why? */
bool status_took_long(const struct status *s);

/* For its tests: the line, of at most width columns. */
void status_line(const struct status *s, uint64_t now_ms, size_t width,
		 struct buf *out);

#endif
