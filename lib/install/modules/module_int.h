/*
 * module_int.h - what the getters of packages share (module_store.h)
 */
#ifndef TFPIPE_INSTALL_MODULE_INT_H
#define TFPIPE_INSTALL_MODULE_INT_H

#include "base/map.h"
#include "config/source/url.h"
#include "install/cli_config.h"
#include "remote/fetch.h"
#include "install/modules/ahead.h"
#include "install/modules/copies.h"
#include "install/modules/downloads.h"
#include "install/modules/git.h"
#include "install/oci/oci.h"
#include "install/modules/module_store.h"
#include "install/modules/vendor.h"
#include "install/hosts/hosts.h"

struct module_store {
	struct arena *a;
	struct module_store_options o;
	struct map fetched; /* package -> struct str *: its directory */
	struct git *git;
	struct map hg_clones; /* address -> struct str *: its directory */
	struct ahead *ahead;
	struct copies *copies;
	struct downloads *downloads;
	struct map asked; /* directory -> struct asking * (module_http.c) */
	struct cli_config *cli; /* with the first registry */
	struct str cli_why;     /* its errors; empty: none */
	struct oci *oci;        /* with the first OCI registry */
	struct map versions;    /* package of a registry -> struct json * */
	struct map locations;   /* PACKAGE VERSION -> struct location * */
	struct str commit;      /* of the package that is fetched; or empty */
	/* VERSION of the registry's package being fetched: then the content at
	 * its address does not change. */
	struct str pinned;
	struct vendor *vendor; /* with the first package, if there is one */
	int hops; /* how often a host said that the package is elsewhere */
};

/* A package, and the parameters of its address, which are taken out of the
 * URL. */
struct package_request {
	struct str url; /* of the getter: without GETTER:: */
	struct url parts;
	struct str kind;     /* of archive; empty: a directory */
	struct str checksum; /* as written; may be empty */
	struct str dir;      /* the destination; NUL-terminated */
};

/* All: 0, or -1 with *why; then dir is not there. */
typedef int get_fn(struct module_store *s, const struct package_request *r,
		   struct str *why);
get_fn module_http_get, module_s3_get, module_gcs_get, module_hg_get,
	module_oci_get;

/* An archive on the web. */
struct web_archive {
	struct str url;
	const struct fetch_header *headers;
	size_t nheaders;
	struct str token; /* for the host; or empty */
	int redirects;    /* as of fetch_request */
	bool sure;        /* the content never changes */
	/* Describes why an answer cannot be used. */
	struct str (*failure)(struct arena *a,
			      const struct fetch_answer *answer);
};

#endif
