/* record_int.h - a change as two records, and read back from them */
#ifndef TFPIPE_ENGINE_RECORD_INT_H
#define TFPIPE_ENGINE_RECORD_INT_H

#include "base/diag.h"

/* A deposed object has a key of its own; else it is the address itself. */
struct str change_key(struct arena *a, struct str address, struct str deposed);
/* Reports a record that cannot be read: bad JSON, or member is missing. */
int change_unreadable(struct diags *ds, const char *kind, bool bad,
		      const char *member);

#endif
