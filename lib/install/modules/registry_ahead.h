/*
 * registry_ahead.h - requests to module registries, made in parallel before
 * their calls' turn
 */
#ifndef TFPIPE_INSTALL_REGISTRY_AHEAD_H
#define TFPIPE_INSTALL_REGISTRY_AHEAD_H

#include "base/vec.h"
#include "install/modules/module_registry.h"

struct registry_wish {
	const struct cfg_call *call;
	/* In: the locked version, or empty.  Out: the version chosen. */
	struct registry_module m;
	struct str dir; /* the directory for its package */
};
struct registry_wishes VEC_OF(struct registry_wish);

/* Asks where all of them are, and says so (module_store_coming): true if any is
 * fetched ahead of its turn.  Reports no errors; failed requests are repeated
 * in their turn.  A single call asks nothing ahead. */
bool registry_coming(struct module_store *s, struct registry_wishes *all);

#endif
