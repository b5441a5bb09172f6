/*
 * event_view.h - progress: `event` records as text and as the -json UI stream
 */
#ifndef TFPIPE_UI_EVENT_VIEW_H
#define TFPIPE_UI_EVENT_VIEW_H

#include "ui/view.h"

/* As text: "terraform_data.a: Creating..."; kinds that people are not shown
 * are skipped. line: the whole record. */
void event_text(struct view *v, const struct json *event);
/* Is it a result of an apply, shown last: the counts or the outputs? */
bool event_is_last(struct str type);
/* As a line of the -json UI stream. */
void event_json(struct view *v, struct str line);

#endif
