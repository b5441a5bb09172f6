/*
 * oci_address.h - names in registries of the OCI distribution protocol
 *
 * The specification defines the grammar of names; a valid one needs no escaping
 * in the path of a request.
 */
#ifndef TFPIPE_INSTALL_OCI_ADDRESS_H
#define TFPIPE_INSTALL_OCI_ADDRESS_H

#include "base/str.h"

/* DOMAIN[:PORT]/NAME: a repository, or with an empty name all of a registry. */
struct oci_address {
	struct str domain, name;
};

/* The name is needed.  0, or -1 with *why: a sentence without its full stop. */
int oci_address_check(struct arena *a, struct oci_address at, struct str *why);
/* Parses the label of oci_credentials or a key of Docker's files: the name may
 * be missing.  The parts are borrowed. */
int oci_address_parse(struct arena *a, struct str text, struct oci_address *out,
		      struct str *why);
struct str oci_address_text(struct arena *a, struct oci_address at);

bool oci_tag_valid(struct str s);

/* Is it ALGORITHM:HEX?  Known algorithms: sha256 and sha512, which the
 * specification registers, and sha384, which OpenTofu has, too. */
bool oci_digest_valid(struct str s);
/* The two parts of a valid digest. */
struct str oci_digest_kind(struct arena *a, struct str digest);
struct str oci_digest_hex(struct str digest);
/* Is it the digest of these bytes? */
bool oci_digest_matches(struct arena *a, struct str digest, struct str bytes);

#endif
