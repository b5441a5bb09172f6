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
/* Of a type that there is: */
/* has it the default workspace only, */
bool backend_one_workspace(struct str type);
/* does it keep states in files of this machine, */
bool backend_is_local(struct str type);
/* does init ask for the name of a first workspace, */
bool backend_asks_workspace(struct str type);
/* does init remember it before there is a workspace? */
bool backend_saved_first(struct str type);

#endif
