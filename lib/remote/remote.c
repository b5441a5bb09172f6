/* remote.c - see remote.h */
#include "remote/remote.h"

#include "base/loop.h"

struct fetch *remote_fetch(struct remote *r)
{
	if (!r->loop) { /* once: what was stopped stays so */
		r->loop = loop_new();
		r->fetch = fetch_new(r->a, r->loop);
	}
	return r->fetch;
}

void remote_stop(struct remote *r)
{
	fetch_free(r->fetch);
	r->fetch = NULL;
}

void remote_end(struct remote *r)
{
	remote_stop(r);
	if (r->loop)
		loop_free(r->loop);
	r->loop = NULL;
}
