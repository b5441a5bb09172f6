/* saved.c - saved plans and states, opened: see encrypt.h */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "encrypt/encrypt.h"

static const char cannot_read[] =
	"Failed to read the given file as a state or plan file";

static const char stream_head[] = "{\"record\"";

static bool begins_stream(int fd)
{
	char begin[sizeof(stream_head) - 1];

	return pread(fd, begin, sizeof(begin), 0) == sizeof(begin) &&
	       memcmp(begin, stream_head, sizeof(begin)) == 0;
}

/* A state is told by what is outside of its envelope. */
static bool is_of_state(struct str text)
{
	const struct str head = str_sub(text, 0, text.n < 512 ? text.n : 512);

	return !str_starts(text, stream_head) &&
	       (str_find(head, STR("\"lineage\"")) >= 0 ||
		str_find(head, STR("\"version\"")) >= 0);
}

/* Replaces an envelope by what is in it, and says so: *opened.  file: the
 * configuration decides whether it may be plain. */
static int open_text(struct encryption *e, bool file, struct str name,
		     struct buf *text, bool *opened, struct diags *ds)
{
	struct diags own = DIAGS_INIT(ds->arena);
	const struct str given = buf_view(text);
	const bool state = is_of_state(given);
	struct envelope *env = state ? encryption_state(e) : encryption_plan(e);
	struct buf inner = BUF_INIT;
	struct str plain;
	bool stale;

	if ((!env || !file) &&
	    (str_starts(given, stream_head) || !envelope_is(given)))
		return 0;
	if (!env)
		return diag_error(ds, NULL, cannot_read,
				  "%.*s is encrypted, and can not be read "
				  "without an encryption configuration.",
				  STR_ARG(name));
	if (envelope_open(env, ds->arena,
			  state ? ENVELOPE_STATE : ENVELOPE_PLAIN, given,
			  &plain, &stale, &own))
		return diag_error(ds, NULL, cannot_read, "%.*s: %.*s",
				  STR_ARG(own.items[0].summary),
				  STR_ARG(own.items[0].detail));
	*opened = plain.p != given.p;
	if (*opened) {
		buf_str(&inner, plain);
		buf_release(text);
		*text = inner;
	}
	return 0;
}

static int unreadable(struct str name, struct diags *ds)
{
	return diag_error(ds, NULL, cannot_read, "Cannot read %.*s: %s.",
			  STR_ARG(name), strerror(errno));
}

bool saved_is_file(int fd)
{
	struct stat st;

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode);
}

int saved_open(struct encryption *e, int fd, struct str name, struct saved *out,
	       struct diags *ds)
{
	const bool file = saved_is_file(fd);
	bool opened = false;

	*out = (struct saved){ .fd = fd };
	if (lseek(fd, 0, SEEK_SET) == 0 && !encryption_plan(e) &&
	    begins_stream(fd)) {
		out->stream = true;
		return 0;
	}
	if (io_read_fd(fd, &out->text, 0))
		return unreadable(name, ds);
	if (open_text(e, file, name, &out->text, &opened, ds))
		return -1;
	out->stream = str_starts(buf_view(&out->text), stream_head);
	if (!out->stream || (!opened && lseek(fd, 0, SEEK_SET) == 0))
		return 0;
	out->fd = io_memory("stream", buf_view(&out->text));
	buf_release(&out->text);
	return out->fd < 0 ? unreadable(name, ds) : 0;
}

int saved_stream(struct encryption *e, int fd, struct str name,
		 struct saved *out, struct diags *ds)
{
	*out = (struct saved){ .stream = true, .fd = fd };
	if (!saved_is_file(fd))
		return 0;
	if (saved_open(e, fd, name, out, ds))
		return -1;
	if (!out->stream && lseek(fd, 0, SEEK_SET))
		return unreadable(name, ds);
	return 0;
}

void saved_release(struct saved *s, int fd)
{
	buf_release(&s->text);
	if (s->fd >= 0 && s->fd != fd)
		close(s->fd);
}
