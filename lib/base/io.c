/* io.c - see io.h */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/io.h"
#include "base/clock.h"
#include "base/visible.h"

enum { OUT_FLUSH_AT = 1 << 16 };

bool io_is_directory(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

int io_read_fd(int fd, struct buf *b, size_t limit)
{
	size_t got = 0, step = 1 << 16, next = step;
	struct stat st;

	if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_size > 0) {
		step = (size_t)st.st_size + 1;
		next = 1; /* only to see that nothing follows */
	}
	for (;;) {
		ssize_t n;

		buf_grow(b, step);
		n = read(fd, b->p + b->len, b->cap - b->len - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		b->p[b->len + (size_t)n] = '\0';
		if (n == 0)
			return 0;
		b->len += (size_t)n;
		got += (size_t)n;
		if (limit && got > limit) {
			errno = EFBIG;
			return -1;
		}
		step = next;
	}
}

int io_read_file(const char *path, struct buf *b, size_t limit)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC), rc, err;

	if (fd < 0)
		return -1;
	rc = io_read_fd(fd, b, limit);
	err = errno;
	close(fd);
	errno = err;
	return rc;
}

/* Reads the rest of a file that did not fit in size + 1 bytes: it has grown, or
 * reports no size. */
static int read_grown(struct arena *a, int fd, struct str so_far, size_t limit,
		      struct str *out)
{
	struct buf b = BUF_INIT;
	int rc;

	buf_str(&b, so_far);
	rc = io_read_fd(fd, &b, 0);
	if (!rc && b.len > limit) {
		errno = EFBIG;
		rc = -1;
	}
	if (!rc)
		*out = buf_dup(a, &b);
	buf_release(&b);
	return rc;
}

static int read_regular(struct arena *a, int fd, size_t limit, struct str *out)
{
	size_t size, got = 0;
	struct stat st;
	char *p;

	if (fstat(fd, &st))
		return -1;
	size = (size_t)st.st_size;
	errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	if (S_ISREG(st.st_mode) && size > limit)
		errno = EFBIG;
	if (!S_ISREG(st.st_mode) || size > limit)
		return -1;
	p = arena_alloc(a, size + 2);
	for (;;) {
		size_t want = size + 1 - got;
		ssize_t n = read(fd, p + got, want);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -1;
		got += (size_t)n;
		if (got > size)
			return read_grown(a, fd, (struct str){ p, got }, limit,
					  out);
		/* One byte more was requested than the file has. */
		if (n == 0 || got == size)
			break;
	}
	p[got] = '\0';
	*out = (struct str){ p, got };
	return 0;
}

int io_read_regular(struct arena *a, const char *path, size_t limit,
		    struct str *out)
{
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK), rc, err;

	if (fd < 0)
		return -1;
	rc = read_regular(a, fd, limit, out);
	err = errno;
	close(fd);
	errno = err;
	return rc;
}

int io_open_file(const char *path, int flags, mode_t mode)
{
	int fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, mode);
	struct stat st;

	if (fd < 0 || (fstat(fd, &st) == 0 && !S_ISFIFO(st.st_mode)))
		return fd;
	close(fd);
	errno = ESPIPE;
	return -1;
}

int io_write_all(int fd, const void *p, size_t n)
{
	const char *s = p;

	while (n) {
		ssize_t w = write(fd, s, n);

		if (w < 0 && errno == EINTR)
			continue;
		if (w < 0)
			return -1;
		s += w;
		n -= (size_t)w;
	}
	return 0;
}

int io_copy(int from, int to)
{
	static char block[1 << 16];
	ssize_t n;

	while ((n = read(from, block, sizeof(block))) != 0) {
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0 || io_write_all(to, block, (size_t)n))
			return -1;
	}
	return 0;
}

int io_seekable(int fd)
{
	struct buf text = BUF_INIT;
	int copy;

	if (lseek(fd, 0, SEEK_SET) == 0)
		return fd;
	copy = io_read_fd(fd, &text, 0) ? -1
					: io_memory("input", buf_view(&text));
	buf_release(&text);
	return copy;
}

int io_memory(const char *name, struct str text)
{
	const int fd = memfd_create(name, MFD_CLOEXEC);
	int why;

	if (fd < 0 || (!fchmod(fd, 0600) && !io_write_all(fd, text.p, text.n) &&
		       !lseek(fd, 0, SEEK_SET)))
		return fd;
	why = errno;
	close(fd);
	errno = why;
	return -1;
}

static const int fatal[] = { SIGINT, SIGTERM, SIGHUP };
enum { FATAL = sizeof(fatal) / sizeof(*fatal) };

/* The temporary file that a deadly signal must remove; one at a time. */
static char pending_tmp[4096];
static volatile sig_atomic_t pending;

static void remove_pending(int sig)
{
	if (pending)
		unlink(pending_tmp);
	signal(sig, SIG_DFL);
	raise(sig);
}

/* Handles the fatal signals that are at their default; signals that the program
 * handles stay with it. */
static void handle_fatal(struct sigaction *old, void (*handler)(int))
{
	const struct sigaction sa = { .sa_handler = handler };

	for (int i = 0; i < FATAL; i++) {
		sigaction(fatal[i], NULL, &old[i]);
		if (old[i].sa_handler == SIG_DFL)
			sigaction(fatal[i], &sa, NULL);
	}
}

/* Handles them while a temporary file exists. */
static void guard(struct sigaction *old, bool on)
{
	if (on)
		handle_fatal(old, remove_pending);
	for (int i = 0; !on && i < FATAL; i++)
		sigaction(fatal[i], &old[i], NULL);
}

/* Of fail; those forked from `pid` end without a word. */
static struct {
	pid_t pid;
	int fd;
	const char *said;
	char *stamp;
} last_words;

static void fail(int sig)
{
	(void)sig;
	if (pending)
		unlink(pending_tmp);
	if (last_words.stamp)
		clock_stamp(last_words.stamp);
	if (getpid() == last_words.pid)
		io_write_all(last_words.fd, last_words.said,
			     strlen(last_words.said));
	_exit(1);
}

void io_fail_on_signals(int fd, const char *said, char *stamp)
{
	struct sigaction old[FATAL];

	last_words.pid = getpid();
	last_words.fd = fd;
	last_words.stamp = stamp;
	last_words.said = said;
	handle_fatal(old, fail);
}

static int write_through(const char *path, const void *p, size_t n, mode_t mode)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, mode);
	int rc;

	if (fd < 0)
		return -1;
	rc = io_write_all(fd, p, n);
	return close(fd) || rc ? -1 : 0;
}

static int replace(const char *path, const void *p, size_t n, mode_t mode)
{
	struct sigaction old[FATAL];
	int fd, err, rc = -1;

	if (snprintf(pending_tmp, sizeof(pending_tmp), "%s.XXXXXX", path) >=
	    (int)sizeof(pending_tmp)) {
		errno = ENAMETOOLONG;
		return -1;
	}
	guard(old, true);
	fd = mkostemp(pending_tmp, O_CLOEXEC);
	if (fd < 0)
		goto out;
	pending = 1;
	rc = io_write_all(fd, p, n) || fchmod(fd, mode) || fsync(fd) ? -1 : 0;
	err = errno;
	if (close(fd) && !rc) {
		err = errno;
		rc = -1;
	}
	if (!rc && rename(pending_tmp, path)) {
		err = errno;
		rc = -1;
	}
	if (rc)
		unlink(pending_tmp);
	pending = 0;
	if (!rc && io_sync_names(path)) {
		err = errno;
		rc = -1;
	}
	errno = err;
out:
	guard(old, false);
	return rc;
}

int io_replace_file(const char *path, const void *p, size_t n, mode_t mode)
{
	char *real;
	int rc;

	if (io_target(path, &real))
		return -1;
	rc = real ? replace(real, p, n, mode) : write_through(path, p, n, mode);
	free(real);
	return rc;
}

int io_exchange(const char *path, const char *other)
{
	const unsigned exchange = 1 << 1; /* RENAME_EXCHANGE */

	return (int)syscall(SYS_renameat2, AT_FDCWD, path, AT_FDCWD, other,
			    exchange);
}

int io_random(void *to, size_t n)
{
	char *p = to;

	while (n) {
		ssize_t got = getrandom(p, n, 0);

		if (got < 0 && errno != EINTR)
			return -1;
		if (got > 0) {
			p += got;
			n -= (size_t)got;
		}
	}
	return 0;
}

/* Occupied, but open for the opposite of what it is used for. */
static void occupy(int fd, int flags)
{
	if (fcntl(fd, F_GETFD) < 0)
		open("/dev/null", flags);
}

void io_init(void)
{
	occupy(STDIN_FILENO, O_WRONLY);
	occupy(STDOUT_FILENO, O_RDONLY);
	occupy(STDERR_FILENO, O_RDONLY);
	signal(SIGXFSZ, SIG_IGN);
}

/* What is for people goes through visible_put, here alone. */
static int put_out(const struct out *o)
{
	struct buf shown = BUF_INIT;
	int rc, err;

	if (o->form == OUT_DATA)
		return io_write_all(o->fd, o->buf.p, o->buf.len);
	visible_put(&shown, buf_view(&o->buf), o->form == OUT_PAINTED);
	rc = io_write_all(o->fd, shown.p, shown.len);
	err = errno;
	buf_release(&shown);
	errno = err;
	return rc;
}

int out_flush(struct out *o)
{
	if (o->before && o->before(o->before_data))
		return 0;
	if (o->buf.len && !o->broken && !o->err && put_out(o)) {
		if (errno == EPIPE)
			o->broken = true;
		else
			o->err = errno;
	}
	if (o->buf.len)
		o->midline = o->buf.p[o->buf.len - 1] != '\n';
	buf_set_len(&o->buf, 0);
	if (o->err) {
		errno = o->err;
		return -1;
	}
	return 0;
}

void out_drop_held(struct out *o)
{
	const ptrdiff_t end =
		o->midline ? str_chr(buf_view(&o->buf), '\n') + 1 : 0;

	buf_set_len(&o->buf, (size_t)end);
}

void out_write(struct out *o, const void *p, size_t n)
{
	buf_add(&o->buf, p, n);
	if (o->buf.len >= OUT_FLUSH_AT)
		out_flush(o);
}

void out_str(struct out *o, struct str s)
{
	out_write(o, s.p, s.n);
}

void out_release(struct out *o)
{
	buf_release(&o->buf);
}
