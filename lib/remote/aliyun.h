/*
 * aliyun.h - who asks Alibaba Cloud: signatures of requests to its stores of
 * objects (OSS, version 1), roles (STS), and the keys of a machine's role
 */
#ifndef TFPIPE_REMOTE_ALIYUN_H
#define TFPIPE_REMOTE_ALIYUN_H

#include "remote/fetch.h"

struct remote;

struct aliyun_keys {
	struct str id, secret;
	struct str token; /* of a session; or empty */
	int64_t until;    /* they are renewed from then on; 0: never */
};

struct aliyun_request {
	struct str method, type, md5, date; /* as headers have them; or empty */
	/* The headers x-oss-*, sorted by names in small letters. */
	const struct fetch_header *headers;
	size_t nheaders;
	struct str resource; /* /BUCKET/OBJECT, not escaped */
};

/* The value of Authorization. */
struct str aliyun_sign(struct arena *a, const struct aliyun_keys *keys,
		       const struct aliyun_request *r);

/* A role that is taken on; the policy may be empty. */
struct aliyun_role {
	struct str arn, session, policy;
	int64_t seconds;
	struct str region, host; /* whom to ask; host: empty: the region's */
};

/* -1 with *why, a sentence without its full stop. */
int aliyun_role_keys(struct remote *rem, const struct aliyun_keys *keys,
		     const struct aliyun_role *role, struct aliyun_keys *out,
		     struct str *why);
/* Of the role that this machine has. */
int aliyun_machine_keys(struct remote *rem, struct str role,
			struct aliyun_keys *out, struct str *why);

#endif
