/*
 * inject.c - makes the N-th call of one kind fail, fills a disk, or keeps what
 * would survive the loss of power, in any program
 *
 * A library to be preloaded:
 *	TFPIPE_FAULT=write:7 LD_PRELOAD=./inject.so tf-apply …
 * Kinds: alloc (malloc, calloc, realloc return NULL), write (write, pwrite:
 * ENOSPC), sync (fsync, fdatasync: EIO), trunc (ftruncate: EIO), room and
 * noroom (fallocate: ENOSPC, EOPNOTSUPP).  When the N-th call was reached, the
 * file named by TFPIPE_FAULT_HIT is made, so that a loop over N knows when to
 * stop.
 *
 *	TFPIPE_FAULT=full:20000 TFPIPE_FAULT_UNDER=/tmp/x/ …
 * Files under that path take 20,000 bytes together, then writes to them fail
 * with ENOSPC, and truncating gives nothing back.
 *
 *	TFPIPE_FAULT=die:7 TFPIPE_FAULT_UNDER=/tmp/x/ …
 * The process is killed at its seventh write to a file under that path, which
 * does not happen.
 *
 *	TFPIPE_WRITTEN=/tmp/y …
 * All that is written to regular files, but not to memory, is added to that file.
 *
 *	TFPIPE_SYNCED=/tmp/y TFPIPE_SYNCED_NAMES=/tmp/x TFPIPE_FAULT=power:9 …
 * At each sync of a file its content is copied to /tmp/y/ino.INODE, and a byte is
 * added to /tmp/y/count.  The ninth sync does nothing: the process dies.
 * At each sync of the directory /tmp/x its entries go to /tmp/y/names, one "INODE
 * PATH" a line.  What they become afterwards, until the next such sync, is added to
 * /tmp/y/changes: all of them, and an empty line, after each change.  A file that
 * loses its last name is kept as /tmp/y/gone.INODE, so that no other one gets its
 * number.
 */
#define _GNU_SOURCE
#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

static const char *kind;
static long countdown = -1;

static void note_hit(void)
{
	const char *path = getenv("TFPIPE_FAULT_HIT");
	int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path,
				     O_CREAT | O_WRONLY, 0600)
		      : -1;

	if (fd >= 0)
		syscall(SYS_close, fd);
}

static void init(void)
{
	const char *spec = getenv("TFPIPE_FAULT"), *colon;

	countdown = 0;
	kind = "";
	if (!spec || !(colon = strchr(spec, ':')))
		return;
	kind = spec;
	countdown = atol(colon + 1);
}

static int fails(const char *what)
{
	if (countdown < 0)
		init();
	if (countdown <= 0 || strncmp(kind, what, strlen(what)) != 0)
		return 0;
	if (--countdown > 0)
		return 0;
	note_hit();
	return 1;
}

/* --- a full disk --- */

static const char *path_of(int fd, char *buf, size_t size)
{
	char name[64];
	ssize_t n;

	snprintf(name, sizeof(name), "/proc/self/fd/%d", fd);
	n = readlink(name, buf, size - 1);
	buf[n > 0 ? n : 0] = '\0';
	return buf;
}

static int watched(int fd, const char *what)
{
	const char *under = getenv("TFPIPE_FAULT_UNDER");
	char path[4096];

	if (countdown < 0)
		init();
	return under && !strncmp(kind, what, strlen(what)) &&
	       !strncmp(path_of(fd, path, sizeof(path)), under, strlen(under));
}

static int disk_full(int fd, size_t n)
{
	if (!watched(fd, "full"))
		return 0;
	countdown = (size_t)countdown > n ? countdown - (long)n : 0;
	return countdown == 0;
}

static void die_at_write(int fd)
{
	if (watched(fd, "die") && fails("die"))
		kill(getpid(), SIGKILL);
}

/* --- what survives the loss of power --- */

static void copy_file(int fd, const char *to)
{
	char tmp[4200], buf[65536];
	off_t at = 0;
	ssize_t n;
	int out;

	snprintf(tmp, sizeof(tmp), "%s.tmp", to);
	out = (int)syscall(SYS_openat, AT_FDCWD, tmp,
			   O_CREAT | O_WRONLY | O_TRUNC, 0600);
	for (; out >= 0 && (n = pread(fd, buf, sizeof(buf), at)) > 0; at += n)
		syscall(SYS_write, out, buf, n);
	if (out >= 0)
		syscall(SYS_close, out);
	rename(tmp, to);
}

static const char *in_synced(char *buf, size_t size, const char *name)
{
	const char *dir = getenv("TFPIPE_SYNCED");

	snprintf(buf, size, "%s/%s", dir ? dir : "", name);
	return dir ? buf : NULL;
}

/* The directory whose names are kept; NULL: none. */
static const char *named_dir(struct stat *st)
{
	const char *dir = getenv("TFPIPE_SYNCED_NAMES");

	return dir && stat(dir, st) == 0 ? dir : NULL;
}

/* Writes the entries to a file, in one piece. */
static void keep_names(const char *dir, const char *to, int flags)
{
	static char text[1 << 16];
	size_t n = 0;
	DIR *d = opendir(dir);
	int fd;

	for (struct dirent *e; d && (e = readdir(d));)
		if (e->d_type == DT_REG && n < sizeof(text) - 4200)
			n += (size_t)snprintf(text + n, sizeof(text) - n,
					      "%lu %s/%s\n",
					      (unsigned long)e->d_ino, dir,
					      e->d_name);
	if (d)
		closedir(d);
	text[n++] = '\n';
	fd = (int)syscall(SYS_openat, AT_FDCWD, to, O_CREAT | O_WRONLY | flags,
			  0600);
	if (fd < 0)
		return;
	syscall(SYS_write, fd, text, n);
	syscall(SYS_close, fd);
}

/* Something may have got or lost its name. */
static void names_changed(void)
{
	struct stat st;
	const char *dir = named_dir(&st);
	char to[4200];
	int err = errno;

	if (dir && in_synced(to, sizeof(to), "changes"))
		keep_names(dir, to, O_APPEND);
	errno = err;
}

/* Gives a file that is about to lose a name another one. */
static void keep_gone(const char *path)
{
	char name[64], to[4200];
	struct stat st;
	int err = errno;

	if (getenv("TFPIPE_SYNCED") && lstat(path, &st) == 0 &&
	    S_ISREG(st.st_mode)) {
		snprintf(name, sizeof(name), "gone.%lu",
			 (unsigned long)st.st_ino);
		syscall(SYS_linkat, AT_FDCWD, path, AT_FDCWD,
			in_synced(to, sizeof(to), name), 0);
	}
	errno = err;
}

static void names_synced(const struct stat *synced)
{
	struct stat st;
	const char *dir = named_dir(&st);
	char to[4200];

	if (!dir || st.st_ino != synced->st_ino || st.st_dev != synced->st_dev)
		return;
	keep_names(dir, in_synced(to, sizeof(to), "names"), O_TRUNC);
	syscall(SYS_unlinkat, AT_FDCWD, in_synced(to, sizeof(to), "changes"),
		0);
}

static void keep_synced(int fd)
{
	const char *dir = getenv("TFPIPE_SYNCED");
	char path[4096], to[4096];
	struct stat st;
	int count;

	if (!dir || fstat(fd, &st))
		return;
	if (fails("power"))
		kill(getpid(), SIGKILL);
	snprintf(to, sizeof(to), "%s/count", dir);
	count = (int)syscall(SYS_openat, AT_FDCWD, to,
			     O_CREAT | O_WRONLY | O_APPEND, 0600);
	if (count >= 0) {
		syscall(SYS_write, count, ".", 1);
		syscall(SYS_close, count);
	}
	if (S_ISDIR(st.st_mode)) {
		names_synced(&st);
	} else {
		snprintf(to, sizeof(to), "%s/ino.%lu", dir,
			 (unsigned long)st.st_ino);
		/* it may be open for writing alone */
		fd = (int)syscall(SYS_openat, AT_FDCWD,
				  path_of(fd, path, sizeof(path)), O_RDONLY);
		if (fd >= 0) {
			copy_file(fd, to);
			syscall(SYS_close, fd);
		}
	}
}

/* Keeps what goes to a file that a disk may hold. */
static void note_written(int fd, const void *p, size_t n)
{
	const char *to = getenv("TFPIPE_WRITTEN");
	char path[4096];
	struct stat st;
	int out;

	if (!to || fstat(fd, &st) || !S_ISREG(st.st_mode) ||
	    strncmp(path_of(fd, path, sizeof(path)), "/memfd:", 7) == 0)
		return;
	out = (int)syscall(SYS_openat, AT_FDCWD, to,
			   O_CREAT | O_WRONLY | O_APPEND, 0600);
	if (out < 0)
		return;
	syscall(SYS_write, out, p, n);
	syscall(SYS_close, out);
}

/* --- the calls --- */

extern void *__libc_malloc(size_t n);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t n);

void *malloc(size_t n)
{
	if (fails("alloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_malloc(n);
}

void *calloc(size_t n, size_t size)
{
	if (fails("alloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_calloc(n, size);
}

void *realloc(void *p, size_t n)
{
	if (fails("alloc")) {
		errno = ENOMEM;
		return NULL;
	}
	return __libc_realloc(p, n);
}

ssize_t write(int fd, const void *p, size_t n)
{
	note_written(fd, p, n);
	die_at_write(fd);
	if (fails("write") || disk_full(fd, n)) {
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_write, fd, p, n);
}

ssize_t pwrite(int fd, const void *p, size_t n, off_t at)
{
	note_written(fd, p, n);
	die_at_write(fd);
	if (fails("write") || disk_full(fd, n)) {
		errno = ENOSPC;
		return -1;
	}
	return syscall(SYS_pwrite64, fd, p, n, at);
}

int fsync(int fd)
{
	if (fails("sync")) {
		errno = EIO;
		return -1;
	}
	keep_synced(fd);
	return (int)syscall(SYS_fsync, fd);
}

int fdatasync(int fd)
{
	if (fails("sync")) {
		errno = EIO;
		return -1;
	}
	keep_synced(fd);
	return (int)syscall(SYS_fdatasync, fd);
}

int ftruncate(int fd, off_t n)
{
	if (fails("trunc")) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_ftruncate, fd, n);
}

static int open_file(int at, const char *path, int flags, mode_t mode)
{
	int fd = (int)syscall(SYS_openat, at, path, flags, mode);

	if (fd >= 0 && (flags & O_CREAT))
		names_changed();
	return fd;
}

#define OPEN(decl_, at_)                                     \
	decl_                                                \
	{                                                    \
		va_list ap_;                                 \
		mode_t mode_ = 0;                            \
							     \
		va_start(ap_, flags);                        \
		if (flags & (O_CREAT | O_TMPFILE))           \
			mode_ = va_arg(ap_, mode_t);         \
		va_end(ap_);                                 \
		return open_file(at_, path, flags, mode_);   \
	}

OPEN(int open(const char *path, int flags, ...), AT_FDCWD)
OPEN(int open64(const char *path, int flags, ...), AT_FDCWD)
OPEN(int openat(int at, const char *path, int flags, ...), at)
OPEN(int openat64(int at, const char *path, int flags, ...), at)

int rename(const char *from, const char *to)
{
	int rc;

	keep_gone(to);
	rc = (int)syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
	names_changed();
	return rc;
}

int unlink(const char *path)
{
	int rc;

	keep_gone(path);
	rc = (int)syscall(SYS_unlinkat, AT_FDCWD, path, 0);
	names_changed();
	return rc;
}

int fallocate(int fd, int mode, off_t at, off_t n)
{
	const int none = fails("noroom");

	if (none || fails("room")) {
		errno = none ? EOPNOTSUPP : ENOSPC;
		return -1;
	}
	return (int)syscall(SYS_fallocate, fd, mode, at, n);
}
