/* hosts_int.h - what the files of this room share */
#ifndef TFPIPE_INSTALL_HOSTS_HOSTS_INT_H
#define TFPIPE_INSTALL_HOSTS_HOSTS_INT_H

#include "base/loop.h"
#include "base/str.h"
#include "remote/remote.h"
#include "install/hosts/login.h"

struct callback;

/* browser.c: a page shown to the person at this computer */

/* Opens the address in a browser: the program that BROWSER names, or one of
 * the usual ones; waits for it in the loop.  false: there is none that
 * would. */
bool browser_open(struct loop *l, struct str address);

/*
 * callback.c: a listener on this machine that the browser is redirected to
 *
 * It accepts one request, for any path, that has the state and a code, and
 * answers with a page for people.  Other requests get 400; slow ones block
 * nobody.
 */

typedef void callback_fn(void *data, struct str code);

/* Listens at 127.0.0.1, at a port of the range; NULL: none is free. fn is
 * called once, from the loop, when the answer was sent. */
struct callback *callback_listen(struct arena *a, struct loop *l, int min_port,
				 int max_port, struct str state,
				 callback_fn *fn, void *data);
/* http://localhost:PORT/login */
struct str callback_address(const struct callback *c);
void callback_close(struct callback *c); /* NULL is fine */

/*
 * login_oauth.c: how a host gives tokens: login.v1 of its discovery document
 *
 * The authorization code grant with PKCE (RFC 6749, 4.1; RFC 7636), whose code
 * comes to our listener (callback.c), and the password grant (4.3).  Only texts
 * are made and read here: the caller opens a browser and makes requests.
 */

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

/* A random secret of 43 characters that need no encoding; STR_NONE: the system
 * has no random numbers. */
struct str oauth_secret(struct arena *a);
/* The PKCE code challenge for a verifier; STR_NONE: this machine cannot compute
 * the hash. */
struct str oauth_challenge(struct arena *a, struct str verifier);
/* The address of the authorization page.  redirect: the listener. */
struct str oauth_address(struct arena *a, const struct oauth_client *c,
			 struct str redirect, struct str state,
			 struct str challenge);
/* The form to send to c->token. */
struct str oauth_code_form(struct arena *a, const struct oauth_client *c,
			   struct str redirect, struct str code,
			   struct str verifier);
struct str oauth_password_form(struct arena *a, const struct oauth_client *c,
			       struct str user, struct str password);
/* The token in the answer; -1 with *why, which names no secret. */
int oauth_token(struct arena *a, const struct fetch_answer *answer,
		struct str *token, struct str *why);

#endif
