/*
 * remote.h - providers that hosts offer: registries, network mirrors and OCI
 * registries
 *
 * All say which versions there are, and where the package of a platform is and
 * what vouches for it.  Answers come through the loop of the requests.
 */
#ifndef TFPIPE_INSTALL_REMOTE_H
#define TFPIPE_INSTALL_REMOTE_H

#include "install/cli_config.h"
#include "install/hosts/fetch.h"
#include "install/oci/oci.h"
#include "install/hosts/services.h"

struct remote {
	struct arena *a;
	struct fetch *fetch;
	struct services *services;
	struct oci *oci;
	struct loop *loop;
};

/* What went wrong; without a summary nothing. */
struct problem {
	const char *summary;
	struct str detail;
};

struct version_offer {
	struct str version;       /* as the host writes it */
	struct str published;     /* release_age.h; may be empty */
	struct str_vec protocols; /* "5.0"; a mirror does not tell */
};

struct versions_answer {
	struct problem problem;
	bool unknown; /* the host does not know the provider, */
	struct str elsewhere; /* but one of that type in this namespace */
	VEC(struct version_offer) versions;
	struct str_vec warnings;
};
typedef void versions_fn(void *data, const struct versions_answer *answer);

struct package_offer {
	struct problem problem;
	bool absent;            /* no package for the platform */
	bool incompatible;      /* none of its protocols is spoken here */
	struct str url;         /* of the archive; with a blob for messages */
	struct oci_repository *repository; /* which has the archive */
	const struct oci_descriptor *blob; /* as this; NULL: it has not */
	int retries;            /* of its download */
	/* of a registry */
	struct str filename;    /* in sums */
	struct str sha256;      /* hexadecimal */
	struct str sums, signature;
	struct str_vec keys;    /* armored */
	const struct json *packages; /* per platform: hashes, size; may be NULL */
	/* of a mirror */
	struct str_vec hashes;  /* "h1:…", "zh:…"; empty: nothing vouches */
	bool trust_all_hashes;
};
typedef void package_fn(void *data, const struct package_offer *offer);

/* The registry of the provider's host. */
void registry_versions(struct remote *r, struct provider_addr p,
		       versions_fn *fn, void *data);
void registry_package(struct remote *r, struct provider_addr p,
		      struct str version, struct str platform, int retries,
		      package_fn *fn, void *data);
/* The namespace in which the registry has a provider of that type since there
 * are namespaces; STR_NONE: it knows of none. */
typedef void namespace_fn(void *data, struct str namespace);
void registry_namespace(struct remote *r, struct provider_addr p,
			namespace_fn *fn, void *data);
/* A network mirror. */
void mirror_versions(struct remote *r, const struct mirror *m,
		     struct provider_addr p, versions_fn *fn, void *data);
void mirror_package(struct remote *r, const struct mirror *m,
		    struct provider_addr p, struct str version,
		    struct str platform, package_fn *fn, void *data);

/* An OCI mirror. */
void oci_mirror_versions(struct remote *r, const struct mirror *m,
			 struct provider_addr p, versions_fn *fn, void *data);
void oci_mirror_package(struct remote *r, const struct mirror *m,
			struct provider_addr p, struct str version,
			struct str platform, package_fn *fn, void *data);

/* Do we speak a protocol of the list?  An empty list says nothing against
 * it. */
bool protocols_spoken(const struct str_vec *protocols);
/* Why an answer is of no use: "423 Locked", or "request failed after 2
 * attempts: …". */
struct str answer_failure(struct arena *a, const struct fetch_answer *answer);

#endif
