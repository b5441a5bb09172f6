/*
 * show.h - what tf-show does: reads a stream (or a state file) and renders it
 *
 * Two uses.  Rendering: a saved plan, a state or any stream, as text or as the
 * published JSON.  Live display: the end of the driver's pipe, which shows
 * progress while it arrives and the rest at its end, as text or as the -json
 * UI stream.
 */
#ifndef TFPIPE_UI_SHOW_H
#define TFPIPE_UI_SHOW_H

#include "config/config.h"
#include "provider/provider.h"
#include "state/state.h"
#include "ui/diff.h"
#include "ui/schemas.h"
#include "ui/view.h"

struct show_options {
	bool json;
	bool live;             /* the driver's display */
	bool continued;        /* live JSON: the version line was printed */
	bool detailed_exitcode; /* 2 when there is something to apply */
	bool no_color, show_sensitive;
	bool compact_warnings;
	bool each_warning;     /* similar ones, too */
	bool consolidate_errors;
	bool warnings;         /* apply: the plan's have not been shown */
	bool concise;          /* -concise: no refresh progress */
	struct str op;         /* plan; confirm or approved: plan, and apply
	                          after asking or at once; apply; refresh, and
	                          refreshed: the two parts of it; import;
	                          validate */
	struct str json_into;  /* file for the -json UI stream, beside the
	                          display */
	struct str deprecation; /* module:none: without those warnings */
	struct str saved;      /* plan: where the driver saves it */
	struct str keep;       /* a copy of the stream goes into this file, if
	                          it holds a plan */
	struct str feed;       /* or there, the end record excepted */
	struct str generated;  /* plan: where generated configuration goes */
	const struct state *state; /* shown instead of what fd has */
	struct provider_source *providers; /* whose schemas states need */
};

struct line_vec VEC_OF(struct str);

/* The changes of a plan as people read them. */
struct changes_text {
	struct plan_counts counts;
	size_t by_action[DIFF_FORGET_CREATE + 1];
	bool any_action;
	struct buf text;
	struct arena scratch;
};

/* A stream as far as display needs it; lines are records, in the arena. */
struct shown {
	struct arena *arena;
	struct stream_info info;
	size_t nchanges;
	struct line_vec changes;   /* for JSON; text is made as they come: */
	struct changes_text changes_text;
	struct line_vec drift, outputs, checks;
	const struct json *plan;   /* the `plan` record; NULL: none */
	struct shown_diag_vec diags;
	struct map schemas;        /* see schemas.h */
	struct config *config;     /* rendering as JSON only */
	struct state *previous, *prior;
	bool had_prior;            /* before the planned outputs joined it */
	bool applying;             /* tf-apply's part has begun */
	bool errored;
	bool generated;            /* configuration, which is warned of */
};

/* Returns the exit status: 0, 1 on failure, 2 as -detailed-exitcode has it.
 * fd: what to read. */
int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name);

/* --- parts, each in a file of its name --- */

/* The published plan representation (show -json PLAN). */
void plan_json(struct jw *w, const struct shown *s);
/* The published state representation.  schemas as in struct shown. */
void state_json(struct jw *w, const struct state *st,
		const struct map *schemas);
/* Its "values" member alone (prior_state, planned_values share it). */
void state_values_json(struct jw *w, const struct state *st,
		       const struct map *schemas);
/* Its "checks" member, if there are any. */
void state_checks_json(struct jw *w, const struct state *st);
/* `configuration`. */
void config_json(struct jw *w, const struct config *c,
		 const struct map *schemas);
/* The plan as people read it: each change when its record comes, the whole at
 * the end. */
void plan_text_change(struct view *v, struct shown *s, struct str line);
void plan_text(struct view *v, const struct shown *s);
/* A state as people read it. */
void state_text(struct view *v, const struct state *st,
		const struct map *schemas);
/* One object of it (state show). */
void state_instance_text(struct buf *b, const struct state_resource *r,
			 const struct state_instance *i,
			 const struct map *schemas, struct diff_style st);

#endif
