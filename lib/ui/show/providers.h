/* providers.h - providers and modules: what is required and installed, as text
 * and JSON */
#ifndef TFPIPE_UI_SHOW_PROVIDERS_H
#define TFPIPE_UI_SHOW_PROVIDERS_H

#include "config/config.h"
#include "config/test.h"
#include "json/write.h"
#include "provider/provider.h"
#include "state/state.h"
#include "install/providers/requirements.h"

struct workdir;

/* providers_json.c: what providers offer, as published JSON */

/* All of `providers schema -json`: of each provider that the configuration or
 * the state requires, started for it.  Appends nothing where it returns -1,
 * after diagnostics. */
int providers_json(struct arena *a, const struct workdir *w, struct buf *out,
		   const struct config *c, const struct state *st,
		   struct diags *ds);

/*
 * providers_modules.c: which providers are required, module by module, and
 * which modules are called, as trees
 */

/* Appends the providers that each module of a configuration requires, those of
 * tests and of the modules of their runs, which were loaded with it, then those
 * that a state still needs, if any. */
void providers_tree_text(struct arena *a, struct buf *b, const struct config *c,
			 const struct cfg_test_file_vec *tests,
			 const struct state *s);

/* The modules that a configuration calls, in the forms of `terraform modules`
 * (Terraform 1.10).  All are installed: c was loaded without an error. */
void modules_text(struct arena *a, struct buf *b, const struct config *c);
void modules_json(struct arena *a, struct buf *b, const struct config *c);

/*
 * versions.c: tf version: whose behaviour this has, what it is, and which
 * providers the lock file selects
 *
 * Source of the layout, which programs read: OpenTofu 1.12.6.
 */

void versions_text(struct arena *a, struct buf *b, const struct lockfile *f);
void versions_json(struct arena *a, struct buf *b, const struct lockfile *f);

#endif
