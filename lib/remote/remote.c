/* remote.c - see remote.h */
#include "remote/remote.h"

#include <unistd.h>

#include "base/io.h"
#include "base/loop.h"

struct fetch *remote_fetch(struct remote *r)
{
	if (!r->loop) { /* once: what was stopped stays so */
		/* What tf-fetch writes below is there when it starts. */
		r->made = r->below.n && access(r->below.p, F_OK) &&
			  !io_make_dirs(r->below.p, 0777);
		r->loop = loop_new();
		r->fetch = fetch_new(r->a, r->loop, r->below);
	}
	return r->fetch;
}

void remote_stop(struct remote *r)
{
	fetch_free(r->fetch);
	r->fetch = NULL;
	if (r->made)
		io_rmdir(r->below.p); /* if nothing came */
	r->made = false;
}

void remote_end(struct remote *r)
{
	remote_stop(r);
	if (r->loop)
		loop_free(r->loop);
	r->loop = NULL;
}
