/* owned_dir.c - see kept.h */
#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "install/package/kept.h"
#include "base/io.h"

enum { YOUNG_SECONDS = 60 };

static const char prefix[] = "tfpipe-init.";

static const char *top(void)
{
	const char *dir = getenv("TMPDIR");

	return dir && *dir ? dir : "/tmp";
}

static int open_dir(int at, const char *path)
{
	return openat(at, path,
		      O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

int owned_dir_make(struct arena *a, struct owned_dir *d)
{
	char *path = arena_printf(a, "%s/%sXXXXXX", top(), prefix);

	*d = (struct owned_dir){ str_c(path), -1 };
	if (!mkdtemp(path))
		return -1;
	d->fd = open_dir(AT_FDCWD, path);
	if (d->fd >= 0)
		flock(d->fd, LOCK_EX | LOCK_NB); /* or it has none, young */
	return 0;
}

void owned_dir_remove(struct owned_dir *d)
{
	io_remove_tree(d->path.p);
	if (d->fd >= 0)
		close(d->fd);
	d->fd = -1;
}

/* Is the directory's owner gone?  fd has the lock then. */
static bool is_left(int fd)
{
	struct stat st;

	return !fstat(fd, &st) && st.st_uid == geteuid() &&
	       st.st_mtime < time(NULL) - YOUNG_SECONDS &&
	       !flock(fd, LOCK_EX | LOCK_NB);
}

void owned_dir_sweep(struct arena *a)
{
	DIR *d = opendir(top());
	const struct dirent *e;
	int fd;

	while (d && (e = readdir(d))) {
		if (strncmp(e->d_name, prefix, sizeof(prefix) - 1) != 0)
			continue;
		fd = open_dir(dirfd(d), e->d_name);
		if (fd < 0)
			continue;
		if (is_left(fd))
			io_remove_tree(
				arena_printf(a, "%s/%s", top(), e->d_name));
		close(fd);
	}
	if (d)
		closedir(d);
}
