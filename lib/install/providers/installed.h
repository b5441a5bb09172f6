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

#include <limits.h>

#include "config/config.h"
#include "provider/source.h"

struct workdir;

/* A source for provider_open, all in the arena.  The lock file and the CLI
 * configuration are read when the first provider is asked for; both paths are
 * relative to the current directory, the root module's. */
struct provider_source *installed_source(struct arena *a,
					 const struct workdir *w,
					 struct str default_host);
/* How many processes there may be at a time: given (an option), or what
 * TFPIPE_MAX_PROVIDERS says.  -1 with a diagnostic. */
#define NO_LIMIT_GIVEN LONG_MIN
int installed_limit(struct provider_source *s, long given, struct diags *ds);
/* Is every provider installed that a configuration requires, used or not?  One
 * error for all that the lock file does not select; with `validate`, as in
 * OpenTofu, one for each that is not installed, whatever version is
 * selected. */
int installed_check(struct provider_source *s, struct arena *a,
		    const struct config *c, bool validate, struct diags *ds);
/* Is what the lock file selects installed, required or not?  An error for each
 * that is not, in the words of OpenTofu's tofu test. */
int installed_locked(struct provider_source *s, struct arena *a,
		     struct diags *ds);

/* Warns that results with a provider under development may differ from those
 * with its releases. */
void installed_warn_overrides(struct arena *a, struct diags *ds);

#endif
