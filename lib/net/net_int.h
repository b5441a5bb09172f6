/* net_int.h - what the files of this room share */
#ifndef TFPIPE_NET_NET_INT_H
#define TFPIPE_NET_NET_INT_H

#include <curl/curl.h>

#include "net/http.h"

/* http.c: what the files of this folder share */

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

/*
 * hop.c: one request by libcurl: its options, and the destination of the
 * body
 */

/* Begins the hop at t->url, in the loop.  0, or -1 with t->why. */
int transfer_begin(struct transfer *t);
void transfer_end_hop(struct transfer *t);
/* 0 until the answer has a status. */
long transfer_status(struct transfer *t);
/* Makes the file of the body, if it is not there yet; 0, or -1 with
 * t->failed. */
int body_file(struct transfer *t);
/* Closes it, and removes it. */
void body_drop(struct transfer *t);
int64_t body_limit(const struct transfer *t, bool file);

/* multi.c: libcurl's descriptors and timers in the event loop */

/* The descriptors and timers of the library in the loop; 0, or -1. */
int multi_attach(struct http *h);
void multi_detach(struct http *h);

/* request_url.c: the addresses of requests and redirects */

/* Resolves a Location header; NULL if that is no http or https URL.  Without a
 * base the path stays as it is written. */
char *url_join(struct arena *a, const char *base, const char *location);
/* In small letters, without the port; an IPv6 address in brackets. */
struct str url_host(struct arena *a, const char *url);
struct str url_public(struct arena *a, const char *url);
bool url_is_tls(const char *url);
bool host_is_loopback(struct str host);

#endif
