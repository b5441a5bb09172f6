/*
 * lockfile.h - .terraform.lock.hcl: which version of each provider is used,
 * and the hashes of its packages
 */
#ifndef TFPIPE_INSTALL_LOCKFILE_H
#define TFPIPE_INSTALL_LOCKFILE_H

#include "addr/addr.h"
#include "base/opts.h"
#include "install/providers/requirements.h"

#define LOCKFILE ".terraform.lock.hcl" /* beside the root module */

struct lock {
	struct provider_addr provider;
	struct str version;
	struct str constraints;
	struct str_vec hashes;
};

struct lockfile {
	VEC(struct lock) locks;
	struct source *source; /* as read; NULL: there is no file */
};

/* A missing file is empty. */
int lockfile_read(struct arena *a, const char *path, struct lockfile *out,
		  struct diags *ds);
/* Locks the versions that Terraform locked of those of HashiCorp's providers
 * that are required of OpenTofu's registry, and warns of it.  The hashes do not
 * count: the packages are others. */
void lockfile_adopt(struct arena *a, struct lockfile *f,
		    const struct requirement_vec *reqs, struct diags *ds);
struct lock *lockfile_find(struct lockfile *f, struct provider_addr p);
/* The text of the file, sorted by provider and hash. */
struct str lockfile_text(struct arena *a, struct lockfile *f);
int lockfile_write(const char *path, struct str text, struct diags *ds);

#endif
