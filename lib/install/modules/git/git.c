/* git.c - see git_int.h */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/modules/git/git_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "install/package/copy_tree.h"

struct git *git_new(struct arena *a, bool input, const struct hosts *hosts)
{
	const struct git g = { .a = a, .input = input, .hosts = hosts };

	return arena_dup(a, &g, sizeof(g));
}

/* --- a private key in the URL --- */

/* Never on disk: ssh reads the key from a file in memory. */
static int write_key(struct git *g, struct want *w, struct str *why)
{
	struct str key;

	w->key = -1;
	if (!w->c.key.n)
		return 0;
	if (!base64_decode(g->a, w->c.key, &key)) {
		*why = STR("its sshkey is not base64");
		return -1;
	}
	w->key = io_memory("key", key);
	if (w->key < 0) {
		*why = str_printf(g->a, "its sshkey cannot be handed on: %s",
				  strerror(errno));
		return -1;
	}
	w->key_file =
		str_printf(g->a, "/proc/%ld/fd/%d", (long)getpid(), w->key);
	return 0;
}

/* --- cloning --- */

/* Is something other than a new clone's default to be checked out? */
static bool has_ref(const struct want *w)
{
	return w->c.ref.n || (w->commit.n && !w->c.depth.n);
}

static int clone(struct git *g, const struct want *w, struct str *why)
{
	const char *argv[13] = { "git", "clone" };
	size_t n = 2;

	argv[n++] = git_tells(g) ? "--progress" : "--quiet";
	if (has_ref(w)) /* files are written once */
		argv[n++] = "--no-checkout";
	if (w->c.depth.n) {
		argv[n++] = "--depth";
		argv[n++] = w->c.depth.p;
	}
	if (w->c.depth.n && w->c.ref.n) {
		argv[n++] = "--branch";
		argv[n++] = w->c.ref.p;
	}
	argv[n++] = "--";
	argv[n++] = w->from.p;
	argv[n++] = w->c.dir.p;
	if (!git_effect(g, w, NULL, argv, why))
		return 0;
	if (w->c.depth.n && w->c.ref.n)
		*why = str_printf(g->a,
				  "%.*s\n\nWith depth, ref is the name of "
				  "a branch or tag",
				  STR_ARG(*why));
	return -1;
}

/* How to copy a file of another .git directory: shares those that git never
 * changes in place; leaves out submodules, the index and logs. */
enum copy_how git_copy_how(const char *path)
{
	if (!strcmp(path, "index") || !strcmp(path, "modules") ||
	    !strcmp(path, "logs"))
		return COPY_NOT;
	return strncmp(path, "objects/pack/", 13) != 0 &&
			       (strncmp(path, "objects/", 8) != 0 ||
				strlen(path) != 8 + 2 + 1 + 38)
		       ? COPY_BYTES
		       : COPY_LINK;
}

bool git_copy(struct git *g, struct str from, struct str dir)
{
	const char *to = arena_printf(g->a, "%.*s/.git", STR_ARG(dir));

	if (io_make_dirs(dir.p, 0777) == 0 &&
	    copy_tree(arena_printf(g->a, "%.*s/.git", STR_ARG(from)), to,
		      git_copy_how) == 0)
		return true;
	io_remove_tree(dir.p);
	return false;
}

/* Finds a clone that serves `want`: a whole one has all refs.  The last clone's
 * refs are never older than others'. */
static const struct clone *find_clone(const struct git *g,
				      const struct clone *want)
{
	for (size_t i = g->clones.len; i-- > 0;) {
		const struct clone *c = &g->clones.items[i];

		if (str_eq(c->url, want->url) && str_eq(c->key, want->key) &&
		    (!c->depth.n || (str_eq(c->depth, want->depth) &&
				     str_eq(c->ref, want->ref))))
			return c;
	}
	return NULL;
}

/* --- checking out --- */

bool git_resolve(struct git *g, const struct want *w, const char *name,
		 struct str *commit)
{
	const char *const argv[] = { "git",
				     "rev-parse",
				     "--verify",
				     "--quiet",
				     "--end-of-options",
				     arena_printf(g->a, "%s^{commit}", name),
				     NULL };
	struct buf said = BUF_INIT;
	bool found = git_run(g, w, w->c.dir.p, argv, CHILD_NULL, &said) == 0;

	if (found)
		*commit = str_dup(g->a, str_trim(buf_view(&said)));
	buf_release(&said);
	return found;
}

static int checkout(struct git *g, const struct want *w, const char *what,
		    struct str *why)
{
	const char *const argv[] = { "git", "checkout", "--quiet", what, NULL };

	return git_effect(g, w, w->c.dir.p, argv, why);
}

static int checkout_ref(struct git *g, const struct want *w, struct str *why)
{
	static const char *const places[] = { "", "refs/remotes/origin/",
					      "refs/tags/" };
	struct str commit = STR_NONE;

	for (size_t i = 0; !commit.n && i < sizeof(places) / sizeof(*places);
	     i++)
		git_resolve(g, w,
			    arena_printf(g->a, "%s%.*s", places[i],
					 STR_ARG(w->c.ref)),
			    &commit);
	if (commit.n)
		return checkout(g, w, commit.p, why);
	*why = str_printf(g->a, "invalid ref: \"%.*s\"", STR_ARG(w->c.ref));
	return -1;
}

/* Checks out the locked commit; branches may no longer lead to it. */
static int checkout_commit(struct git *g, const struct want *w, struct str *why)
{
	struct str commit;

	if (git_resolve(g, w, w->commit.p, &commit))
		return checkout(g, w, commit.p, why);
	*why = str_printf(
		g->a,
		"the commit that is locked, %.*s, is not in the repository",
		STR_ARG(w->commit));
	return -1;
}

/* The branch that a new clone has. */
static int checkout_default(struct git *g, const struct want *w,
			    struct str *why)
{
	const char *path =
		arena_printf(g->a, "%.*s/.git/refs/remotes/origin/HEAD",
			     STR_ARG(w->c.dir));
	static const char head[] = "ref: refs/remotes/origin/";
	struct str text;

	if (!io_read_regular(g->a, path, 4096, &text) &&
	    str_starts(text, head)) {
		text = str_trim(str_sub(text, sizeof(head) - 1, text.n));
		return checkout(g, w, str_dup(g->a, text).p, why);
	}
	*why = STR("its default branch is not known");
	return -1;
}

static int submodules(struct git *g, const struct want *w, struct str *why)
{
	const char *list =
		arena_printf(g->a, "%.*s/.gitmodules", STR_ARG(w->c.dir));
	const char *argv[10] = { "git",    "submodule", "--quiet",
				 "update", "--init",    "--recursive" };

	if (access(list, F_OK))
		return 0;
	if (w->c.depth.n) {
		argv[6] = "--depth";
		argv[7] = w->c.depth.p;
	}
	return git_effect(g, w, w->c.dir.p, argv, why);
}

static int make_clone(struct git *g, struct want *w, struct str *why)
{
	if (clone(g, w, why))
		return -1;
	w->fresh = true;
	git_kept_put(g, w);
	return 0;
}

/* Makes the directory a clone, from existing ones if possible. */
static int get_clone(struct git *g, struct want *w, struct str *why)
{
	const struct clone *have = find_clone(g, &w->c);

	if (have && git_copy(g, have->dir, w->c.dir)) {
		w->copied = !have->stale || git_kept_enough(g, w);
		if (w->copied)
			return 0;
		return git_kept_refresh(g, w, why);
	}
	w->kept = git_kept_find(g, w);
	return w->kept ? 0 : make_clone(g, w, why);
}

static int check_out(struct git *g, const struct want *w, struct str *why)
{
	int rc;

	if (w->commit.n && !w->c.depth.n)
		rc = checkout_commit(g, w, why);
	else if (w->c.ref.n)
		rc = checkout_ref(g, w, why);
	else
		rc = w->fresh ? 0 : checkout_default(g, w, why);
	return rc || submodules(g, w, why) ? -1 : 0;
}

static int fetch(struct git *g, struct want *w, struct str *why)
{
	if (get_clone(g, w, why))
		return -1;
	if (!check_out(g, w, why))
		return 0;
	if (!w->kept)
		return -1;
	/* The kept clone may be at fault. */
	io_remove_tree(w->c.dir.p);
	w->c.stale = false;
	return make_clone(g, w, why) || check_out(g, w, why) ? -1 : 0;
}

static int read_want(struct git *g, struct str text, struct want *w,
		     struct str *why)
{
	static const char *const ours[] = { "archive", "checksum", "depth",
					    "ref",     "sshkey",   NULL };
	struct url *u = &w->url, plain;

	if (url_parse(g->a, text, u)) {
		*why = STR("its URL is not valid");
		return -1;
	}
	w->c.ref = url_parameter(g->a, u->query, "ref");
	w->c.key = url_parameter(g->a, u->query, "sshkey");
	w->c.depth = url_parameter(g->a, u->query, "depth");
	if (atoi(w->c.depth.n ? w->c.depth.p : "0") < 1 ||
	    strspn(w->c.depth.p, "0123456789") != w->c.depth.n)
		w->c.depth = STR_NONE;
	u->query = url_query(g->a, u->query, ours, NULL);
	u->has_query = u->query.n > 0;
	w->c.url = url_text(g->a, u);
	plain = *u;
	if (git_is_web(u))
		plain.has_user = plain.has_password = false;
	w->from = url_text(g->a, &plain);
	if (w->c.ref.n && w->c.ref.p[0] == '-') {
		*why = str_printf(g->a, "invalid ref: \"%.*s\"",
				  STR_ARG(w->c.ref));
		return -1;
	}
	return 0;
}

struct str git_key(struct git *g, const struct want *w)
{
	struct str key = STR_CAT(g->a, w->c.url, STR("\n"), w->c.key);

	if (w->c.depth.n) /* a shallow clone has one ref only */
		key = STR_CAT(g->a, key, STR("\n"), w->c.depth, STR("\n"),
			      w->c.ref);
	return key;
}

struct str git_commit(struct git *g, struct str dir)
{
	struct want w = { .c.dir = str_dup(g->a, dir), .key = -1 };
	struct str commit = STR_NONE;

	if (!access(arena_printf(g->a, "%.*s/.git", STR_ARG(dir)), F_OK))
		git_resolve(g, &w, "HEAD", &commit);
	return commit;
}

int git_fetch(struct git *g, struct str url, struct str commit, struct str dir,
	      struct str *why)
{
	struct want w = { .c.dir = str_dup(g->a, dir), .key = -1 };
	int rc;

	if (read_want(g, url, &w, why))
		return -1;
	w.commit = commit.n ? str_dup(g->a, commit) : commit;
	rc = write_key(g, &w, why) || fetch(g, &w, why) ? -1 : 0;
	if (w.key >= 0)
		close(w.key);
	if (rc)
		io_remove_tree(w.c.dir.p);
	else if (!w.copied)
		vec_push(g->a, &g->clones, w.c);
	return rc;
}

/* --- clones that another process makes --- */

struct str git_repository(struct git *g, struct str url)
{
	struct want w = { .key = -1 };
	struct str why;

	return read_want(g, url, &w, &why) ? STR_NONE : git_key(g, &w);
}

bool git_has(struct git *g, struct str url)
{
	struct want w = { .key = -1 };
	struct str why;

	return !read_want(g, url, &w, &why) && find_clone(g, &w.c);
}

void git_alone(struct git *g, const struct hosts *hosts)
{
	g->input = false;
	g->hosts = hosts;
}

bool git_stale(const struct git *g, struct str dir)
{
	for (size_t i = 0; i < g->clones.len; i++)
		if (str_eq(g->clones.items[i].dir, dir))
			return g->clones.items[i].stale;
	return false;
}

void git_add(struct git *g, struct str url, struct str dir, bool stale)
{
	struct want w = { .key = -1 };
	struct str why;

	if (read_want(g, url, &w, &why))
		return;
	w.c.dir = str_dup(g->a, dir);
	w.c.stale = stale;
	vec_push(g->a, &g->clones, w.c);
}

void git_moved(struct git *g, struct str from, struct str to)
{
	for (size_t i = 0; i < g->clones.len; i++)
		if (str_eq(g->clones.items[i].dir, from))
			g->clones.items[i].dir = str_dup(g->a, to);
}
