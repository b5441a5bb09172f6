/*
 * installed.h - the provider programs that tf-init installed
 *
 * Which package serves an address is in the lock file, the package below
 * DATA_DIR/providers; a directory under development (dev_overrides of the CLI
 * configuration) takes precedence and is not checked.  A package must have a
 * hash that the lock file vouches for.
 */
#ifndef TFPIPE_INSTALL_INSTALLED_H
#define TFPIPE_INSTALL_INSTALLED_H

#include "base/diag.h"
#include "provider/source.h"

/* A source for provider_open, all in the arena.  The lock file and the CLI
 * configuration are read when the first provider is asked for; both paths are
 * relative to the current directory, the root module's. */
struct provider_source *installed_source(struct arena *a,
					 struct str default_host);

#endif
