/*
 * oci.h - repositories of the OCI distribution protocol (version 1.1), read
 * from
 *
 * Requests use TLS only.  Credentials are sent when the registry asks for them
 * (401), to it and the token service that it names, and nowhere else: tokens go
 * to the registry's own host and port, not where it redirects.  Everything that
 * has a digest is checked against it.
 *
 * Answers come through the loop of the requests; arguments are copied, and
 * answers are in the arena of oci_new.
 */
#ifndef TFPIPE_INSTALL_OCI_H
#define TFPIPE_INSTALL_OCI_H

#include "remote/fetch.h"
#include "install/oci/oci_credentials.h"
#include "json/json.h"

#define OCI_INDEX "application/vnd.oci.image.index.v1+json"
#define OCI_MANIFEST "application/vnd.oci.image.manifest.v1+json"

struct oci;
struct oci_repository;

/* settings must live on. */
struct oci *oci_new(struct arena *a, struct fetch *f,
		    const struct oci_settings *settings);
/* The repository at an address, always the same one, so that a token is asked
 * for once. */
struct oci_repository *oci_repository(struct oci *o, struct oci_address at);
struct oci_address oci_repository_address(const struct oci_repository *r);

struct oci_tags {
	struct str why; /* a sentence without its full stop; empty: none */
	bool unknown;   /* there is no such repository */
	struct str_vec tags;
};
typedef void oci_tags_fn(void *data, const struct oci_tags *tags);
void oci_tags(struct oci_repository *r, oci_tags_fn *fn, void *data);

/* A manifest's description of another manifest or of a blob. */
struct oci_descriptor {
	struct str media_type, artifact_type, digest;
	int64_t size;
	bool has_platform;
	struct str os, architecture, os_version;
};
/* -1 with *why: it is none, or has no digest or size that can be right. */
int oci_descriptor_read(struct arena *a, const struct json *j,
			struct oci_descriptor *out, struct str *why);

/* j: the requested manifest; NULL with why. */
typedef void oci_manifest_fn(void *data, const struct json *j, struct str why);

/* The manifest of a tag or a digest, which must be of these types. */
void oci_manifest(struct oci_repository *r, struct str reference,
		  const char *media_type, const char *artifact_type,
		  oci_manifest_fn *fn, void *data);
/* Gets the manifest that another one describes. */
void oci_manifest_of(struct oci_repository *r, const struct oci_descriptor *d,
		     oci_manifest_fn *fn, void *data);

/* The bytes of a blob, into the new file `to`, which is the caller's also where
 * there is an error.  Their number is checked against its size; the caller
 * checks the digest. */
void oci_blob(struct oci_repository *r, const struct oci_descriptor *d,
	      struct str to, int retries, fetch_fn *fn,
	      fetch_progress_fn *progress, void *data);
/* For messages. */
struct str oci_blob_url(struct oci_repository *r,
			const struct oci_descriptor *d);

#endif
