/* registry.h - the provider registry protocol; see remote.h */
#ifndef TFPIPE_INSTALL_REGISTRY_H
#define TFPIPE_INSTALL_REGISTRY_H

#include "install/providers/remote.h"

/* The registry of the provider's host. */
void registry_versions(struct package_source *r, struct provider_addr p,
		       versions_fn *fn, void *data);
void registry_package(struct package_source *r, struct provider_addr p,
		      struct str version, struct str platform, int retries,
		      package_fn *fn, void *data);
/* Do we support a protocol of the list?  true if the list is empty. */
bool registry_protocols_spoken(const struct str_vec *protocols);
/* Why an answer cannot be used: "423 Locked", or "request failed after 2
 * attempts: …". */
struct str answer_failure(struct arena *a, const struct fetch_answer *answer);

#endif
