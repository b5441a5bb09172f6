/* copies.c - see modules_int.h */
#include <stdio.h>
#include <stdlib.h>

#include "install/modules/modules_int.h"
#include "base/io.h"
#include "base/map.h"
#include "base/vec.h"
#include "install/hosts/login.h"
#include "install/package/unpack.h"

/* A worker's start costs as much as the copy of a small package.  A few batches
 * for each processor keep all of them busy to the end. */
enum { FEWEST = 4, BATCHES = 3 /* of a processor */ };

struct one {
	struct str dir, beside; /* NUL-terminated */
	struct batch *batch;    /* NULL: not begun */
	size_t at;              /* in the batch */
	bool taken;
};

/* What one worker copies, in order. */
struct batch {
	struct one **ones;
	size_t n, made;
	const char *from;
	copy_fn *how;
	bool over;
};

struct wanted {
	VEC(struct one *) list;
};

struct copies {
	struct arena *a;
	struct hosts *hosts;
	struct workers *workers; /* with the first batches */
	struct map packages;     /* -> struct wanted *; NULL: begun */
	struct map dirs;         /* -> struct one * */
};

struct copies *copies_new(struct arena *a, struct hosts *hosts)
{
	const struct copies c = { .a = a, .hosts = hosts };

	return arena_dup(a, &c, sizeof(c));
}

bool copies_want(struct copies *c, struct str package, struct str dir)
{
	struct map_entry *e = map_slot(c->a, &c->packages, package);
	struct one *o;

	if (map_get(&c->dirs, dir))
		return false;
	if (!e->value) {
		e->key = str_dup(c->a, package);
		e->value = ARENA_NEW(c->a, struct wanted);
		*(struct wanted *)e->value = (struct wanted){ 0 };
		return true;
	}
	o = ARENA_NEW(c->a, struct one);
	*o = (struct one){ .dir = str_dup(c->a, dir),
			   .beside = module_beside(c->a, dir, ".copy") };
	vec_push(c->a, &((struct wanted *)e->value)->list, o);
	map_put(c->a, &c->dirs, o->dir, o);
	return false;
}

/* --- in the workers --- */

static void work(void *data, struct buf *answer)
{
	const struct batch *b = data;
	size_t made = 0;

	for (; made < b->n; made++) {
		const char *to = b->ones[made]->beside.p;

		io_remove_tree(to); /* of a run that was killed */
		if (copy_tree(b->from, to, b->how))
			break;
	}
	buf_addf(answer, "%zu", made);
}

static void undo(void *data)
{
	const struct batch *b = data;

	for (size_t i = 0; i < b->n; i++)
		io_remove_tree(b->ones[i]->beside.p);
}

/* --- in the process that asks --- */

static void done(void *data, struct str answer)
{
	struct batch *b = data;

	b->made = answer.n ? strtoul(answer.p, NULL, 10) : 0;
	b->over = true;
}

static void begin(struct copies *c, struct one **ones, size_t n,
		  const struct batch *like)
{
	const size_t parts = BATCHES * workers_most(c->workers);
	const size_t each = (n + parts - 1) / parts;

	for (size_t from = 0; from < n; from += each) {
		struct batch *b = arena_dup(c->a, like, sizeof(*like));
		const struct work w = {
			.work = work, .undo = undo, .done = done, .data = b
		};

		b->ones = ones + from;
		b->n = n - from < each ? n - from : each;
		for (size_t i = 0; i < b->n; i++) {
			b->ones[i]->batch = b;
			b->ones[i]->at = i;
		}
		workers_start(c->workers, &w);
	}
}

void copies_begin(struct copies *c, struct str package, struct str from,
		  copy_fn *how)
{
	const ptrdiff_t at = map_index(&c->packages, package);
	const struct wanted *w = at < 0 ? NULL : c->packages.entries[at].value;
	const struct batch like = { .from = str_dup(c->a, from).p, .how = how };

	if (!w || w->list.len < FEWEST)
		return;
	c->packages.entries[at].value = NULL;
	if (!c->workers) {
		hosts_ready(c->a, c->hosts);
		c->workers = workers_new(c->a, c->hosts->remote.loop, 0);
	}
	if (workers_most(c->workers) > 1)
		begin(c, w->list.items, w->list.len, &like);
}

bool copies_take(struct copies *c, struct str dir)
{
	struct one *o = map_get(&c->dirs, dir);

	if (!o || !o->batch || o->taken)
		return false;
	if (!o->batch->over)
		loop_run(c->hosts->remote.loop, &o->batch->over);
	o->taken = o->at < o->batch->made && !rename(o->beside.p, o->dir.p);
	return o->taken;
}

void copies_end(struct copies *c)
{
	workers_free(c->workers);
	c->workers = NULL;
	for (size_t i = 0; i < c->dirs.len; i++) {
		const struct one *o = c->dirs.entries[i].value;

		if (o->batch && !o->taken)
			io_remove_tree(o->beside.p);
	}
}
