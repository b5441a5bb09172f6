/* oci_int.h - what the files of the OCI protocol share */
#ifndef TFPIPE_INSTALL_OCI_OCI_INT_H
#define TFPIPE_INSTALL_OCI_OCI_INT_H

#include "base/map.h"
#include "install/oci/oci.h"

struct oci {
	struct arena *a;
	struct fetch *fetch;
	const struct oci_settings *settings;
	struct map repositories; /* text of the address -> them */
};

struct oci_repository {
	struct oci *oci;
	struct oci_address at;
	struct str url;           /* https://HOST/v2/NAME */
	struct str authorization; /* the header's text; empty: not asked for */
};

/* One request, with its redirects. */
struct oci_request {
	struct oci_repository *r;
	struct str url;
	struct str accept;
	struct str to;
	int64_t most;
	int64_t size; /* of the body, exactly; 0: any */
	int retries;
	fetch_fn *fn;
	fetch_progress_fn *progress; /* or NULL */
	void *data;
	/* For requests to the issuer of tokens; others use the repository's. */
	bool elsewhere;
	struct str authorization;
	/* oci_request.c */
	int hops;
	bool away;  /* it has left the origin that it was made for */
	bool asked; /* a 401 has been answered, one only */
};

/* oci_auth.c: answers a challenge of the repository; fn is called once, with
 * r->authorization set, or with why. */
typedef void oci_authorized_fn(void *data, struct str why);
/* SCHEME PARAMETERS (RFC 9110, 11.6.1), the first of them.  Parameters that are
 * not there are empty. */
struct oci_challenge {
	struct str scheme; /* in small letters */
	struct str realm, service, scope;
};

/* oci_auth.c: authentication to a registry */

void oci_authorize(struct oci_repository *r, struct str challenge,
		   oci_authorized_fn *fn, void *data);
void oci_challenge_read(struct arena *a, struct str text,
			struct oci_challenge *out);
/* Why no password may be sent to the realm; STR_NONE: it may. */
struct str oci_realm_refusal(struct arena *a, struct str realm,
			     struct str registry);

/* oci_request.c: one request to a registry */

/* Begins a copy of it. */
void oci_send(const struct oci_request *q);

#endif
