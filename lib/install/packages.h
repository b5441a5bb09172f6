/*
 * packages.h - provider packages in directories
 *
 * A directory of packages has the layout of filesystem mirrors, which is also
 * that of DATA_DIR/providers:
 *
 *	HOST/NAMESPACE/TYPE/VERSION/OS_ARCH/terraform-provider-TYPE…
 */
#ifndef TFPIPE_INSTALL_PACKAGES_H
#define TFPIPE_INSTALL_PACKAGES_H

#include "addr/addr.h"
#include "config/version.h"

struct package {
	struct version version;
	struct str version_text;
	struct str dir; /* of the unpacked package */
};
struct package_vec VEC_OF(struct package);

/* "linux_amd64" */
struct str package_platform(struct arena *a);
/* All packages of p for this platform below root, newest first.  A directory
 * that does not exist holds none. */
void packages_list(struct arena *a, struct str root, struct provider_addr p,
		   struct package_vec *out);
/* "h1:…": the hash of a package's files, as lock files have it; STR_NONE with
 * errno set when it cannot be read. */
struct str package_hash(struct arena *a, struct str dir);

#endif
