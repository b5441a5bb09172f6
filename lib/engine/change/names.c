/* names.c - of actions and reasons, as records have them */
#include "engine/change/change.h"

static const char *const action_names[] = {
	[ACTION_NOOP] = "no-op",
	[ACTION_CREATE] = "create",
	[ACTION_READ] = "read",
	[ACTION_UPDATE] = "update",
	[ACTION_DELETE_CREATE] = "delete-then-create",
	[ACTION_CREATE_DELETE] = "create-then-delete",
	[ACTION_FORGET_CREATE] = "forget-then-create",
	[ACTION_DELETE] = "delete",
	[ACTION_FORGET] = "forget",
	[ACTION_OPEN] = "open",
};

static const char *const reason_names[] = {
	[REASON_NONE] = "",
	[REASON_REPLACE_BECAUSE_TAINTED] = "replace_because_tainted",
	[REASON_REPLACE_BY_REQUEST] = "replace_by_request",
	[REASON_REPLACE_BY_TRIGGERS] = "replace_by_triggers",
	[REASON_REPLACE_BECAUSE_CANNOT_UPDATE] =
		"replace_because_cannot_update",
	[REASON_DELETE_BECAUSE_NO_RESOURCE_CONFIG] =
		"delete_because_no_resource_config",
	[REASON_DELETE_BECAUSE_WRONG_REPETITION] =
		"delete_because_wrong_repetition",
	[REASON_DELETE_BECAUSE_COUNT_INDEX] = "delete_because_count_index",
	[REASON_DELETE_BECAUSE_EACH_KEY] = "delete_because_each_key",
	[REASON_DELETE_BECAUSE_NO_MODULE] = "delete_because_no_module",
	[REASON_DELETE_BECAUSE_NO_MOVE_TARGET] =
		"delete_because_no_move_target",
	[REASON_DELETE_BECAUSE_ENABLED_FALSE] = "delete_because_enabled_false",
	[REASON_READ_BECAUSE_CONFIG_UNKNOWN] = "read_because_config_unknown",
	[REASON_READ_BECAUSE_DEPENDENCY_PENDING] =
		"read_because_dependency_pending",
	[REASON_READ_BECAUSE_CHECK_NESTED] = "read_because_check_nested",
	[REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_CONFIG] =
		"forgot_because_lifecycle_destroy_in_config",
	[REASON_FORGOT_BECAUSE_LIFECYCLE_DESTROY_IN_STATE] =
		"forgot_because_lifecycle_destroy_in_state",
};

const char *action_name(enum action a)
{
	return action_names[a];
}

const char *reason_name(enum reason r)
{
	return reason_names[r];
}

int action_from_name(struct str s)
{
	for (size_t i = 0; i < sizeof(action_names) / sizeof(*action_names);
	     i++)
		if (action_names[i] && str_is(s, action_names[i]))
			return (int)i;
	return -1;
}
