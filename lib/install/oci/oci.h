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
#ifndef TFPIPE_INSTALL_OCI_OCI_H
#define TFPIPE_INSTALL_OCI_OCI_H

#include "base/str.h"
#include "base/diag.h"
#include "lang/syntax/body.h"
#include "remote/fetch.h"
#include "json/json.h"
#include "addr/addr.h"
#include "lang/syntax/ast.h"

struct oci;
struct oci_repository;

/*
 * oci_address.c: names in registries of the OCI distribution protocol
 *
 * The specification defines the grammar of names; a valid one needs no escaping
 * in the path of a request.
 */

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

/*
 * oci_credentials.c: the user's credentials for OCI registries
 *
 * They are in oci_credentials and oci_default_credentials of the CLI
 * configuration, and in other programs' files, as Docker's client writes them.
 * The most specific that fits a repository counts; of equals, the first: the
 * blocks, the default helper, the files.
 */

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

#define OCI_INDEX "application/vnd.oci.image.index.v1+json"
#define OCI_MANIFEST "application/vnd.oci.image.manifest.v1+json"

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

/* oci_request.c: one request to a registry */

/* Describes the failure in a sentence without its full stop: the status, and
 * the registry's messages. */
struct str oci_failure(struct arena *a, const struct fetch_answer *answer);

/*
 * oci_template.c: repository_template of an oci_mirror: the repository of a
 * provider
 *
 * A template of the language in which ${hostname}, ${namespace} and ${type} are
 * the parts of the provider's address.
 */

/* Is it one that can name a repository for each provider of the patterns?  0,
 * or -1 with a diagnostic at `at`. */
int oci_template_check(struct arena *a, struct str text,
		       const struct str_vec *include, const struct range *at,
		       struct diags *ds);
/* 0, or -1 with *why: a sentence without its full stop. */
int oci_template_address(struct arena *a, struct str text,
			 struct provider_addr p, struct oci_address *out,
			 struct str *why);

/* oci_settings.c: blocks of the CLI configuration; see oci_credentials.c */

/* Reads the blocks of a file of the CLI configuration in dir: with its slash,
 * or empty. */
int oci_settings_read(struct arena *a, const struct body *b, struct str dir,
		      struct oci_settings *out, struct diags *ds);

#endif
