/*
 * cli_config.h - the part of the user's CLI configuration about providers: the
 * places of packages, and (cli_hosts.c) settings of hosts
 *
 * cli_files.c finds its files.  They have OpenTofu's old syntax or are JSON.
 */
#ifndef TFPIPE_INSTALL_CLI_CONFIG_H
#define TFPIPE_INSTALL_CLI_CONFIG_H

#include "addr/addr.h"
#include "remote/credentials.h"
#include "install/oci/oci.h"

/* The kinds of places that packages may come from. */
enum mirror_kind {
	MIRROR_DIR,     /* filesystem_mirror */
	MIRROR_NETWORK, /* network_mirror */
	MIRROR_OCI,     /* oci_mirror */
	MIRROR_DIRECT,  /* direct: the provider's own registry */
};

struct mirror {
	enum mirror_kind kind;
	struct str dir; /* or the URL, or the template; empty if direct */
	struct str_vec include, exclude; /* patterns; no include means all */
	int retries;           /* of a download: download_retry_count */
	bool trust_all_hashes; /* those of other platforms, too */
	bool named;            /* by the user: a directory must exist */
};
struct mirror_vec VEC_OF(struct mirror);

struct cli_config {
	struct mirror_vec mirrors; /* in the order they are consulted */
	bool implied;              /* no provider_installation says which */
	struct map overrides;      /* "host/ns/type" -> struct str *: a
	                              directory under development */
	struct str least_age;      /* minimum_release_age, as written */
	int64_t least_seconds;     /* the same */
	struct str plugin_cache;   /* plugin_cache_dir; may be empty */
	bool unlocked_cache;       /* what is in it is taken though the lock
	                              file has no hash of it */
	struct cli_hosts hosts;
	struct oci_settings oci;
};

/* Reads the files; without provider_installation the implied directories, then
 * the registries, are the mirrors.  A missing file is no error, but a warning
 * if the environment names it. */
int cli_config_read(struct arena *a, struct cli_config *out, struct diags *ds);
/* May p come from the mirror? */
bool mirror_serves(const struct mirror *m, struct provider_addr p);

/* A warning of the providers under development, if there are any; `why` ends
 * it. */
void cli_config_warn_overrides(const struct cli_config *c, const char *why,
			       struct diags *ds);

/* The folder of `tf vendor` that TFPIPE_VENDOR_DIR names; STR_NONE: none. */
struct str vendor_place(void);

#endif
