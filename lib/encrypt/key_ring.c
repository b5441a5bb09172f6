/*
 * key_ring.c - keys handed on to the other stages of a run, see encrypt.h
 *
 * A file in memory, of which each line is what one key provider made for one
 * use (key.c):
 *
 *	{"ring":"apply"}                 or "plan"
 *	{"id":"…","encrypt":"base64","decrypt":"base64","out":{"NAME":"TEXT"}}
 *
 * Stages that work beside one another add to it: a line is one write to its
 * end, and one without its newline does not count yet.
 */
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "encrypt/encrypt_int.h"
#include "base/base64.h"
#include "base/io.h"
#include "json/read.h"
#include "json/write.h"

static const char variable[] = "TFPIPE_KEYS";

enum { HIGH_FD = 64 }; /* shells redirect lower ones */

int key_ring_make(bool applies)
{
	const char *first =
		applies ? "{\"ring\":\"apply\"}\n" : "{\"ring\":\"plan\"}\n";
	char number[16];
	int low = memfd_create("keys", MFD_CLOEXEC), fd;

	unsetenv(variable);
	fd = low < 0 ? -1 : fcntl(low, F_DUPFD_CLOEXEC, HIGH_FD);
	if (low >= 0)
		close(low);
	if (fd >= 0 && io_write_all(fd, first, strlen(first))) {
		close(fd);
		fd = -1;
	}
	if (fd < 0)
		return -1;
	snprintf(number, sizeof(number), "%d", fd);
	setenv(variable, number, 1);
	return fd;
}

/* The lines, from the beginning, in b: this is the way of few and small ones.
 * False: there is no ring, whatever the variable says. */
static bool read_lines(const struct encryption *e, struct buf *b)
{
	return e->ring >= 0 && lseek(e->ring, 0, SEEK_SET) == 0 &&
	       io_read_fd(e->ring, b, 0) == 0 &&
	       str_starts(buf_view(b), "{\"ring\":\"");
}

void key_ring_take(struct encryption *e)
{
	const char *number = getenv(variable);
	struct buf b = BUF_INIT;

	e->ring = -1;
	if (!number)
		return;
	/* Opened anew: stages that read at the same time share no offset.  What
	 * was not inherited is not there, or is no file in memory. */
	if (fcntl(atoi(number), F_GET_SEALS) >= 0)
		e->ring = open(arena_printf(e->a, "/proc/self/fd/%d",
					    atoi(number)),
			       O_RDWR | O_APPEND | O_CLOEXEC);
	if (e->ring >= 0 && !read_lines(e, &b)) {
		close(e->ring);
		e->ring = -1;
	}
	e->ring_applies = str_starts(buf_view(&b), "{\"ring\":\"apply\"");
	buf_release(&b);
}

static struct str cut_line(struct str *rest)
{
	const ptrdiff_t end = str_chr(*rest, '\n');
	struct str line = end < 0 ? STR_NONE : str_sub(*rest, 0, (size_t)end);

	*rest = end < 0 ? STR_NONE : str_sub(*rest, (size_t)end + 1, rest->n);
	return line;
}

/* What is to be stored, by name. */
static bool read_out(struct encryption *e, struct str text, struct map *out)
{
	struct json_scan sc = json_scan_start(e->a, text);
	struct str name, value;
	bool first = true;
	int rc;

	if (json_scan_open(&sc, '{'))
		return false;
	while ((rc = json_scan_member(&sc, &first, &name)) == 1) {
		if (json_scan_string(&sc, &value))
			return false;
		value = str_dup(e->a, value);
		map_put(e->a, out, str_dup(e->a, name),
			arena_dup(e->a, &value, sizeof(value)));
	}
	return rc == 0;
}

static bool take_bytes(struct encryption *e, struct str line, const char *name,
		       struct str *out)
{
	return base64_decode(e->a,
			     json_slice_str(e->a, json_slice_get(line, name)),
			     out);
}

bool key_ring_find(struct encryption *e, struct str id, struct key_kept *k)
{
	struct buf b = BUF_INIT;
	bool found = false;
	struct str rest, line;

	if (read_lines(e, &b)) {
		rest = buf_view(&b);
		while (!found && (line = cut_line(&rest)).n)
			found = str_eq(json_slice_str(e->a,
						      json_slice_get(line,
								     "id")),
				       id) &&
				take_bytes(e, line, "encrypt",
					   &k->pair.encrypt) &&
				take_bytes(e, line, "decrypt",
					   &k->pair.decrypt) &&
				read_out(e, json_slice_get(line, "out"),
					 &k->out);
	}
	buf_release(&b);
	return found;
}

/* One that could not be written is made once more by whoever needs it. */
void key_ring_add(struct encryption *e, struct str id, const struct key_kept *k)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	if (e->ring < 0)
		return;
	jw_object(&w);
	jw_member_str(&w, "id", id);
	jw_member_str(&w, "encrypt", base64_encode(e->a, k->pair.encrypt));
	jw_member_str(&w, "decrypt", base64_encode(e->a, k->pair.decrypt));
	jw_key(&w, "out");
	jw_object(&w);
	for (size_t i = 0; i < k->out.len; i++) {
		const struct str *text = k->out.entries[i].value;

		jw_key_str(&w, k->out.entries[i].key);
		jw_str(&w, *text);
	}
	jw_object_end(&w);
	jw_object_end(&w);
	buf_putc(&b, '\n');
	io_write_all(e->ring, b.p, b.len);
	buf_release(&b);
}
