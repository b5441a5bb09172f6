/* remote.c - see remote.h */
#include <ctype.h>
#include <string.h>
#include <unistd.h>

#include "remote/remote.h"
#include "base/io.h"
#include "base/loop.h"

struct str remote_escape(struct arena *a, struct str s, bool path)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n; i++) {
		const unsigned char c = (unsigned char)s.p[i];

		if ((c < 0x80 && isalnum(c)) || (c && strchr("-._~", c)) ||
		    (c == '/' && path))
			buf_addf(&b, "%c", c);
		else
			buf_addf(&b, "%%%02X", c);
	}
	return buf_take(a, &b);
}

struct fetch *remote_fetch(struct remote *r)
{
	if (r->fetch || r->stopped)
		return r->fetch;
	/* What tf-fetch writes below is there when it starts. */
	r->made = r->below.n && access(r->below.p, F_OK) &&
		  !io_make_dirs(r->below.p, 0777);
	r->own_loop = !r->loop;
	if (r->own_loop)
		r->loop = loop_new();
	r->fetch = fetch_new(r->a, r->loop, r->below);
	return r->fetch;
}

static void wake(void *data)
{
	*(bool *)data = true;
}

void remote_pause(struct remote *r, uint64_t ms)
{
	bool done = false;

	if (!ms)
		return;
	remote_fetch(r); /* makes the loop */
	loop_after(r->loop, ms, wake, &done);
	loop_run(r->loop, &done);
}

void remote_stop(struct remote *r)
{
	fetch_free(r->fetch);
	r->fetch = NULL;
	r->stopped = true;
	if (r->made)
		io_rmdir(r->below.p); /* if nothing came */
	r->made = false;
}

void remote_end(struct remote *r)
{
	remote_stop(r);
	r->stopped = false;
	if (!r->own_loop)
		return;
	loop_free(r->loop);
	r->loop = NULL;
	r->own_loop = false;
}
