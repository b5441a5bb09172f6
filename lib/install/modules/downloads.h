/*
 * downloads.h - files that are downloaded before their turn
 *
 * All calls of a module are known before the first of them is installed, so
 * their archives are requested in parallel, as their repositories are cloned
 * (ahead.h).  A file goes to its place at once; in its turn it is waited for,
 * and its answer counts whatever it is.
 */
#ifndef TFPIPE_INSTALL_DOWNLOADS_H
#define TFPIPE_INSTALL_DOWNLOADS_H

#include "install/hosts/hosts.h"

struct downloads;

struct downloads *downloads_new(struct arena *a, struct hosts *hosts);
/* Wants a file (request.to), to be downloaded from downloads_begin on. */
void downloads_want(struct downloads *d, const struct fetch_request *r);
void downloads_begin(struct downloads *d);
/* The answer to the request: waits for that which is under way for its file, or
 * makes one now.  0, or -1 with out->error. */
int downloads_get(struct downloads *d, const struct fetch_request *r,
		  struct fetch_answer *out);
/* Removes the files that were not taken. */
void downloads_end(struct downloads *d);

#endif
