/*
 * http.h - parallel HTTP requests in the event loop
 *
 * libcurl appears in this folder alone.  Redirects are followed here, not by
 * the library: a token belongs to a host name, and each hop is looked at.
 */
#ifndef TFPIPE_NET_HTTP_H
#define TFPIPE_NET_HTTP_H

#include "base/loop.h"
#include "base/str.h"
#include "base/vec.h"

struct http;

struct http_header {
	struct str name, value;
};
struct http_headers VEC_OF(struct http_header);

struct http_request {
	struct str url;
	struct str method; /* empty: GET */
	struct http_headers headers;
	struct str token; /* bearer, for the URL's host name alone */
	struct buf body;  /* taken over */
	/* In PEM, or empty.  The certificate and its key go with the URL's host
	 * name alone. */
	struct str ca, certificate, key;
	/* The name that the certificate of the URL's host must have, if not its
	 * own; or empty. */
	struct str tls_name;
	bool insecure; /* any host is trusted */
	bool once;     /* on a connection that nobody has used */
	/* NULL in p: the environment's; empty: none. */
	struct str http_proxy, https_proxy, no_proxy;
	struct str to;     /* a file to be made; empty: memory */
	int64_t most;      /* bytes a body may have; 0: see http.c */
	int64_t retries;   /* after the first try */
	int64_t redirects; /* below 0: none is followed */
	int64_t seconds;   /* for one try; 0: while something comes */
	/* Seconds before another try, the first and the longest. */
	int64_t wait_min, wait_max;
};

struct http_answer {
	struct str error; /* not empty: the rest has no meaning but final */
	bool final;       /* another try would end the same */
	int status;
	int tries;
	struct str url; /* after redirects, without user and password */
	struct http_headers headers; /* names in small letters */
	struct str body;             /* unless it is in the file */
	bool in_file;
	int64_t size;
};

/* The answer lives until the call returns. */
typedef void http_done_fn(void *data, const struct http_answer *answer);
/* all: -1 if unknown. */
typedef void http_progress_fn(void *data, int64_t have, int64_t all);

/* NULL: the library cannot be used. */
struct http *http_new(struct loop *l, struct str user_agent);
/* Ends requests under way without calling back; removes files they have
 * begun. */
void http_free(struct http *h);
/* Copies the request, but takes its body over.  done is called once, from the
 * loop; progress may be NULL. */
void http_start(struct http *h, const struct http_request *r,
		http_done_fn *done, http_progress_fn *progress, void *data);

#endif
