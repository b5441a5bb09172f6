/*
 * providers.h - installing the providers that a configuration needs
 *
 * Packages come from the directories of -plugin-dir, or from where the CLI
 * configuration says: mirrors, or the registry of the provider's host
 * (providers.h). An installed package is a directory below
 * DATA_DIR/providers: a link to the mirror's if that is unpacked, or to the
 * plugin cache's if there is one.  Which version was chosen, and what its files
 * hash to, is in the lock file.
 */
#ifndef TFPIPE_INSTALL_PROVIDERS_PROVIDERS_H
#define TFPIPE_INSTALL_PROVIDERS_PROVIDERS_H

#include "install/hosts/login.h"
#include "install/providers/requirements.h"
#include "install/cli_config.h"
#include "remote/fetch.h"
#include "install/oci/oci.h"
#include "remote/remote.h"

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
	const struct workdir *workdir;
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

/*
 * Providers that hosts offer: registries, network mirrors and OCI
 * registries
 *
 * All list versions, and give the location of a platform's package and what
 * vouches for it.  Answers come through the loop of the requests.
 */

struct package_source {
	struct arena *a;
	struct fetch *fetch;
	struct services *services;
	struct oci *oci;
	struct loop *loop;
};

/* A failure; without a summary there is none. */
struct problem {
	const char *summary;
	struct str detail;
};

struct version_offer {
	struct str version;       /* as the host writes it */
	struct str published;     /* release_age.c; may be empty */
	struct str_vec protocols; /* "5.0"; empty from mirrors */
};

struct versions_answer {
	struct problem problem;
	bool unknown;         /* the host does not know the provider, */
	struct str elsewhere; /* but one of that type in this namespace */
	VEC(struct version_offer) versions;
	struct str_vec warnings;
};
typedef void versions_fn(void *data, const struct versions_answer *answer);

struct package_offer {
	struct problem problem;
	bool absent;       /* no package for the platform */
	bool incompatible; /* none of its protocols is spoken here */
	struct str url;    /* of the archive; with a blob for messages */
	struct oci_repository *repository; /* which has the archive */
	const struct oci_descriptor *blob; /* as this; NULL: it has not */
	int retries;                       /* of its download */
	/* of a registry */
	struct str filename; /* in sums */
	struct str sha256;   /* hexadecimal */
	struct str sums, signature;
	struct str_vec keys; /* armored */
	const struct json
		*packages; /* per platform: hashes, size; may be NULL */
	/* of a mirror */
	struct str_vec hashes; /* "h1:…", "zh:…"; empty: nothing vouches */
	bool trust_all_hashes;
};
typedef void package_fn(void *data, const struct package_offer *offer);

/* The namespace that a provider without one has in the registry now; STR_NONE:
 * it knows of none. */
typedef void namespace_fn(void *data, struct str namespace);

#endif
