/*
 * local_lock.c - a POSIX lock on the state file, as OpenTofu takes it
 *
 * The lock belongs to the open file (F_OFD_SETLK) where the system supports
 * that: it excludes, and is excluded by, the traditional kind that OpenTofu
 * takes, but is not dropped when some other code of this process opens and
 * closes the same file.  Beside the file stands the lock info, for people.
 */
#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "state/backend/local/local_int.h"
#include "state/backend/backend_int.h"

static int whole_file(int fd, int cmd, short type, struct flock *fl)
{
	*fl = (struct flock){ .l_type = type, .l_whence = SEEK_SET };
	return fcntl(fd, cmd, fl);
}

static void read_info(struct backend *b, struct lock_info *out)
{
	struct local *l = b->data;
	struct str text;

	*out = (struct lock_info){ .id = STR_NONE };
	if (io_read_regular(b->arena, l->info_path.p, 1 << 16, &text) == 0)
		lock_info_read(b->arena, text, out);
}

static int write_info(struct backend *b, struct lock_info *mine)
{
	struct local *l = b->data;
	struct buf text = BUF_INIT;
	int fd, rc = -1;

	mine->path = b->name;
	lock_info_write(&text, mine);
	unlink(l->info_path.p); /* a link, perhaps, or a FIFO */
	fd = open(l->info_path.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC,
		  0600);
	if (fd >= 0) {
		rc = io_write_all(fd, text.p, text.len);
		close(fd);
	}
	buf_release(&text);
	return rc;
}

static enum lock_result failed(struct backend *b, const char *what,
			       struct diags *ds)
{
	struct local *l = b->data;

	diag_error(ds, NULL, "Error acquiring the state lock", "%s %.*s: %s.",
		   what, STR_ARG(l->write_path), io_why());
	return LOCK_FAILED;
}

enum lock_result local_lock(struct backend *b, struct lock_info *mine,
			    struct lock_info *holder, const char **why,
			    struct diags *ds)
{
	struct local *l = b->data;
	struct flock fl;

	for (;;) {
		l->fd = local_open_target(l, &l->created);
		if (l->fd < 0)
			return failed(b, "Cannot open", ds);
		if (whole_file(l->fd, SET_LOCK, F_WRLCK, &fl))
			break;
		/* Unlocking removes an empty file that locking had made. */
		if (local_is_at(l->fd, l->write_path.p)) {
			if (write_info(b, mine) == 0)
				return LOCK_TAKEN;
			failed(b, "Cannot write the lock info of", ds);
			local_unlock(b, ds);
			return LOCK_FAILED;
		}
		close(l->fd);
	}
	if (errno != EAGAIN && errno != EACCES) {
		failed(b, "Cannot lock", ds);
		close(l->fd);
		l->fd = -1;
		return LOCK_FAILED;
	}
	close(l->fd);
	l->fd = -1;
	read_info(b, holder);
	*why = "resource temporarily unavailable";
	return LOCK_HELD;
}

int local_unlock(struct backend *b, struct diags *ds)
{
	struct local *l = b->data;
	struct flock fl;
	struct stat st;

	(void)ds;
	unlink(l->info_path.p);
	if (l->created && fstat(l->fd, &st) == 0 && st.st_size == 0)
		unlink(l->write_path.p);
	whole_file(l->fd, SET_LOCK, F_UNLCK, &fl);
	close(l->fd);
	l->fd = -1;
	return 0;
}

bool local_is_locked(struct backend *b, struct lock_info *holder)
{
	struct local *l = b->data;
	struct flock fl = { .l_type = F_UNLCK };
	int fd = open(l->write_path.p, O_RDWR | O_CLOEXEC);

	if (fd < 0)
		return false;
	if (whole_file(fd, GET_LOCK, F_WRLCK, &fl))
		fl.l_type = F_UNLCK;
	close(fd);
	if (fl.l_type == F_UNLCK)
		return false;
	read_info(b, holder);
	return true;
}

/* As in OpenTofu, never possible; the error is one of two. */
int local_force_unlock(struct backend *b, struct str id, bool forced,
		       struct diags *ds)
{
	(void)b;
	if (forced)
		return diag_error(
			ds, NULL,
			"Failed to unlock state: LocalState not locked",
			"The lock %.*s is not one that this program "
			"holds, and a lock on a local file ends with "
			"the process that holds it.",
			STR_ARG(id));
	return diag_error(ds, NULL, "State locked by another local process",
			  "A lock on a local state file ends with the process "
			  "that holds it; another one cannot remove it.");
}
