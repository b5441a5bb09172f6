/*
 * handover.c - see backend.h
 *
 * The file: a JSON object with the backend's type, the state's name and
 * workspace, the lock and the version, a newline, the text.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "state/backend/backend.h"
#include "base/io.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "state/backend/backend_int.h"

static const char variable[] = "TFPIPE_STATE";

enum { HIGH_FD = 64 }; /* shells redirect lower ones */

struct handover {
	int fd;
	bool outdated; /* the file has another text than `text` by now */
	struct str text;
	bool has_lock;
	struct lock_info lock;
};

static void put(struct buf *out, const struct backend *b, struct str text)
{
	struct buf lock = BUF_INIT;
	struct jw w = JW_INIT(out);

	if (b->locked)
		lock_info_write(&lock, &b->lock);
	jw_object(&w);
	jw_member_str(&w, "type", str_c(b->ops->type));
	jw_member_str(&w, "name", b->name);
	jw_member_str(&w, "workspace", b->workspace);
	jw_member_str(&w, "version", b->version);
	jw_member_str(&w, "lock", buf_view(&lock));
	jw_object_end(&w);
	buf_putc(out, '\n');
	buf_str(out, text);
	buf_release(&lock);
}

static int write_all(int fd, const struct backend *b, struct str text)
{
	struct buf out = BUF_INIT;
	int rc;

	put(&out, b, text);
	rc = ftruncate(fd, 0) || io_write_all(fd, out.p, out.len) ? -1 : 0;
	buf_release(&out);
	return rc;
}

int backend_hand_on(struct backend *b, struct diags *ds)
{
	char number[16];
	struct str text;
	int fd, high;

	unsetenv(variable);
	/* Of rows each reads what it needs. */
	if (!b->ops->remote || b->rows)
		return 0;
	if (backend_fetch(b, &text, ds))
		return -1;
	fd = memfd_create("state", MFD_CLOEXEC);
	high = fd < 0 ? -1 : fcntl(fd, F_DUPFD, HIGH_FD);
	if (fd >= 0)
		close(fd);
	if (high < 0 || write_all(high, b, text))
		return diag_error(ds, NULL, "Failed to hand on the state",
				  "There is no file in memory for it: %s.",
				  strerror(errno));
	snprintf(number, sizeof(number), "%d", high);
	setenv(variable, number, 1);
	return 0;
}

/* Is it of the state that b opens? */
static bool read_header(struct backend *b, struct handover *h, struct str line)
{
	struct json_error err;
	const struct json *j = json_parse(b->arena, line, &err);
	struct str lock = json_get_str(j, "lock");

	if (!str_is(json_get_str(j, "type"), b->ops->type) ||
	    !str_eq(json_get_str(j, "name"), b->name) ||
	    !str_eq(json_get_str(j, "workspace"), b->workspace))
		return false;
	b->version = json_get_str(j, "version");
	h->has_lock = lock.n && lock_info_read(b->arena, lock, &h->lock) == 0;
	return true;
}

/* -1: it cannot be read, or is of another state. */
static int read_all(struct backend *b, struct handover *h)
{
	struct buf all = BUF_INIT;
	struct str text;
	ptrdiff_t end;
	int rc = -1;

	if (lseek(h->fd, 0, SEEK_SET) == 0 && io_read_fd(h->fd, &all, 0) == 0) {
		text = buf_dup(b->arena, &all);
		end = str_chr(text, '\n');
		if (end >= 0 &&
		    read_header(b, h, str_sub(text, 0, (size_t)end))) {
			h->text = str_sub(text, (size_t)end + 1, text.n);
			rc = 0;
		}
	}
	buf_release(&all);
	return rc;
}

void handover_take(struct backend *b)
{
	const char *number = getenv(variable);
	struct handover *h;
	int fd;

	if (!number)
		return;
	/* opened anew: stages that read at the same time share no offset */
	fd = open(arena_printf(b->arena, "/proc/self/fd/%d", atoi(number)),
		  O_RDWR | O_APPEND | O_CLOEXEC);
	if (fd < 0)
		return;
	h = ARENA_NEW(b->arena, struct handover);
	h->fd = fd;
	if (read_all(b, h))
		close(fd);
	else
		b->handover = h;
}

void handover_release(struct backend *b)
{
	if (b->handover)
		close(b->handover->fd);
	b->handover = NULL;
}

bool handover_text(struct backend *b, struct str *text)
{
	struct handover *h = b->handover;

	if (!h)
		return false;
	if (h->outdated && read_all(b, h))
		return false;
	h->outdated = false;
	*text = h->text;
	return true;
}

const struct lock_info *handover_lock(const struct backend *b)
{
	return b->handover && b->handover->has_lock ? &b->handover->lock : NULL;
}

int handover_update(struct backend *b, struct str text, struct diags *ds)
{
	if (!b->handover)
		return 0;
	b->handover->outdated = true;
	if (!write_all(b->handover->fd, b, text))
		return 0;
	return diag_error(
		ds, NULL, "Failed to hand on the state",
		"The state was stored, but those who read it next will not see that: %s.",
		strerror(errno));
}
