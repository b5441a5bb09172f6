/* write.h - state files written as OpenTofu 1.12.6 writes them */
#ifndef TFPIPE_STATE_WRITE_H
#define TFPIPE_STATE_WRITE_H

#include "state/state.h"

/* Writes version 4, formatted as OpenTofu writes it (two-space indent, sorted);
 * resources without instances are left out, unless they are kept.
 * terraform_version is always COMPATIBLE_VERSION. state_write_compact: on one
 * line, as `state pull`. */
void state_write(struct buf *out, const struct state *s);
void state_write_compact(struct buf *out, const struct state *s);

#endif
