/*
 * local_file.c - the state file itself: read whole, overwritten in place
 *
 * In place, because processes that wait for the lock have this very file open:
 * a file renamed over it would leave them with a lock on the old one.  The
 * journal, which holds the new text by then, makes this safe.
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/backend/local/local_int.h"

static int load_error(struct diags *ds, struct str path)
{
	return diag_error(ds, NULL, "Failed to load state",
			  "The state file %.*s could not be read: %s.",
			  STR_ARG(path), io_why());
}

/* All of fd into the arena, in one piece of the file's size. */
static int read_all(struct arena *a, int fd, struct str *out)
{
	struct stat st;
	size_t room, len = 0;
	char *p;

	if (fstat(fd, &st))
		return -1;
	if (S_ISDIR(st.st_mode)) {
		errno = EISDIR;
		return -1;
	}
	room = S_ISREG(st.st_mode) ? (size_t)st.st_size : 0;
	p = arena_alloc(a, room + 1);
	for (;;) {
		ssize_t n = pread(fd, p + len, room - len, (off_t)len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		len += (size_t)n;
		if (n == 0 || len == room)
			break;
	}
	p[len] = '\0';
	*out = (struct str){ p, len };
	return 0;
}

static int fetch(struct backend *b, struct str path, int locked_fd,
		 struct str *out, struct diags *ds)
{
	int fd = locked_fd, rc;

	*out = STR_NONE;
	if (fd < 0)
		fd = io_open_file(path.p, O_RDONLY, 0);
	if (fd < 0)
		return errno == ENOENT ? 0 : load_error(ds, path);
	rc = read_all(b->arena, fd, out);
	if (rc)
		load_error(ds, path);
	if (fd != locked_fd)
		close(fd);
	return rc;
}

int local_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	struct local *l = b->data;

	return fetch(b, l->read_path, l->split ? -1 : l->fd, out, ds);
}

int local_fetch_target(struct backend *b, struct str *out, struct diags *ds)
{
	struct local *l = b->data;

	return fetch(b, l->write_path, l->fd, out, ds);
}

/* A new state is the user's alone, for every secret is in it; the mode of one
 * that is there stays.  A link is followed to a file, but makes none. */
int local_open_target(struct local *l, bool *created)
{
	char *copy = xstrdup(l->write_path.p);
	int rc = io_make_dirs_synced(dirname(copy), 0755), fd;

	free(copy);
	if (rc)
		return -1;
	fd = io_open_file(l->write_path.p, O_RDWR, 0);
	*created = fd < 0 && errno == ENOENT;
	if (*created)
		fd = open(l->write_path.p,
			  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
	return fd;
}

static int write_at(int fd, const char *p, size_t from, size_t n)
{
	size_t done = from;

	while (done < n) {
		ssize_t w = pwrite(fd, p + done, n - done, (off_t)done);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		done += (size_t)w;
	}
	return 0;
}

/* Replaces the content.  Its first character is written last, when all else is
 * on the disk, and until then means "unfinished": a file that is half new and
 * half old could be read as a state that never was. */
static int overwrite(int fd, const char *p, size_t n)
{
	if (!n)
		return ftruncate(fd, 0);
	return write_at(fd, "#", 0, 1) || write_at(fd, p, 1, n) ||
			       ftruncate(fd, (off_t)n) || fsync(fd) ||
			       write_at(fd, p, 0, 1) || fsync(fd)
		       ? -1
		       : 0;
}

/* Reserves room for n bytes, so that a full disk is noticed before anything is
 * overwritten.  Not every file system supports this. */
static int reserve(int fd, size_t n)
{
#ifdef FALLOC_FL_KEEP_SIZE
	if (fallocate(fd, FALLOC_FL_KEEP_SIZE, 0, (off_t)n) &&
	    (errno == ENOSPC || errno == EDQUOT || errno == EFBIG))
		return -1;
#else
	(void)fd;
	(void)n;
#endif
	return 0;
}

bool local_is_at(int fd, const char *path)
{
	struct stat mine, there;

	return fstat(fd, &mine) == 0 && stat(path, &there) == 0 &&
	       mine.st_ino == there.st_ino && mine.st_dev == there.st_dev;
}

static int store_error(struct diags *ds, struct str path, const char *why,
		       bool restored)
{
	return diag_error(ds, NULL, "Failed to save state",
			  "The state file %.*s could not be written: %s. %s "
			  "The new state is kept in the journal beside it and "
			  "will be recovered by the next run.",
			  STR_ARG(path), why,
			  restored ? "It is as it was before."
				   : "It may be incomplete.");
}

static bool holds(int fd, struct str text)
{
	char block[1 << 16];
	struct stat st;
	size_t at = 0;

	if (fstat(fd, &st) || (size_t)st.st_size != text.n)
		return false;
	while (at < text.n) {
		ssize_t n = pread(fd, block, sizeof(block), (off_t)at);

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0 || (size_t)n > text.n - at ||
		    memcmp(block, text.p + at, (size_t)n) != 0)
			return false;
		at += (size_t)n;
	}
	return true;
}

/* Reads the text to restore if writing fails: usually the one that was read
 * before, so that memory does not hold it twice. */
static int read_old(struct backend *b, int fd, struct str *out)
{
	*out = b->text;
	return holds(fd, b->text) ? 0 : read_all(b->arena, fd, out);
}

int local_store(struct backend *b, struct str text, struct diags *ds)
{
	struct local *l = b->data;
	struct str old = STR_NONE;
	bool created = false, restored = true;
	int fd = l->fd, rc, err;

	if (fd >= 0 && !local_is_at(fd, l->write_path.p))
		return store_error(
			ds, l->write_path,
			"another program replaced it while it was locked",
			true);
	if (fd < 0)
		fd = local_open_target(l, &created);
	if (fd < 0 || read_old(b, fd, &old) || reserve(fd, text.n)) {
		rc = -1;
		err = errno;
	} else {
		rc = overwrite(fd, text.p, text.n);
		err = errno;
		if (rc)
			restored = overwrite(fd, old.p, old.n) == 0;
		/* A file that is empty may have been made by the lock. */
		if (!rc && (created || !old.n) &&
		    io_sync_names(l->write_path.p)) {
			rc = -1;
			err = errno;
		}
	}
	if (fd >= 0 && fd != l->fd)
		close(fd);
	return rc ? store_error(ds, l->write_path, strerror(err), restored) : 0;
}

/* Is what is at the name of the backup none of the user's?  What an absolute
 * path names is, and a FIFO that an option names. */
static bool in_the_way(const struct backend *b, const char *path)
{
	const bool named = b->opts.backup_path.n != 0;
	struct stat st;

	if (lstat(path, &st))
		return false;
	return (S_ISLNK(st.st_mode) && !(named && *path == '/')) ||
	       (S_ISFIFO(st.st_mode) && !named);
}

/* The backup as an absolute path: its directory is what the configuration
 * names, links and all. */
static const char *make_way(struct backend *b, struct local *l)
{
	const char *path = l->backup_path.p;
	const char *name = strrchr(path, '/');
	char *copy = xstrdup(path), *dir;

	if (in_the_way(b, path))
		unlink(path);
	dir = realpath(dirname(copy), NULL);
	if (dir)
		path = arena_printf(b->arena, "%s/%s", dir,
				    name ? name + 1 : path);
	free(dir);
	free(copy);
	return path;
}

int local_backup(struct backend *b, struct str text, struct diags *ds)
{
	struct local *l = b->data;
	mode_t mode = 0600;
	struct stat st;

	if (!l->backup_path.n)
		return 0;
	if (stat(l->write_path.p, &st) == 0)
		mode = st.st_mode & 0666;
	if (io_replace_file(make_way(b, l), text.p, text.n, mode) == 0)
		return 0;
	return diag_error(ds, NULL, "Failed to save state",
			  "The backup %.*s of the state file could not be "
			  "written: %s. The state is unchanged.",
			  STR_ARG(l->backup_path), strerror(errno));
}
