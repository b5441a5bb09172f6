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
 *	{"record":"journal","version":2,"lineage":"…","serial":4,SEAL}
 *	{"record":"intent","address":"t.a[0]","action":"create",SEAL}
 *	{"record":"outcome","address":"t.a[0]","attributes":{…},…,SEAL}
 *	{"record":"outcome","address":"t.b","gone":true,SEAL}
 *	{"record":"output","address":"output.o","value":{…},…,SEAL}
 *	{"record":"group","lines":2,SEAL}	(the next two lines)
 *	{"record":"unknown","address":"t.c","action":"update",SEAL}
 *	{"record":"settled","address":"t.c","creations":false,SEAL}
 *	{"record":"snapshot",…,"serial":5,"bytes":645,"sum":"…",SEAL}
 *	<645 bytes of state file, then a newline>
 *
 * A SEAL is "n":12,"synced":9,"group":10,"check":"…": the record's number,
 * how many of them are known to be on the disk (only where that has become
 * more), the number of the group that it belongs to, if it does, and the
 * checksum of the line up to there.
 *
 * An intent without an outcome becomes an operation of unknown outcome when the
 * next run takes what there is into the state; those stay, in a journal of
 * their own, until they are settled (journal_unsettled.c).
 *
 * Lines are appended with one write each, batches of outcomes together: what is
 * written survives the death of the process at once and that of the machine
 * after journal_sync.  A last line that is cut off does not count, nor does a
 * group of which not all lines are there, cut off or damaged.
 */
#include <errno.h>
#include <unistd.h>

#include "state/backend/backend.h"
#include "json/write.h"
#include "state/backend/backend_int.h"
#include "state/backend/lock.h"
#include "state/file/file.h"
#include "state/file/file_int.h"
#include "json/read.h"

void journal_put_header(struct buf *out, struct backend *b)
{
	const size_t from = out->len;
	const struct str key = b->journal.key;
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
	if (key.n)
		jw_member_str(&w, "key", b->journal.sealed_key);
	b->journal.key = STR_NONE; /* the one line that is plain */
	journal_seal(&b->journal, out, from);
	b->journal.key = key;
}

/* Takes back what was written behind len.  If it cannot, nothing more is
 * written: no line may follow a torn one. */
static void cut_to(struct journal *j, off_t len)
{
	const int err = errno;

	if (ftruncate(j->fd, len) == 0)
		j->len = len;
	else
		j->broken = err;
	errno = err;
}

static int write_out(struct journal *j, struct str text)
{
	if (j->broken) {
		errno = j->broken;
		return -1;
	}
	if (io_write_all(j->fd, text.p, text.n)) {
		cut_to(j, j->len);
		return -1;
	}
	j->len += (off_t)text.n;
	j->unsynced = true;
	return 0;
}

int journal_flush(struct backend *b)
{
	struct journal *j = &b->journal;

	if (b->rows)
		return rows_flush(b);
	if (j->fd < 0 || !j->pending.len)
		return 0;
	if (write_out(j, buf_view(&j->pending)))
		return -1;
	buf_set_len(&j->pending, 0);
	return 0;
}

struct str journal_unwritten(const struct backend *b)
{
	return b->rows ? rows_unwritten(b) : buf_view(&b->journal.pending);
}

struct str journal_why(const struct backend *b)
{
	return b->rows ? b->rows->why : str_c(strerror(errno));
}

int journal_append(struct backend *b, struct str text, uint64_t n)
{
	if (!journal_flush(b) && !write_out(&b->journal, text))
		return 0;
	b->journal.n = n;
	b->journal.synced_said = b->journal.group = 0;
	return -1;
}

/* The most bytes kept back, however long a turn is. */
enum { PENDING_MAX = 256 << 10 };

void journal_batch(struct backend *b)
{
	b->journal.batch = true;
}

static int append_later(struct backend *b, struct str text, uint64_t n)
{
	if (!b->journal.batch)
		return journal_append(b, text, n);
	buf_str(&b->journal.pending, text);
	return b->journal.pending.len > PENDING_MAX ? journal_flush(b) : 0;
}

/* --- records --- */

struct entry {
	struct buf line;
	struct jw w;
	uint64_t n; /* the records before it */
};

/* Opens the journal for a record of that kind, whose members follow. */
static int entry_begin(struct backend *b, struct entry *e, const char *kind)
{
	*e = (struct entry){ .line = BUF_INIT };
	e->w = (struct jw)JW_INIT(&e->line);
	if (journal_open(b))
		return -1;
	e->n = b->journal.n;
	jw_object(&e->w);
	jw_member_str(&e->w, "record", str_c(kind));
	return 0;
}

/* Seals it and puts it where the others are that have not been written yet. */
static int entry_end(struct backend *b, struct entry *e)
{
	int rc;

	journal_seal(&b->journal, &e->line, 0);
	rc = append_later(b, buf_view(&e->line), e->n);
	buf_release(&e->line);
	return rc;
}

static struct str object_key(struct arena *a, struct str address,
			     struct str deposed)
{
	return str_printf(a, "%.*s\n%.*s", STR_ARG(address), STR_ARG(deposed));
}

int journal_intent(struct backend *b, struct str address, struct str deposed,
		   const char *action)
{
	struct str key = object_key(b->arena, address, deposed);
	struct map_entry *open;
	struct entry e;
	size_t body;
	int rc;

	if (b->rows)
		return rows_intent(b, address, deposed, action);
	if (entry_begin(b, &e, "intent"))
		return -1;
	jw_member_str(&e.w, "address", address);
	if (deposed.n)
		jw_member_str(&e.w, "deposed", deposed);
	jw_member_str(&e.w, "action", str_c(action));
	body = e.line.len;
	journal_seal(&b->journal, &e.line, 0);
	rc = journal_append(b, buf_view(&e.line), e.n);
	if (!rc) {
		open = map_slot(b->arena, &b->journal.open, key);
		b->journal.nopen += open->value == NULL;
		buf_set_len(&e.line, body);
		open->value = ARENA_NEW(b->arena, struct str);
		*(struct str *)open->value = buf_dup(b->arena, &e.line);
	}
	buf_release(&e.line);
	return rc;
}

int journal_outcome(struct backend *b, const struct state_resource *r,
		    const struct state_instance *i, struct str address,
		    struct str deposed)
{
	struct entry e;
	struct str key;

	if (b->rows)
		return rows_outcome(b, r, i, address, deposed);
	if (entry_begin(b, &e, "outcome"))
		return -1;
	jw_member_str(&e.w, "address", address);
	if (i) {
		state_instance_members(&e.w, r, i, false);
	} else {
		if (deposed.n)
			jw_member_str(&e.w, "deposed", deposed);
		jw_member_bool(&e.w, "gone", true);
	}
	if (entry_end(b, &e))
		return -1;
	journal_unsettled_drop(b, &address, &deposed, false);
	if (!b->journal.nopen)
		return 0;
	key = object_key(b->arena, address, deposed);
	if (map_get(&b->journal.open, key)) {
		map_put(b->arena, &b->journal.open, key, NULL);
		b->journal.nopen--;
	}
	return 0;
}

int journal_group(struct backend *b, size_t lines)
{
	struct entry e;

	if (b->rows || lines < 2) /* rows are committed together */
		return 0;
	if (entry_begin(b, &e, "group"))
		return -1;
	journal_begin_group(&b->journal, lines);
	jw_member_int(&e.w, "lines", (int64_t)lines);
	return entry_end(b, &e);
}

int journal_output(struct backend *b, const struct state_output *out)
{
	struct arena scratch = ARENA_INIT;
	struct entry e;

	if (b->rows)
		return rows_output(b, out);
	if (entry_begin(b, &e, "output"))
		return -1;
	jw_member_str(&e.w, "address",
		      state_output_address(&scratch, out->name));
	state_output_members(&e.w, out, false);
	arena_release(&scratch);
	return entry_end(b, &e);
}

int journal_record(struct backend *b, struct str line)
{
	struct arena scratch = ARENA_INIT;
	struct json_scan sc = json_scan_start(&scratch, line);
	struct str name, value;
	struct buf out = BUF_INIT;
	struct jw w = { .out = &out, .html = true };
	bool first = true;
	uint64_t n = 0;
	int rc = json_scan_open(&sc, '{') ? -1 : 1;

	if (b->rows)
		return rows_record(b, line);
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
	if (rc) {
		errno = EINVAL;
	} else {
		rc = journal_open(b);
		n = b->journal.n;
	}
	if (!rc) {
		journal_seal(&b->journal, &out, 0);
		rc = journal_append(b, buf_view(&out), n);
	}
	buf_release(&out);
	arena_release(&scratch);
	return rc;
}

int journal_sync(struct backend *b)
{
	struct journal *j = &b->journal;

	if (b->rows)
		return rows_flush(b);
	if (journal_flush(b))
		return -1;
	if (j->fd < 0 || !j->unsynced)
		return 0;
	if (fdatasync(j->fd) || (j->fresh && io_sync_names(b->journal_path.p)))
		return -1;
	j->unsynced = j->fresh = false;
	j->synced = j->n;
	return 0;
}

static void put_snapshot(struct backend *b, struct buf *out, struct str text,
			 uint64_t serial)
{
	const size_t from = out->len;
	struct jw w = JW_INIT(out);
	char digits[16];

	jw_object(&w);
	jw_member_str(&w, "record", STR("snapshot"));
	jw_member_str(&w, "lineage", b->lineage);
	jw_member_int(&w, "serial", (int64_t)serial);
	jw_member_int(&w, "bytes", (int64_t)text.n);
	jw_member_str(&w, "sum", journal_digits(journal_sum(text), digits));
	journal_seal(&b->journal, out, from);
}

/* What a journal of the state that is stored begins with: what nobody knows,
 * and what is under way. */
static void put_known(struct backend *b, struct buf *out)
{
	struct journal *j = &b->journal;

	j->n = j->group = j->synced = j->synced_said = 0;
	journal_put_header(out, b);
	journal_put_unsettled(out, b);
	for (size_t i = 0; i < j->open.len; i++) {
		const struct str *line = j->open.entries[i].value;
		const size_t from = out->len;

		if (!line)
			continue;
		buf_str(out, *line);
		journal_seal(j, out, from);
	}
}

/* A journal that has the snapshot alone: all before it is in there. */
static int start_over(struct backend *b, struct str text, uint64_t serial)
{
	const uint64_t n = b->journal.n;
	struct buf all = BUF_INIT;
	int rc;

	if (journal_key_make(b))
		return -1;
	put_known(b, &all);
	put_snapshot(b, &all, text, serial);
	buf_str(&all, text);
	buf_putc(&all, '\n');
	rc = journal_replace(b, buf_view(&all));
	if (rc)
		b->journal.n = n;
	else
		b->journal.outdated = false;
	buf_release(&all);
	return rc ? -1 : journal_sync(b);
}

int journal_snapshot(struct backend *b, struct str text, uint64_t serial)
{
	struct buf line = BUF_INIT;
	off_t before;
	uint64_t n;
	int rc;

	if (journal_open(b))
		return -1;
	if (b->journal.outdated)
		return start_over(b, text, serial);
	n = b->journal.n;
	put_snapshot(b, &line, text, serial);
	before = b->journal.len;
	rc = journal_append(b, buf_view(&line), n) ||
			     journal_append(b, text, n) ||
			     journal_append(b, STR("\n"), n) || journal_sync(b)
		     ? -1
		     : 0;
	if (rc) {
		cut_to(&b->journal, before);
		b->journal.n = n;
	}
	buf_release(&line);
	return rc;
}

/* So that it does not come back when others have changed the state. */
static int remove_file(const char *path)
{
	if (unlink(path))
		return errno == ENOENT ? 0 : -1;
	return io_sync_names(path);
}

int journal_clear(struct backend *b)
{
	struct journal *j = &b->journal;
	const uint64_t n = j->n;
	struct buf text = BUF_INIT;
	int rc;

	if (!j->nopen && !j->unsettled.len) {
		journal_close(b);
		return remove_file(b->journal_path.p);
	}
	if (journal_key_make(b))
		return -1;
	put_known(b, &text);
	rc = journal_replace(b, buf_view(&text));
	if (rc)
		j->n = n;
	buf_release(&text);
	return rc;
}
