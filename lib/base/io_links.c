/*
 * io_links.c - paths on which no link is followed; see io.h
 *
 * A relative path is gone through by openat2(2), which refuses links by itself,
 * or step by step where the kernel or a filter of system calls lacks that.
 */
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <libgen.h>
#include <limits.h>
#include <linux/openat2.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"

enum { OPEN_DIRS = 16 };

/* The last step of a path, and the directory that it is in. */
struct place {
	int dir;
	char name[NAME_MAX + 1];
};

static bool is_link(int dir, const char *name)
{
	struct stat st;

	return !fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) &&
	       S_ISLNK(st.st_mode);
}

/* Opens the first step of *rest in the directory `at`, which it closes. */
static int open_step(int at, char **rest)
{
	static const int flags = O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC;
	char *name = *rest;
	int fd, err;

	*rest += strcspn(*rest, "/");
	if (**rest)
		*(*rest)++ = '\0';
	fd = openat(at, *name ? name : ".", flags);
	err = fd < 0 && errno == ENOTDIR && is_link(at, name) ? ELOOP : errno;
	close(at);
	errno = err;
	return fd;
}

static int open_steps(char *path)
{
	int fd = open(".", O_PATH | O_DIRECTORY | O_CLOEXEC);

	while (fd >= 0 && *path)
		fd = open_step(fd, &path);
	return fd;
}

/* Consumes path. */
static int open_dir(char *path, bool follow)
{
	static const int flags = O_PATH | O_DIRECTORY | O_CLOEXEC;
	const struct open_how how = { .flags = flags,
				      .resolve = RESOLVE_NO_SYMLINKS };
	int fd;

	if (follow || *path == '/')
		return open(path, flags);
	fd = (int)syscall(SYS_openat2, AT_FDCWD, path, &how, sizeof(how));
	return fd < 0 && errno != ENOENT && errno != ELOOP ? open_steps(path)
							   : fd;
}

/* Splits off the last step; what is left of path is its directory. */
static int split(char *path, char *name)
{
	size_t n = strlen(path), at;

	while (n > 1 && path[n - 1] == '/')
		path[--n] = '\0';
	for (at = n; at && path[at - 1] != '/'; at--)
		;
	if (!n || n - at > NAME_MAX) {
		errno = n ? ENAMETOOLONG : ENOENT;
		return -1;
	}
	memcpy(name, at < n ? path + at : ".", at < n ? n - at : 1);
	name[at < n ? n - at : 1] = '\0';
	while (at > 1 && path[at - 1] == '/')
		at--;
	if (!at)
		path[at++] = '.';
	path[at] = '\0';
	return 0;
}

static int find_place(const char *path, bool follow, struct place *p)
{
	char *copy = xstrdup(path);
	int err;

	p->dir = split(copy, p->name) ? -1 : open_dir(copy, follow);
	err = errno;
	free(copy);
	errno = err;
	return p->dir < 0 ? -1 : 0;
}

static int leave(struct place *p, int rc)
{
	const int err = errno;

	close(p->dir);
	errno = err;
	return rc;
}

/* --- directories --- */

static int make_dirs(char *path, mode_t mode, bool follow);

static int make_parent(const char *path, mode_t mode, bool follow)
{
	char *copy = xstrdup(path), name[NAME_MAX + 1];
	int rc = split(copy, name) ? -1 : make_dirs(copy, mode, follow), err;

	err = errno;
	free(copy);
	errno = err;
	return rc;
}

static int make_dirs(char *path, mode_t mode, bool follow)
{
	const bool strict = !follow && *path != '/';
	struct place p;
	int rc = find_place(path, follow, &p);

	if (rc && errno == ENOENT && *path)
		rc = make_parent(path, mode, follow) ||
		     find_place(path, follow, &p);
	if (rc)
		return -1;
	if (mkdirat(p.dir, p.name, mode)) {
		rc = errno == EEXIST ? 0 : -1;
		if (!rc && strict && is_link(p.dir, p.name)) {
			errno = ELOOP;
			rc = -1;
		}
	}
	return leave(&p, rc);
}

static int make(const char *path, mode_t mode, bool follow)
{
	char *copy = xstrdup(path);
	int rc = make_dirs(copy, mode, follow), err = errno;

	free(copy);
	errno = err;
	return rc;
}

int io_make_dirs(const char *path, mode_t mode)
{
	return make(path, mode, false);
}

int io_sync_names(const char *path)
{
	char *copy = xstrdup(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = 0, err;

	free(copy);
	if (fd < 0 && errno == EACCES) { /* it can be written, but not read */
		sync();
		return 0;
	}
	/* Some file systems cannot, and need not. */
	if (fd < 0 || (fsync(fd) && errno != EINVAL))
		rc = -1;
	err = errno;
	if (fd >= 0)
		close(fd);
	errno = err;
	return rc;
}

int io_make_dirs_synced(const char *path, mode_t mode)
{
	char *copy, *above;
	int rc = 0;

	if (access(path, F_OK) == 0)
		return 0;
	copy = xstrdup(path);
	above = dirname(copy); /* not always in the copy */
	if (strcmp(above, path) != 0)
		rc = io_make_dirs_synced(above, mode);
	free(copy);
	return rc || make(path, mode, true) || io_sync_names(path) ? -1 : 0;
}

static int remove_one(const char *path, const struct stat *st, int kind,
		      struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	return kind == FTW_DP ? rmdir(path) : unlink(path);
}

int io_remove_tree(const char *path)
{
	struct place p;
	int rc;

	if (find_place(path, false, &p))
		return errno == ENOENT ? 0 : -1;
	rc = leave(&p, unlinkat(p.dir, p.name, 0));
	if (!rc || errno == ENOENT)
		return 0;
	return nftw(path, remove_one, OPEN_DIRS, FTW_DEPTH | FTW_PHYS);
}

/* --- files --- */

int io_open(const char *path, int flags, mode_t mode)
{
	const bool strict = *path != '/';
	struct place p;

	if (find_place(path, false, &p))
		return -1;
	if (strict)
		flags |= O_NOFOLLOW;
	return leave(&p, openat(p.dir, p.name, flags | O_CLOEXEC, mode));
}

int io_unlink(const char *path)
{
	struct place p;

	if (find_place(path, false, &p))
		return -1;
	return leave(&p, unlinkat(p.dir, p.name, 0));
}

int io_rmdir(const char *path)
{
	struct place p;

	if (find_place(path, false, &p))
		return -1;
	return leave(&p, unlinkat(p.dir, p.name, AT_REMOVEDIR));
}

int io_target(const char *path, char **real)
{
	struct place p;
	struct stat st;
	int rc;

	*real = NULL;
	if (find_place(path, false, &p))
		return -1;
	rc = leave(&p, fstatat(p.dir, p.name, &st, AT_SYMLINK_NOFOLLOW));
	if (rc || S_ISREG(st.st_mode) ||
	    (S_ISLNK(st.st_mode) && *path != '/')) {
		*real = xstrdup(path);
		return 0;
	}
	if (stat(path, &st) == 0 && S_ISREG(st.st_mode)) {
		*real = realpath(path, NULL);
		return *real ? 0 : -1;
	}
	errno = EISDIR;
	return S_ISDIR(st.st_mode) ? -1 : 0;
}

const char *io_why(void)
{
	if (errno == ESPIPE)
		return "it is a pipe, and must be a file";
	return errno == ELOOP
		       ? "it is a symbolic link, or its path has one, which is not followed here"
		       : strerror(errno);
}
