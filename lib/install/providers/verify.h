/*
 * verify.h - checks the authenticity of fetched packages
 *
 * A registry has the checksums of all platforms signed: SHA256SUMS and its
 * OpenPGP signature, which gpgv(1) verifies with the keys that the registry
 * names and nothing else.  A network mirror gives hashes, or nothing.
 */
#ifndef TFPIPE_INSTALL_VERIFY_H
#define TFPIPE_INSTALL_VERIFY_H

#include "addr/addr.h"
#include "base/opts.h"
#include "install/providers/remote.h"

struct authentication {
	struct str how;       /* "signed", "verified checksum", … */
	struct str key_id;    /* of the signature; empty: there is none */
	bool skipped;         /* the registry has no key for the provider */
	bool expired;         /* the key has */
	struct str zip_hash;  /* "zh:…" of the archive */
	struct str_vec local; /* hashes that were verified here */
	struct str_vec
		vouched; /* of all platforms, by who signs or is trusted */
};

/* Does the offer agree with itself, so that its archive is worth fetching?  -1
 * with *why, a sentence without a full stop. */
int verify_offer(struct arena *a, const struct package_offer *offer,
		 struct str platform, struct str *why);
/* Is the file the archive that was offered and signed, and one that the lock
 * allows, if it has this version?  allowed may be NULL; ARCHIVE.gpg is used for
 * what gpgv needs. */
int verify_archive(struct arena *a, struct provider_addr p,
		   const struct package_offer *offer, struct str platform,
		   struct str archive, const struct str_vec *allowed,
		   struct authentication *out, struct str *why);

#endif
