/*
 * change.h - planned changes, and their records
 *
 * A change is what tf-plan decides for a resource instance object and tf-apply
 * carries out.  `resource_change` (the published shape, for people and
 * programs) and `planned` (the authority for apply) are written together from
 * one struct and read back into it; a disagreement between the two is refused.
 */
#ifndef TFPIPE_ENGINE_CHANGE_CHANGE_H
#define TFPIPE_ENGINE_CHANGE_CHANGE_H

#include "provider/provider.h"
#include "state/state.h"

enum action {
	ACTION_NOOP,
	ACTION_CREATE,
	ACTION_READ,
	ACTION_UPDATE,
	ACTION_DELETE_CREATE, /* replace, destroying first */
	ACTION_CREATE_DELETE, /* replace, create_before_destroy */
	ACTION_FORGET_CREATE, /* replace with lifecycle.destroy = false */
	ACTION_DELETE,
	ACTION_FORGET, /* removed from state, object kept */
	ACTION_OPEN,   /* ephemeral resources; never in a stream */
};

/* Published `action_reason` names, in this order in names.c. */
enum reason {
	REASON_NONE,
	REASON_REPLACE_BECAUSE_TAINTED,
	REASON_REPLACE_BY_REQUEST,
	REASON_REPLACE_BY_TRIGGERS,
	REASON_REPLACE_BECAUSE_CANNOT_UPDATE,
	REASON_DELETE_BECAUSE_NO_RESOURCE_CONFIG,
	REASON_DELETE_BECAUSE_WRONG_REPETITION,
	REASON_DELETE_BECAUSE_COUNT_INDEX,
	REASON_DELETE_BECAUSE_EACH_KEY,
	REASON_DELETE_BECAUSE_NO_MODULE,
	REASON_DELETE_BECAUSE_NO_MOVE_TARGET,
	REASON_DELETE_BECAUSE_ENABLED_FALSE,
	REASON_READ_BECAUSE_CONFIG_UNKNOWN,
	REASON_READ_BECAUSE_DEPENDENCY_PENDING,
	REASON_READ_BECAUSE_CHECK_NESTED,
	REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_CONFIG,
	REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_STATE,
};

/* Resources without keys, as states and plans list what an object depends
 * on. */
struct dependencies {
	struct str *items;
	size_t len;
};

struct change {
	struct instance_addr addr;
	struct instance_addr prev_addr;       /* differs from addr when moved */
	struct str deposed;                   /* empty: the current object */
	struct provider_config_addr provider; /* .key: provider instance */
	enum action action;
	enum reason reason;
	const struct value *before; /* null value: nothing before */
	const struct value *after;  /* null: nothing after; may hold
	                                    unknowns and marks */
	struct path_vec required_replace;
	struct str planned_private;           /* raw bytes */
	const struct value *before_identity;  /* may be NULL */
	const struct value *planned_identity; /* may be NULL */
	struct str import_id;                 /* empty: not an import */
	const struct value *import_identity;
	struct str generated_config;
	bool create_before_destroy; /* effective, forced included */
	bool unread; /* what was before is what the state says: it was to be
			refreshed, but for an option */
	struct dependencies dependencies; /* for the state */
};

struct change_vec VEC_OF(struct change *);

/* The number of operations that the action begins and reports when applied. */
static inline int action_operations(enum action a)
{
	static const int n[] = {
		[ACTION_CREATE] = 1,        [ACTION_READ] = 1,
		[ACTION_UPDATE] = 1,        [ACTION_DELETE_CREATE] = 2,
		[ACTION_CREATE_DELETE] = 2, [ACTION_FORGET_CREATE] = 1,
		[ACTION_DELETE] = 1,        [ACTION_OPEN] = 0,
	};

	return n[a];
}

static inline bool action_replaces(enum action a)
{
	return a == ACTION_DELETE_CREATE || a == ACTION_CREATE_DELETE;
}

/* Makes a new object for one that was there, whatever becomes of that. */
static inline bool action_renews(enum action a)
{
	return action_replaces(a) || a == ACTION_FORGET_CREATE;
}

/* names.c: of actions and reasons, as records have them */

const char *action_name(enum action a); /* "delete-then-create", … */
const char *reason_name(enum reason r); /* "" for none */
int action_from_name(struct str s);     /* -1: there is none */

/* shown_values.c: the values of a change, as its records may show them */

/* For terminals: whatever is marked sensitive is replaced. */
const struct value *change_redacted(struct arena *a, const struct value *v);

#endif
