/*
 * shown.h - a stream as far as display needs it
 *
 * Both programs that show a stream read it into this: tf-show, which renders a
 * complete stream (show.h), and tf-ui, which shows one as it arrives (live.h).
 */
#ifndef TFPIPE_UI_SHOWN_H
#define TFPIPE_UI_SHOWN_H

#include "config/config.h"
#include "engine/stage/plan_reader.h"
#include "state/state.h"
#include "ui/diff/diff.h"
#include "ui/schemas.h"
#include "ui/view.h"

struct line_vec VEC_OF(struct str);

struct kept_change {
	struct str line;
	struct published json; /* its members, within it */
};
struct kept_change_vec VEC_OF(struct kept_change);

/* The changes of a plan as people read them. */
struct changes_text {
	struct plan_counts counts;
	size_t by_action[DIFF_FORGET_CREATE + 1];
	bool any_action;
	struct buf text;
	struct arena scratch;
};

/* Lines are records, in the arena. */
struct shown {
	struct arena *arena;
	struct stream_info info;
	bool keep_changes; /* wanted of the reader: for JSON, */
	struct view *text; /* or as text, made as they come; NULL */
	struct kept_change_vec changes;
	struct map marks; /* address of what is replaced or still to be
	                              read -> line of its `planned` record */
	struct changes_text changes_text;
	struct line_vec drift, outputs, checks;
	struct plan_reader said;        /* the plan, as tf-apply reads it */
	const struct plan_record *plan; /* in there; NULL: there is none */
	const struct json *relevant;    /* its relevant attributes */
	struct shown_diag_vec diags;
	struct map schemas;    /* see schemas.h */
	struct config *config; /* rendering as JSON only */
	struct state *previous, *prior;
	bool had_prior;   /* before the planned outputs joined it */
	bool tells_found; /* wanted: what is stored, but not shown */
	bool errored;
	bool generated; /* with a warning of generated configuration */
};

void shown_init(struct shown *s, struct arena *a);
void shown_release(struct shown *s);

/* A record of this kind is kept. */
bool shown_is_kept(struct str kind);
/* Keeps it: 0, or -1 after a diagnostic. */
int shown_keep(struct shown *s, struct str kind, struct str line,
	       struct diags *ds);

/* When all is read that is to be shown as a plan: -1 after diagnostics, if
 * tf-apply would not do what it says. */
int shown_finish_plan(struct shown *s, struct diags *ds);

/* The records being read are tf-parse's. */
bool shown_parsing(const struct shown *s);
/* tf-apply's part has begun. */
bool shown_applying(const struct shown *s);
/* There is something to apply. */
bool shown_applyable(const struct shown *s);
/* The plan is there, and only takes note of changes made outside. */
bool shown_refresh_only(const struct shown *s);
/* Adds the error that the stream ended before there was a plan, and where. */
void shown_no_plan(const struct shown *s, struct diags *ds);

/* Shows the diagnostics kept, as text; v->display says how. */
void shown_put_diags(struct shown *s, struct view *v);

#endif
