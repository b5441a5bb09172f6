/* oci_mirror.h - providers in OCI registries; see remote.h */
#ifndef TFPIPE_INSTALL_OCI_MIRROR_H
#define TFPIPE_INSTALL_OCI_MIRROR_H

#include "install/providers/remote.h"

/* An OCI mirror. */
void oci_mirror_versions(struct package_source *r, const struct mirror *m,
			 struct provider_addr p, versions_fn *fn, void *data);
void oci_mirror_package(struct package_source *r, const struct mirror *m,
			struct provider_addr p, struct str version,
			struct str platform, package_fn *fn, void *data);

#endif
