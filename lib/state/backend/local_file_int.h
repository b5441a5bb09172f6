/* local_file_int.h - the state file itself: read whole, overwritten in place */
#ifndef TFPIPE_STATE_LOCAL_FILE_INT_H
#define TFPIPE_STATE_LOCAL_FILE_INT_H

#include "state/backend/local_int.h"

/* local_file.c */
int local_fetch(struct backend *b, struct str *out, struct diags *ds);
int local_fetch_target(struct backend *b, struct str *out, struct diags *ds);
int local_store(struct backend *b, struct str text, struct diags *ds);
int local_backup(struct backend *b, struct str text, struct diags *ds);
/* Opens the write path, its directories made; *created: it was not there. */
int local_open_target(struct local *l, bool *created);

#endif
