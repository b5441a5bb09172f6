/*
 * providers.h - installing the providers that a configuration needs
 *
 * Packages come from the directories of -plugin-dir, or from where the CLI
 * configuration says: mirrors, or the registry of the provider's host
 * (remote.h). An installed package is a directory below
 * DATA_DIR/providers: a link to the mirror's if that is unpacked, or to the
 * plugin cache's if there is one.  Which version was chosen, and what its files
 * hash to, is in the lock file.
 */
#ifndef TFPIPE_INSTALL_PROVIDERS_H
#define TFPIPE_INSTALL_PROVIDERS_H

#include "install/hosts/hosts.h"
#include "install/providers/lockfile.h"
#include "install/providers/requirements.h"

enum provider_event {
	PROVIDER_UPGRADE_LOCKED, /* the error of upgrade with readonly */
	PROVIDER_PLUGINS,        /* before the first */
	PROVIDER_BUILTIN,
	PROVIDER_FINDING, /* detail: the constraints; empty: any version */
	PROVIDER_REUSING, /* the version of the lock file */
	PROVIDER_PRESENT, /* detail: version; installed already */
	PROVIDER_INSTALLING,
	PROVIDER_INSTALLING_TO_CACHE,
	PROVIDER_INSTALLED,          /* how: who vouches for it */
	PROVIDER_INSTALLED_UNSIGNED, /* the registry has no key for it */
	PROVIDER_SIGNED,             /* behind the last, if any was signed */
	PROVIDER_IN_CACHE,           /* plugin_cache_dir has it */
	PROVIDER_FROM_CACHE,         /* it is taken from there */
	PROVIDER_LOCK_CREATED,
	PROVIDER_LOCK_CHANGED,
};

struct provider_news {
	enum provider_event event;
	struct str provider;
	struct str detail; /* a version or constraints, see above */
	struct str platform;
	struct str how;    /* "signed", "unauthenticated", … */
	struct str key_id; /* of what is signed; or empty */
};

struct install_providers_options {
	struct str data_dir;
	struct hosts *hosts;        /* ended, if they were asked */
	struct lockfile locks;      /* as they are */
	struct str_vec plugin_dirs; /* instead of all mirrors */
	bool upgrade;
	bool readonly; /* -lockfile=readonly */
	struct str default_host;
	void (*event)(void *data, const struct provider_news *n);
	void *data;
};

int install_providers(struct arena *a, const struct requirement_vec *reqs,
		      const struct install_providers_options *o,
		      struct diags *ds);

#endif
