/*
 * hop_int.h - one request by libcurl: its options, and the destination of the
 * body
 */
#ifndef TFPIPE_NET_HOP_INT_H
#define TFPIPE_NET_HOP_INT_H

#include "net/http_int.h"

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

#endif
