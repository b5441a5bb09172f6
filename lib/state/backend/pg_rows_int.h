/* pg_rows_int.h - the backend pg with a row an instance; see rows.h */
#ifndef TFPIPE_STATE_PG_ROWS_INT_H
#define TFPIPE_STATE_PG_ROWS_INT_H

#include "state/backend/pg_int.h"
#include "state/backend/rows_int.h"

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
