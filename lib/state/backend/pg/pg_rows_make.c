/*
 * pg_rows_make.c - the tables of the backend pg with a row an instance
 *
 * What grows with the number of states is in partitions by state: a state lies
 * in one of them.  A view shows values where they are not encrypted.
 */
#include "state/backend/pg/pg_int.h"

enum { PARTITIONS = 16 };

struct str pg_rows_name(struct backend *b, struct str part)
{
	struct pg_backend *p = b->data;

	return STR_CAT(b->arena, p->schema, STR("."),
		       pg_quote(b->arena, STR_CAT(b->arena, p->raw_table,
						  STR("_"), part)));
}

static const char *const tables[] = {
	"CREATE TABLE @heads (id bigserial PRIMARY KEY, name text NOT NULL "
	"UNIQUE, lineage text NOT NULL, serial bigint NOT NULL, "
	"key text NOT NULL DEFAULT '')",

	"CREATE TABLE @runs (id text PRIMARY KEY, number serial, "
	"state bigint NOT NULL, operation text NOT NULL, who text NOT NULL, "
	"created text NOT NULL, pid int NOT NULL, "
	"changed boolean NOT NULL DEFAULT false)",
	"CREATE INDEX ON @runs (state)",

	"CREATE TABLE @intents (state bigint, run text, address text, "
	"deposed text, action text NOT NULL, "
	"at timestamptz NOT NULL DEFAULT now(), "
	"PRIMARY KEY (state, run, address, deposed))",

	"CREATE TABLE @claims (state bigint, run text, address text, "
	"resource text NOT NULL, within text NOT NULL, "
	"writes boolean NOT NULL, "
	"PRIMARY KEY (state, run, address, writes)) PARTITION BY HASH (state)",
	"CREATE INDEX ON @claims (state, resource)",

	"CREATE TABLE @rows (state bigint, kind \"char\", address text, "
	"deposed text, resource text NOT NULL, depends text[] NOT NULL, "
	"value text NOT NULL, changed timestamptz NOT NULL DEFAULT now(), "
	"PRIMARY KEY (state, kind, address, deposed)) "
	"PARTITION BY HASH (state)",
	"CREATE INDEX ON @rows (state, resource)",

	"CREATE TABLE @log (state bigint NOT NULL, serial bigint NOT NULL, "
	"at timestamptz NOT NULL DEFAULT clock_timestamp(), "
	"run text NOT NULL, operation text NOT NULL, who text NOT NULL, "
	"kind \"char\" NOT NULL, address text NOT NULL, "
	"deposed text NOT NULL, gone boolean NOT NULL) "
	"PARTITION BY HASH (state)",
	"CREATE INDEX ON @log (state, at)",
};

#define PLAIN(alias) \
	"CASE WHEN " alias ".value LIKE '{%' THEN " alias ".value::json END"

static const char *const views[] = {
	"CREATE VIEW @resources AS SELECT h.name AS workspace, r.address, "
	"nullif(r.deposed, '') AS deposed, r.resource, v.j->>'provider' AS "
	"provider, v.j->>'status' AS status, r.depends AS dependencies, "
	"v.j->'attributes' AS attributes, r.changed FROM @rows r "
	"JOIN @heads h ON h.id = r.state, LATERAL (SELECT " PLAIN(
		"r") " AS j) v WHERE r.kind = 'i'",

	"CREATE VIEW @outputs AS SELECT h.name AS workspace, "
	"substr(r.address, 8) AS name, CASE WHEN NOT (v.j->>'sensitive')::bool "
	"THEN v.j->'value' END AS value, (v.j->>'sensitive')::bool AS "
	"sensitive, r.changed FROM @rows r JOIN @heads h ON h.id = r.state, "
	"LATERAL (SELECT " PLAIN("r") " AS j) v WHERE r.kind = 'o'",

	"CREATE VIEW @history AS SELECT h.name AS workspace, l.serial, l.at, "
	"l.who, l.operation, l.address, nullif(l.deposed, '') AS deposed, "
	"CASE WHEN l.gone THEN 'removed' ELSE 'stored' END AS what, l.run "
	"FROM @log l JOIN @heads h ON h.id = l.state "
	"WHERE l.kind IN ('i', 'o')",

	"CREATE VIEW @work AS SELECT h.name AS workspace, c.address, "
	"CASE WHEN c.writes THEN 'changes' ELSE 'reads' END AS what, r.who, "
	"r.operation, r.created, r.id AS run FROM @claims c "
	"JOIN @runs r ON r.id = c.run JOIN @heads h ON h.id = c.state",
};

static int ask(struct backend *b, const char *statement, struct str *why)
{
	struct pg_rows rows;

	return pg_rows_ask(b, statement, NULL, 0, &rows, why);
}

static int make_partitions(struct backend *b, const char *table,
			   struct str *why)
{
	for (int i = 0; i < PARTITIONS; i++)
		if (ask(b,
			arena_printf(b->arena,
				     "CREATE TABLE @%s_%d PARTITION OF @%s FOR "
				     "VALUES WITH (MODULUS %d, REMAINDER %d)",
				     table, i, table, PARTITIONS, i),
			why))
			return -1;
	return 0;
}

static int make_all(struct backend *b, struct str *why)
{
	static const char *const split[] = { "claims", "rows", "log" };

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		if (ask(b, tables[i], why))
			return -1;
	for (size_t i = 0; i < sizeof(split) / sizeof(*split); i++)
		if (make_partitions(b, split[i], why))
			return -1;
	for (size_t i = 0; i < sizeof(views) / sizeof(*views); i++)
		if (ask(b, views[i], why))
			return -1;
	return 0;
}

static int is_there(struct backend *b, bool *there, struct str *why)
{
	const struct str name = pg_rows_name(b, STR("work"));
	struct pg_rows rows;

	if (pg_rows_ask(b, "SELECT to_regclass($1) IS NOT NULL", &name, 1,
			&rows, why))
		return -1;
	*there = str_is(rows.cells[0], "t");
	return 0;
}

/* One makes them, others wait for that. */
int pg_rows_prepare(struct backend *b, struct str *why)
{
	struct pg_backend *p = b->data;
	struct str ignored;
	struct pg_rows rows;
	bool there;
	int rc;

	if (p->skip_table)
		return 0;
	if (is_there(b, &there, why))
		return -1;
	if (there)
		return 0;
	if (ask(b, "BEGIN", why))
		return -1;
	rc = pg_rows_ask(b, "SELECT pg_advisory_xact_lock($1::bigint - 1)",
			 &p->creation_id, 1, &rows, why) ||
			     is_there(b, &there, why) ||
			     (!there && make_all(b, why))
		     ? -1
		     : 0;
	if (ask(b, rc ? "ROLLBACK" : "COMMIT", rc ? &ignored : why))
		rc = -1;
	return rc;
}
