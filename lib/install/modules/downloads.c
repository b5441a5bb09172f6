/* downloads.c - see modules_int.h */
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/map.h"
#include "base/vec.h"

struct download {
	struct downloads *all;
	struct fetch_request request;
	struct fetch_answer answer;
	int64_t have, of; /* as of fetch_progress_fn */
	bool over, taken;
};

struct downloads {
	struct arena *a;
	struct hosts *hosts;
	VEC(struct download *) list;
	struct map files; /* request.to -> the last of them */
	size_t begun;     /* of the list */
};

struct downloads *downloads_new(struct arena *a, struct hosts *hosts)
{
	const struct downloads d = { .a = a, .hosts = hosts };

	return arena_dup(a, &d, sizeof(d));
}

static struct fetch_request keep(struct arena *a, const struct fetch_request *r)
{
	struct fetch_header *h =
		ARENA_ARRAY(a, struct fetch_header, r->nheaders + 1);
	struct fetch_request kept = *r;

	for (size_t i = 0; i < r->nheaders; i++)
		h[i] = (struct fetch_header){ str_dup(a, r->headers[i].name),
					      str_dup(a, r->headers[i].value) };
	kept.headers = h;
	kept.url = str_dup(a, r->url);
	kept.to = str_dup(a, r->to);
	kept.token = str_dup(a, r->token);
	return kept;
}

/* The download of the file, unless it has been taken. */
static struct download *find(const struct downloads *d, struct str file)
{
	struct download *one = map_get(&d->files, file);

	return one && !one->taken ? one : NULL;
}

static struct download *add(struct downloads *d, const struct fetch_request *r)
{
	struct download *one = ARENA_NEW(d->a, struct download);

	*one = (struct download){ .all = d, .request = keep(d->a, r) };
	vec_push(d->a, &d->list, one);
	map_put(d->a, &d->files, one->request.to, one);
	return one;
}

void downloads_want(struct downloads *d, const struct fetch_request *r)
{
	if (!find(d, r->to))
		add(d, r);
}

/* --- requests --- */

/* Reports the bytes of all files under way. */
static void on_progress(void *data, int64_t have, int64_t of)
{
	struct download *one = data;
	const struct downloads *d = one->all;
	int64_t sum = 0, total = 0;
	size_t n = 0;

	one->have = have;
	one->of = of;
	for (size_t i = 0; i < d->begun; i++) {
		const struct download *o = d->list.items[i];

		if (o->taken || !o->have)
			continue;
		n++;
		sum += o->have;
		total = o->of < 0 || total < 0 ? -1 : total + o->of;
	}
	d->hosts->progress(d->hosts->progress_data, n, sum, total);
}

static void on_answer(void *data, const struct fetch_answer *answer)
{
	struct download *one = data;

	one->answer = *answer;
	one->over = true;
}

void downloads_begin(struct downloads *d)
{
	if (d->begun < d->list.len)
		hosts_ready(d->a, d->hosts);
	for (; d->begun < d->list.len; d->begun++) {
		struct download *one = d->list.items[d->begun];

		one->request.background = true;
		unlink(one->request.to.p); /* of a run that was killed */
		fetch_start_progress(d->hosts->remote.fetch, &one->request,
				     on_answer,
				     d->hosts->progress ? on_progress : NULL,
				     one);
	}
}

int downloads_get(struct downloads *d, const struct fetch_request *r,
		  struct fetch_answer *out)
{
	struct download *one = find(d, r->to);

	if (!one)
		one = add(d, r);
	downloads_begin(d);
	if (!one->over)
		loop_run(d->hosts->remote.loop, &one->over);
	one->taken = true;
	*out = one->answer;
	return out->error.n ? -1 : 0;
}

void downloads_end(struct downloads *d)
{
	for (size_t i = 0; i < d->begun; i++) {
		struct download *one = d->list.items[i];

		if (one->taken)
			continue;
		if (!one->over)
			loop_run(d->hosts->remote.loop, &one->over);
		unlink(one->request.to.p);
		one->taken = true;
	}
}
