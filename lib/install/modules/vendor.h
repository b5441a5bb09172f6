/*
 * vendor.h - a folder with all packages of a configuration
 *
 *	DIR/modules/index.json		what the packages are
 *	DIR/modules/NAME-DIGEST		a package, without what git keeps
 *	DIR/providers			a filesystem mirror
 *
 * If TFPIPE_VENDOR_DIR names one, packages come from it only.
 */
#ifndef TFPIPE_INSTALL_VENDOR_H
#define TFPIPE_INSTALL_VENDOR_H

#include "base/str.h"
#include "base/vec.h"

struct vendored {
	struct str address; /* of the package, without secrets */
	struct str version; /* of a registry's module; else empty */
	struct str subdir;  /* the module's path, by its registry */
	struct str dir;     /* a name in DIR/modules */
};

struct vendor {
	struct str dir; /* empty: there is none */
	VEC(struct vendored) packages;
};

/* Reads the index of vendor_place().  0, or -1 with *why, a sentence without
 * its full stop. */
int vendor_open(struct arena *a, struct vendor *v, struct str *why);
const struct vendored *vendor_find(const struct vendor *v, struct str address,
				   struct str version);
/* The answer that a registry with the vendored versions would give. */
struct str vendor_versions(struct arena *a, const struct vendor *v,
			   struct str address);
/* Copies the package into a new directory. */
int vendor_copy(struct arena *a, const struct vendor *v,
		const struct vendored *p, struct str to, struct str *why);

/* --- making one --- */

/* Adds the package in `from` to v->dir, whose `modules` is being made, and
 * chooses its dir.  A package that exists there stays. */
int vendor_add(struct arena *a, struct vendor *v, struct vendored p,
	       struct str from, struct str *why);
int vendor_write(struct arena *a, struct vendor *v, struct str *why);

#endif
