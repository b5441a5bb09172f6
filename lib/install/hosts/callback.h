/*
 * callback.h - a listener on this machine that the browser is redirected to
 *
 * It accepts one request, for any path, that has the state and a code, and
 * answers with a page for people.  Other requests get 400; slow ones block
 * nobody.
 */
#ifndef TFPIPE_INSTALL_CALLBACK_H
#define TFPIPE_INSTALL_CALLBACK_H

#include "base/loop.h"
#include "base/str.h"

struct callback;

typedef void callback_fn(void *data, struct str code);

/* Listens at 127.0.0.1, at a port of the range; NULL: none is free. fn is
 * called once, from the loop, when the answer was sent. */
struct callback *callback_listen(struct arena *a, struct loop *l, int min_port,
				 int max_port, struct str state,
				 callback_fn *fn, void *data);
/* http://localhost:PORT/login */
struct str callback_address(const struct callback *c);
void callback_close(struct callback *c); /* NULL is fine */

#endif
