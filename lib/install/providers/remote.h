/*
 * remote.h - providers that hosts offer: registries, network mirrors and OCI
 * registries
 *
 * All list versions, and give the location of a platform's package and what
 * vouches for it.  Answers come through the loop of the requests.
 */
#ifndef TFPIPE_INSTALL_REMOTE_H
#define TFPIPE_INSTALL_REMOTE_H

#include "install/cli_config.h"
#include "remote/fetch.h"
#include "install/oci/oci.h"
#include "remote/services.h"

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
	struct str published;     /* release_age.h; may be empty */
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
