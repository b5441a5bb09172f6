/*
 * tencent.h - who asks Tencent Cloud: signatures of requests to its stores of
 * objects (COS), calls of its other services (TC3-HMAC-SHA256), and roles
 */
#ifndef TFPIPE_REMOTE_TENCENT_H
#define TFPIPE_REMOTE_TENCENT_H

#include "remote/fetch.h"

struct remote;
struct json;

struct tencent_keys {
	struct str id, secret;
	struct str token; /* of a session; or empty */
	int64_t until;    /* they are renewed from then on; 0: never */
};

/* A role that is taken on; the policy may be empty. */
struct tencent_role {
	struct str arn, session, policy;
	int64_t seconds;
};

struct tencent_request {
	struct str method, path; /* not escaped */
	/* Both sorted by names in small letters; values are not escaped. */
	const struct fetch_header *query, *headers;
	size_t nquery, nheaders;
};

/* The value of Authorization; all headers are signed. */
struct str tencent_sign(struct arena *a, const struct tencent_keys *keys,
			const struct tencent_request *r, int64_t now);

/* A call of a service, with a body that is JSON. */
struct tencent_call {
	const char *service, *action;
	struct str region, body;
	const char *language; /* of errors */
	bool repeats;         /* made twice it does as much as once */
};

/* Returns the member "Response", or NULL with *why, a sentence without its full
 * stop.  *code: of the error that the service tells; empty: none. */
const struct json *tencent_ask(struct remote *rem,
			       const struct tencent_keys *keys,
			       const struct tencent_call *call,
			       struct str *code, struct str *why);
/* -1 with *why. */
int tencent_role_keys(struct remote *rem, const struct tencent_keys *keys,
		      struct str region, const struct tencent_role *role,
		      struct tencent_keys *out, struct str *why);

#endif
