/* fetch_int.h - requests and answers as tf-fetch(1) has them */
#ifndef TFPIPE_REMOTE_FETCH_INT_H
#define TFPIPE_REMOTE_FETCH_INT_H

#include "json/json.h"
#include "remote/fetch.h"

/* Adds the line of a request, and its body. */
void fetch_write(struct buf *to, const struct fetch_request *r, size_t id,
		 bool progress);
/* Reads the line of an answer. */
void fetch_read(struct arena *a, const struct json *j,
		struct fetch_answer *out);

#endif
