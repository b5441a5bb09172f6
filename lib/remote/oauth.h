/*
 * oauth.h - tokens of OAuth 2.0 (RFC 6749), and the signed texts that some are
 * requested with (RFC 7519)
 */
#ifndef TFPIPE_REMOTE_OAUTH_H
#define TFPIPE_REMOTE_OAUTH_H

#include "base/str.h"

struct remote;
struct fetch_request;

struct oauth_token {
	struct str text; /* empty: there is none */
	/* When another is to be requested, a while before it expires, in
	 * seconds since 1970; 0: never. */
	int64_t until;
};

/* Is there one that is still good? */
bool oauth_fresh(const struct oauth_token *t);
/* Sets `until` by the seconds that it is good for. */
void oauth_lives(struct oauth_token *t, int64_t seconds);

/* Appends NAME=VALUE, escaped. */
void oauth_form(struct buf *form, const char *name, struct str value);

/* Makes the request, with the form as its body where there is one, and takes
 * the token from the answer.  -1 with *why, a sentence without its full stop
 * that has no secret in it. */
int oauth_ask(struct remote *rem, const struct fetch_request *r,
	      struct str form, struct oauth_token *out, struct str *why);

/* HEADER.CLAIMS.SIGNATURE of two JSON texts, signed with a key in PEM
 * (RS256). */
int oauth_sign(struct arena *a, struct str pem, struct str header,
	       struct str claims, struct str *out, struct str *why);

#endif
