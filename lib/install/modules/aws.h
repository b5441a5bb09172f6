/*
 * aws.h - requests to S3, and what is compatible with it: who asks, and the
 * signature (AWS Signature Version 4)
 *
 * Signatures are made here because libcurl's are wrong for some keys of objects
 * (7.88.1: those with a colon or plus sign, and unsorted queries).
 */
#ifndef TFPIPE_INSTALL_AWS_H
#define TFPIPE_INSTALL_AWS_H

#include <time.h>

#include "install/hosts/fetch.h"

struct aws_keys {
	struct str id, secret;
	struct str token; /* of a session; or empty */
};

/* The keys of the environment, or of a profile in the files that the AWS tools
 * have (~/.aws/credentials, ~/.aws/config); of that alone where its name is not
 * empty, or what its credential_process tells.  *region: what the environment
 * or the profile says; may be empty.  -1 with *why, a sentence without its full
 * stop, also where they would have to be obtained from a service: that is not
 * done. */
int aws_keys_find(struct arena *a, struct str profile, struct aws_keys *out,
		  struct str *region, struct str *why);

/* A GET request for nothing but what its URL says. */
struct aws_request {
	struct str host;  /* HOST or HOST:PORT, as it is sent */
	struct str path;  /* escaped */
	struct str query; /* escaped, in the order of the names; may be empty */
	struct str region;
};
enum { AWS_HEADERS = 4 };

/* Writes the headers that sign it; how many. */
size_t aws_sign(struct arena *a, const struct aws_request *r,
		const struct aws_keys *keys, time_t now,
		struct fetch_header out[AWS_HEADERS]);
/* As the signature needs it; a path keeps its slashes. */
struct str aws_escape(struct arena *a, struct str s, bool path);

#endif
