/* git_kept.c - clones for other directories; see git_int.h
 *
 * Kept clones have no branches of their own (refs/heads), only those of the
 * repository, so a name means the same as there.
 */
#include "install/modules/git/git_int.h"
#include "base/io.h"
#include "install/package/copy_tree.h"
#include "install/package/kept.h"
#include "install/package/package_int.h"

static struct str place(struct git *g, const struct want *w)
{
	return kept_place(g->a, KEPT_REPOSITORIES, git_key(g, w));
}

/* SHA-1 or SHA-256, whole: it never means anything else. */
static bool is_commit(struct str s)
{
	return (s.n == 40 || s.n == 64) &&
	       strspn(s.p, "0123456789abcdef") == s.n;
}

/* Updates a shallow clone; git has recorded in it of which ref it is. */
static int fetch_end(struct git *g, const struct want *w, struct str *why)
{
	const char *const fetch[] = { "git",          "fetch",   "--quiet",
				      "--no-auto-gc", "--depth", w->c.depth.p,
				      "origin",       NULL };

	return git_effect(g, w, w->c.dir.p, fetch, why);
}

static int fetch_all(struct git *g, const struct want *w, struct str *why)
{
	static const char *const fetch[] = {
		"git",
		"fetch",
		"--quiet",
		"--prune",
		"--no-auto-gc",
		"origin",
		"+refs/heads/*:refs/remotes/origin/*",
		"+refs/tags/*:refs/tags/*",
		NULL
	};

	return git_effect(g, w, w->c.dir.p, fetch, why);
}

int git_kept_refresh(struct git *g, struct want *w, struct str *why)
{
	static const char *const head[] = { "git",    "remote", "set-head",
					    "origin", "--auto", NULL };

	if (w->c.depth.n ? fetch_end(g, w, why) : fetch_all(g, w, why))
		return -1;
	/* Fails if the default branch of a shallow clone has changed: the new
	 * one is missing. */
	if (!(w->c.depth.n && w->c.ref.n) &&
	    git_effect(g, w, w->c.dir.p, head, why))
		return -1;
	w->c.stale = false;
	git_kept_put(g, w);
	return 0;
}

bool git_kept_enough(struct git *g, const struct want *w)
{
	const struct str wanted = w->commit.n ? w->commit : w->c.ref;
	struct str commit;

	return !w->c.depth.n && is_commit(wanted) &&
	       git_resolve(g, w, wanted.p, &commit);
}

bool git_kept_find(struct git *g, struct want *w)
{
	const struct str from = place(g, w);
	struct str unused;

	if (!kept_use(from) || !git_copy(g, from, w->c.dir))
		return false;
	w->c.stale = true;
	if (git_kept_enough(g, w) || !git_kept_refresh(g, w, &unused))
		return true;
	io_remove_tree(w->c.dir.p);
	w->c.stale = false;
	return false;
}

static enum copy_how without_branches(const char *path)
{
	return strcmp(path, "refs/heads") ? git_copy_how(path) : COPY_NOT;
}

void git_kept_put(struct git *g, const struct want *w)
{
	const struct str to = place(g, w);
	const struct str dir = kept_begin(g->a, to);

	if (!dir.n)
		return;
	if (!copy_tree(arena_printf(g->a, "%.*s/.git", STR_ARG(w->c.dir)),
		       arena_printf(g->a, "%.*s/.git", STR_ARG(dir)),
		       without_branches))
		kept_end(g->a, to, dir);
	else
		io_remove_tree(dir.p);
}
