/*
 * event_view.h - progress: `event` records as text and as the -json UI stream
 */
#ifndef TFPIPE_UI_EVENT_VIEW_H
#define TFPIPE_UI_EVENT_VIEW_H

#include "ui/view.h"

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

#endif
