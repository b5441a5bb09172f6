/*
 * remote.h - what a program needs to ask hosts: a loop, one tf-fetch, and the
 * tokens that it was given
 *
 * Of this room: fetch.h makes requests, aws_*.h, azure.h and google_token.h
 * find credentials and sign with them, oauth.h requests tokens, services.h
 * finds the services of a host and credentials.h its token, secret_program.h
 * asks programs for secrets, xml.h reads answers.
 */
#ifndef TFPIPE_REMOTE_REMOTE_H
#define TFPIPE_REMOTE_REMOTE_H

#include "remote/fetch.h"
#include "remote/oauth.h"

enum { REMOTE_RETRIES = 2 }; /* of requests to stores and key services */

struct remote { /* the arena is the caller's; the rest is empty at first */
	struct arena *a;
	/* The caller's, which goes on while something is asked; or NULL: one is
	 * made with the first request. */
	struct loop *loop;
	struct fetch *fetch;             /* NULL until something is asked */
	struct oauth_token google_token; /* of this run; or empty */
	/* The directory that tf-fetch may write below, besides that of
	 * temporary files; empty: none. */
	struct str below;
	bool made;     /* it was not there */
	bool own_loop; /* it was made here */
	bool stopped;
};

/* s as a part of a URL: all but what RFC 3986 calls unreserved is escaped, as
 * signatures need it, too; a path keeps its slashes. */
struct str remote_escape(struct arena *a, struct str s, bool path);

/* Makes the loop and tf-fetch, unless they exist.  NULL after remote_stop. */
struct fetch *remote_fetch(struct remote *r);
/* Waits, while the loop goes on. */
void remote_pause(struct remote *r, uint64_t ms);
/* Ends tf-fetch, even in the middle of requests, for good. */
void remote_stop(struct remote *r);
/* Ends tf-fetch and the loop, which held signals back; r can be used again. */
void remote_end(struct remote *r);

#endif
