/*
 * packages.h - provider packages in directories
 *
 * A directory of packages has the layout of filesystem mirrors, unpacked (which
 * is also that of DATA_DIR/providers) or packed, or both:
 *
 *	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/terraform-provider-TYPE…
 *	HOST/NAMESPACE/TYPE/terraform-provider-TYPE_VERSION_OS_ARCH.zip
 */
#ifndef TFPIPE_INSTALL_PACKAGES_H
#define TFPIPE_INSTALL_PACKAGES_H

#include "addr/addr.h"
#include "config/source/version.h"
#include "install/package/hash.h"
#include "install/providers/lockfile.h"
#include "remote/platform.h"
#include "install/providers/requirements.h"

struct package {
	struct version version;
	struct str version_text;
	struct str dir;     /* of the unpacked package; empty: packed, or with
			       an empty archive: on another machine */
	struct str archive; /* the zip file of a packed one */
	size_t place;       /* index of its place, for the caller */
	struct str_vec protocols; /* as its registry has them; or empty */
};
struct package_vec VEC_OF(struct package);

/* Adds all packages of p for the platform below root, newest first.  A
 * directory that does not exist holds none. */
void packages_list(struct arena *a, struct str root, struct provider_addr p,
		   struct str platform, struct package_vec *out);
/* ROOT/HOST/NAMESPACE/TYPE/VERSION/OS_ARCH */
struct str package_dir(struct arena *a, struct str root, struct provider_addr p,
		       struct str version, struct str platform);
/* The locked version if there is a lock, else the newest that is allowed; of
 * equals the first.  NULL: there is none. */
const struct package *package_choose(const struct requirement *r,
				     const struct lock *lock,
				     const struct package_vec *all);
/* The program of p in the directory of its package; STR_NONE: it has none. */
struct str package_program(struct arena *a, struct str dir,
			   struct provider_addr p);

#endif
