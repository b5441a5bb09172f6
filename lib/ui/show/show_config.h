/*
 * show_config.h - the configuration of a directory in the published form: as
 * plans have it (show -config), or one module for itself (show -module)
 */
#ifndef TFPIPE_UI_SHOW_SHOW_CONFIG_H
#define TFPIPE_UI_SHOW_SHOW_CONFIG_H

#include "ui/show/show.h"

/* The configuration in the published form on standard output.  Without
 * providers: one module alone, and c is loaded that way; no expressions, which
 * need schemas, and none of the modules that it calls.  -1 with diagnostics. */
int show_config(struct arena *a, const struct config *c,
		struct provider_source *providers, struct diags *ds);

#endif
