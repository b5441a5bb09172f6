/*
 * lines.h - requests and answers as lines of JSON, as tf-fetch(1) has them
 *
 * The other end is lib/remote/fetch.c.
 */
#ifndef TFPIPE_NET_LINES_H
#define TFPIPE_NET_LINES_H

#include "base/io.h"
#include "net/http.h"

struct lines {
	struct http *http;
	struct out *out;
	size_t left;       /* requests without an answer */
	bool bad;          /* a line was no request */
	loop_fn *answered; /* after each answer */
	void *data;
};

/* Begins the request of a line; errors in it are its answer. */
void lines_request(struct lines *l, struct str line);

#endif
