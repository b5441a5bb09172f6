/*
 * oci_credentials.h - the user's credentials for OCI registries
 *
 * They are in oci_credentials and oci_default_credentials of the CLI
 * configuration, and in other programs' files, as Docker's client writes them.
 * The most specific that fits a repository counts; of equals, the first: the
 * blocks, the default helper, the files.
 */
#ifndef TFPIPE_INSTALL_OCI_CREDENTIALS_H
#define TFPIPE_INSTALL_OCI_CREDENTIALS_H

#include "base/diag.h"
#include "base/opts.h"
#include "install/oci/oci_address.h"
#include "lang/syntax/body.h"

/* All empty: anonymous. */
struct oci_credentials {
	struct str user, password; /* or */
	struct str token;          /* for the registry, to be sent as it is */
};

/* oci_credentials "DOMAIN[/PATH]" */
struct oci_block {
	struct str prefix;
	struct oci_credentials known; /* or */
	struct str helper;            /* docker-credential-HELPER */
};

struct oci_settings {
	VEC(struct oci_block) blocks;
	/* oci_default_credentials */
	bool has_default;
	bool no_files;    /* nothing but the CLI configuration counts */
	bool named_files; /* these, and not those in the usual places */
	struct str_vec files;
	struct str helper; /* where nothing else fits; may be empty */
};

/* 0, or -1 with *why, a sentence without its full stop and without a secret.
 * Runs the helper that fits best, if it is one. */
int oci_credentials_find(struct arena *a, const struct oci_settings *s,
			 struct oci_address at, struct oci_credentials *out,
			 struct str *why);

#endif
