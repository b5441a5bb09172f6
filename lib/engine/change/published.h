/*
 * published.h - `resource_change`, `resource_drift` and `output_change` as they
 * are published: read, and what writes them of the action
 *
 * Source of the shape: `resource_changes` and `output_changes` of what
 * OpenTofu's show -json says.
 */
#ifndef TFPIPE_ENGINE_PUBLISHED_H
#define TFPIPE_ENGINE_PUBLISHED_H

#include "engine/change/change.h"

/* The members of such a record, as JSON texts within its line; STR_NONE: it
 * does not have one. */
struct published {
	struct str address, previous_address, module_address, mode, type, name;
	struct str index, provider_name, deposed, action_reason, change;
	struct str planned; /* of an output, as values are in streams */
	/* within `change` */
	struct str actions, before, after, after_unknown;
	struct str before_sensitive, after_sensitive;
	struct str replace_paths, after_identity;
	struct str importing, generated_config;
};

/* 0, or -1 when the line is not JSON, or has one of them twice. */
int published_read(struct str line, struct published *out);
/* The members of a copy of the line that p was read from. */
struct published published_of_copy(const struct published *p, struct str line,
				   struct str copy);
/* The name of a member that differs; NULL: none does.  The reason, which only a
 * resource_change has, is not compared. */
const char *published_differs(struct arena *a, const struct published *x,
			      const struct published *y);
/* Do two JSON texts say the same?  1.0 and 1, or other spacing, are no
 * difference. */
bool published_same_json(struct arena *a, struct str x, struct str y);
/* The action that `actions` says; -1: none that is known. */
int published_action(struct str actions);

/* "delete-then-create" as a published plan has it: two words. */
void change_actions_json(struct jw *w, enum action a);

#endif
