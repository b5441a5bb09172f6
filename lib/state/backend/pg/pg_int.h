/* pg_int.h - the backend pg: its connection, and its locks */
#ifndef TFPIPE_STATE_BACKEND_PG_PG_INT_H
#define TFPIPE_STATE_BACKEND_PG_PG_INT_H

#include "pg/pg.h"
#include "state/backend/backend_int.h"

struct pg_statement { /* with the names of tables */
	const char *from;
	struct str text;
};

struct pg_backend {
	struct pg_settings settings;
	struct str schema, table, index; /* quoted */
	struct str from;                 /* schema and table */
	struct str raw_schema, raw_table, raw_index;
	bool skip_schema, skip_table, skip_index;
	struct str creation_id; /* locks states without a row */
	struct str locked_id;   /* what we hold; empty: nothing */
	/* With a row an instance: */
	struct str lock_class; /* of the advisory locks of runs */
	struct str state;      /* its number; empty: it is not known */
	struct str run;        /* ours, that we began; empty: none */
	bool in_transaction;   /* of several statements */
	VEC(struct pg_statement) statements;
	struct pg *conn;
	bool prepared;
};

int pg_backend_connect(struct backend *b, struct str *why);
/* One statement, in a connection that is there. */
int pg_backend_ask_once(struct backend *b, struct str statement,
			const struct str *params, size_t n,
			struct pg_rows *rows, struct str *why);
/* A statement that may be made twice: where the connection is lost it is made
 * again in a new one, unless that loses our lock. */
int pg_backend_ask(struct backend *b, struct str statement,
		   const struct str *params, size_t n, struct pg_rows *rows,
		   struct str *why);
/* The locks of a session end with it. */
void pg_backend_disconnect(struct pg_backend *p);

/* Our session's lock is known to the processes below by b->version, its number
 * on the server: what they write is conditional on it. */

/* --- operations, see backend_int.h --- */

enum lock_result pg_backend_lock(struct backend *b, struct lock_info *mine,
				 struct lock_info *holder, const char **why,
				 struct diags *ds);
int pg_backend_unlock(struct backend *b, struct diags *ds);
bool pg_backend_is_locked(struct backend *b, struct lock_info *holder);
int pg_backend_force_unlock(struct backend *b, struct str id, bool forced,
			    struct diags *ds);

/* pg_rows.c: the backend pg with a row an instance; see rows.h */

/* Makes the tables and views that are not there yet. */
int pg_rows_prepare(struct backend *b, struct str *why);
/* An object's name, quoted, in its schema: the table's with this behind it. */
struct str pg_rows_name(struct backend *b, struct str part);
/* A statement in which @NAME is such a name.  A lost connection is made again
 * if our run can be taken up in the new one. */
int pg_rows_ask(struct backend *b, const char *statement,
		const struct str *params, size_t n, struct pg_rows *rows,
		struct str *why);

int pg_rows_unlock(struct backend *b);
bool pg_rows_is_locked(struct backend *b, struct lock_info *holder);
int pg_rows_force_unlock(struct backend *b, struct str id, struct str *why);
int pg_rows_workspaces(struct backend *b, struct pg_rows *rows,
		       struct str *why);
int pg_rows_workspace_remove(struct backend *b, struct str name,
			     struct str *why);

extern const struct rows_ops pg_rows_ops;

#endif
