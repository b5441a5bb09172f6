/* http_int.h - what the files of this folder share */
#ifndef TFPIPE_NET_HTTP_INT_H
#define TFPIPE_NET_HTTP_INT_H

#include <curl/curl.h>

#include "net/http.h"

struct http {
	struct loop *loop;
	CURLM *multi;
	struct loop_timer *timer;
	struct transfer *first; /* all that are under way */
	char *user_agent;
};

/* One request with its tries and hops. */
struct transfer {
	struct http *http;
	struct transfer *prev, *next;
	struct arena arena;
	struct http_request r;
	http_done_fn *done;
	http_progress_fn *progress;
	void *data;

	CURL *easy;                 /* of the hop; NULL while it waits */
	struct curl_slist *sent;    /* its headers */
	struct curl_slist *connect; /* where the host of its URL is */
	struct loop_timer *pause;   /* before the next try */
	char why[CURL_ERROR_SIZE];
	char *url;       /* of the hop */
	struct str host; /* the first URL's, which gets the token */
	bool get;        /* a redirect made a GET of it */
	bool headed;     /* the hop's answer has all its headers */
	int tries, hops;

	int fd;    /* of r.to, -1: not made (yet) */
	bool made; /* r.to is there */
	struct buf body;
	int64_t size;
	int failed;   /* errno of writing; EFBIG: too large */
	int64_t told; /* progress: monotonic milliseconds */
	int64_t told_size;
};

/* A hop has ended: goes on to the next hop or try, or ends the transfer. */
void transfer_ended(struct transfer *t, CURLcode code);

#endif
