/* module_bucket.c - see modules_int.h */
#include <errno.h>
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/file_path.h"
#include "base/io.h"
#include "install/package/unpack.h"
#include "remote/remote.h"
#include "remote/xml.h"

/* A list may give less than the size received, for objects stored compressed;
 * and error bodies need room. */
enum { MOST_OBJECTS = 100000, ROOM = 1 << 20 };

struct str bucket_prefix(struct arena *a, struct str name)
{
	while (name.n && name.p[name.n - 1] == '/')
		name.n--;
	return name.n ? STR_CAT(a, name, STR("/")) : STR("");
}

/* --- objects --- */

/* Is each part of the name valid for a file below the package? */
static bool is_path(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 127)
			return false;
	while (s.n) {
		ptrdiff_t slash = str_chr(s, '/');
		struct str part =
			str_sub(s, 0, slash < 0 ? s.n : (size_t)slash);

		if (!part.n || str_is(part, ".") || str_is(part, ".."))
			return false;
		s = str_sub(s, part.n + (slash >= 0), s.n);
	}
	return true;
}

int bucket_add(struct arena *a, struct objects *all, const struct object *o,
	       struct str prefix, struct str *why)
{
	struct object one = *o;

	if (!str_starts(o->name, str_dup(a, prefix).p) ||
	    o->name.p[o->name.n - 1] == '/')
		return 0;
	one.name = str_sub(o->name, prefix.n, o->name.n);
	if (one.size < 0)
		one.size = 0;
	if (!is_path(one.name))
		*why = str_printf(
			a,
			"the name of the object \"%.*s\" cannot be that of a file",
			STR_ARG(remote_escape(a, o->name, true)));
	else if (all->len == MOST_OBJECTS)
		*why = str_printf(a, "it has more than %d objects",
				  MOST_OBJECTS);
	else
		return vec_push(a, all, one), 0;
	return -1;
}

static const char too_large_text[] =
	"its objects are larger than TFPIPE_MAX_MODULE_SIZE allows";

/* What all objects of a package have in common. */
struct objects_come {
	struct module_store *s;
	struct str why;   /* of the first that failed */
	int64_t left;     /* bytes that may still come */
	int64_t have, of; /* received, and what the list says */
};

struct getting {
	struct objects_come *all;
	const struct object *o;
	int64_t have; /* of all->have */
	struct str to;
};

static void on_object(void *data, const struct fetch_answer *answer)
{
	const struct getting *g = data;
	struct objects_come *all = g->all;
	struct arena *a = all->s->a;

	if (!answer->error.n && answer->status == 200 &&
	    (all->left -= answer->size) < 0) {
		unlink(g->to.p);
		all->why = str_c(too_large_text);
		return;
	}
	if (!all->why.n && (answer->error.n || answer->status != 200))
		all->why = str_printf(a, "the object \"%.*s\": %.*s",
				      STR_ARG(g->o->name),
				      STR_ARG(xml_failure(a, answer)));
}

static void on_progress(void *data, int64_t have, int64_t of)
{
	struct getting *g = data;
	struct objects_come *all = g->all;
	const struct hosts *h = all->s->o.hosts;

	(void)of; /* -1 where it is compressed on its way */
	all->have += have - g->have;
	g->have = have;
	h->progress(h->progress_data, 1, all->have, all->of);
}

static int make_parent(struct arena *a, struct str path, struct str *why)
{
	const struct str dir = str_dup(a, file_path_directory(path));

	if (!io_make_dirs(dir.p, 0777))
		return 0;
	*why = str_printf(a, "%s: %s", dir.p, strerror(errno));
	return -1;
}

static int start_object(struct getting *g)
{
	const struct fetch_request ask = {
		.url = g->o->url,
		.headers = g->o->headers,
		.nheaders = g->o->nheaders,
		.token = g->o->token,
		.to = g->to,
		.most = g->o->size > ROOM ? g->o->size : ROOM,
		.retries = REMOTE_RETRIES,
		.redirects = FETCH_NO_REDIRECTS,
	};

	struct module_store *s = g->all->s;

	if (make_parent(s->a, g->to, &g->all->why))
		return -1;
	fetch_start_progress(module_store_hosts(s), &ask, on_object,
			     s->o.hosts->progress ? on_progress : NULL, g);
	return 0;
}

/* The bytes of all objects; -1: more than `most`. */
static int64_t size_of(const struct objects *all, int64_t most)
{
	int64_t sum = 0;

	for (size_t i = 0; i < all->len; i++) {
		if (all->items[i].size > most - sum)
			return -1;
		sum += all->items[i].size;
	}
	return sum;
}

int bucket_fetch(struct module_store *s, const struct package_request *r,
		 const struct objects *all, struct str *why)
{
	struct getting *each = ARENA_ARRAY(s->a, struct getting, all->len);
	const int64_t most = unpack_module_limit();
	struct objects_come p = { .s = s,
				  .left = most,
				  .of = size_of(all, most) };
	int rc = 0;

	if (!all->len) {
		*why = STR("there is no object below this name");
		return -1;
	}
	if (p.of < 0) {
		*why = str_c(too_large_text);
		return -1;
	}
	for (size_t i = 0; i < all->len && !rc; i++) {
		const struct object *o = &all->items[i];

		each[i] = (struct getting){ .all = &p,
					    .o = o,
					    .to = STR_CAT(s->a, r->dir,
							  STR("/"), o->name) };
		rc = start_object(&each[i]);
	}
	fetch_run(module_store_hosts(s));
	if (!rc && !p.why.n)
		return 0;
	*why = p.why;
	io_remove_tree(r->dir.p);
	return -1;
}

int bucket_archive(struct module_store *s, const struct package_request *r,
		   const struct object *o, bool sure, struct str *why)
{
	const struct web_archive w = {
		.url = o->url,
		.headers = o->headers,
		.nheaders = o->nheaders,
		.token = o->token,
		.redirects = FETCH_NO_REDIRECTS,
		.sure = sure,
		.failure = xml_failure,
	};

	return module_http_get_archive(s, r, &w, why);
}

int bucket_no_checksum(const struct package_request *r, struct str *why)
{
	if (!r->checksum.n)
		return 0;
	*why = STR("checksum cannot be specified for directory download");
	return -1;
}
