/* claim.c - temporary directories of packages; see providers_int.h
 *
 * It is VERSION/OS_ARCH.PID.tmp, and a process that is killed leaves it there.
 * The process that makes one holds a shared lock of VERSION (flock(2)), so an
 * exclusive lock proves that none is at work.  The PID would not: machines may
 * share a plugin cache.
 */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include "install/providers/providers_int.h"
#include "base/file_path.h"
#include "base/io.h"

static int lock(int fd, int how)
{
	int rc;

	while ((rc = flock(fd, how)) && errno == EINTR)
		;
	return rc;
}

static int open_directory(const char *path)
{
	return open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
}

/* OS_ARCH.PID.tmp */
static bool is_temporary(const char *name)
{
	const char *bar = strchr(name, '_'), *dot = strchr(name, '.');
	const size_t n = dot ? strspn(dot + 1, "0123456789") : 0;

	return n && bar && bar < dot && !strcmp(dot + 1 + n, ".tmp");
}

/* Removes leftovers from a VERSION, unless a process is at work there. */
static void sweep_version(struct arena *a, const char *version)
{
	const int fd = open_directory(version);
	DIR *d = fd >= 0 && !lock(fd, LOCK_EX | LOCK_NB) ? fdopendir(fd) : NULL;
	const struct dirent *e;

	while (d && (e = readdir(d)))
		if (is_temporary(e->d_name))
			io_remove_tree(
				arena_printf(a, "%s/%s", version, e->d_name));
	if (d)
		closedir(d);
	else if (fd >= 0)
		close(fd);
}

int place_claim(struct arena *a, struct str place)
{
	const char *version = str_dup(a, file_path_directory(place)).p;
	const char *type = arena_printf(a, "%s..", version);
	DIR *d = opendir(type);
	const struct dirent *e;
	int fd;

	while (d && (e = readdir(d)))
		if (e->d_name[0] != '.')
			sweep_version(a, arena_printf(a, "%s/%s", type,
						      e->d_name));
	if (d)
		closedir(d);
	fd = open_directory(version);
	if (fd >= 0 && lock(fd, LOCK_SH)) {
		close(fd);
		return -1;
	}
	return fd;
}
