/*
 * ui_message.h - lines of the -json UI stream, and the output of commands that
 * are no stage
 */
#ifndef TFPIPE_UI_UI_MESSAGE_H
#define TFPIPE_UI_UI_MESSAGE_H

#include "json/write.h"
#include "ui/view.h"

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
/* Says text; type is what programs know the message by. */
void ui_say_event(struct view *v, const char *text, const char *type);
/* Says an error: on v->err, or as a message of that level. */
void ui_say_error(struct view *v, const char *text);
void ui_say_bold(struct view *v, const char *before, const char *text);

#endif
