/* git_int.h - what the files of this room share */
#ifndef TFPIPE_INSTALL_MODULES_GIT_GIT_INT_H
#define TFPIPE_INSTALL_MODULES_GIT_GIT_INT_H

#include "base/str.h"
#include "base/child.h"
#include "base/vec.h"
#include "config/source/url.h"
#include "install/package/copy_tree.h"
#include "install/hosts/login.h"
#include "install/modules/git/git.h"

/* A repository in this run, all of it or its end (depth). */
struct clone {
	struct str url, key, dir;
	struct str depth, ref; /* empty: all */
	bool stale;            /* its refs are as they were when it was kept */
};

struct git {
	struct arena *a;
	bool input;
	const struct hosts *hosts;
	VEC(struct clone) clones;
};

/* A checkout that is wanted: its source and destination. */
struct want {
	struct clone c;
	struct str commit;   /* to be checked out; empty: by ref */
	struct str from;     /* the URL without secrets */
	struct str key_file; /* empty: none */
	int key;             /* behind key_file, or -1 */
	struct url url;
	bool copied; /* of a clone in this run */
	bool kept;   /* of a kept clone */
	bool fresh;  /* git has made it, with the default branch */
};

/* git.c */

/* Identifies a clone, in this run and across runs. */
struct str git_key(struct git *g, const struct want *w);
/* The commit that a name means in w->c.dir. */
bool git_resolve(struct git *g, const struct want *w, const char *name,
		 struct str *commit);
copy_fn git_copy_how; /* of the files of a .git */
/* Makes dir a repository like that in another directory.  false: it cannot be,
 * and is not there. */
bool git_copy(struct git *g, struct str from, struct str dir);

/* Fetches the current refs of a stale clone. */
int git_kept_refresh(struct git *g, struct want *w, struct str *why);

/* git_kept.c: clones for other directories */

/* Makes w->c.dir a copy of a kept clone, with the repository's current refs; or
 * stale and without a request if it has the wanted commit.  false: no kept
 * clone can be used. */
bool git_kept_find(struct git *g, struct want *w);
/* Is the commit that is wanted in the clone, whatever its refs? */
bool git_kept_enough(struct git *g, const struct want *w);
/* Keeps a clone, before anything is checked out of it. */
void git_kept_put(struct git *g, const struct want *w);

/* git_progress.c: the progress messages of git */

/* Is progress wanted? */
bool git_tells(const struct git *g);
/* Reads to the end; reports progress lines and leaves them out of *said. */
int git_read(struct git *g, int fd, struct buf *said);

/* git_run.c: running the git command, with our settings */

/* http or https, where git asks a helper for name and password. */
bool git_is_web(const struct url *u);
/* Runs git in a directory (NULL: this one); its output goes to said.  Returns
 * its exit status, or -1 with errno. */
int git_run(struct git *g, const struct want *w, const char *dir,
	    const char *const *argv, enum child_stream err, struct buf *said);
/* As git_run, for its effect: 0, or -1 with *why. */
int git_effect(struct git *g, const struct want *w, const char *dir,
	       const char *const *argv, struct str *why);

#endif
