/*
 * journal_file.c - the file of a journal: opened, taken over from an earlier
 * run, replaced, set aside
 */
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/workdir.h"
#include "encrypt/encrypt.h"
#include "state/backend/backend_int.h"

struct str journal_remote_path(struct backend *b)
{
	char digits[16];
	struct str what = str_printf(b->arena, "%s\n%.*s\n%.*s", b->ops->type,
				     STR_ARG(b->name), STR_ARG(b->workspace));
	struct str sum = journal_digits(journal_sum(what), digits);

	return workdir_path(b->arena, b->opts.workdir,
			    arena_printf(b->arena, "state-%.*s.journal",
					 STR_ARG(sum)));
}

/* Goes on behind the last whole item of an earlier run.  *foreign: the journal
 * continues another state than the one we know.  One that is damaged is left as
 * it is (EBADMSG). */
static int take_over(struct backend *b, bool *foreign)
{
	struct journal *j = &b->journal;
	struct buf text = BUF_INIT;
	struct journal_text t = { .header = NULL };
	struct diags unused = DIAGS_INIT(b->arena);
	int rc = io_read_fd(j->fd, &text, 0);

	*foreign = false;
	if (!rc && journal_key_read(b, buf_view(&text), &unused)) {
		rc = -1;
		errno = ENOKEY;
	} else if (!rc) {
		journal_text_read(&t, buf_view(&text), j->key);
		*foreign = t.header && (t.header->serial != b->serial ||
					!str_eq(t.header->lineage, b->lineage));
		rc = t.damaged ? -1 : 0;
		errno = EBADMSG;
	}
	j->len = (off_t)t.end;
	j->n = t.last;
	j->synced = j->synced_said = 0;
	journal_text_release(&t);
	buf_release(&text);
	return rc;
}

/* Locks the journal while it is written, so that others can tell it from one
 * that was left behind, whichever process holds the state's lock.  Succeeds
 * without a lock on a file system that has none. */
static int claim(int fd)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };

	return fcntl(fd, SET_LOCK, &fl) && (errno == EAGAIN || errno == EACCES)
		       ? -1
		       : 0;
}

bool journal_alive(struct backend *b)
{
	struct flock fl = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	int fd;

	if (b->journal.fd >= 0)
		return true;
	fd = io_open_file(b->journal_path.p, O_RDWR, 0);
	if (fd < 0)
		return false;
	if (fcntl(fd, GET_LOCK, &fl))
		fl.l_type = F_UNLCK;
	close(fd);
	return fl.l_type != F_UNLCK;
}

static int make_directory(const char *path)
{
	char *copy = xstrdup(path);
	int rc = io_make_dirs_synced(dirname(copy), 0755);

	free(copy);
	return rc;
}

static int open_file(struct backend *b)
{
	static const int flags = O_RDWR | O_CREAT | O_APPEND | O_NOFOLLOW;
	struct journal *j = &b->journal;
	const char *path = b->journal_path.p;
	struct stat st;

	j->fd = io_open_file(path, flags, 0600);
	if (j->fd < 0 && errno == ENOENT && make_directory(path) == 0)
		j->fd = io_open_file(path, flags, 0600);
	if (j->fd >= 0 && claim(j->fd))
		journal_close(b);
	if (j->fd < 0)
		return -1;
	j->fresh = fstat(j->fd, &st) == 0 && st.st_size == 0;
	return 0;
}

int journal_open(struct backend *b)
{
	struct journal *j = &b->journal;
	struct buf header = BUF_INIT;
	bool foreign;
	int rc;

	if (j->fd >= 0)
		return 0;
	if (open_file(b))
		return -1;
	rc = take_over(b, &foreign);
	if (!rc && foreign) {
		journal_close(b);
		if (!journal_set_aside(b).n || open_file(b))
			return -1;
		j->len = 0;
	}
	if (!rc && ftruncate(j->fd, j->len))
		rc = -1;
	/* An older one may be plain, or by another key. */
	if (!rc && j->len &&
	    (envelope_seals(b->envelope) ? !j->key.n || j->key_stale
					 : j->key.n))
		return journal_clear(b) ? -1 : journal_open(b);
	if (!rc && !j->len && !(rc = journal_key_make(b))) {
		j->n = 0;
		journal_put_header(&header, b);
		journal_put_unsettled(&header, b);
		rc = journal_append(b, buf_view(&header), 0);
		buf_release(&header);
	}
	if (rc)
		journal_close(b);
	return rc;
}

struct str journal_stale_path(struct backend *b)
{
	for (int i = 0;; i++) {
		struct str path = str_printf(b->arena, "%.*s.stale",
					     STR_ARG(b->journal_path));
		int fd;

		if (i)
			path = str_printf(b->arena, "%.*s.%d", STR_ARG(path),
					  i);
		fd = open(path.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
			  0600);
		if (fd >= 0) {
			close(fd);
			return path;
		}
		if (errno != EEXIST)
			return STR_NONE;
	}
}

struct str journal_set_aside(struct backend *b)
{
	struct str path = journal_stale_path(b);

	if (!path.n || rename(b->journal_path.p, path.p) ||
	    io_sync_names(path.p))
		return STR_NONE;
	return path;
}

void journal_close(struct backend *b)
{
	buf_release(&b->journal.pending);
	if (b->journal.fd >= 0)
		close(b->journal.fd);
	b->journal.fd = -1;
	b->journal.broken = 0;
}

int journal_replace(struct backend *b, struct str text)
{
	struct str path =
		str_printf(b->arena, "%.*s.new", STR_ARG(b->journal_path));
	int fd = open(path.p,
		      O_RDWR | O_CREAT | O_TRUNC | O_APPEND | O_CLOEXEC |
			      O_NOFOLLOW,
		      0600);
	int err;

	if (fd < 0)
		return -1;
	if (claim(fd) || io_write_all(fd, text.p, text.n) || fsync(fd) ||
	    rename(path.p, b->journal_path.p)) {
		err = errno;
		close(fd);
		unlink(path.p);
		errno = err;
		return -1;
	}
	journal_close(b);
	b->journal.fd = fd;
	b->journal.len = (off_t)text.n;
	b->journal.unsynced = b->journal.fresh = true; /* its name is */
	return 0;
}
