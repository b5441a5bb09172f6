/*
 * inmem.c - state in memory, for tries and tests: it is empty when a command
 * begins, and gone when it ends
 */
#include "state/backend/backend_int.h"

static int inmem_open(struct backend *b, struct diags *ds)
{
	(void)ds;
	b->name = STR("inmem");
	return 0;
}

static void inmem_close(struct backend *b)
{
	(void)b;
}

static int inmem_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	(void)b;
	(void)ds;
	*out = STR_NONE;
	return 0;
}

static int inmem_store(struct backend *b, struct str text, struct diags *ds)
{
	(void)b;
	(void)text;
	(void)ds;
	return 0;
}

static enum lock_result inmem_lock(struct backend *b, struct lock_info *mine,
				   struct lock_info *holder, const char **why,
				   struct diags *ds)
{
	(void)b;
	(void)mine;
	(void)holder;
	(void)why;
	(void)ds;
	return LOCK_TAKEN;
}

static int inmem_unlock(struct backend *b, struct diags *ds)
{
	(void)b;
	(void)ds;
	return 0;
}

static bool inmem_is_locked(struct backend *b, struct lock_info *holder)
{
	(void)b;
	(void)holder;
	return false;
}

static int inmem_force_unlock(struct backend *b, struct str id, bool forced,
			      struct diags *ds)
{
	(void)forced;
	return diag_error(ds, NULL, "Failed to unlock state: state not locked",
			  "The backend \"%s\" keeps no lock after its command: "
			  "there is none with the ID \"%.*s\".",
			  b->ops->type, STR_ARG(id));
}

const struct backend_ops backend_inmem = {
	.type = "inmem",
	.remote = true,
	.one_workspace = true,
	.open = inmem_open,
	.close = inmem_close,
	.fetch = inmem_fetch,
	.store = inmem_store,
	.lock = inmem_lock,
	.unlock = inmem_unlock,
	.is_locked = inmem_is_locked,
	.force_unlock = inmem_force_unlock,
};
