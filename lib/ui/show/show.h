/*
 * show.h - what tf-show does: reads a stream or a state file and renders it, as
 * text or as the published JSON
 */
#ifndef TFPIPE_UI_SHOW_SHOW_H
#define TFPIPE_UI_SHOW_SHOW_H

#include <sys/types.h>

#include "config/config.h"
#include "engine/stage/plan_reader.h"
#include "select/select.h"
#include "state/state.h"
#include "ui/diff/diff.h"
#include "ui/outputs.h"
#include "ui/view.h"
#include "encrypt/encrypt.h"
#include "provider/source.h"
#include "engine/change/record.h"
#include "base/diag.h"

/*
 * shown.c: a stream as far as display needs it
 *
 * Both programs that show a stream read it into this: tf-show, which renders a
 * complete stream (show.h), and tf-ui, which shows one as it arrives (live.h).
 */

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
	bool keep_graph;                /* wanted: */
	struct line_vec graph;          /* its nodes and edges */
	struct plan_reader said;        /* the plan, as tf-apply reads it */
	const struct plan_record *plan; /* in there; NULL: there is none */
	const struct json *relevant;    /* its relevant attributes */
	struct shown_diag_vec diags;
	struct map schemas;    /* see outputs.h */
	struct config *config; /* rendering as JSON only */
	struct state *previous, *prior;
	bool had_prior;   /* before the planned outputs joined it */
	bool tells_found; /* wanted: what is stored, but not shown */
	bool errored;
	bool generated;        /* with a warning of generated configuration */
	struct select *select; /* what is asked of changes; NULL: nothing */
	int (*wanted)(struct shown *s, struct str line, bool *shown,
		      struct diags *ds); /* with it, else NULL */
	size_t asked, selected;
	VEC(struct select_part) parts; /* what was left out, and by what */
};

void shown_init(struct shown *s, struct arena *a);
void shown_release(struct shown *s);

/* A record of this kind is kept. */
bool shown_is_kept(const struct shown *s, struct str kind);
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

/*
 * A plan in another form than text and JSON; those that there are lie in the
 * room form (ui/show/form/form.h)
 */
struct plan_form {
	const char *name; /* what -format calls it */
	bool for_others;  /* it is made to be given away: no secret in it */
	bool graph;       /* wants the graph, too: shown.graph */
	bool alone;       /* nothing else belongs beside it, as in a file */
	/* Writes it to v->out.  -1 after a diagnostic. */
	int (*put)(struct view *v, struct shown *s, size_t max_size,
		   struct diags *ds);
};

struct show_options {
	const struct workdir *workdir; /* whose configuration states fit */
	bool json;
	const struct plan_form *form; /* of a plan; NULL: text or JSON */
	size_t max_size;              /* bytes; 0: no limit */
	bool detailed_exitcode;       /* 2 when there is something to apply */
	bool no_color, show_sensitive;
	bool saved; /* rendering a plan file as OpenTofu does: a plan that
				  failed is no failure */
	/* What states and plans are encrypted by; NULL: nothing is. */
	struct encryption *encryption;
	struct select *select;     /* what is shown of it; NULL: all */
	struct str explain;        /* the address of a change, or empty */
	int fd;                    /* where to; standard output by default */
	const struct state *state; /* shown instead of what fd has */
	struct provider_source *providers; /* whose schemas states need */
};

/* Opens the operand, or standard input if there is none.  Returns a descriptor,
 * and sets *name for messages.  -1: diagnosed. */
int show_open(const struct str_vec *operands, struct str *name,
	      struct diags *ds);

/* Returns the exit status: 0, 1 on failure, 2 as -detailed-exitcode has it.
 * fd: what to read. */
int show_run(struct arena *a, const struct show_options *o, int fd,
	     struct str name);

/* Text, and then the same as JSON into the file at path: reads fd twice. */
int show_both(struct arena *a, const struct show_options *o, int fd,
	      struct str name, struct str path, struct diags *ds);

/*
 * show_config.c: the configuration of a directory in the published form: as
 * plans have it (show -config), or one module for itself (show -module)
 */

/* The configuration in the published form on standard output.  Without
 * providers: one module alone, and c is loaded that way; no expressions, which
 * need schemas, and none of the modules that it calls.  -1 with diagnostics. */
int show_config(struct arena *a, const struct config *c,
		struct provider_source *providers, struct diags *ds);

/*
 * state_one.c: one instance of a state, as `state show` prints it
 *
 * Only a schema tells which attributes are secret, so without one they are
 * shown on demand only.
 */

struct state_one {
	const struct state *state;
	struct state_resource *resource;
	struct state_instance *instance;
	struct provider_source *source; /* where schemas come from */
	bool json, color, show_sensitive;
};

/* Appends it, with a line break behind it.  -1: diagnosed, and what was
 * appended is of no use. */
int state_one_put(struct arena *a, struct buf *out, const struct state_one *o,
		  struct diags *ds);

/* event_view.c: progress: `event` records as text and as the -json UI stream */

/* What all kinds of events have; empty where one has it not. */
struct shown_event {
	struct str type, message;
	struct str action, address, deposed; /* of an operation */
	const struct json *hook, *all;       /* for the rest */
};

/* 0, or -1 after a diagnostic. */
int shown_event_read(struct arena *a, struct str line, struct shown_event *out,
		     struct diags *ds);
/* As text: "terraform_data.a: Creating..."; kinds that people are not shown
 * are skipped. */
void event_text(struct view *v, const struct shown_event *e);
/* Is it a result of an apply, shown last: the counts or the outputs? */
bool event_is_last(struct str type);
/* As a line of the -json UI stream.  line: the whole record. */
void event_json(struct view *v, struct str line);

/* shown.c: one change of a plan, as its record has it, to be shown */

/* A resource_change, resource_drift or output_change record.  What it does not
 * have is empty.  All of it may lie in the record's line. */
struct shown_change {
	struct published json; /* its members, as JSON texts */
	struct str address, previous_address, module, mode, type, name;
	struct str provider, deposed, reason, generated_config;
	enum diff_action action; /* no-op, where it is not known */
	bool moved, importing;
};

/* 0, or -1 after a diagnostic. */
int shown_change_read(struct arena *a, struct str line,
		      struct shown_change *out, struct diags *ds);
/* Fills *out from a change whose members were read. */
void shown_change_from(struct arena *a, const struct published *p,
		       struct shown_change *out);
/* The change's values, as trees. */
struct diff_input shown_change_values(struct arena *a,
				      const struct shown_change *c);
/* The name of the output that an output_change is about. */
struct str shown_change_output(const struct shown_change *c);

/* slowest.c: what took longest */

/* "creating", for "create" */
const char *shown_verb(struct str action);
/* The record as text, with an empty line before it. */
void slowest_text(struct buf *out, struct str line);

/* plan_view.c: the summary of a plan and its messages in the -json UI stream */

/* "Plan: 1 to add, 0 to change, 0 to destroy." */
void plan_counts_text(struct buf *b, const struct plan_counts *c);
/* Adds a resource_change to the counts; returns whether it is
 * displayed. */
bool plan_count(struct plan_counts *n, const struct shown_change *c);
/* planned_change / resource_drift of the UI stream. */
void plan_change_message(struct view *v, const struct shown_change *c,
			 bool drift);
/* Returns the end of an address's module part, module.a["x"].module.b; 0: there
 * is none. */
size_t plan_view_module_end(struct str addr);
/* Is the address of a data source? */
bool plan_view_is_data(struct str addr);
/* change_summary and outputs; outputs: of output_change records. */
void plan_summary_message(struct view *v, const struct plan_counts *c);
void plan_outputs_message(struct view *v, const struct shown_change *outputs,
			  size_t n);

/* plan_text.c: a plan as people read it */

/* The plan as people read it: each change when its record comes, the whole at
 * the end. */
void plan_text_change(struct view *v, struct shown *s,
		      const struct published *p);
void plan_text(struct view *v, struct shown *s);

/* The difference of what was changed outside, narrowed to what mattered to the
 * plan; NULL: it does not matter. */
const struct diff *plan_drift_diff(struct arena *a, const struct shown *s,
				   const struct shown_change *c);
/* Is it told at all, in a plan of so many changes? */
bool plan_tells_drift(const struct shown *s, const struct plan_counts *n);
/* What of the objects was not read again; STR_NONE: all were. */
struct str plan_unread_said(struct arena *a, const struct shown *s);
/* That a part is shown; i: of shown.parts; what: "changes". */
struct str shown_part_said(struct arena *a, const struct shown *s, size_t i,
			   const char *what);
/* Lines of what applying the plan stores though no change of it is shown.
 * drift: the addresses of the changes made outside that are. */
void plan_found_text(struct buf *b, struct shown *s, const struct map *drift);

/* plan_resource.c: one resource of a plan */

/* The comment above it: what happens and why. */
struct str plan_resource_note(struct arena *a, const struct shown_change *c);
/* The difference of a change, by its schema if that is there. */
const struct diff *plan_resource_diff(struct arena *a, const struct shown *s,
				      const struct shown_change *c,
				      const struct diff_input *in);
/* One resource_change or resource_drift record: comment, header, difference. */
void plan_resource_text(struct buf *b, const struct view *v,
			const struct shown_change *c, struct arena *a,
			const struct diff *d, bool drift);
/* Why it is read or deleted, if the plan says: "because enabled is false".
 * index: the key that is named, as JSON. */
void plan_why_text(struct buf *b, const struct shown_change *c,
		   struct str index);

/*
 * plan_file.c: where a plan is saved: the operand of -out
 *
 * A regular file is replaced as a whole when the plan is complete: it is
 * private, and there is never half of one.  Anything else is written in place:
 * a FIFO, a device, the missing target of a link.
 */

struct plan_file {
	struct arena *arena;
	struct str name;  /* as given; "-" is standard output */
	const char *path; /* of the file to replace; NULL: written through */
	char *temporary;  /* beside it */
	int fd;           /* to write to; -1: none */
	int file;         /* with sealer: the file itself */
	pid_t sealer;     /* what encrypts it on the way; 0: nothing does */
};

/* Before the plan is made, so that what cannot be written is known then. */
int plan_file_open(struct arena *a, struct str name, struct plan_file *f,
		   struct diags *ds);
/* Starts what encrypts it, "tf-state seal-plan", which then has the file. */
int plan_file_seal(struct plan_file *f, struct diags *ds);
/* keep: the plan is there, as a whole.  Else a file that was there stays as it
 * was. */
int plan_file_close(struct plan_file *f, bool keep, struct diags *ds);

#endif
