/*
 * google_token.h - tokens for Google's services (google.aip.dev/auth/4110): of
 * a service account, which signs who it is (RFC 7523), of a user who has logged
 * in, of an identity that another house vouches for (RFC 8693), of the machine
 * that this runs on; and those for other accounts that these may ask for
 */
#ifndef TFPIPE_REMOTE_GOOGLE_TOKEN_H
#define TFPIPE_REMOTE_GOOGLE_TOKEN_H

#include "remote/oauth.h"

#define GOOGLE_UNIVERSE "googleapis.com"
#define GOOGLE_SCOPE_ALL "https://www.googleapis.com/auth/cloud-platform"
#define GOOGLE_SCOPE_STORE \
	GOOGLE_SCOPE_ALL \
	" https://www.googleapis.com/auth/devstorage.full_control"

struct remote;

/* Members left out are zero. */
struct google_settings {
	struct str token; /* is taken as it is; or empty */
	/* JSON.  Empty: what GOOGLE_APPLICATION_CREDENTIALS names, gcloud's
	 * file, or the machine. */
	struct str credentials;
	struct str scope; /* separated by spaces */
	/* The service account that is acted for, and those on the way to it;
	 * or empty. */
	struct str account;
	struct str_vec delegates;
	struct str universe; /* a domain; empty: GOOGLE_UNIVERSE */
	/* Where nothing tells whether this is one of Google's machines, ask. */
	bool ask_machine;
};

/* What the module getters go by: GOOGLE_OAUTH_ACCESS_TOKEN, else the files. */
struct google_settings google_modules(void);

/* A token that is good now, in *token, where an earlier one is kept until it
 * expires.  Its text is empty: there are no credentials.  -1 with *why, a
 * sentence without its full stop that has no secret in it. */
int google_token(struct remote *rem, const struct google_settings *s,
		 struct oauth_token *token, struct str *why);

#endif
