/*
 * oauth.h - how a host gives tokens: login.v1 of its discovery document
 *
 * The authorization code grant with PKCE (RFC 6749, 4.1; RFC 7636), whose code
 * comes to a listener of ours (callback.h), and the password grant (4.3).  Here
 * are the texts alone: who opens a browser and who makes requests is the
 * caller's business.
 */
#ifndef TFPIPE_INSTALL_OAUTH_H
#define TFPIPE_INSTALL_OAUTH_H

#include "install/hosts/services.h"

struct oauth_client {
	struct str id, scopes;   /* scopes: with spaces between them */
	struct str authz, token; /* absolute addresses; or empty */
	bool code, password;     /* grants */
	int min_port, max_port;  /* of the listener */
};

/* Reads the entry of a service.  -1 with *why, a sentence without a full
 * stop. */
int oauth_client_read(struct arena *a, const struct service *s,
		      struct oauth_client *out, struct str *why);

/* Characters that nobody guesses, 43 of those that need no encoding; STR_NONE
 * where there is no randomness. */
struct str oauth_secret(struct arena *a);
/* What is told before of a secret that is told last; STR_NONE: no hash can be
 * made on this machine. */
struct str oauth_challenge(struct arena *a, struct str verifier);
/* Where the browser goes.  redirect: the listener. */
struct str oauth_address(struct arena *a, const struct oauth_client *c,
			 struct str redirect, struct str state,
			 struct str challenge);
/* What is sent to c->token, as a form. */
struct str oauth_code_form(struct arena *a, const struct oauth_client *c,
			   struct str redirect, struct str code,
			   struct str verifier);
struct str oauth_password_form(struct arena *a, const struct oauth_client *c,
			       struct str user, struct str password);
/* The token in the answer; -1 with *why, which names no secret. */
int oauth_token(struct arena *a, const struct fetch_answer *answer,
		struct str *token, struct str *why);

#endif
