/*
 * pg_rows.c - the backend pg with a row an instance: statements
 *
 * A run is a row, and alive as long as a session holds the advisory lock of its
 * number: that ends with the process or its connection, whatever happens.  What
 * a run claims are rows, too.  Who claims sweeps away what runs that are not
 * alive have left, and finds who is in the way, with the row of the state
 * locked: so those who claim come one after another, which takes moments.
 * Outcomes touch no row but their own and that of the run.
 */
#include <inttypes.h>

#include "state/backend/lock.h"
#include "state/backend/pg/pg_int.h"

/* --- statements --- */

/* @NAME becomes the name of a table or view. */
static struct str expand(struct backend *b, const char *statement)
{
	struct pg_backend *p = b->data;
	struct str rest = str_c(statement);
	struct pg_statement made = { statement, STR_NONE };
	struct buf out = BUF_INIT;
	ptrdiff_t at;

	for (size_t i = 0; i < p->statements.len; i++)
		if (p->statements.items[i].from == statement)
			return p->statements.items[i].text;
	while ((at = str_chr(rest, '@')) >= 0) {
		size_t n = (size_t)at + 1;

		buf_str(&out, str_sub(rest, 0, (size_t)at));
		while (n < rest.n && ((rest.p[n] >= 'a' && rest.p[n] <= 'z') ||
				      (rest.p[n] >= '0' && rest.p[n] <= '9') ||
				      rest.p[n] == '_'))
			n++;
		buf_str(&out,
			pg_rows_name(b, str_sub(rest, (size_t)at + 1, n)));
		rest = str_sub(rest, n, rest.n);
	}
	buf_str(&out, rest);
	made.text = buf_take(b->arena, &out);
	vec_push(b->arena, &p->statements, made);
	return made.text;
}

/* A new session takes up the run, unless somebody has swept it away. */
static int take_up(struct backend *b, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->run, p->lock_class };
	struct pg_rows rows;
	struct str text = expand(
		b,
		"SELECT pg_try_advisory_lock($2::int, number) FROM @runs WHERE id = $1");

	if (!p->run.n)
		return 0;
	if (pg_backend_ask_once(b, text, params, 2, &rows, why))
		return -1;
	if (rows.nrows && str_is(rows.cells[0], "t"))
		return 0;
	*why = STR("the connection was lost, and with it what was claimed");
	return -1;
}

int pg_rows_ask(struct backend *b, const char *statement,
		const struct str *params, size_t n, struct pg_rows *rows,
		struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str text = expand(b, statement);

	for (int tries = 0;; tries++) {
		const bool fresh = !p->conn;

		if (pg_backend_connect(b, why) || (fresh && take_up(b, why)))
			return -1;
		if (!pg_backend_ask_once(b, text, params, n, rows, why))
			return 0;
		if (!pg_lost(p->conn) || p->in_transaction ||
		    tries == REMOTE_RETRIES)
			return -1;
		pg_backend_disconnect(p);
	}
}

static int ask(struct backend *b, const char *statement, struct str *why)
{
	struct pg_rows rows;

	return pg_rows_ask(b, statement, NULL, 0, &rows, why);
}

static int begin(struct backend *b, const char *mode, struct str *why)
{
	struct pg_backend *p = b->data;

	if (ask(b, mode, why))
		return -1;
	p->in_transaction = true;
	return 0;
}

/* rc: of what was done in it. */
static int end(struct backend *b, int rc, struct str *why)
{
	struct pg_backend *p = b->data;
	struct str ignored;

	if (ask(b, rc ? "ROLLBACK" : "COMMIT", rc ? &ignored : why))
		rc = -1;
	p->in_transaction = false;
	/* what was not rolled back goes with the session */
	if (rc && p->conn && !p->run.n)
		pg_backend_disconnect(p);
	return rc;
}

/* --- lists as parameters --- */

struct list {
	struct buf text;
};

static void list_add(struct list *l, struct str item)
{
	buf_puts(&l->text, l->text.len ? ",\"" : "{\"");
	for (size_t i = 0; i < item.n; i++) {
		if (item.p[i] == '"' || item.p[i] == '\\')
			buf_putc(&l->text, '\\');
		buf_putc(&l->text, item.p[i]);
	}
	buf_putc(&l->text, '"');
}

static struct str list_text(struct list *l)
{
	if (!l->text.len)
		buf_putc(&l->text, '{');
	buf_putc(&l->text, '}');
	return buf_view(&l->text);
}

static struct str list_of(struct backend *b, const struct str_vec *items)
{
	struct list l = { BUF_INIT };

	for (size_t i = 0; i < items->len; i++)
		list_add(&l, items->items[i]);
	list_text(&l);
	return buf_take(b->arena, &l.text);
}

/* --- reading --- */

static uint64_t number(struct str text)
{
	uint64_t n = 0;

	for (size_t i = 0; i < text.n; i++)
		n = n * 10 + (uint64_t)(text.p[i] - '0');
	return n;
}

static void take_head(struct backend *b, const struct pg_rows *rows,
		      struct row_head *head)
{
	struct pg_backend *p = b->data;

	*head = (struct row_head){ .there = rows->nrows != 0 };
	p->state = STR_NONE;
	if (!rows->nrows)
		return;
	p->state = rows->cells[0];
	head->lineage = rows->cells[1];
	head->serial = number(rows->cells[2]);
	head->key = rows->cells[3];
}

#define HEAD "SELECT id, lineage, serial, key FROM @heads WHERE name = $1"

/* Is the run of r alive?  $1: the class of their locks. */
#define ALIVE \
	"EXISTS (SELECT FROM pg_catalog.pg_locks l WHERE l.locktype = " \
	"'advisory' AND l.objsubid = 2 AND l.granted AND l.classid = " \
	"$1::bigint::oid AND l.objid = r.number::oid AND l.database = " \
	"(SELECT oid FROM pg_catalog.pg_database WHERE datname = " \
	"current_database()))"

static void take_rows(struct backend *b, const struct pg_rows *from,
		      struct row_vec *out)
{
	for (size_t i = 0; i < from->nrows; i++) {
		const struct str *c = &from->cells[i * from->ncols];

		vec_push(b->arena, out,
			 (struct state_row){ .kind = (enum row_kind)c[0].p[0],
					     .address = c[1],
					     .deposed = c[2],
					     .value = c[3] });
	}
}

#define ROW "SELECT r.kind, r.address, r.deposed, r.value FROM @rows r WHERE "

static int read_rows(struct backend *b, const struct row_filter *f,
		     struct row_vec *out, struct str *why)
{
	static const struct str_vec none = { NULL, 0, 0 };
	struct pg_backend *p = b->data;
	const struct str params[] = {
		p->state,
		f->resources ? list_of(b, f->resources) : STR_NONE,
		list_of(b, f->outputs ? f->outputs : &none),
	};
	struct pg_rows rows;
	const char *text;
	size_t n;

	if (f->settled) {
		text = ROW "r.state = $1::bigint AND r.kind IN ('c', 'k')";
		n = 1;
	} else if (!f->resources) {
		text = ROW "r.state = $1::bigint";
		n = 1;
	} else if (f->all_but) {
		text = ROW "r.state = $1::bigint AND (r.kind <> 'i' OR "
			   "r.resource <> ALL ($2::text[]))";
		n = 2;
	} else if (!f->follow) {
		text = ROW "r.state = $1::bigint AND ((r.kind = 'i' AND "
			   "r.resource = ANY ($2::text[])) OR (r.kind = 'o' "
			   "AND r.address = ANY ($3::text[])))";
		n = 3;
	} else {
		text = "WITH RECURSIVE w(resource) AS (SELECT "
		       "unnest($2::text[]) UNION SELECT d FROM w JOIN @rows x "
		       "ON x.state = $1::bigint AND x.resource = w.resource, "
		       "unnest(x.depends) d) " ROW
		       "r.state = $1::bigint AND (r.kind <> 'i' OR "
		       "r.resource IN (SELECT resource FROM w))";
		n = 2;
	}
	if (pg_rows_ask(b, text, params, n, &rows, why))
		return -1;
	take_rows(b, &rows, out);
	return 0;
}

static int read_open(struct backend *b, struct unsettled_vec *out,
		     struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->lock_class, p->state };
	struct pg_rows rows;

	if (pg_rows_ask(b,
			"SELECT address, deposed, action FROM @intents i WHERE "
			"i.state = $2::bigint AND NOT EXISTS (SELECT FROM "
			"@runs r WHERE r.id = i.run AND " ALIVE
			") ORDER BY i.at, address, deposed",
			params, 2, &rows, why))
		return -1;
	for (size_t i = 0; i < rows.nrows; i++) {
		const struct str *c = &rows.cells[i * rows.ncols];

		vec_push(b->arena, out, (struct unsettled){ c[0], c[1], c[2] });
	}
	return 0;
}

static int pg_rows_read(struct backend *b, const struct row_filter *f,
			struct row_head *head, struct row_vec *out,
			struct unsettled_vec *open, struct str *why)
{
	struct pg_backend *p = b->data;
	const bool own = !p->in_transaction;
	struct pg_rows rows;
	int rc;

	if (own &&
	    begin(b, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", why))
		return -1;
	rc = pg_rows_ask(b, HEAD, &b->workspace, 1, &rows, why);
	if (!rc) {
		take_head(b, &rows, head);
		if (head->there)
			rc = read_rows(b, f, out, why) ||
					     read_open(b, open, why)
				     ? -1
				     : 0;
	}
	return own ? end(b, rc, why) : rc;
}

/* --- claims --- */

static int make_head(struct backend *b, struct row_head *head, struct str *why)
{
	const struct str lineage = state_new_lineage(b->arena);
	const struct str params[] = { b->workspace, lineage };
	struct pg_rows rows;

	if (pg_rows_ask(b, HEAD " FOR UPDATE", &b->workspace, 1, &rows, why))
		return -1;
	if (!rows.nrows &&
	    (pg_rows_ask(b,
			 "INSERT INTO @heads (name, lineage, serial) VALUES "
			 "($1, $2, 0) ON CONFLICT (name) DO NOTHING",
			 params, 2, &rows, why) ||
	     pg_rows_ask(b, HEAD " FOR UPDATE", &b->workspace, 1, &rows, why)))
		return -1;
	take_head(b, &rows, head);
	return 0;
}

/* Runs that are not alive any more; what they committed is there. */
static int sweep(struct backend *b, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->lock_class, p->state };
	struct pg_rows rows;

	return pg_rows_ask(
		b,
		"WITH dead AS (DELETE FROM @runs r WHERE r.state = $2::bigint AND NOT " ALIVE
		" RETURNING r.id, r.changed), gone AS ("
		"DELETE FROM @claims c USING dead WHERE c.state = $2::bigint "
		"AND c.run = dead.id) UPDATE @heads SET serial = serial + 1 "
		"WHERE id = $2::bigint AND EXISTS (SELECT FROM dead WHERE "
		"changed)",
		params, 2, &rows, why);
}

struct claim_lists {
	struct list addresses, resources, withins, writes;
};

static void put_claims(struct claim_lists *l, const struct claim_vec *claims)
{
	for (size_t i = 0; i < claims->len; i++) {
		const struct claim *c = &claims->items[i];

		list_add(&l->addresses, c->address);
		list_add(&l->resources, c->resource);
		list_add(&l->withins, c->within);
		list_add(&l->writes, c->writes ? STR("t") : STR("f"));
	}
	list_text(&l->addresses);
	list_text(&l->resources);
	list_text(&l->withins);
	list_text(&l->writes);
}

enum { TOLD = 10 }; /* addresses */

/* Looks for claims of others that ours collide with: on the same address, or
 * where one reads what the other changes.  1: there are such. */
static int conflicts(struct backend *b, const struct claim_lists *l,
		     struct lock_info *holder, const char **what,
		     struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state, buf_view(&l->addresses.text),
				      buf_view(&l->resources.text),
				      buf_view(&l->withins.text),
				      buf_view(&l->writes.text) };
	struct buf text = BUF_INIT;
	struct pg_rows rows;

	if (pg_rows_ask(
		    b,
		    "WITH m AS (SELECT * FROM unnest($2::text[], $3::text[], "
		    "$4::text[], $5::boolean[]) AS m(address, resource, within, "
		    "writes)), hit AS (SELECT c.address, c.writes, c.run FROM "
		    "@claims c JOIN m ON m.resource = c.resource WHERE c.state = "
		    "$1::bigint AND CASE WHEN NOT c.writes THEN m.writes AND "
		    "starts_with(m.address, c.within) WHEN NOT m.writes THEN "
		    "starts_with(c.address, m.within) ELSE m.address = c.address "
		    "END UNION SELECT c.address, c.writes, c.run FROM @claims c "
		    "WHERE c.state = $1::bigint AND (c.address = '' OR EXISTS "
		    "(SELECT FROM m WHERE m.address = ''))) SELECT r.id, r.who, r.operation, "
		    "r.created, hit.address, hit.writes, count(*) OVER () "
		    "FROM hit JOIN @runs r ON r.id = hit.run ORDER BY r.number, "
		    "hit.address LIMIT 10",
		    params, 5, &rows, why))
		return -1;
	if (!rows.nrows)
		return 0;
	holder->id = rows.cells[0];
	holder->who = rows.cells[1];
	holder->operation = rows.cells[2];
	holder->created = rows.cells[3];
	holder->path = b->name;
	buf_puts(&text, "others work on what is needed here:");
	for (size_t i = 0; i < rows.nrows; i++) {
		const struct str *c = &rows.cells[i * rows.ncols];

		buf_addf(&text, "\n  %.*s (%s by %.*s, %.*s)",
			 STR_ARG(c[4].n ? c[4] : STR("the whole state")),
			 str_is(c[5], "t") ? "changed" : "read", STR_ARG(c[1]),
			 STR_ARG(c[0]));
	}
	if (number(rows.cells[6]) > TOLD)
		buf_addf(&text, "\n  and %" PRIu64 " more",
			 number(rows.cells[6]) - TOLD);
	*what = buf_take(b->arena, &text).p;
	return 1;
}

static int begin_run(struct backend *b, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->lock_class, b->lock.id,
				      p->state,      b->lock.operation,
				      b->lock.who,   b->lock.created };
	struct pg_rows rows;

	if (pg_rows_ask(
		    b,
		    "INSERT INTO @runs (id, state, operation, who, created, "
		    "pid) VALUES ($2, $3::bigint, $4, $5, $6, "
		    "pg_backend_pid()) RETURNING "
		    "pg_try_advisory_lock($1::int, number)",
		    params, 6, &rows, why))
		return -1;
	if (str_is(rows.cells[0], "t"))
		return 0;
	*why = STR("a lock of this number is held");
	return -1;
}

static int add_claims(struct backend *b, const struct claim_lists *l,
		      struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state,
				      b->lock.id,
				      buf_view(&l->addresses.text),
				      buf_view(&l->resources.text),
				      buf_view(&l->withins.text),
				      buf_view(&l->writes.text) };
	struct pg_rows rows;

	return pg_rows_ask(
		b,
		"INSERT INTO @claims SELECT $1::bigint, $2, m.* FROM "
		"unnest($3::text[], $4::text[], $5::text[], $6::boolean[]) "
		"AS m ON CONFLICT DO NOTHING",
		params, 6, &rows, why);
}

static enum lock_result try_claim(struct backend *b,
				  const struct claim_lists *l,
				  struct row_head *head,
				  struct lock_info *holder, const char **what,
				  struct str *why)
{
	int hit;

	if (make_head(b, head, why) || sweep(b, why))
		return LOCK_FAILED;
	hit = conflicts(b, l, holder, what, why);
	if (hit)
		return hit < 0 ? LOCK_FAILED : LOCK_HELD;
	return begin_run(b, why) || add_claims(b, l, why) ? LOCK_FAILED
							  : LOCK_TAKEN;
}

static enum lock_result pg_rows_claim(struct backend *b,
				      const struct claim_vec *claims,
				      struct row_head *head,
				      struct lock_info *holder,
				      const char **what, struct str *why)
{
	struct claim_lists l = { 0 };
	struct pg_backend *p = b->data;
	enum lock_result r;

	put_claims(&l, claims);
	r = begin(b, "BEGIN", why) ? LOCK_FAILED
				   : try_claim(b, &l, head, holder, what, why);
	if (p->in_transaction) {
		/* nobody's claims are swept in vain */
		if (end(b, r == LOCK_FAILED ? -1 : 0, why) && r != LOCK_FAILED)
			r = LOCK_FAILED;
	}
	if (r == LOCK_TAKEN)
		p->run = b->lock.id;
	else if (r == LOCK_FAILED)
		pg_backend_disconnect(p);
	buf_release(&l.addresses.text);
	buf_release(&l.resources.text);
	buf_release(&l.withins.text);
	buf_release(&l.writes.text);
	return r;
}

int pg_rows_unlock(struct backend *b)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state, p->run };
	struct pg_rows rows;
	struct str why;

	/* whoever claims next sees to what is left */
	if (p->run.n && p->conn)
		pg_rows_ask(b,
			    "WITH gone AS (DELETE FROM @claims WHERE state = "
			    "$1::bigint AND run = $2) DELETE FROM @runs WHERE "
			    "id = $2",
			    params, 2, &rows, &why);
	p->run = STR_NONE;
	pg_backend_disconnect(p);
	return 0;
}

bool pg_rows_is_locked(struct backend *b, struct lock_info *holder)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->lock_class, b->workspace };
	struct pg_rows rows;
	struct str why;

	if (pg_rows_ask(b,
			"SELECT r.id, r.who, r.operation, r.created, r.state "
			"FROM @runs r JOIN @heads h ON h.id = r.state JOIN "
			"@claims c ON c.state = r.state AND c.run = r.id "
			"WHERE h.name = $2 AND c.address = '' AND " ALIVE,
			params, 2, &rows, &why) ||
	    !rows.nrows)
		return false;
	holder->id = rows.cells[0];
	holder->who = rows.cells[1];
	holder->operation = rows.cells[2];
	holder->created = rows.cells[3];
	p->state = rows.cells[4];
	return true;
}

/* The run's session is ended, so that nothing more of it is committed. */
int pg_rows_force_unlock(struct backend *b, struct str id, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->lock_class, id, b->workspace };
	struct pg_rows rows;

	if (pg_rows_ask(
		    b,
		    "WITH dead AS (DELETE FROM @runs r USING @heads h WHERE "
		    "r.id = $2 AND h.id = r.state AND h.name = $3 "
		    "RETURNING r.*), gone AS (DELETE FROM @claims c USING "
		    "dead WHERE c.state = dead.state AND c.run = dead.id), "
		    "counted AS (UPDATE @heads h SET serial = serial + 1 "
		    "FROM dead WHERE h.id = dead.state AND dead.changed) "
		    "SELECT CASE WHEN " ALIVE
		    " THEN pg_terminate_backend(r.pid) END FROM dead r",
		    params, 3, &rows, why))
		return -1;
	if (rows.nrows)
		return 0;
	*why = str_printf(b->arena, "no lock has the ID \"%.*s\"", STR_ARG(id));
	return -1;
}

/* --- writing --- */

struct row_lists {
	struct list kinds, addresses, deposed, resources, depends, values, gone;
};

static void put_row(struct row_lists *l, const struct state_row *r)
{
	const char kind = (char)r->kind;

	list_add(&l->kinds, (struct str){ &kind, 1 });
	list_add(&l->addresses, r->address);
	list_add(&l->deposed, r->deposed);
	list_add(&l->resources, r->resource);
	list_add(&l->depends, r->depends.n ? r->depends : STR("{}"));
	list_add(&l->values, r->gone ? STR_NONE : r->value);
	list_add(&l->gone, r->gone ? STR("t") : STR("f"));
}

/* Of several rows of one place the last counts.  What ended is no operation of
 * unknown outcome any more, but for a creation of another run. */
#define COMMIT \
	"WITH run AS (UPDATE @runs SET changed = true WHERE id = $2 " \
	"RETURNING operation, who), was AS (SELECT DISTINCT ON (kind, " \
	"address, deposed) * FROM unnest($3::\"char\"[], $4::text[], " \
	"$5::text[], $6::text[], $7::text[], $8::text[], $9::boolean[]) " \
	"WITH ORDINALITY AS m(kind, address, deposed, resource, depends, " \
	"value, gone, n) WHERE EXISTS (SELECT FROM run) ORDER BY kind, " \
	"address, deposed, n DESC), put AS (INSERT INTO @rows AS r (state, " \
	"kind, address, deposed, resource, depends, value) SELECT $1::bigint, " \
	"kind, address, deposed, resource, depends::text[], value FROM was " \
	"WHERE NOT gone ON CONFLICT (state, kind, address, deposed) DO UPDATE " \
	"SET resource = EXCLUDED.resource, depends = EXCLUDED.depends, " \
	"value = EXCLUDED.value, changed = now()), gone AS (DELETE FROM @rows " \
	"r USING was WHERE was.gone AND r.state = $1::bigint AND r.kind = " \
	"was.kind AND r.address = was.address AND r.deposed = was.deposed), " \
	"known AS (DELETE FROM @intents i USING was WHERE was.kind = 'i' AND " \
	"i.state = $1::bigint AND i.address = was.address AND i.deposed = " \
	"was.deposed AND (i.run = $2 OR i.action <> 'create')), " \
	"told AS (INSERT INTO @log (state, serial, run, operation, who, kind, " \
	"address, deposed, gone) SELECT $1::bigint, (SELECT serial + 1 FROM " \
	"@heads WHERE id = $1::bigint), $2, run.operation, run.who, was.kind, " \
	"was.address, was.deposed, was.gone FROM was, run) " \
	"SELECT count(*) FROM run"

static struct str run_id(const struct backend *b)
{
	return b->lock.id;
}

static int commit_some(struct backend *b, const struct state_row *rows,
		       size_t n, struct str *why)
{
	struct row_lists l = { 0 };
	struct pg_backend *p = b->data;
	struct pg_rows done;
	int rc;

	for (size_t i = 0; i < n; i++)
		put_row(&l, &rows[i]);
	const struct str params[] = {
		p->state,
		run_id(b),
		list_text(&l.kinds),
		list_text(&l.addresses),
		list_text(&l.deposed),
		list_text(&l.resources),
		list_text(&l.depends),
		list_text(&l.values),
		list_text(&l.gone),
	};
	rc = pg_rows_ask(b, COMMIT, params, 9, &done, why);
	if (!rc && !str_is(done.cells[0], "1")) {
		*why = STR("what this run had claimed was taken from it");
		rc = -1;
	}
	buf_release(&l.kinds.text);
	buf_release(&l.addresses.text);
	buf_release(&l.deposed.text);
	buf_release(&l.resources.text);
	buf_release(&l.depends.text);
	buf_release(&l.values.text);
	buf_release(&l.gone.text);
	return rc;
}

static int pg_rows_commit(struct backend *b, const struct row_vec *rows,
			  struct str *why)
{
	return commit_some(b, rows->items, rows->len, why);
}

enum { AT_ONCE = 10000 }; /* rows in a statement */

static int replace_all(struct backend *b, const struct row_vec *rows,
		       const struct row_head *head, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state, head->lineage,
				      str_printf(b->arena, "%" PRIu64,
						 head->serial),
				      head->key, run_id(b) };
	struct pg_rows done;

	for (size_t i = 0; i < rows->len; i += AT_ONCE)
		if (commit_some(b, &rows->items[i],
				rows->len - i < AT_ONCE ? rows->len - i
							: AT_ONCE,
				why))
			return -1;
	return pg_rows_ask(b,
			   "WITH run AS (UPDATE @runs SET changed = false "
			   "WHERE id = $5) UPDATE @heads SET lineage = $2, "
			   "serial = $3::bigint, key = $4 WHERE id = "
			   "$1::bigint",
			   params, 5, &done, why);
}

static int pg_rows_replace(struct backend *b, const struct row_vec *rows,
			   const struct row_head *head, struct str *why)
{
	return begin(b, "BEGIN", why) ||
			       end(b, replace_all(b, rows, head, why), why)
		       ? -1
		       : 0;
}

static int pg_rows_intent(struct backend *b, const struct unsettled *u,
			  struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state, run_id(b), u->address,
				      u->deposed, u->action };
	struct pg_rows rows;

	if (pg_rows_ask(b,
			"INSERT INTO @intents (state, run, address, deposed, "
			"action) SELECT $1::bigint, $2, $3, $4, $5 WHERE "
			"EXISTS (SELECT FROM @runs WHERE id = $2) ON CONFLICT "
			"(state, run, address, deposed) DO UPDATE SET action = "
			"EXCLUDED.action, at = now() RETURNING 1",
			params, 5, &rows, why))
		return -1;
	if (rows.nrows)
		return 0;
	*why = STR("what this run had claimed was taken from it");
	return -1;
}

static int pg_rows_settle(struct backend *b, const struct unsettled *u,
			  struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->lock_class, p->state, u->address,
				      u->action };
	struct pg_rows rows;

	return pg_rows_ask(b,
			   "DELETE FROM @intents i WHERE i.state = $2::bigint "
			   "AND ($3 = '' OR i.address = $3) AND ($4 = "
			   "'create' OR i.action <> 'create') AND NOT EXISTS "
			   "(SELECT FROM @runs r WHERE r.id = i.run AND " ALIVE
			   ")",
			   params, 4, &rows, why);
}

static int pg_rows_count(struct backend *b, uint64_t *serial, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state, run_id(b) };
	struct pg_rows rows;

	if (pg_rows_ask(b,
			"WITH run AS (UPDATE @runs SET changed = false WHERE "
			"id = $2 AND changed RETURNING 1) UPDATE @heads SET "
			"serial = serial + 1 WHERE id = $1::bigint AND EXISTS "
			"(SELECT FROM run) RETURNING serial",
			params, 2, &rows, why))
		return -1;
	if (!rows.nrows &&
	    pg_rows_ask(b, "SELECT serial FROM @heads WHERE id = $1::bigint",
			params, 1, &rows, why))
		return -1;
	if (rows.nrows)
		*serial = number(rows.cells[0]);
	return 0;
}

static int pg_rows_set_key(struct backend *b, struct str key, struct str *why)
{
	struct pg_backend *p = b->data;
	const struct str params[] = { p->state, key };
	struct pg_rows rows;

	return pg_rows_ask(b,
			   "UPDATE @heads SET key = $2 WHERE id = $1::bigint",
			   params, 2, &rows, why);
}

int pg_rows_workspaces(struct backend *b, struct pg_rows *rows, struct str *why)
{
	return pg_rows_ask(
		b,
		"SELECT name FROM @heads WHERE name <> 'default' ORDER BY name",
		NULL, 0, rows, why);
}

int pg_rows_workspace_remove(struct backend *b, struct str name,
			     struct str *why)
{
	struct pg_rows rows;

	return pg_rows_ask(
		b,
		"WITH head AS (DELETE FROM @heads WHERE name = $1 RETURNING "
		"id), a AS (DELETE FROM @rows x USING head WHERE x.state = "
		"head.id), b AS (DELETE FROM @log x USING head WHERE x.state = "
		"head.id), c AS (DELETE FROM @intents x USING head WHERE "
		"x.state = head.id) DELETE FROM @claims x USING head WHERE "
		"x.state = head.id",
		&name, 1, &rows, why);
}

const struct rows_ops pg_rows_ops = {
	.read = pg_rows_read,
	.claim = pg_rows_claim,
	.commit = pg_rows_commit,
	.replace = pg_rows_replace,
	.intent = pg_rows_intent,
	.settle = pg_rows_settle,
	.count = pg_rows_count,
	.set_key = pg_rows_set_key,
};
