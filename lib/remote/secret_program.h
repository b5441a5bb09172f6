/*
 * secret_program.h - programs that know secrets: credential helpers, and
 * processes that profiles name
 */
#ifndef TFPIPE_REMOTE_SECRET_PROGRAM_H
#define TFPIPE_REMOTE_SECRET_PROGRAM_H

#include "base/str.h"

/* Runs argv, which ends with NULL, with `input` through a pipe.  -1 with *why,
 * a sentence without its full stop; *out has its output even then, and is the
 * caller's to release. */
int secret_program_run(struct arena *a, const char *const argv[],
		       struct str input, struct buf *out, struct str *why);

#endif
