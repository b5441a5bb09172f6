/*
 * kinds.h - the types of backends: what `backend "TYPE"` may name
 *
 * To add one: its file with a struct backend_ops, a row in kinds.c, its
 * arguments in schemas.c.
 */
#ifndef TFPIPE_STATE_KINDS_H
#define TFPIPE_STATE_KINDS_H

#include "base/str.h"

struct backend_ops;

/* NULL: there is none of that type.  Empty: the local one. */
const struct backend_ops *backend_kind(struct str type);
/* Has it the default workspace only?  There must be such a type. */
bool backend_one_workspace(struct str type);

#endif
