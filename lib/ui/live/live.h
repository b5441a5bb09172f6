/*
 * live.h - what tf-ui does: shows a stream as it arrives
 *
 * It is the end of a pipe.  Progress is shown as it arrives; the plan, the
 * diagnostics and the summary are shown when their phase has ended: only then
 * is it known whether it failed.  As text, as the -json UI stream, or both.
 */
#ifndef TFPIPE_UI_LIVE_H
#define TFPIPE_UI_LIVE_H

#include "ui/diag_text.h"

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
	struct diag_display display;
	struct str json_into; /* file for the -json UI stream as well */
	struct str out;       /* where the plan is saved (plan_file.h) */
	struct str feed;      /* or gets a copy, without `end` */
	struct str generated; /* where generated configuration goes */
};

/* Shows what comes from fd.  Returns the exit status: 0, 1 on failure, 2 as
 * -detailed-exitcode has it. */
int live_run(struct arena *a, const struct live_options *o, int fd);

#endif
