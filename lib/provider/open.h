/* open.h - finding and starting the provider for an address */
#ifndef TFPIPE_PROVIDER_OPEN_H
#define TFPIPE_PROVIDER_OPEN_H

#include "provider/provider.h"

struct provider;
struct provider_package;
struct provider_source;

struct provider *provider_open(struct arena *a, struct loop *loop,
			       struct provider_source *src,
			       struct provider_addr addr, struct diags *ds);
/* Starts the process that provider_open would wait for, if any, so that several
 * providers start in parallel.  For sources with keep_idle. */
void provider_prepare(struct loop *loop, struct provider_source *src,
		      struct provider_addr addr);
/* The provider's version and the hash of its package; NULL: it is built in.
 * Both may be empty: under development, or started by another program. */
const struct provider_package *provider_package(const struct provider *p);
/* With src->keep_idle: ends the processes that were kept for another use.  To
 * be called before the loop they run in is freed. */
void provider_source_close(struct provider_source *src);

#endif
