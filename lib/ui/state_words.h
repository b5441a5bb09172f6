/*
 * state_words.h - the messages of the `state` and `workspace` commands
 *
 * As lines of text, or with -json as messages of the UI stream; both as
 * OpenTofu has them.
 */
#ifndef TFPIPE_UI_STATE_WORDS_H
#define TFPIPE_UI_STATE_WORDS_H

#include "state/edit/edit.h"
#include "ui/view.h"

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
