/* scratch.c - see arena.h */
#include <dirent.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

int scratch_make(struct arena *a, const char *const *names, const char **dir)
{
	const char *top = getenv("TMPDIR");
	char *path =
		arena_printf(a, "%s/tf.XXXXXX", top && *top ? top : "/tmp");
	int rc = mkdtemp(path) ? 0 : -1;

	*dir = path;
	for (; *names && !rc; names++)
		rc = mkfifo(arena_printf(a, "%s/%s", path, *names), 0600);
	return rc;
}

void scratch_remove(struct arena *a, const char *dir)
{
	DIR *d = opendir(dir);
	struct dirent *e;

	while (d && (e = readdir(d)))
		unlink(arena_printf(a, "%s/%s", dir, e->d_name));
	if (d)
		closedir(d);
	rmdir(dir);
}
