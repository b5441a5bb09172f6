/* copy_tree.c - see copy_tree.h */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/sendfile.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/package/copy_tree.h"

enum { CHUNK = 1 << 30 };

struct copy {
	struct buf from, to;
	size_t root; /* length of what is copied, with its slash */
	copy_fn *how;
};

enum copy_how copy_all(const char *path)
{
	(void)path;
	return COPY_BYTES;
}

enum copy_how copy_followed(const char *path)
{
	(void)path;
	return COPY_FOLLOWED;
}

static int copy_bytes(const struct copy *c, mode_t mode, enum copy_how how)
{
	const int follow = how == COPY_FOLLOWED ? 0 : O_NOFOLLOW;
	int in = open(c->from.p, O_RDONLY | O_CLOEXEC | follow), out, rc = 0;
	int saved;
	ssize_t n;

	if (in < 0)
		return -1;
	out = open(c->to.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	while (out >= 0 && (n = sendfile(out, in, NULL, CHUNK)) != 0)
		if (n < 0 && errno != EINTR) {
			rc = -1;
			break;
		}
	if (out < 0 || fchmod(out, mode & 07777))
		rc = -1;
	saved = errno;
	close(in);
	if (out >= 0 && close(out))
		return -1;
	errno = saved;
	return rc;
}

static int copy_link(const struct copy *c)
{
	char target[PATH_MAX];
	ssize_t n = readlink(c->from.p, target, sizeof(target) - 1);

	if (n < 0)
		return -1;
	target[n] = '\0';
	return symlink(target, c->to.p);
}

static int copy_dir(struct copy *c);

/* Links a regular file by its name, without stat(2), as most files allow. */
static bool copy_quickly(const struct dirent *e, int from, int to)
{
	return e->d_type == DT_REG &&
	       !linkat(from, e->d_name, to, e->d_name, 0);
}

static int copy_one(struct copy *c, enum copy_how how)
{
	struct stat st;

	if (how == COPY_FOLLOWED ? stat(c->from.p, &st) : lstat(c->from.p, &st))
		return -1;
	if (S_ISDIR(st.st_mode))
		return copy_dir(c);
	if (S_ISLNK(st.st_mode))
		return copy_link(c);
	if (!S_ISREG(st.st_mode))
		return 0;
	if (how == COPY_LINK && !link(c->from.p, c->to.p))
		return 0;
	return copy_bytes(c, st.st_mode, how);
}

static int copy_entries(struct copy *c, DIR *d, int to_fd)
{
	const size_t from = c->from.len, to = c->to.len;
	struct dirent *e;
	int rc = 0;

	while (!rc && (errno = 0, e = readdir(d))) {
		enum copy_how how;

		if (!strcmp(e->d_name, ".") || !strcmp(e->d_name, ".."))
			continue;
		buf_addf(&c->from, "/%s", e->d_name);
		how = c->how(c->from.p + c->root);
		if (how != COPY_NOT &&
		    (how != COPY_LINK || !copy_quickly(e, dirfd(d), to_fd))) {
			buf_addf(&c->to, "/%s", e->d_name);
			rc = copy_one(c, how);
			buf_set_len(&c->to, to);
		}
		buf_set_len(&c->from, from);
	}
	return rc || errno ? -1 : 0;
}

static int copy_dir(struct copy *c)
{
	DIR *d = opendir(c->from.p);
	int rc = -1, to = -1, saved;

	if (!d)
		return -1;
	if (!mkdir(c->to.p, 0777) || errno == EEXIST)
		to = open(c->to.p, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (to >= 0)
		rc = copy_entries(c, d, to);
	saved = errno;
	closedir(d);
	if (to >= 0)
		close(to);
	errno = saved;
	return rc;
}

int copy_tree(const char *from, const char *to, copy_fn *how)
{
	struct copy c = { BUF_INIT, BUF_INIT, strlen(from) + 1, how };
	int rc, saved;

	buf_puts(&c.from, from);
	buf_puts(&c.to, to);
	rc = copy_dir(&c);
	saved = errno;
	buf_release(&c.from);
	buf_release(&c.to);
	errno = saved;
	return rc;
}

int copy_file(const char *from, const char *to)
{
	struct copy c = { BUF_INIT, BUF_INIT, 0, NULL };
	int rc, saved;

	buf_puts(&c.from, from);
	buf_puts(&c.to, to);
	rc = copy_one(&c, COPY_LINK);
	saved = errno;
	buf_release(&c.from);
	buf_release(&c.to);
	errno = saved;
	return rc;
}
