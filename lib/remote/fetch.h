/*
 * fetch.h - HTTP requests, made by a tf-fetch that is started for them
 *
 * A TLS library is slow to load, and most runs ask no host: so requests are
 * made by a program of its own (tf-fetch(1)), which starts with the first of
 * them and makes all beside one another.  Answers come through the loop.  The
 * caller decides what may be installed: a body is as the host sent it.
 *
 *	struct fetch *f = fetch_new(a, loop, below);
 *	struct fetch_answer answer;
 *
 *	if (fetch_wait(f, &(struct fetch_request){ .url = url }, &answer))
 *		return diag_error(ds, ..., "%.*s", STR_ARG(answer.error));
 *	if (answer.status != 200) ...
 *
 * Several at a time: fetch_start for each, then fetch_run.
 */
#ifndef TFPIPE_REMOTE_FETCH_H
#define TFPIPE_REMOTE_FETCH_H

#include "base/loop.h"
#include "base/str.h"

struct fetch;

struct fetch_header {
	struct str name, value;
};

enum {
	FETCH_REDIRECTS = 10,   /* are followed where the request names none */
	FETCH_NO_REDIRECTS = -1 /* the answer is the redirect itself */
};

/* The proxies of a request, in place of those that the environment names. */
struct fetch_proxies {
	/* For the two schemes; NULL in p: the environment's, empty: none. */
	struct str http, https;
	struct str none; /* hosts without one, as NO_PROXY has them; NULL in
				p: the environment's */
};

/* What a request is encrypted with; texts in PEM. */
struct fetch_tls {
	struct str ca; /* whom it trusts; empty: whom the system does */
	/* Who asks, for the URL's host name alone; the key is secret. */
	struct str certificate, key;
	/* The name that the certificate of the URL's host must have; empty: its
	 * own. */
	struct str name;
	bool insecure; /* anybody is trusted */
};

/* Members left out are zero.  Texts are borrowed until the call returns. */
struct fetch_request {
	struct str url;    /* http or https; a user and password in it are
				  sent as basic authentication */
	struct str method; /* empty: GET */
	const struct fetch_header *headers; /* may be NULL */
	size_t nheaders;
	/* Goes to the host name of the URL alone, as a bearer token, also after
	 * redirects; never in the clear but to this machine itself. */
	struct str token;
	/* Sent as it is, any bytes; its type is a header, and none is sent
	 * where there is none. */
	struct str body;
	/* Whether the host got it matters: it is sent on a connection of its
	 * own, for one that was used and ends is replaced, and the request
	 * repeated. */
	bool once;
	const struct fetch_tls *tls;         /* NULL: none of its own */
	const struct fetch_proxies *proxies; /* the same */
	/* The body goes to this file, which must not exist.  It is there only
	 * if the answer is 200 and complete.  Empty: to memory. */
	struct str to;
	int64_t most; /* bytes that a body may have; 0: 16 MiB in memory, any
				  number in a file */
	int retries;  /* after the first try: for failed connections,
				  429 and 5xx */
	/* Seconds before another try, the first and the longest, unless the
	 * host asks for some: 1 and 30 if `waits` is not set. */
	int wait_min, wait_max;
	bool waits;
	int redirects;   /* followed; 0: FETCH_REDIRECTS */
	int seconds;     /* for one try; 0: any time, unless nothing
				  comes for a minute */
	bool background; /* fetch_run does not wait for it */
};

struct fetch_answer {
	struct str error; /* why there is no answer, in a sentence without
				  a full stop, which names no secret; empty:
				  there is one */
	bool final;       /* with an error: another try would end the same */
	int status;       /* 200, 404, … */
	int tries;        /* it took, 1 or more; also with an error */
	struct str url;   /* after redirects, without user and password */
	const struct fetch_header *headers; /* names in small letters */
	size_t nheaders;
	struct str body; /* unless it went to a file */
	int64_t size;    /* of the body, in bytes */
};

/* The answer is in the arena of fetch_new. */
typedef void fetch_fn(void *data, const struct fetch_answer *answer);
/* Bytes received so far, and in all (-1: unknown). */
typedef void fetch_progress_fn(void *data, int64_t have, int64_t all);

/* Nothing is started yet.  The loop belongs to the caller and is not to run
 * again after fetch_free without another reason. */
/* below: a directory that `to` may be in, besides that of temporary files. */
struct fetch *fetch_new(struct arena *a, struct loop *l, struct str below);
/* Ends the program and all requests without an answer, without calling their
 * callbacks.  NULL is fine. */
void fetch_free(struct fetch *f);

/* Begins a request; fn is called once, from the loop, whatever happens. */
void fetch_start(struct fetch *f, const struct fetch_request *r, fetch_fn *fn,
		 void *data);
/* Starts a request with progress, which comes from the loop, too, before the
 * answer. */
void fetch_start_progress(struct fetch *f, const struct fetch_request *r,
			  fetch_fn *fn, fetch_progress_fn *progress,
			  void *data);
/* Runs the loop until no request is left but those in the background, also none
 * of those that callbacks have begun. */
void fetch_run(struct fetch *f);
/* One request: 0, or -1 with out->error. */
int fetch_wait(struct fetch *f, const struct fetch_request *r,
	       struct fetch_answer *out);

/* A header of the answer; STR_NONE if there is none. */
struct str fetch_answer_header(const struct fetch_answer *answer,
			       const char *name);
/* Is it JSON, as it says itself? */
bool fetch_answer_is_json(const struct fetch_answer *answer);
/* By name, as signatures want them. */
void fetch_sort_headers(struct fetch_header *headers, size_t n);
/* "404 Not Found" */
struct str fetch_status_text(struct arena *a, int status);

/* Text of a host as people may read it: without control characters. */
struct str host_text(struct arena *a, struct str s);

#endif
