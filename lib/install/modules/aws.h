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

struct module_store; /* asks the services */

/* The keys of the environment, or of a profile in the files that the AWS tools
 * have (~/.aws/credentials, ~/.aws/config); of that alone where its name is not
 * empty.  Both may say who else tells them: a program, a role, a container's
 * or machine's service.  *region: where roles are asked for; where it is empty
 * it becomes what the environment or the profile says, if they do.  -1 with
 * *why, a sentence without its full stop. */
int aws_keys_find(struct module_store *s, struct str profile,
		  struct aws_keys *out, struct str *region, struct str *why);

/* --- aws_services.c: keys that services tell, for an hour or so --- */

struct aws_role {
	struct str arn;
	struct str session;  /* the name of what is done with it; or empty */
	struct str external; /* what its owner asks for; or empty */
	struct str seconds;  /* how long; or empty */
	struct str token_file; /* an identity on the web; empty: who asks has
				  keys */
};

/* All: 0, or -1 with *why.  The region may be empty. */
int aws_role_keys(struct module_store *s, const struct aws_role *r,
		  const struct aws_keys *keys, struct str region,
		  struct aws_keys *out, struct str *why);
/* Does the environment name a container's service? */
bool aws_in_container(void);
int aws_container_keys(struct module_store *s, struct aws_keys *out,
		       struct str *why);
/* The service of a virtual machine (EC2): 1 where there is none. */
int aws_machine_keys(struct module_store *s, struct aws_keys *out,
		     struct str *why);

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

/* Writes the headers that sign it; how many. */
size_t aws_sign(struct arena *a, const struct aws_request *r,
		const struct aws_keys *keys, time_t now,
		struct fetch_header out[AWS_HEADERS]);
/* As the signature needs it; a path keeps its slashes. */
struct str aws_escape(struct arena *a, struct str s, bool path);

#endif
