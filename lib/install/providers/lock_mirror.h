/*
 * lock_mirror.h - `providers lock`: the lock file from registries, a network
 * mirror or a directory of packages, for this platform and for others
 */
#ifndef TFPIPE_INSTALL_LOCK_MIRROR_H
#define TFPIPE_INSTALL_LOCK_MIRROR_H

#include "install/providers/requirements.h"

struct lock_mirror_options {
	struct str dir;           /* of packages; empty: hosts are asked */
	struct str net_mirror;    /* empty: the registries */
	struct str_vec platforms; /* "linux_amd64"; none: this one */
	struct str_vec providers; /* sources; none: all that are required */
	struct str default_host;
	void (*say)(void *data, const char *line); /* progress */
	void *data;
};

/* Is there one source, of the right form?  -1: diagnosed. */
int lock_options_check(const struct lock_mirror_options *o, struct diags *ds);
/* Updates .terraform.lock.hcl of the working directory; *changed: its content
 * is different now. */
int lock_providers(struct arena *a, const struct config *c,
		   const struct lock_mirror_options *o, bool *changed,
		   struct diags *ds);

/* Are all of the form OS_ARCH? */
int lock_platforms_check(const struct str_vec *platforms, struct diags *ds);

#endif
