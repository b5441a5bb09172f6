/*
 * view.h - where something is shown, and how: text or messages, colours, widths
 */
#ifndef TFPIPE_UI_VIEW_H
#define TFPIPE_UI_VIEW_H

#include "base/map.h"
#include "base/io.h"
#include "stream/stream.h"
#include "ui/diag_text.h"
#include "json/write.h"
#include "state/edit/edit.h"

struct view {
	struct arena *arena;
	struct out *out;         /* stdout */
	struct out *err;         /* stderr: diagnostics as text */
	struct text_style style; /* of out */
	struct text_style err_style;
	bool json; /* the -json UI stream instead of text */
	bool data; /* out is what the command prints for programs:
				  warnings, too, go to err */
	bool show_sensitive;
	bool raw_provisioners; /* their output, with its control characters */
	bool in_automation;    /* TF_IN_AUTOMATION: no hints what to run */
	struct map started;    /* event_view.c: ephemeral resources at work */
	struct diag_display display;    /* of ui_diags, as text */
	struct str test_file, test_run; /* whose diagnostics ui_diags shows */
	bool diags_apart; /* a stream's are shown elsewhere, not with its plan */
	struct view *into; /* gets all output as messages, too; or NULL */
};

struct plan_counts {
	size_t add, change, destroy, import, forget;
	size_t shown; /* changes that are displayed, moves included */
};

/*
 * ui_message.c: lines of the -json UI stream, and the output of commands that
 * are no stage
 */

/* One message of the UI stream that does not come from an event record: writes
 * the common members; the caller adds its own, `type` among them in the order
 * of the alphabet, and calls ui_message_end. */
struct jw ui_message(struct buf *line, const char *level, struct str message);
void ui_message_end(struct view *v, struct buf *line, struct jw *w);
/* The first line of every UI stream. */
void ui_version(struct view *v);
/* Gives the outputs of a view their form, by its style and whether it is for
 * messages. */
void ui_for_people(struct view *v);
/* A view of standard output and error, in colours where they are terminals.
 * Keeps v's settings for diagnostics. */
void ui_standard(struct view *v, struct arena *a, struct out *out,
		 struct out *err, bool json, bool no_color);
/* Makes into, a copy of a view, write everything as messages to the file at
 * path (-json-into); append: after the file's content. */
int ui_open_into(struct view *into, struct out *out, struct str path,
		 bool append, struct diags *ds);
/* Opens it for a program that shows everything in one view: v writes everything
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
/* Says text to people, message to programs. */
void ui_say_both(struct view *v, const char *text, const char *message);
/* Says that somebody else has the lock, to programs by the message's type. */
void ui_say_waiting(struct view *v);
/* Says an error: on v->err, or as a message of that level. */
void ui_say_error(struct view *v, const char *text);
void ui_say_bold(struct view *v, const char *before, const char *text);

/*
 * state_words.c: the messages of the `state` and `workspace` commands
 *
 * As lines of text, or with -json as messages of the UI stream; both as
 * OpenTofu has them.
 */

/* Reports what was done: as a line of text; with -json as a message, without
 * the full stop or exclamation mark. */
void state_say(struct view *v, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* An address of `state list`. */
void state_say_address(struct view *v, struct str address);
/* Reports the moves; dry_run: those that would be made. */
void state_say_moved(struct view *v, const struct state_moved_vec *moved,
		     bool dry_run);
/* Reports the change that replace-provider is about to make. */
void state_say_provider(struct view *v, struct provider_addr from,
			struct provider_addr to,
			const struct state_resource_vec *rs);

/* All workspaces, and which is the current one. */
void state_say_workspaces(struct view *v, const struct str_vec *names,
			  struct str current);
void state_say_made(struct view *v, struct str workspace);

#endif
