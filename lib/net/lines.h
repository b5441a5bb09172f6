/*
 * lines.h - requests and answers as lines of JSON, as tf-fetch(1) has them
 *
 * The other end is lib/remote/fetch.c.
 */
#ifndef TFPIPE_NET_LINES_H
#define TFPIPE_NET_LINES_H

#include "base/io.h"
#include "json/json.h"
#include "net/http.h"

struct lines {
	struct http *http;
	struct out *out;
	size_t left;       /* requests without an answer */
	bool bad;          /* a line was no request */
	loop_fn *answered; /* after each answer */
	void *data;

	struct buf line; /* not whole yet */
	/* A request whose body follows its line. */
	struct arena arena;
	const struct json *head; /* NULL: none */
	struct buf body;
	size_t size; /* that the body will have */
};

/* Takes input: begins the requests that are whole; errors in them are their
 * answers.  -1: a line is too long. */
int lines_take(struct lines *l, struct str input);
/* The input has ended: takes a last line without its end. */
void lines_end(struct lines *l);
/* Releases input that was no whole request. */
void lines_release(struct lines *l);

#endif
