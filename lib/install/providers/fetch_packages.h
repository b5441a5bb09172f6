/*
 * fetch_packages.h - packages of any platform: for `providers lock` and
 * `providers mirror`, which ask registries or a network mirror whatever the CLI
 * configuration says of places, and for `vendor`, which follows it
 */
#ifndef TFPIPE_INSTALL_FETCH_PACKAGES_H
#define TFPIPE_INSTALL_FETCH_PACKAGES_H

#include "install/cli_config.h"
#include "install/providers/lockfile.h"
#include "install/providers/providers.h"

/* The summaries of errors, by how far the job got. */
struct fetch_summaries {
	const char *find, *lock, *offer, *download, *check;
};

struct fetch_packages_options {
	const struct requirement_vec *reqs;
	const struct str_vec *platforms;
	struct lockfile *locks; /* decide versions */
	struct str net_mirror;  /* an https address; empty: registries */
	/* Gives the places instead; then a package must be one that the lock
	 * file allows.  NULL: as above. */
	const struct cli_config *cli;
	/* The directory for archives, in the layout of packed mirrors (unpacked
	 * packages of directories stay unpacked); empty: archives are removed
	 * once their hashes are known. */
	struct str archives;
	struct fetch_summaries summaries;
	/* PROVIDER_INSTALLING before, PROVIDER_INSTALLED after each */
	void (*event)(void *data, const struct provider_news *n);
	void *data;
	struct str default_host;
};

struct fetched_package {
	const struct requirement *r;
	struct str version, platform;
	struct str_vec hashes; /* for the lock file; of an archive that is kept,
				  those that are about it */
};
struct fetched_packages VEC_OF(struct fetched_package);

/* Fetches all of them in parallel; -1 if one is missing (the others are
 * fetched). */
int fetch_packages(struct arena *a, const struct fetch_packages_options *o,
		   struct fetched_packages *out, struct diags *ds);

#endif
