/* module_hg.c - packages of modules in Mercurial repositories, by the hg
 * command
 *
 *	hg::https://HOST/PATH?rev=REV
 *
 * A clone is kept for other directories, and serves all calls of a run.  What a
 * name means, though, the repository is asked each time: a pull moves bookmarks
 * only forward.
 *
 * Wherever hg begins it obeys the settings of the repository around it, which
 * may name programs.  So it never begins in the user's directory, which
 * somebody else may have filled.
 */
#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/file_path.h"
#include "base/child.h"
#include "base/io.h"
#include "install/package/copy_tree.h"
#include "install/package/kept.h"
#include "install/package/package_int.h"

enum { ONCE = 4096, EVERY_MS = 500 };

/* What is wanted of a repository. */
struct hg {
	struct module_store *s;
	struct str url;
	struct str rev; /* as written; or empty */
	struct str dir;
	struct str place; /* where its clone is kept */
};

extern char **environ;

/* Makes hg write English for programs, whatever the user has configured. */
static const char *const *environment(struct arena *a)
{
	const char **env;
	size_t n = 0;

	while (environ[n])
		n++;
	env = ARENA_ARRAY(a, const char *, n + 2);
	env[0] = "HGPLAIN=1";
	memcpy(env + 1, environ, n * sizeof(*env));
	return env;
}

/* --- running hg --- */

/* hg has no progress for programs: what has come is what it has written. */
static void tell_size(const struct hg *h)
{
	const struct hosts *hosts = h->s->o.hosts;
	const int64_t have = tree_size(h->dir.p);

	if (have)
		hosts->progress(hosts->progress_data, 1, have, -1);
}

static int read_all(const struct hg *h, int fd, struct buf *said)
{
	const int wait = h->s->o.hosts->progress ? EVERY_MS : -1;
	char chunk[ONCE];
	ssize_t n = 1;

	while (n) {
		struct pollfd p = { .fd = fd, .events = POLLIN };

		if (poll(&p, 1, wait) == 0) {
			tell_size(h);
			continue;
		}
		n = read(fd, chunk, sizeof(chunk));
		if (n < 0 && errno != EINTR)
			return -1;
		if (n > 0)
			buf_add(said, chunk, (size_t)n);
	}
	return 0;
}

static int wait_for(const struct hg *h, const struct child *c, struct buf *said)
{
	int rc = read_all(h, c->out, said), status;

	close(c->out);
	while (waitpid(c->pid, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	if (rc)
		return -1;
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128;
}

/* The directory of the clone as it is named from elsewhere. */
static const char *full_name(const struct hg *h)
{
	char *here = getcwd(NULL, 0);
	const struct str full = file_path_in(h->s->a, str_c(here), h->dir);

	free(here);
	return full.p;
}

/* In dir.  -1 with errno, or the exit status. */
static int run(const struct hg *h, const char *dir, const char *const *argv,
	       enum child_stream err, struct buf *said)
{
	const struct child_options o = { .argv = argv,
					 .env = environment(h->s->a),
					 .dir = dir,
					 .in = CHILD_NULL,
					 .out = CHILD_PIPE,
					 .err = err };
	struct child c;

	return child_start(&o, &c) ? -1 : wait_for(h, &c, said);
}

static int effect(const struct hg *h, const char *dir, const char *const *argv,
		  struct str *why)
{
	struct arena *a = h->s->a;
	struct buf said = BUF_INIT;
	int rc = run(h, dir, argv, CHILD_MERGE, &said);

	if (rc < 0)
		*why = errno == ENOENT
			       ? STR("hg must be available and on the PATH")
			       : str_printf(a, "hg cannot be run: %s",
					    strerror(errno));
	else if (rc)
		*why = str_printf(a, "hg %s exited with %d:\n%.*s", argv[2], rc,
				  STR_ARG(str_trim(buf_view(&said))));
	buf_release(&said);
	return rc ? -1 : 0;
}

static int clone(const struct hg *h, struct str *why)
{
	const char *const argv[] = { "hg",         "--noninteractive",
				     "clone",      "-U",
				     "--",         h->url.p,
				     full_name(h), NULL };

	return effect(h, "/", argv, why);
}

static int update(const struct hg *h, struct str rev, struct str *why)
{
	const char *const argv[] = { "hg", "--noninteractive",   "update",
				     "--", rev.n ? rev.p : NULL, NULL };

	return effect(h, h->dir.p, argv, why);
}

static int pull(const struct hg *h)
{
	static const char *const argv[] = { "hg", "--noninteractive", "pull",
					    NULL };
	struct str unused;

	return effect(h, h->dir.p, argv, &unused);
}

/* The commit that the repository has under the name now; STR_NONE: none. */
static struct str identify(const struct hg *h)
{
	struct arena *a = h->s->a;
	const char *const argv[] = {
		"hg",
		"--noninteractive",
		"identify",
		"--template={node}",
		arena_printf(a, "--rev=%.*s",
			     STR_ARG(h->rev.n ? h->rev : STR("default"))),
		"--",
		h->url.p,
		NULL
	};
	struct buf said = BUF_INIT;
	struct str id = STR_NONE;

	if (!run(h, "/", argv, CHILD_NULL, &said))
		id = str_dup(a, str_trim(buf_view(&said)));
	buf_release(&said);
	return id;
}

/* --- what is kept --- */

/* Hard-links repository files, which hg replaces but never modifies.  Of the
 * copy nothing is checked out, whatever is of the other. */
static enum copy_how copy_how(const char *path)
{
	if (!strcmp(path, "dirstate"))
		return COPY_NOT;
	return strncmp(path, "store/data/", 11) ? COPY_BYTES : COPY_LINK;
}

static bool copy(const struct hg *h, struct str from, struct str to)
{
	struct arena *a = h->s->a;

	return io_make_dirs(to.p, 0777) == 0 &&
	       copy_tree(arena_printf(a, "%.*s/.hg", STR_ARG(from)),
			 arena_printf(a, "%.*s/.hg", STR_ARG(to)),
			 copy_how) == 0;
}

/* Keeps a clone, before anything is checked out of it. */
static void keep(const struct hg *h)
{
	const struct str dir = kept_begin(h->s->a, h->place);

	if (!dir.n)
		return;
	if (copy(h, h->dir, dir))
		kept_end(h->s->a, h->place, dir);
	else
		io_remove_tree(dir.p);
}

static bool is_commit(struct str s)
{
	return s.n == 40 && strspn(s.p, "0123456789abcdef") == s.n;
}

/* Where a clone is: kept, or made in this run; or empty. */
static struct str cloned(const struct hg *h)
{
	const struct str *dir = map_get(&h->s->hg_clones, h->url);

	return kept_use(h->place) ? h->place : dir ? *dir : STR_NONE;
}

/* Updates a copy of a clone, with the commit pulled if it is not there. */
static bool get_cloned(const struct hg *h)
{
	const struct str from = cloned(h);
	struct str id, unused;

	if (!from.n)
		return false;
	id = is_commit(h->rev) ? h->rev : identify(h);
	if (!id.n || !copy(h, from, h->dir))
		return false;
	if (!update(h, id, &unused))
		return true;
	if (pull(h))
		return false;
	keep(h);
	return !update(h, id, &unused);
}

/* --- packages --- */

static int check(const struct package_request *r, struct str rev,
		 struct str *why)
{
	if (r->kind.n)
		*why = STR(
			"an archive in a Mercurial repository is not fetched");
	else if (r->checksum.n)
		*why = STR(
			"checksum cannot be specified for directory download");
	else if (rev.n && rev.p[0] == '-')
		*why = STR("invalid rev: it begins with a dash");
	else if (r->parts.has_password)
		*why = STR("a password in the address would be an argument of "
			   "hg, which everybody can read: give it to hg in "
			   "its own [auth] settings");
	else
		return 0;
	return -1;
}

static int get(const struct hg *h, struct str *why)
{
	struct arena *a = h->s->a;

	if (get_cloned(h))
		return 0;
	io_remove_tree(h->dir.p);
	if (clone(h, why))
		return -1;
	keep(h);
	map_put(a, &h->s->hg_clones, h->url,
		arena_dup(a, &h->dir, sizeof(h->dir)));
	return update(h, h->rev, why);
}

int module_hg_get(struct module_store *s, const struct package_request *r,
		  struct str *why)
{
	static const char *const ours[] = { "rev", NULL };
	struct hg h = { .s = s,
			.rev = url_parameter(s->a, r->parts.query, "rev"),
			.dir = r->dir };
	struct url u = r->parts;

	if (check(r, h.rev, why))
		return -1;
	u.query = url_query(s->a, u.query, ours, NULL);
	u.has_query = u.query.n > 0;
	h.url = url_text(s->a, &u);
	h.place = kept_place(s->a, KEPT_REPOSITORIES,
			     STR_CAT(s->a, STR("hg\n"), h.url));
	if (!get(&h, why))
		return 0;
	io_remove_tree(r->dir.p);
	return -1;
}
