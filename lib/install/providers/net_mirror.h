/* net_mirror.h - the provider network mirror protocol; see remote.h */
#ifndef TFPIPE_INSTALL_NET_MIRROR_H
#define TFPIPE_INSTALL_NET_MIRROR_H

#include "install/providers/remote.h"

/* A network mirror. */
void mirror_versions(struct package_source *r, const struct mirror *m,
		     struct provider_addr p, versions_fn *fn, void *data);
void mirror_package(struct package_source *r, const struct mirror *m,
		    struct provider_addr p, struct str version,
		    struct str platform, package_fn *fn, void *data);

#endif
