/*
 * git_int.h - what the files about git share (git.h)
 */
#ifndef TFPIPE_INSTALL_GIT_INT_H
#define TFPIPE_INSTALL_GIT_INT_H

#include "base/child.h"
#include "base/vec.h"
#include "config/source/url.h"
#include "install/package/copy_tree.h"
#include "install/modules/git.h"
#include "install/hosts/hosts.h"

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

#endif
