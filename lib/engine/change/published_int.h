/*
 * published_int.h - `resource_change` and `resource_drift`, written; the
 * members of a resource_change that the plan keeps, read
 */
#ifndef TFPIPE_ENGINE_PUBLISHED_INT_H
#define TFPIPE_ENGINE_PUBLISHED_INT_H

#include "engine/change/change_int.h"

void change_put_published(struct stream_out *o, const char *kind,
			  const struct change *c, const struct change_shown *s);
/* *key: by which the two records of a change belong together; it may be the
 * line's. */
int change_read_published(struct change_reader *r, struct str line,
			  struct change_published *out, struct str *key,
			  struct diags *ds);
/* Do they say the same?  The reason, which the planned one does not have, is
 * not compared. */
bool change_agrees(struct arena *scratch, const struct change *planned,
		   const struct change_published *p);

#endif
