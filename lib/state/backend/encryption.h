/*
 * encryption.h - whether states and plans are to be encrypted
 *
 * Nothing here encrypts yet.  So what asks for it, an encryption block of the
 * root module or the environment variable TF_ENCRYPTION, is an error of every
 * command that reads or writes a state or a plan: a person who asks for
 * encryption must not find plain text.  As in OpenTofu the blocks of other
 * modules have no effect, and neither has a TF_ENCRYPTION that is blank.
 */
#ifndef TFPIPE_STATE_ENCRYPTION_H
#define TFPIPE_STATE_ENCRYPTION_H

#include "config/config.h"

/* -1 with an error for each that asks; c may be NULL, where it does not. */
int encryption_refuse(const struct config *c, struct diags *ds);
/* Does the environment ask? */
bool encryption_in_environment(void);

#endif
