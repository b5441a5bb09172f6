/*
 * pg.c - states as rows of a table in PostgreSQL, locked by advisory locks of
 * the session
 *
 * As OpenTofu's backend "pg" has it: a state that has a row is locked by the
 * row's id; one that has none yet by a number made of the table's name, which
 * whoever locks a row looks at, too.  A session that ends drops its locks, so
 * none is ever left behind.  The session says in its application_name under
 * which ID it holds a lock, so that others can say who holds it.
 */
#include <poll.h>

#include "state/backend/backend_int.h"
#include "state/backend/pg/pg_int.h"
#include "state/backend/workspaces.h"

/* --- settings --- */

/* FNV-1 with 32 bits of the schema, NUL, the table. */
static struct str creation_id(struct arena *a, struct str schema,
			      struct str table)
{
	struct str text = STR_CAT(a, schema, (struct str){ "", 1 }, table);
	uint32_t h = 2166136261U;

	for (size_t i = 0; i < text.n; i++)
		h = (h * 16777619U) ^ (unsigned char)text.p[i];
	return str_int(a, -(int64_t)h);
}

/* "HOST:PORT/DATABASE schema.table (workspace)" */
static struct str name_of(struct backend *b)
{
	struct pg_backend *p = b->data;
	struct str host = pg_setting(&p->settings, "host", "PGHOST");
	struct str port = pg_setting(&p->settings, "port", "PGPORT");
	struct str db = pg_setting(&p->settings, "dbname", "PGDATABASE");

	return STR_CAT(b->arena, host.n ? host : STR("localhost"), STR(":"),
		       port.n ? port : STR("5432"), STR("/"), db, STR(" "),
		       p->raw_schema, STR("."), p->raw_table, STR(" ("),
		       b->workspace, STR(")"));
}

/* What is locked and stored: the state's text, or the rows of its instances. */
static int read_granularity(struct backend *b, struct diags *ds)
{
	struct pg_backend *p = b->data;
	struct str text = argument_text(b, "granularity");
	uint32_t h = 0;

	if (!text.n || str_is(text, "state"))
		return 0;
	if (!str_is(text, "resource"))
		return argument_error(b, ds, "granularity",
				      "is \"state\" or \"resource\"");
	for (size_t i = 0; i < p->from.n; i++)
		h = h * 31 + (unsigned char)p->from.p[i];
	p->lock_class = str_int(b->arena, (int64_t)(h & INT32_MAX));
	p->skip_index = true;
	b->rows = ARENA_NEW(b->arena, struct rows);
	b->rows->ops = &pg_rows_ops;
	b->rows->arena = (struct arena)ARENA_INIT;
	b->name = STR_CAT(b->arena, b->name, STR(" by resource"));
	return 0;
}

static int pg_backend_open(struct backend *b, struct diags *ds)
{
	struct pg_backend *p = ARENA_NEW(b->arena, struct pg_backend);
	struct str conn_str = argument_text(b, "conn_str");

	b->data = p;
	if (conn_str.n && pg_settings_parse(b->arena, conn_str, &p->settings))
		return argument_error(
			b, ds, "conn_str",
			"is neither a postgres:// URL nor made of name=value pairs");
	p->raw_schema = argument_text(b, "schema_name");
	p->raw_table = argument_text(b, "table_name");
	p->raw_index = argument_text(b, "index_name");
	p->schema = pg_quote(b->arena, p->raw_schema);
	p->table = pg_quote(b->arena, p->raw_table);
	p->index = pg_quote(b->arena, p->raw_index);
	p->from = STR_CAT(b->arena, p->schema, STR("."), p->table);
	p->creation_id = creation_id(b->arena, p->raw_schema, p->raw_table);
	b->name = name_of(b);
	return argument_flag(b, "skip_schema_creation", &p->skip_schema, ds) ||
			       argument_flag(b, "skip_table_creation",
					     &p->skip_table, ds) ||
			       argument_flag(b, "skip_index_creation",
					     &p->skip_index, ds) ||
			       read_granularity(b, ds)
		       ? -1
		       : 0;
}

void pg_backend_disconnect(struct pg_backend *p)
{
	pg_close(p->conn);
	p->conn = NULL;
	p->locked_id = STR_NONE;
}

static void pg_backend_close(struct backend *b)
{
	struct pg_backend *p = b->data;

	if (p && p->run.n) /* one without a lock */
		pg_rows_unlock(b);
	if (p)
		pg_backend_disconnect(p);
	rows_release(b);
}

/* --- waiting --- */

struct waiting {
	bool done, ready;
};

static void became_ready(void *data, int fd, unsigned events)
{
	struct waiting *w = data;

	(void)fd;
	(void)events;
	w->done = w->ready = true;
}

static void is_over(void *data)
{
	struct waiting *w = data;

	w->done = true;
}

/* All else goes on in the loop meanwhile. */
static int wait_for(void *data, int fd, bool write, int64_t ms)
{
	struct loop *l = ((struct backend *)data)->remote.loop;
	struct pollfd one = { .fd = fd, .events = write ? POLLOUT : POLLIN };
	struct waiting w = { false, false };
	struct loop_timer *timer = NULL;
	struct loop_watch *watch;

	/* Outcomes are committed before anything else goes on. */
	if (!l || ((struct backend *)data)->rows)
		return poll(&one, 1, ms < 0 ? -1 : (int)ms) == 0 ? -1 : 0;
	watch = loop_watch(l, fd, write ? LOOP_WRITE : LOOP_READ, became_ready,
			   &w);
	if (ms >= 0)
		timer = loop_after(l, (uint64_t)ms, is_over, &w);
	loop_run(l, &w.done);
	if (timer && w.ready)
		loop_cancel(timer);
	loop_unwatch(watch);
	return w.ready ? 0 : -1;
}

/* --- statements --- */

int pg_backend_ask_once(struct backend *b, struct str statement,
			const struct str *params, size_t n,
			struct pg_rows *rows, struct str *why)
{
	struct pg_backend *p = b->data;

	return pg_ask(p->conn, b->arena,
		      arena_strndup(b->arena, statement.p, statement.n), params,
		      n, rows, why);
}

enum { HAS_SCHEMA, HAS_SEQUENCE, HAS_TABLE, HAS_INDEX, NPARTS };

static int look_for_parts(struct backend *b, bool *has, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->raw_schema, p->raw_table,
				      p->raw_index };
	struct pg_rows rows;

	if (pg_backend_ask_once(
		    b,
		    STR("SELECT EXISTS (SELECT FROM pg_catalog.pg_namespace "
			"WHERE nspname = $1)"
			", to_regclass('public.global_states_id_seq') "
			"IS NOT NULL"
			", EXISTS (SELECT FROM pg_catalog.pg_tables WHERE "
			"schemaname = $1 AND tablename = $2)"
			", EXISTS (SELECT FROM pg_catalog.pg_indexes WHERE "
			"schemaname = $1 AND indexname = $3)"),
		    params, 3, &rows, why))
		return -1;
	for (size_t i = 0; i < NPARTS; i++)
		has[i] = str_is(rows.cells[i], "t");
	return 0;
}

static int make_parts(struct backend *b, const bool *has, struct str *why)
{
	static const struct str sequence = STR_INIT(
		"CREATE SEQUENCE IF NOT EXISTS public.global_states_id_seq AS bigint");
	struct pg_backend *p = b->data;
	struct arena *a = b->arena;
	struct pg_rows rows;

	if (!p->skip_schema && !has[HAS_SCHEMA] &&
	    pg_backend_ask_once(b,
				STR_CAT(a, STR("CREATE SCHEMA IF NOT EXISTS "),
					p->schema),
				NULL, 0, &rows, why))
		return -1;
	if (b->rows)
		return pg_rows_prepare(b, why);
	if (!p->skip_table && !has[HAS_SEQUENCE] &&
	    pg_backend_ask_once(b, sequence, NULL, 0, &rows, why))
		return -1;
	if (!p->skip_table && !has[HAS_TABLE] &&
	    pg_backend_ask_once(
		    b,
		    STR_CAT(a, STR("CREATE TABLE IF NOT EXISTS "), p->from,
			    STR(" (id bigint NOT NULL DEFAULT "
				"nextval('public.global_states_id_seq') "
				"PRIMARY KEY, name text UNIQUE, data text)")),
		    NULL, 0, &rows, why))
		return -1;
	if (p->skip_index || has[HAS_INDEX])
		return 0;
	return pg_backend_ask_once(
		b,
		STR_CAT(a, STR("CREATE UNIQUE INDEX IF NOT EXISTS "), p->index,
			STR(" ON "), p->from, STR(" (name)")),
		NULL, 0, &rows, why);
}

/* What is not there yet, and is not to be skipped, is made.  Of several that do
 * so at once those that come second fail, at any part: they go on as long as
 * they find more than before. */
static int prepare(struct backend *b, struct str *why)
{
	struct pg_backend *p = b->data;
	bool had[NPARTS], has[NPARTS];
	struct str ignored;

	if (p->skip_schema && p->skip_table && p->skip_index)
		return 0;
	if (look_for_parts(b, has, why))
		return -1;
	while (make_parts(b, has, why)) {
		memcpy(had, has, sizeof(had));
		if (look_for_parts(b, has, &ignored) ||
		    memcmp(had, has, sizeof(had)) == 0)
			return -1;
	}
	return 0;
}

int pg_backend_connect(struct backend *b, struct str *why)
{
	struct pg_backend *p = b->data;

	if (p->conn)
		return 0;
	p->conn = pg_open(b->arena, &p->settings, wait_for, b, why);
	if (!p->conn)
		return -1;
	if (!p->prepared && prepare(b, why)) {
		pg_backend_disconnect(p);
		return -1;
	}
	p->prepared = true;
	return 0;
}

int pg_backend_ask(struct backend *b, struct str statement,
		   const struct str *params, size_t n, struct pg_rows *rows,
		   struct str *why)
{
	struct pg_backend *p = b->data;

	for (int tries = 0;; tries++) {
		if (pg_backend_connect(b, why))
			return -1;
		if (!pg_backend_ask_once(b, statement, params, n, rows, why))
			return 0;
		if (!pg_lost(p->conn) || tries == REMOTE_RETRIES)
			return -1;
		if (p->locked_id.n) {
			*why = STR_CAT(
				b->arena, *why,
				STR(" (the lock ended with the connection)"));
			return -1;
		}
		pg_backend_disconnect(p);
	}
}

static int pg_backend_fetch(struct backend *b, struct str *out,
			    struct diags *ds)
{
	struct pg_backend *p = b->data;
	struct pg_rows rows;
	struct str why;

	*out = STR_NONE;
	if (pg_backend_ask(b,
			   STR_CAT(b->arena, STR("SELECT data FROM "), p->from,
				   STR(" WHERE name = $1")),
			   &b->workspace, 1, &rows, &why))
		return backend_load_error(b, why, ds);
	if (rows.nrows)
		*out = rows.cells[0];
	return 0;
}

/* *written: the state is; else our session is gone, and its lock with it. */
static int put(struct backend *b, struct str text, bool *written,
	       struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { b->workspace, text, b->version,
				      b->lock.path };
	const bool guarded = b->locked && b->version.n;
	struct pg_rows rows;

	if (pg_backend_ask(
		    b,
		    STR_CAT(b->arena, STR("INSERT INTO "), p->from,
			    STR(" (name, data) SELECT $1, $2"),
			    guarded ? STR(" WHERE EXISTS (SELECT FROM "
					  "pg_catalog.pg_locks WHERE "
					  "pid = $3::int AND granted AND "
					  "locktype = 'advisory' AND "
					  "(classid::bigint << 32 | "
					  "objid::bigint) = $4::bigint)")
				    : STR_NONE,
			    STR(" ON CONFLICT (name) DO UPDATE SET data = EXCLUDED.data RETURNING 1")),
		    params, guarded ? 4 : 2, &rows, why))
		return -1;
	*written = rows.nrows == 1;
	return 0;
}

/* Where the lock was lost with its session, the state is written all the same
 * if nobody has the lock, and nobody has written since. */
static int put_again(struct backend *b, struct str text, struct str *why)
{
	struct lock_info holder = { .id = STR_NONE };
	struct diags ignored = DIAGS_INIT(b->arena);
	struct str stored, why_not = *why;
	const char *held = "";
	bool written = false;

	*why = STR("the lock was lost, and somebody else has it");
	if (pg_backend_lock(b, &b->lock, &holder, &held, &ignored) !=
	    LOCK_TAKEN)
		return -1;
	*why = STR(
		"the lock was lost, and somebody else has written the state");
	if (pg_backend_fetch(b, &stored, &ignored) || !b->kept.n ||
	    !str_eq(backend_sum(b, stored), b->kept))
		return -1;
	*why = why_not;
	return put(b, text, &written, why) || !written ? -1 : 0;
}

static int pg_backend_store(struct backend *b, struct str text,
			    struct diags *ds)
{
	bool written;
	struct str why;

	if (put(b, text, &written, &why) ||
	    (!written && put_again(b, text, &why)))
		return backend_store_error(b, why, ds);
	return 0;
}

/* --- workspaces --- */

static int pg_backend_workspaces(struct backend *b, struct str_vec *out,
				 struct diags *ds)
{
	struct pg_backend *p = b->data;
	struct pg_rows rows;
	struct str why;

	if (b->rows ? pg_rows_workspaces(b, &rows, &why)
		    : pg_backend_ask(
			      b,
			      STR_CAT(b->arena, STR("SELECT name FROM "),
				      p->from,
				      STR(" WHERE name != 'default' ORDER BY name")),
			      NULL, 0, &rows, &why))
		return backend_list_error(why, ds);
	for (size_t i = 0; i < rows.nrows; i++)
		vec_push(b->arena, out, rows.cells[i]);
	return 0;
}

static int pg_backend_workspace_remove(struct backend *b, struct str name,
				       struct diags *ds)
{
	struct pg_backend *p = b->data;
	struct pg_rows rows;
	struct str why;

	if (b->rows ? !pg_rows_workspace_remove(b, name, &why)
		    : !pg_backend_ask(b,
				      STR_CAT(b->arena, STR("DELETE FROM "),
					      p->from, STR(" WHERE name = $1")),
				      &name, 1, &rows, &why))
		return 0;
	return diag_error(ds, NULL, "Workspace deletion failed", "%.*s.",
			  STR_ARG(why));
}

const struct backend_ops backend_pg = {
	.type = "pg",
	.remote = true,
	.compares = true,
	.open = pg_backend_open,
	.close = pg_backend_close,
	.fetch = pg_backend_fetch,
	.store = pg_backend_store,
	.lock = pg_backend_lock,
	.unlock = pg_backend_unlock,
	.is_locked = pg_backend_is_locked,
	.force_unlock = pg_backend_force_unlock,
	.workspaces = pg_backend_workspaces,
	.workspace_make = workspace_make_empty,
	.workspace_remove = pg_backend_workspace_remove,
};
