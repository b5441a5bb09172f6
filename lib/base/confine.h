/*
 * confine.h - what a program will not do from here on, whoever takes it over
 *
 * A stage reads what others have written.  The kernel is told beforehand that
 * it starts no programs, talks to nobody and writes to no file but those that
 * are named: Landlock and seccomp, as far as the kernel has them.  Reading
 * stays free, because file() may read whatever its user may.  TFPIPE_CONFINE=0
 * leaves all of it out.
 */
#ifndef TFPIPE_BASE_CONFINE_H
#define TFPIPE_BASE_CONFINE_H

#include <stdbool.h>

/* What stays allowed; lists end with NULL, and may be NULL. */
struct confine {
	const char *const *below;   /* directories that it writes in */
	const char *const *replace; /* files that it makes, or replaces */
	const char *const *rename;  /* the same, of which it has one open */
	const char *const *read;    /* what it reads; NULL: everything */
	bool any_file;              /* it writes to any */
	bool modes;                 /* it sets those of files */
	bool programs;              /* it starts them */
	bool network;
};

/* May be called again, to take more away. */
void confine(const struct confine *c);

/* What holds here; landlock: its version, or 0. */
struct confinement {
	int landlock;
	bool seccomp;
	bool off; /* a user's will */
};
struct confinement confine_known(void);

#endif
