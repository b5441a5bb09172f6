/*
 * pg.h - PostgreSQL: a connection, and statements one at a time
 *
 * Few runs need it, so libpq is linked to pg.so, which the first connection
 * loads.  What it waits for the caller waits for, so that a loop can go on.
 * Settings have the defaults of Go's lib/pq, which OpenTofu has: TLS is
 * required unless something else is said, and the host is localhost.
 *
 *	struct pg *p = pg_open(a, &settings, wait, data, &why);
 *	struct pg_rows rows;
 *
 *	if (!p || pg_ask(p, a, "SELECT 1", NULL, 0, &rows, &why))
 *		... why
 *	pg_close(p);
 */
#ifndef TFPIPE_PG_PG_H
#define TFPIPE_PG_PG_H

#include "pg/settings.h"

struct pg;

/* Waits until the descriptor can be read from or written to: 0.  -1: ms
 * milliseconds are over (negative: there is no limit), or it cannot wait. */
typedef int pg_wait_fn(void *data, int fd, bool write, int64_t ms);

/* NULL: *why says why, in a, without a secret. */
struct pg *pg_open(struct arena *a, const struct pg_settings *s,
		   pg_wait_fn *wait, void *data, struct str *why);
/* NULL is fine. */
void pg_close(struct pg *p);
/* Is the connection lost, so that nothing more can be asked? */
bool pg_lost(const struct pg *p);

struct pg_rows {
	size_t nrows, ncols;
	const struct str *cells; /* row by row; NULL in p: null */
};

/* One statement; its parameters are of the type text, and any bytes but NUL. */
int pg_ask(struct pg *p, struct arena *a, const char *statement,
	   const struct str *params, size_t n, struct pg_rows *rows,
	   struct str *why);

/* A name as statements have it, in double quotes. */
struct str pg_quote(struct arena *a, struct str name);

#endif
