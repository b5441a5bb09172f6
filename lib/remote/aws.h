/*
 * aws.h - requests to S3 and compatible services: the credentials and the
 * signature (AWS Signature Version 4)
 *
 * Signatures are made here because libcurl's are wrong for some keys of objects
 * (7.88.1: those with a colon or plus sign, and unsorted queries).
 */
#ifndef TFPIPE_REMOTE_AWS_H
#define TFPIPE_REMOTE_AWS_H

#include <time.h>

#include "remote/fetch.h"

struct aws_keys {
	struct str id, secret;
	struct str token; /* of a session; or empty */
};

struct remote; /* asks the services */

/* --- aws_services.c: temporary keys, from services --- */

struct aws_role {
	struct str arn;
	struct str session;    /* the name of what is done with it; or empty */
	struct str external;   /* the ID its owner demands; or empty */
	struct str seconds;    /* how long; or empty */
	struct str token_file; /* an identity on the web; empty: who asks has
				  keys */
};

/* A request: POST where there is a body, else GET. */
struct aws_request {
	struct str host;  /* HOST or HOST:PORT, as it is sent */
	struct str path;  /* escaped */
	struct str query; /* escaped, in the order of the names; may be empty */
	struct str region;
	struct str body;
	struct str service; /* empty: s3 */
};
enum { AWS_HEADERS = 4 };

#endif
