/*
 * remote.h - what a program needs to ask hosts: a loop, one tf-fetch, and the
 * tokens that it was given
 *
 * Of this room: fetch.h makes requests, aws_*.h, azure.h and google_token.h
 * find credentials and sign with them, oauth.h requests tokens, services.c
 * finds the services of a host and credentials.h its token, secret_program.c
 * asks programs for secrets, xml.h reads answers.
 */
#ifndef TFPIPE_REMOTE_REMOTE_H
#define TFPIPE_REMOTE_REMOTE_H

#include "remote/fetch.h"
#include "remote/oauth.h"
#include "remote/credentials.h"
#include "base/str.h"

struct services;

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

/*
 * services.c: the registries of a host: service discovery
 *
 * https://HOST/.well-known/terraform.json is asked for once a run and host,
 * with the host's token if there is one; a `host` block of the CLI
 * configuration is an answer without a request.
 */

enum service_status {
	SERVICE_FOUND,
	SERVICE_NONE,          /* the host has no such service */
	SERVICE_OTHER_VERSION, /* it has one of another major version */
	SERVICE_UNREACHABLE,   /* why says it */
};

struct service {
	enum service_status status;
	struct str url;   /* absolute */
	struct str token; /* of the host; empty: there is none */
	struct str why;   /* a sentence without a full stop */
	/* The service's entry, of any JSON kind; addresses in it are relative
	 * to base. If that is no address (login.v1), the other members say that
	 * there is no service. */
	const struct json *entry;
	struct str base;
};

typedef void service_fn(void *data, const struct service *s);

struct services *services_new(struct arena *a, const struct cli_hosts *h,
			      struct fetch *f, struct loop *l);
/* id is "providers.v1", "modules.v1", …; host as host_name has it.  fn is
 * called once, from the loop. */
void services_find(struct services *s, struct str host, const char *id,
		   service_fn *fn, void *data);
/* Runs the loop until it is known. */
struct service services_await(struct services *s, struct str host,
			      const char *id);
const struct cli_hosts *services_hosts(const struct services *s);

/* platform.c: the platform of this machine, as packages have it */

/* This machine: "linux_amd64". */
struct str platform_name(struct arena *a);

#endif
