/*
 * inmem.c - state in memory, for tries and tests: it is empty when a command
 * begins, and gone when it ends
 */
#include "state/backend/backend_int.h"

/* The lock that the configuration names is held whenever a command begins. */
struct inmem {
	struct lock_info held; /* without an ID: nobody has it */
};

static int inmem_open(struct backend *b, struct diags *ds)
{
	struct inmem *m = ARENA_NEW(b->arena, struct inmem);
	struct str id = argument_text(b, "lock_id");

	(void)ds;
	b->data = m;
	b->name = STR("inmem");
	if (!id.n)
		return 0;
	m->held = lock_info_new(b->arena, "test");
	m->held.id = id;
	m->held.info = STR("test config");
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
	const struct inmem *m = b->data;

	(void)mine;
	(void)ds;
	if (!m->held.id.n)
		return LOCK_TAKEN;
	*holder = m->held;
	*why = "state locked";
	return LOCK_HELD;
}

static int inmem_unlock(struct backend *b, struct diags *ds)
{
	(void)b;
	(void)ds;
	return 0;
}

static bool inmem_is_locked(struct backend *b, struct lock_info *holder)
{
	const struct inmem *m = b->data;

	*holder = m->held;
	return m->held.id.n > 0;
}

static int inmem_force_unlock(struct backend *b, struct str id, bool forced,
			      struct diags *ds)
{
	struct inmem *m = b->data;

	(void)forced;
	if (!m->held.id.n)
		return diag_error(
			ds, NULL, "Failed to unlock state: state not locked",
			"The backend \"%s\" keeps no lock after its command: "
			"there is none with the ID \"%.*s\".",
			b->ops->type, STR_ARG(id));
	if (!str_eq(m->held.id, id))
		return diag_error(ds, NULL,
				  "Failed to unlock state: invalid lock id",
				  "The lock has the ID \"%.*s\".",
				  STR_ARG(m->held.id));
	m->held = (struct lock_info){ .id = STR_NONE };
	return 0;
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
