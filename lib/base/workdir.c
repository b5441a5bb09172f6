/* workdir.c - see workdir.h */
#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/workdir.h"
#include "base/io.h"

static struct str selected(struct arena *a, const struct workdir *w)
{
	struct str path = workdir_path(a, w, WORKDIR_ENVIRONMENT), name;

	if (io_read_regular(a, path.p, 4096, &name))
		return errno == ENOENT || errno == ENOTDIR ? STR("default")
							   : STR("");
	name = str_trim(name);
	return name.n ? str_dup(a, name) : STR("default");
}

void workdir_open(struct arena *a, struct workdir *w)
{
	*w = (struct workdir)WORKDIR_INIT;
	if (str_env("TF_DATA_DIR").n)
		w->data_dir = str_env("TF_DATA_DIR");
	w->forced = str_env("TF_WORKSPACE");
	w->workspace = w->forced.n ? w->forced : selected(a, w);
}

struct str workdir_path(struct arena *a, const struct workdir *w,
			const char *name)
{
	return STR_CAT(a, w->data_dir, STR("/"), str_c(name));
}

int workdir_select(struct arena *a, struct workdir *w, struct str workspace)
{
	struct str path = workdir_path(a, w, WORKDIR_ENVIRONMENT);
	struct stat st;

	/* a pipe would be written to, and nobody reads it */
	if (lstat(path.p, &st) == 0 && S_ISFIFO(st.st_mode))
		io_unlink(path.p);
	if (io_make_dirs(w->data_dir.p, 0755) ||
	    io_replace_file(path.p, workspace.p, workspace.n, 0644))
		return -1;
	if (!w->forced.n)
		w->workspace = str_dup(a, workspace);
	return 0;
}

struct str workdir_before(struct arena *a)
{
	const char *before = getenv(WORKDIR_BEFORE);
	char *here = before ? NULL : getcwd(NULL, 0);
	struct str out = str_dup(a, str_c(before ? before : here ? here : "."));

	free(here);
	unsetenv(WORKDIR_BEFORE);
	return out;
}
