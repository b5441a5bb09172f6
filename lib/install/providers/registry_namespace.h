/* registry_namespace.h - finding the namespace of a type; see remote.h */
#ifndef TFPIPE_INSTALL_REGISTRY_NAMESPACE_H
#define TFPIPE_INSTALL_REGISTRY_NAMESPACE_H

#include "install/providers/remote.h"

void registry_namespace(struct package_source *r, struct provider_addr p,
			namespace_fn *fn, void *data);

#endif
