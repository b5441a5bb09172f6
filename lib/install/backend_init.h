/*
 * backend_init.h - remembering which backend the configuration asks for
 *
 * state/backend/backend_config.h describes the file.  A configuration without a
 * backend block leaves none.
 */
#ifndef TFPIPE_INSTALL_BACKEND_INIT_H
#define TFPIPE_INSTALL_BACKEND_INIT_H

#include "base/opts.h"
#include "config/load/load.h"

struct backend_init_options {
	const struct config_options *config; /* for early evaluation */
	struct str_vec arguments; /* -backend-config: NAME=VALUE, or a file */
	bool reconfigure;         /* take the new one, leave states alone */
	bool migrate;             /* copy states from the old to the new */
	bool force_copy;          /* also over existing states */
	bool lock;                /* both states, while one is copied */
	uint64_t lock_timeout_ms;
};

enum backend_init_result {
	BACKEND_UNCHANGED, /* nothing to say */
	BACKEND_SET,       /* configured now */
	BACKEND_UNSET,     /* the local default again */
	BACKEND_RESET,     /* configured differently */
	BACKEND_FAILED,    /* diagnosed */
};

enum backend_init_result backend_init(struct arena *a, struct config *c,
				      const struct backend_init_options *o,
				      struct diags *ds);

#endif
