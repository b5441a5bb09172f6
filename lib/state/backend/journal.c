/*
 * journal.c - what an interrupted run leaves behind for the next one
 *
 * A file of JSON lines beside the state.  It begins with the lineage and serial
 * of the state that it continues, or the lineage that a first state will have;
 * then come intents (an operation is about to be sent to a provider), outcomes
 * (what the state holds after it), root outputs, and, before the state file is
 * overwritten, its whole new text as a snapshot, so that an interrupted
 * overwrite loses nothing:
 *
 *	{"record":"journal","version":1,"lineage":"…","serial":4}
 *	{"record":"intent","address":"t.a[0]","action":"create"}
 *	{"record":"outcome","address":"t.a[0]","attributes":{…},…}
 *	{"record":"outcome","address":"t.b","gone":true}
 *	{"record":"output","address":"output.o","value":{…},"sensitive":false}
 *	{"record":"group","lines":2}
 *	{"record":"snapshot","lineage":"…","serial":5,"bytes":645,"sum":"…"}
 *	<645 bytes of state file, then a newline>
 *
 * Lines are appended with one write each, batches of outcomes together: what is
 * written survives the death of the process at once and that of the machine
 * after journal_sync.  A last line that is cut off does not count, nor does a
 * group of which not all lines are there.
 */
#include "state/backend/journal.h"

#include "json/text.h"
#include "json/write.h"
#include "state/backend/backend_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "state/backend/journal_int.h"
#include "state/backend/journal_read_int.h"
#include "state/backend/lock.h"
#include "state/file/record.h"
#include "state/file/record_int.h"
#include "json/scan.h"

uint64_t journal_sum(struct str text)
{
	uint64_t h = 0xcbf29ce484222325u, word;
	size_t i;

	for (i = 0; i + sizeof(word) <= text.n; i += sizeof(word)) {
		memcpy(&word, text.p + i, sizeof(word));
		h = (h ^ word) * 0x100000001b3u;
		h ^= h >> 29;
	}
	for (; i < text.n; i++)
		h = (h ^ (unsigned char)text.p[i]) * 0x100000001b3u;
	return h ^ h >> 32;
}

static void put_header(struct buf *out, struct backend *b)
{
	struct jw w = JW_INIT(out);

	if (!b->lineage.n && !b->new_lineage.n)
		b->new_lineage = state_new_lineage(b->arena);
	jw_object(&w);
	jw_member_str(&w, "record", STR("journal"));
	jw_member_int(&w, "version", JOURNAL_VERSION);
	jw_member_str(&w, "lineage", b->lineage);
	jw_member_int(&w, "serial", (int64_t)b->serial);
	if (!b->lineage.n)
		jw_member_str(&w, "new_lineage", b->new_lineage);
	jw_object_end(&w);
	buf_putc(out, '\n');
}

/* Appends; truncates a partial write, so that later lines do not follow a torn
 * one. */
static int write_out(struct journal *j, struct str text)
{
	int err;

	if (io_write_all(j->fd, text.p, text.n)) {
		err = errno;
		if (ftruncate(j->fd, j->len) == 0)
			lseek(j->fd, j->len, SEEK_SET);
		errno = err;
		return -1;
	}
	j->len += (off_t)text.n;
	j->unsynced = true;
	return 0;
}

int journal_flush(struct backend *b)
{
	struct journal *j = &b->journal;

	if (j->fd < 0 || !j->pending.len)
		return 0;
	if (write_out(j, buf_view(&j->pending)))
		return -1;
	buf_set_len(&j->pending, 0);
	return 0;
}

struct str journal_unwritten(const struct backend *b)
{
	return buf_view(&b->journal.pending);
}

static int append(struct backend *b, struct str text)
{
	return journal_flush(b) || write_out(&b->journal, text) ? -1 : 0;
}

/* The most bytes kept back, however long a turn is. */
enum { PENDING_MAX = 256 << 10 };

void journal_batch(struct backend *b)
{
	b->journal.batch = true;
}

static int append_later(struct backend *b, struct str text)
{
	if (!b->journal.batch)
		return append(b, text);
	buf_str(&b->journal.pending, text);
	return b->journal.pending.len > PENDING_MAX ? journal_flush(b) : 0;
}

/* Returns the end of the last whole item of an earlier run; 0 also when the
 * journal continues another state than the one we know. */
static off_t usable_length(const struct backend *b, int fd, bool *foreign)
{
	struct buf text = BUF_INIT;
	struct journal_reader r;
	struct journal_item item;
	off_t len = 0;

	*foreign = false;
	if (io_read_fd(fd, &text, 0) == 0) {
		journal_reader_init(&r, buf_view(&text));
		while (journal_next(&r, &item)) {
			if (item.kind == JOURNAL_HEADER)
				*foreign = item.serial != b->serial ||
					   !str_eq(item.lineage, b->lineage);
			len = (off_t)r.pos;
		}
		journal_reader_release(&r);
	}
	buf_release(&text);
	return *foreign ? 0 : len;
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
	fd = open(b->journal_path.p, O_RDWR | O_CLOEXEC);
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
	int rc = io_make_dirs_through(dirname(copy), 0755);

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

static int open_journal(struct backend *b)
{
	struct journal *j = &b->journal;
	struct buf header = BUF_INIT;
	struct str stale;
	bool foreign;
	int rc = 0;

	if (j->fd >= 0)
		return 0;
	if (open_file(b))
		return -1;
	j->len = usable_length(b, j->fd, &foreign);
	if (foreign) {
		stale = journal_stale_path(b);
		journal_close(b);
		if (rename(b->journal_path.p, stale.p) || open_file(b))
			return -1;
	}
	if (ftruncate(j->fd, j->len))
		rc = -1;
	if (!rc && !j->len) {
		put_header(&header, b);
		rc = append(b, buf_view(&header));
		buf_release(&header);
	}
	if (rc)
		journal_close(b);
	return rc;
}

struct str journal_stale_path(struct backend *b)
{
	return str_printf(b->arena, "%.*s.stale", STR_ARG(b->journal_path));
}

void journal_close(struct backend *b)
{
	buf_release(&b->journal.pending);
	if (b->journal.fd >= 0)
		close(b->journal.fd);
	b->journal.fd = -1;
}

static struct str object_key(struct arena *a, struct str address,
			     struct str deposed)
{
	return str_printf(a, "%.*s\n%.*s", STR_ARG(address), STR_ARG(deposed));
}

int journal_intent(struct backend *b, struct str address, struct str deposed,
		   const char *action)
{
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);
	struct str key = object_key(b->arena, address, deposed);
	struct map_entry *e;
	int rc;

	jw_object(&w);
	jw_member_str(&w, "record", STR("intent"));
	jw_member_str(&w, "address", address);
	if (deposed.n)
		jw_member_str(&w, "deposed", deposed);
	jw_member_str(&w, "action", str_c(action));
	jw_object_end(&w);
	buf_putc(&line, '\n');
	rc = open_journal(b) || append(b, buf_view(&line)) ? -1 : 0;
	if (!rc) {
		e = map_slot(b->arena, &b->journal.open, key);
		b->journal.nopen += e->value == NULL;
		e->value = ARENA_NEW(b->arena, struct str);
		*(struct str *)e->value = buf_dup(b->arena, &line);
	}
	buf_release(&line);
	return rc;
}

int journal_outcome(struct backend *b, const struct state_resource *r,
		    const struct state_instance *i, struct str address,
		    struct str deposed)
{
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);
	int rc;

	jw_object(&w);
	jw_member_str(&w, "record", STR("outcome"));
	jw_member_str(&w, "address", address);
	if (i) {
		state_instance_members(&w, r, i, false);
	} else {
		if (deposed.n)
			jw_member_str(&w, "deposed", deposed);
		jw_member_bool(&w, "gone", true);
	}
	jw_object_end(&w);
	buf_putc(&line, '\n');
	rc = open_journal(b) || append_later(b, buf_view(&line)) ? -1 : 0;
	if (!rc && b->journal.nopen) {
		struct str key = object_key(b->arena, address, deposed);

		if (map_get(&b->journal.open, key)) {
			map_put(b->arena, &b->journal.open, key, NULL);
			b->journal.nopen--;
		}
	}
	buf_release(&line);
	return rc;
}

int journal_group(struct backend *b, size_t lines)
{
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);
	int rc;

	jw_object(&w);
	jw_member_str(&w, "record", STR("group"));
	jw_member_int(&w, "lines", (int64_t)lines);
	jw_object_end(&w);
	buf_putc(&line, '\n');
	rc = open_journal(b) || append_later(b, buf_view(&line)) ? -1 : 0;
	buf_release(&line);
	return rc;
}

int journal_output(struct backend *b, const struct state_output *out)
{
	struct arena scratch = ARENA_INIT;
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);
	int rc;

	jw_object(&w);
	jw_member_str(&w, "record", STR("output"));
	jw_member_str(&w, "address", state_output_address(&scratch, out->name));
	state_output_members(&w, out, false);
	jw_object_end(&w);
	buf_putc(&line, '\n');
	rc = open_journal(b) || append_later(b, buf_view(&line)) ? -1 : 0;
	buf_release(&line);
	arena_release(&scratch);
	return rc;
}

int journal_record(struct backend *b, struct str line)
{
	struct arena scratch = ARENA_INIT;
	struct json_scan sc = json_scan_start(&scratch, line);
	struct str name, value;
	struct buf out = BUF_INIT;
	struct jw w = { .out = &out, .html = true };
	bool first = true;
	int rc = json_scan_open(&sc, '{') ? -1 : 1;

	jw_object(&w);
	jw_member_str(&w, "record", STR("outcome"));
	while (rc == 1 && (rc = json_scan_member(&sc, &first, &name)) == 1) {
		if (json_scan_value(&sc, &value)) {
			rc = -1;
			break;
		}
		if (str_is(name, "record"))
			continue;
		jw_key_str(&w, name);
		jw_text(&w, value);
	}
	jw_object_end(&w);
	buf_putc(&out, '\n');
	if (rc)
		errno = EINVAL;
	else
		rc = open_journal(b) || append(b, buf_view(&out)) ? -1 : 0;
	buf_release(&out);
	arena_release(&scratch);
	return rc;
}

/* A new file is durable when its directory is. */
static int sync_directory(const char *path)
{
	char *copy = xstrdup(path);
	int fd = open(dirname(copy), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	int rc = fd < 0 ? -1 : fsync(fd);

	if (fd >= 0)
		close(fd);
	free(copy);
	return rc;
}

int journal_sync(struct backend *b)
{
	struct journal *j = &b->journal;

	if (journal_flush(b))
		return -1;
	if (j->fd < 0 || !j->unsynced)
		return 0;
	if (fdatasync(j->fd) || (j->fresh && sync_directory(b->journal_path.p)))
		return -1;
	j->unsynced = j->fresh = false;
	return 0;
}

int journal_snapshot(struct backend *b, struct str text, uint64_t serial)
{
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);
	off_t before;
	char sum[17];
	int rc;

	if (open_journal(b))
		return -1;
	snprintf(sum, sizeof(sum), "%016" PRIx64, journal_sum(text));
	jw_object(&w);
	jw_member_str(&w, "record", STR("snapshot"));
	jw_member_str(&w, "lineage", b->lineage);
	jw_member_int(&w, "serial", (int64_t)serial);
	jw_member_int(&w, "bytes", (int64_t)text.n);
	jw_member_str(&w, "sum", str_c(sum));
	jw_object_end(&w);
	buf_putc(&line, '\n');
	before = b->journal.len;
	rc = append(b, buf_view(&line)) || append(b, text) ||
			     append(b, STR("\n")) || journal_sync(b)
		     ? -1
		     : 0;
	if (rc) {
		int err = errno;

		if (ftruncate(b->journal.fd, before) == 0)
			b->journal.len = before;
		errno = err;
	}
	buf_release(&line);
	return rc;
}

/* Replaces the journal by a new file, locked before it gets its name. */
static int replace(struct backend *b, struct str text)
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
	b->journal.unsynced = false;
	return 0;
}

int journal_clear(struct backend *b)
{
	struct journal *j = &b->journal;
	struct buf text = BUF_INIT;
	int rc;

	if (!j->nopen) {
		journal_close(b);
		return unlink(b->journal_path.p) && errno != ENOENT ? -1 : 0;
	}
	put_header(&text, b);
	for (size_t i = 0; i < j->open.len; i++)
		if (j->open.entries[i].value)
			buf_str(&text, *(struct str *)j->open.entries[i].value);
	rc = replace(b, buf_view(&text));
	buf_release(&text);
	return rc;
}
