/*
 * workdir.h - the directory that a program works in: what is where in it, and
 * which workspace is the current one
 *
 * A value, made once a program when that has changed into its directory
 * (workdir_open), and handed on to all who read or write there; nobody else
 * asks the environment for these settings.  Paths are relative to the
 * directory.  Sources: OpenTofu's command/workdir, and what it writes.
 */
#ifndef TFPIPE_BASE_WORKDIR_H
#define TFPIPE_BASE_WORKDIR_H

#include "base/arena.h"
#include "base/str.h"

/* Beside the root module: */
#define WORKDIR_LOCK_FILE ".terraform.lock.hcl" /* of providers */
#define WORKDIR_MODULE_LOCK_FILE ".terraform.modules.lock"
/* The local backend's state, and its directory of other workspaces' states,
 * each with a file of the first name in a directory of the workspace's. */
#define WORKDIR_STATE "terraform.tfstate"
#define WORKDIR_STATES "terraform.tfstate.d"
#define WORKDIR_RESCUED "errored.tfstate" /* a state that was not stored */

/* In the data directory, for workdir_path: */
#define WORKDIR_BACKEND "terraform.tfstate" /* the one that init set up */
#define WORKDIR_ENVIRONMENT "environment"   /* names the workspace */
#define WORKDIR_MODULES "modules"
#define WORKDIR_MANIFEST "modules/modules.json"
#define WORKDIR_PROVIDERS "providers"
#define WORKDIR_READS "reads" /* when objects were read */

struct workdir {
	struct str data_dir; /* TF_DATA_DIR, or .terraform; as all here it is
				NUL-terminated */
	struct str forced;   /* TF_WORKSPACE: then the current one; or empty */
	/* The current one.  Empty where the file that names it cannot be read:
	 * nobody is to take another one instead. */
	struct str workspace;
};

/* Where nothing is set and nothing was selected. */
#define WORKDIR_INIT \
	{ \
		.data_dir = STR_INIT(".terraform"), \
		.workspace = STR_INIT("default") \
	}

/* Finds out what the current directory and the environment say.  Tells of no
 * error: whoever needs the workspace looks at its name. */
void workdir_open(struct arena *a, struct workdir *w);
/* A file in the data directory, NUL-terminated. */
struct str workdir_path(struct arena *a, const struct workdir *w,
			const char *name);
/* Makes a workspace the current one: for this program unless TF_WORKSPACE names
 * another, and for all that come, in a file.  -1: errno says why not; io_why()
 * knows more. */
int workdir_select(struct arena *a, struct workdir *w, struct str workspace);

/* The user's directory, path.cwd: the working directory, or where the driver
 * was before -chdir (WORKDIR_BEFORE, which is removed).  Once a process, before
 * any change of directory. */
#define WORKDIR_BEFORE "TFPIPE_ORIGINAL_DIR"
struct str workdir_before(struct arena *a);

#endif
