/* access.c - see backend.h */
#include <time.h>

#include "state/backend/backend.h"
#include "base/workdir.h"
#include "encrypt/encrypt.h"
#include "state/backend/lock.h"
#include "state/backend/workspaces.h"

int state_access_open(struct state_access *a)
{
	if (workspace_check_current(a->o.workspace, a->ds))
		return -1;
	a->b = backend_open(a->arena, &a->o, a->ds);
	return a->b ? 0 : -1;
}

int state_access_lock(struct state_access *a, const char *operation)
{
	struct str token = lock_token();
	struct diags ignored = DIAGS_INIT(a->arena);
	uint64_t ms;

	backend_set_operation(a->b, operation);
	if (!a->lock)
		return 0;
	if (lock_timeout_option(a->timeout, &ms, a->ds))
		return -1;
	/* The parent's lock may be on another state: then we take our own. */
	if (token.n && !backend_adopt_lock(a->b, token, &ignored))
		return 0;
	return backend_lock(a->b, operation, ms, a->ds);
}

int state_access_read(struct state_access *a, const char *operation)
{
	if (state_access_open(a) ||
	    (operation && state_access_lock(a, operation)))
		return -1;
	if (operation &&
	    envelope_prepare(encryption_state(a->o.encryption), a->ds))
		return -1;
	a->s = backend_read(a->b, a->ds);
	return a->s ? 0 : -1;
}

int state_access_need(struct state_access *a, const char *operation)
{
	if (state_access_read(a, operation))
		return -1;
	if (!backend_exists(a->b))
		return diag_error(a->ds, NULL, "No state file was found",
				  "There is no state here yet. Run this where "
				  "something was applied, or name a state file "
				  "with -state.");
	return 0;
}

int state_access_close(struct state_access *a)
{
	int rc;

	if (!a->b)
		return 0;
	rc = backend_unlock(a->b, a->ds);
	backend_close(a->b);
	a->b = NULL;
	return rc;
}

void state_access_edit_backup(struct state_access *a)
{
	struct str file = a->o.state_path;

	if (a->o.backup_path.n && !str_is(a->o.backup_path, "-"))
		return;
	if (!file.n) {
		struct diags ignored = DIAGS_INIT(a->arena);
		struct backend *b = backend_open(a->arena, &a->o, &ignored);

		file = b ? backend_name(b) : STR(WORKDIR_STATE);
		if (b)
			backend_close(b);
	}
	a->o.backup_path = str_printf(a->arena, "%.*s.%lld.backup",
				      STR_ARG(file), (long long)time(NULL));
}
