/*
 * handover.h - a state in memory, handed on to those that run under a lock
 *
 * The process that holds the lock of a remote state reads it once.  The stages
 * that it starts find the text in a file in memory, whose descriptor they
 * inherit (TFPIPE_STATE): so no host is asked twice, the lock needs no proof by
 * a request of its own, and nothing of it is on a disk.  Who stores a new text
 * replaces the one that is handed on.
 */
#ifndef TFPIPE_STATE_HANDOVER_H
#define TFPIPE_STATE_HANDOVER_H

#include "state/backend/backend.h"

/* Reads the state and offers it to the children that inherit descriptors.  What
 * is local is read where it lies: nothing is done. */
int backend_hand_on(struct backend *b, struct diags *ds);

#endif
