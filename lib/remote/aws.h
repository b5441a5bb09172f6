/*
 * aws.h - requests to Amazon's services and compatible ones: what they go by,
 * the credentials and the signature (AWS Signature Version 4)
 *
 * 	const struct aws_call get = { .bucket = bucket, .path = key };
 * 	struct aws *c = aws_open(rem, &settings, &why);
 *
 * 	if (!c || aws_ask(c, &get, &answer, &why))
 * 		return diag_error(ds, ..., "%.*s", STR_ARG(why));
 * 	if (answer.status != 200) ...
 *
 * Of this: aws_client.c asks, aws_endpoint.c knows where, aws_profile.c reads
 * the environment and the files of the AWS tools, aws_keys.c and aws_services.c
 * find credentials, aws_sign.c signs.  Nothing but aws_profile.c reads the
 * environment, and aws_services.c for containers.
 *
 * Signatures are made here because libcurl's are wrong for some keys of objects
 * (7.88.1: those with a colon or plus sign, and unsorted queries).
 */
#ifndef TFPIPE_REMOTE_AWS_H
#define TFPIPE_REMOTE_AWS_H

#include <time.h>

#include "remote/fetch.h"

struct aws;

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

/* aws_client.c: a client that asks Amazon's services */

/* What went wrong where there are no keys. */
enum aws_trouble { AWS_FINE, AWS_NO_KEYS, AWS_NO_ROLE, AWS_NO_WEB_ROLE };

/* A client, in the arena of rem; the settings are copied, and what they lack is
 * filled from the environment and the files of the AWS tools.  Nobody is asked
 * yet.  NULL with *why, a sentence without its full stop. */
struct aws *aws_open(struct remote *rem, const struct aws_settings *s,
		     struct str *why);
/* The settings, filled. */
const struct aws_settings *aws_settings_of(const struct aws *c);
/* Of the last failure to have keys. */
enum aws_trouble aws_trouble_of(const struct aws *c);

/* Makes a request, signed with keys that are found for it, and renewed when
 * they expire.  What passes is tried again: failed connections, throttling,
 * 5xx; the pauses run the loop.  0 where there is an answer, of whatever
 * status; -1 with *why, as above. */
int aws_ask(struct aws *c, const struct aws_call *call,
	    struct fetch_answer *out, struct str *why);
/* Asks with other keys; NULL: not signed. */
int aws_ask_with(struct aws *c, const struct aws_call *call,
		 const struct aws_keys *keys, struct fetch_answer *out,
		 struct str *why);

/* The account of who asks, which STS tells, or -- any -- whatever service does.
 * -1 with *why. */
int aws_account(struct aws *c, bool any, struct str *account, struct str *why);
/* arn:PARTITION:SERVICE:REGION:ACCOUNT:RESOURCE; false: it is none. */
bool aws_arn_resource(struct str arn, struct str *resource);
/* By two lists, of which each may be empty. */
bool aws_account_allowed(struct str account, const struct str_vec *allowed,
			 const struct str_vec *forbidden);

/* The code of an error ("NoSuchKey"); STR_NONE: the answer has none. */
struct str aws_error_code(struct arena *a, const struct fetch_answer *answer);
/* An answer that is an error, for people. */
struct str aws_error_text(struct arena *a, const struct fetch_answer *answer);

/* aws_endpoint.c: the addresses of Amazon's services */

struct aws_place {
	struct str scheme;
	struct str host; /* as it is sent: without the scheme's own port */
	struct str path; /* escaped */
	struct str region, service; /* as signatures name them */
};

/* Finds the place of a request.  0, or -1 with *why. */
int aws_endpoint(struct arena *a, const struct aws_settings *s,
		 const struct aws_call *call, struct aws_place *out,
		 struct str *why);
/* Is it a region that Amazon has, or may have? */
bool aws_region_known(struct str region);

/* aws_keys.c: the keys that a client's requests are signed with */

/* Finds the keys by the settings, the environment, and the profile, which may
 * refer to another source: a program, a role, a portal, a container's or
 * machine's service.  They are kept until shortly before they expire.  -1 with
 * *why, a sentence without its full stop. */
int aws_keys_of(struct aws *c, struct aws_keys *out, struct str *why);
/* Takes those that a client with the same settings has found. */
void aws_keys_take(struct aws *c, const struct aws *from);
/* The next request finds them anew. */
void aws_keys_forget(struct aws *c);

/* aws_sign.c: AWS Signature Version 4 */

/* Writes the headers that sign it; returns their number. */
size_t aws_sign(struct arena *a, const struct aws_request *r,
		const struct aws_keys *keys, time_t now,
		struct fetch_header out[AWS_HEADERS]);
/* The query of a request. */
struct str aws_query(struct arena *a, const struct aws_pairs *pairs);

#endif
