/* git_int.h - what the files about git share (git.c) */
#ifndef TFPIPE_INSTALL_MODULES_GIT_GIT_INT_H
#define TFPIPE_INSTALL_MODULES_GIT_GIT_INT_H

#include "base/str.h"
#include "base/child.h"
#include "base/vec.h"
#include "config/source/url.h"
#include "install/package/copy_tree.h"
#include "install/hosts/login.h"

struct git;
struct hosts;

/*
 * git.c: packages of modules in git repositories, through the git command
 *
 * A repository is cloned once a run: other refs of it are checked out of a copy
 * of that clone, whose objects are hard links.
 */

/* input: git may ask for names and passwords at a terminal. */
struct git *git_new(struct arena *a, bool input, const struct hosts *hosts);
/* Checks out the repository at the URL, which may have ?ref=, ?depth= and
 * ?sshkey=, into dir, which must not exist.  A commit, unless it is empty,
 * counts before the ref of a whole clone.  -1 with *why: a sentence without its
 * full stop, with the words of git, and without secrets of the URL; then dir is
 * not there. */
int git_fetch(struct git *g, struct str url, struct str commit, struct str dir,
	      struct str *why);
/* --- clones that another process makes (ahead.c) --- */

/* Identifies the clone for a URL: equal for URLs that share one.  STR_NONE: the
 * URL is invalid. */
struct str git_repository(struct git *g, struct str url);
/* Is there a clone that serves the URL? */
bool git_has(struct git *g, struct str url);
/* In that process: never prompts, and reports progress to `hosts`. */
void git_alone(struct git *g, const struct hosts *hosts);
/* Are the refs of the clone in dir as they were when it was kept? */
bool git_stale(const struct git *g, struct str dir);
/* Adds a clone that was made. */
void git_add(struct git *g, struct str url, struct str dir, bool stale);
void git_moved(struct git *g, struct str from, struct str to);

/* The commit that is checked out in a directory; STR_NONE: it is no clone. */
struct str git_commit(struct git *g, struct str dir);

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

/* --- git_run.c: the command --- */

/* --- git.c --- */

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
