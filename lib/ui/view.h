/*
 * view.h - where something is shown, and how: text or messages, colours, widths
 */
#ifndef TFPIPE_UI_VIEW_H
#define TFPIPE_UI_VIEW_H

#include "base/map.h"
#include "base/io.h"
#include "stream/stream.h"
#include "ui/diag_text.h"

struct view {
	struct arena *arena;
	struct out *out;       /* stdout */
	struct out *err;       /* stderr: diagnostics as text */
	struct text_style style;     /* of out */
	struct text_style err_style;
	bool json;             /* the -json UI stream instead of text */
	bool data;             /* out is what the command prints for programs:
				  warnings, too, go to err */
	bool show_sensitive;
	bool in_automation;    /* TF_IN_AUTOMATION: no hints what to run */
	struct map started;    /* event_view.c: ephemeral resources at work */
	struct diag_display display; /* of ui_diags, as text */
	struct view *into;     /* what is said here, as messages as well; or
				  NULL */
};

/* --- event_view.c: one `event` record --- */

/* As text: "terraform_data.a: Creating..."; kinds that people are not shown
 * are skipped. line: the whole record. */
void event_text(struct view *v, const struct json *event);
/* Is it what an apply came to, which is said last: the counts or the
 * outputs? */
bool event_is_last(struct str type);
/* As a line of the -json UI stream. */
void event_json(struct view *v, struct str line);

/* --- ui_message.c: lines of the UI stream, commands that are no stage --- */

/* One message of the UI stream that does not come from an event record: writes
 * the common members; the caller adds its own, `type` among them in the order
 * of the alphabet, and calls ui_message_end. */
struct jw ui_message(struct buf *line, const char *level, struct str message);
void ui_message_end(struct view *v, struct buf *line, struct jw *w);
/* The first line of every UI stream. */
void ui_version(struct view *v);
/* A view of standard output and error, in colours where they are terminals.
 * What v says of how diagnostics are displayed stays. */
void ui_standard(struct view *v, struct arena *a, struct out *out,
		 struct out *err, bool json, bool no_color);
/* Makes of into, a copy of a view, one that says everything as messages to the
 * file at path (-json-into); append: to what is in it. */
int ui_open_into(struct view *into, struct out *out, struct str path,
		 bool append, struct diags *ds);
/* The same for a program that shows everything in one view: v says everything
 * to the file, too, if there is one. */
int ui_share_into(struct view *v, struct view *into, struct out *out,
		  struct str path, struct diags *ds);
/* Diagnostics: messages, or texts: errors on v->err, warnings on v->out unless
 * that is for data.  sources may be NULL.  Flushes. */
void ui_diags(struct view *v, const struct diags *ds,
	      const struct sources *sources);
/* A line of text and a line break; as a message it has neither line breaks nor
 * a leading bullet.  Flushes. */
void ui_say(struct view *v, const char *text);
/* The same, where a message says it in other words. */
void ui_say_both(struct view *v, const char *text, const char *message);
/* The same on v->err, or as a message of that level. */
void ui_say_error(struct view *v, const char *text);
void ui_say_bold(struct view *v, const char *before, const char *text);

/* --- plan_view.c: the summary of a plan --- */

struct plan_counts {
	size_t add, change, destroy, import, forget;
	size_t shown; /* changes that are displayed, moves included */
};

/* "Plan: 1 to add, 0 to change, 0 to destroy." */
void plan_counts_text(struct buf *b, const struct plan_counts *c);
/* Adds one resource_change record to the counts; returns whether it is
 * displayed. */
bool plan_count(struct plan_counts *c, const struct json *change);
/* planned_change / resource_drift of the UI stream. */
void plan_change_message(struct view *v, const struct json *change,
			 bool drift);
/* Where the module part of an address ends, module.a["x"].module.b; 0: there is
 * none. */
size_t address_module_end(struct str addr);
/* change_summary and outputs; outputs: output_change records. */
void plan_summary_message(struct view *v, const struct plan_counts *c);
void plan_outputs_message(struct view *v, const struct json *const *outputs,
			  size_t n);

#endif
