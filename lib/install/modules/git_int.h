/*
 * git_int.h - what the files about git share (git.h)
 */
#ifndef TFPIPE_INSTALL_GIT_INT_H
#define TFPIPE_INSTALL_GIT_INT_H

#include "base/child.h"
#include "base/vec.h"
#include "config/url.h"
#include "install/package/copy_tree.h"
#include "install/modules/git.h"
#include "install/hosts/hosts.h"

/* A repository in this run, all of it or its end (depth). */
struct clone {
	struct str url, key, dir;
	struct str depth, ref; /* empty: all */
	bool stale; /* its refs are as they were when it was kept */
};

struct git {
	struct arena *a;
	bool input;
	const struct hosts *hosts;
	VEC(struct clone) clones;
};

/* What is wanted: where it comes from and goes to. */
struct want {
	struct clone c;
	struct str commit; /* to be checked out; empty: what ref means */
	struct str from; /* the URL without what others must not see */
	struct str key_file; /* empty: none */
	int key;             /* behind key_file, or -1 */
	struct url url;
	bool copied; /* of a clone in this run */
	bool kept;   /* what was kept for others */
	bool fresh;  /* git has made it, with the default branch */
};

/* --- git_run.c: the command --- */

/* http or https, where git asks a helper for name and password. */
bool git_is_web(const struct url *u);
/* Runs git in a directory (NULL: this one); what it says goes to said.  Its
 * exit status, or -1 with errno. */
int git_run(struct git *g, const struct want *w, const char *dir,
	    const char *const *argv, enum child_stream err, struct buf *said);
/* As git_run, for its effect: 0, or -1 with *why. */
int git_effect(struct git *g, const struct want *w, const char *dir,
	       const char *const *argv, struct str *why);

/* --- git.c --- */

/* The commit that a name means in w->c.dir. */
bool git_resolve(struct git *g, const struct want *w, const char *name,
		 struct str *commit);
copy_fn git_copy_how; /* of the files of a .git */
/* Makes dir a repository like that in another directory.  false: it cannot be,
 * and is not there. */
bool git_copy(struct git *g, struct str from, struct str dir);

/* --- git_progress.c: what it says --- */

/* Is somebody interested in how much has come? */
bool git_tells(const struct git *g);
/* Reads to the end, without what is about that, which is told. */
int git_read(struct git *g, int fd, struct buf *said);

/* --- git_kept.c: clones for other directories (kept.h) --- */

/* Makes w->c.dir a clone out of what is kept, with the refs that the repository
 * has now; stale, and without asking, where the commit that is wanted is in it.
 * false: nothing is kept that can be used. */
bool git_kept_find(struct git *g, struct want *w);
/* Is the commit that is wanted in the clone, whatever its refs? */
bool git_kept_enough(struct git *g, const struct want *w);
/* The refs of a stale clone become what they are now. */
int git_kept_refresh(struct git *g, struct want *w, struct str *why);
/* Keeps a clone, before anything is checked out of it. */
void git_kept_put(struct git *g, const struct want *w);

#endif
