/*
 * module_registry.h - the module registry protocol
 *
 * A registry lists the versions of a module, and gives the location of each
 * one's package.  Each is requested once a run.
 */
#ifndef TFPIPE_INSTALL_MODULE_REGISTRY_H
#define TFPIPE_INSTALL_MODULE_REGISTRY_H

#include "config/config.h"
#include "install/modules/module_store.h"
#include "json/json.h"

struct location;

struct registry_module {
	struct str host, path; /* HOST, NAMESPACE/NAME/SYSTEM */
	struct str package;    /* HOST/NAMESPACE/NAME/SYSTEM */
	struct str subdir;     /* which the call asks for; may be empty */
	struct str version;    /* chosen by registry_choose */
	struct str located;    /* by registry_fetch: where it is in its
				  package; may be empty */
};

/* The address of a call with SOURCE_REGISTRY. */
void registry_module_read(struct arena *a, struct str source,
			  struct registry_module *out);
/* Chooses the newest version that the call allows.  -1 after a diagnostic,
 * which names the call. */
int registry_choose(struct module_store *s, const struct cfg_call *call,
		    struct registry_module *m, struct diags *ds);
/* Announces that the package will be fetched into dir, from the registry
 * itself.  true: it is downloaded ahead of that, or is kept. */
bool registry_coming_direct(struct module_store *s, const struct location *l,
			    struct str dir);
/* Fetches the package into dir; *subdir is the module's path in it. */
int registry_fetch(struct module_store *s, const struct cfg_call *call,
		   struct registry_module *m, struct str dir,
		   struct str *subdir, struct diags *ds);

#endif
