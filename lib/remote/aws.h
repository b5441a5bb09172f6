/*
 * aws.h - requests to Amazon's services and compatible ones: what they go by,
 * the credentials and the signature (AWS Signature Version 4)
 *
 *	const struct aws_call get = { .bucket = bucket, .path = key };
 *	struct aws *c = aws_open(rem, &settings, &why);
 *
 *	if (!c || aws_ask(c, &get, &answer, &why))
 *		return diag_error(ds, ..., "%.*s", STR_ARG(why));
 *	if (answer.status != 200) ...
 *
 * Of this: aws_client.h asks, aws_endpoint.h knows where, aws_profile.h reads
 * the environment and the files of the AWS tools, aws_keys.h and aws_services.h
 * find credentials, aws_sign.h signs.  Nothing but aws_profile.c reads the
 * environment, and aws_services.c for containers.
 *
 * Signatures are made here because libcurl's are wrong for some keys of objects
 * (7.88.1: those with a colon or plus sign, and unsorted queries).
 */
#ifndef TFPIPE_REMOTE_AWS_H
#define TFPIPE_REMOTE_AWS_H

#include <time.h>

#include "remote/fetch.h"

struct remote; /* asks the services */

struct aws_keys {
	struct str id, secret;
	struct str token; /* of a session; or empty */
	time_t expires;   /* they are of no use from then on; 0: never */
};

struct aws_pair {
	struct str name, value;
};
struct aws_pairs VEC_OF(struct aws_pair);

/* A role that is taken on, and what is said of it; texts may be empty. */
struct aws_role {
	struct str arn;
	struct str session;  /* the name of what is done with it */
	struct str external; /* the ID its owner demands */
	struct str seconds;  /* how long */
	struct str policy;   /* what it may do at most, and others by name */
	struct str_vec policies;
	struct aws_pairs tags;
	struct str_vec transitive; /* tags that go on to further roles */
	/* An identity on the web, or its file; if both are empty who asks has
	 * keys. */
	struct str token, token_file;
};

enum aws_service {
	AWS_S3,
	AWS_DYNAMODB,
	AWS_STS,
	AWS_IAM,
	AWS_SSO,
	AWS_KMS,
	AWS_SERVICES
};

enum aws_switch { AWS_UNSET, AWS_ON, AWS_OFF };

/* All that a request goes by.  What is zero is filled by aws_open, from the
 * environment and the profile. */
struct aws_settings {
	struct str region;
	struct str sts_region;              /* empty: the same */
	struct str endpoints[AWS_SERVICES]; /* URLs; empty: Amazon's */
	bool path_style; /* buckets are in the path, never in the host's name */
	bool dualstack, fips;

	struct aws_keys keys;
	struct str profile;
	struct str_vec config_files, credentials_files;
	const struct aws_role *role; /* taken on with the keys found; or NULL */
	const struct aws_role *web;  /* in place of all keys; or NULL */
	enum aws_switch machine;     /* may its service be asked? */
	struct str machine_endpoint;
	struct str machine_mode; /* IPv4 or IPv6 */

	int tries;             /* of one request, the first among them */
	struct str retry_mode; /* standard or adaptive */
	struct str ca_bundle;  /* a file */
	struct fetch_tls tls;
	struct fetch_proxies proxies;
};

/* A request, not escaped. */
struct aws_call {
	enum aws_service service;
	const char *method; /* NULL: POST where there is a body, else GET */
	struct str bucket;  /* of S3; or empty */
	struct str path;    /* the key of an object, without a slash before */
	struct aws_pairs query;
	const struct fetch_header *headers;
	size_t nheaders;
	struct str body;
	bool checksum; /* x-amz-checksum-sha256 is sent */
	bool once;     /* it is not tried again */
	int64_t most;  /* as of struct fetch_request */
};

/* --- what is signed --- */

struct aws_request {
	struct str method;
	struct str host;  /* HOST or HOST:PORT, as it is sent */
	struct str path;  /* escaped */
	struct str query; /* escaped; may be empty */
	struct str region;
	struct str service;                 /* as signatures name it */
	const struct fetch_header *headers; /* besides those of a signature */
	size_t nheaders;
	struct str hash; /* of the body, SHA-256 in hexadecimal digits;
			    empty: there is no body */
};
enum { AWS_HEADERS = 4 };

#endif
