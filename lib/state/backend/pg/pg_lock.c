/* pg_lock.c - the locks of the backend pg, see pg.c */
#include "base/product.h"
#include "state/backend/backend_int.h"
#include "state/backend/pg/pg_int.h"

static void release(struct backend *b, struct str id)
{
	struct pg_rows rows;
	struct str why;

	pg_backend_ask_once(b, STR("SELECT pg_advisory_unlock($1::bigint)"),
			    &id, 1, &rows, &why);
}

/* The sessions that hold a lock, as pg_locks has it: a number of 64 bits in two
 * parts. */
#define HOLDERS \
	" FROM pg_catalog.pg_locks l JOIN pg_catalog.pg_stat_activity a " \
	"USING (pid) WHERE l.locktype = 'advisory' AND l.granted AND " \
	"l.objsubid = 1 AND l.database = (SELECT oid FROM " \
	"pg_catalog.pg_database WHERE datname = current_database()) AND " \
	"(l.classid::bigint << 32 | l.objid::bigint) = $1::bigint"

/* Who holds the lock of a number, as far as the server tells. */
static void find_holder(struct backend *b, struct str id,
			struct lock_info *holder)
{
	struct pg_rows rows;
	struct str why, name;

	if (pg_backend_ask_once(
		    b,
		    STR("SELECT a.application_name, a.pid, a.usename || '@' || "
			"coalesce(host(a.client_addr), 'localhost'), "
			"to_char(a.backend_start AT TIME ZONE 'UTC', "
			"'YYYY-MM-DD\"T\"HH24:MI:SS.US\"Z\"')" HOLDERS),
		    &id, 1, &rows, &why) ||
	    !rows.nrows)
		return;
	name = rows.cells[0];
	/* our own sessions say the ID of their lock, others have none */
	holder->id = str_take(&name, STR(PRODUCT " ")) ? name : rows.cells[1];
	holder->who = rows.cells[2];
	holder->created = rows.cells[3];
	holder->path = id;
}

static const char *held_by(struct backend *b, struct str id,
			   struct lock_info *holder, const char *what)
{
	find_holder(b, id, holder);
	return arena_printf(b->arena, "%s: %.*s", what, STR_ARG(b->workspace));
}

/* With no row there is only the lock for those that make one. */
static enum lock_result lock_creation(struct backend *b,
				      struct lock_info *holder,
				      const char **why, struct str *error)
{
	struct pg_backend *p = b->data;
	struct pg_rows rows;

	if (pg_backend_ask(b, STR("SELECT pg_try_advisory_lock($1::bigint)"),
			   &p->creation_id, 1, &rows, error))
		return LOCK_FAILED;
	if (str_is(rows.cells[0], "t")) {
		p->locked_id = p->creation_id;
		return LOCK_TAKEN;
	}
	*why = held_by(b, p->creation_id, holder,
		       "Already locked for workspace creation");
	return LOCK_HELD;
}

static enum lock_result try_lock(struct backend *b, struct lock_info *holder,
				 const char **why, struct str *error)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->creation_id, b->workspace };
	struct pg_rows rows;
	struct str id;

	if (pg_backend_ask(
		    b,
		    STR_CAT(b->arena,
			    STR("SELECT id, pg_try_advisory_lock(id), "
				"pg_try_advisory_lock($1::bigint) FROM "),
			    p->from, STR(" WHERE name = $2")),
		    params, 2, &rows, error))
		return LOCK_FAILED;
	if (!rows.nrows)
		return lock_creation(b, holder, why, error);
	id = rows.cells[0];
	if (str_is(rows.cells[2], "t"))
		release(b, p->creation_id);
	if (!str_is(rows.cells[1], "t")) {
		*why = held_by(b, id, holder, "Workspace is already locked");
		return LOCK_HELD;
	}
	if (!str_is(rows.cells[2], "t")) {
		release(b, id);
		*why = held_by(
			b, p->creation_id, holder,
			"Cannot lock workspace; already locked for workspace creation");
		return LOCK_HELD;
	}
	p->locked_id = id;
	return LOCK_TAKEN;
}

enum lock_result pg_backend_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds)
{
	struct pg_backend *p = b->data;
	enum lock_result result;
	struct pg_rows rows;
	struct str error, name;

	if (b->rows) {
		mine->path = b->name;
		return rows_lock(b, holder, why, ds);
	}
	result = try_lock(b, holder, why, &error);
	if (result == LOCK_FAILED) {
		pg_backend_disconnect(
			p); /* and with it what may have been locked */
		backend_lock_error(b, error, ds);
	}
	if (result != LOCK_TAKEN)
		return result;
	name = STR_CAT(b->arena, STR(PRODUCT " "), mine->id);
	if (pg_backend_ask_once(
		    b,
		    STR("SELECT set_config('application_name', $1, false), pg_backend_pid()"),
		    &name, 1, &rows, &error)) {
		pg_backend_disconnect(p);
		backend_lock_error(b, error, ds);
		return LOCK_FAILED;
	}
	mine->path = p->locked_id;
	b->version = rows.cells[1];
	return LOCK_TAKEN;
}

int pg_backend_unlock(struct backend *b, struct diags *ds)
{
	/* the session ends with its locks, whatever becomes of the farewell */
	(void)ds;
	if (b->rows)
		return pg_rows_unlock(b);
	pg_backend_disconnect(b->data);
	return 0;
}

/* The number that locks the state; -1 after an error. */
static int lock_number(struct backend *b, struct str *id, struct str *why)
{
	struct pg_backend *p = b->data;
	struct pg_rows rows;

	if (pg_backend_ask(b,
			   STR_CAT(b->arena, STR("SELECT id FROM "), p->from,
				   STR(" WHERE name = $1")),
			   &b->workspace, 1, &rows, why))
		return -1;
	*id = rows.nrows ? rows.cells[0] : p->creation_id;
	return 0;
}

bool pg_backend_is_locked(struct backend *b, struct lock_info *holder)
{
	struct str id, why;

	if (b->rows)
		return pg_rows_is_locked(b, holder);
	if (lock_number(b, &id, &why))
		return false;
	find_holder(b, id, holder);
	return holder->id.n != 0;
}

/* The holder's session is ended: there is no other way to take its lock. */
int pg_backend_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds)
{
	struct lock_info holder = { .id = STR_NONE };
	struct pg_rows rows;
	struct str number, why;

	(void)forced;
	if (b->rows) {
		if (!pg_rows_force_unlock(b, id, &why))
			return 0;
	} else if (!lock_number(b, &number, &why)) {
		find_holder(b, number, &holder);
		if (!holder.id.n)
			why = STR("the state is not locked");
		else if (!str_eq(holder.id, id))
			why = str_printf(
				b->arena,
				"the lock's ID is \"%.*s\", not \"%.*s\"",
				STR_ARG(holder.id), STR_ARG(id));
		else if (
			!pg_backend_ask(
				b,
				STR("SELECT pg_terminate_backend(a.pid)" HOLDERS),
				&number, 1, &rows, &why))
			return 0;
	}
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}
