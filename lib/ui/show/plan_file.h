/*
 * plan_file.h - where a plan is saved: the operand of -out
 *
 * A regular file is replaced as a whole when the plan is complete: it is
 * private, and there is never half of one.  Anything else is written in place:
 * a FIFO, a device, the missing target of a link.
 */
#ifndef TFPIPE_UI_PLAN_FILE_H
#define TFPIPE_UI_PLAN_FILE_H

#include <sys/types.h>

#include "base/diag.h"

struct plan_file {
	struct arena *arena;
	struct str name;  /* as given; "-" is standard output */
	const char *path; /* of the file to replace; NULL: written through */
	char *temporary;  /* beside it */
	int fd;           /* to write to; -1: none */
	int file;         /* with sealer: the file itself */
	pid_t sealer;     /* what encrypts it on the way; 0: nothing does */
};

/* Before the plan is made, so that what cannot be written is known then. */
int plan_file_open(struct arena *a, struct str name, struct plan_file *f,
		   struct diags *ds);
/* Starts what encrypts it, "tf-state seal-plan", which then has the file. */
int plan_file_seal(struct plan_file *f, struct diags *ds);
/* keep: the plan is there, as a whole.  Else a file that was there stays as it
 * was. */
int plan_file_close(struct plan_file *f, bool keep, struct diags *ds);

#endif
