/*
 * git.h - packages of modules in git repositories, through the git command
 *
 * A repository is cloned once a run: other refs of it are checked out of a copy
 * of that clone, whose objects are hard links.
 */
#ifndef TFPIPE_INSTALL_MODULES_GIT_GIT_H
#define TFPIPE_INSTALL_MODULES_GIT_GIT_H

#include "base/str.h"

struct git;
struct hosts;

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

#endif
