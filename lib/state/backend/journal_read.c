/*
 * journal_read.c - recovering what an interrupted run had done
 *
 * The journal is used only if it continues the stored state: its header names
 * that lineage and serial, or one of its snapshots is the stored text.  A
 * stored text that is no state at all is an overwrite that was cut off; then
 * the last snapshot replaces it.
 */
#include "state/backend/journal_int.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>
#include "state/backend/journal_read_int.h"
#include "state/file/read.h"
#include "state/file/read_fields_int.h"
#include "state/file/read_int.h"
#include "state/file/record.h"
#include "state/file/record_read.h"

struct raw_line {
	struct str record, address, deposed, action, lineage, new_lineage, sum;
	uint64_t serial, bytes, version, lines;
};

#define ROW(name_, kind_) \
	{ \
#name_, kind_, offsetof(struct raw_line, name_), NULL \
	}

static const struct state_field line_fields[] = {
	ROW(record, FIELD_STRING),  ROW(address, FIELD_STRING),
	ROW(deposed, FIELD_STRING), ROW(action, FIELD_STRING),
	ROW(lineage, FIELD_STRING), ROW(new_lineage, FIELD_STRING),
	ROW(sum, FIELD_STRING),     ROW(serial, FIELD_UINT),
	ROW(bytes, FIELD_UINT),     ROW(version, FIELD_UINT),
	ROW(lines, FIELD_UINT),     { NULL, FIELD_FN, 0, NULL },
};

void journal_reader_init(struct journal_reader *r, struct str text)
{
	*r = (struct journal_reader){ .text = text, .arena = ARENA_INIT };
}

void journal_reader_release(struct journal_reader *r)
{
	arena_release(&r->arena);
}

/* The bytes behind a snapshot line, if they are all there and unharmed. */
static bool take_snapshot(struct journal_reader *r, size_t at,
			  const struct raw_line *raw, struct str *out)
{
	size_t left = r->text.n - at;
	char sum[17];

	if (raw->bytes >= left || r->text.p[at + raw->bytes] != '\n')
		return false;
	*out = str_sub(r->text, at, at + raw->bytes);
	snprintf(sum, sizeof(sum), "%016" PRIx64, journal_sum(*out));
	return str_is(raw->sum, sum);
}

static bool line_kind(const struct raw_line *raw, enum journal_kind *out)
{
	static const char *const names[] = {
		[JOURNAL_HEADER] = "journal",    [JOURNAL_INTENT] = "intent",
		[JOURNAL_OUTCOME] = "outcome",   [JOURNAL_OUTPUT] = "output",
		[JOURNAL_SNAPSHOT] = "snapshot", [JOURNAL_GROUP] = "group",
	};

	for (int k = 0; k < JOURNAL_KINDS; k++) {
		if (str_is(raw->record, names[k])) {
			*out = (enum journal_kind)k;
			return k != JOURNAL_HEADER ||
			       raw->version == JOURNAL_VERSION;
		}
	}
	return false;
}

/* Are the lines of a group there that follow its own? */
static bool whole_group(const struct journal_reader *r, size_t at, uint64_t n)
{
	struct str rest = str_sub(r->text, at, r->text.n);
	ptrdiff_t end = 0;

	for (; n && (end = str_chr(rest, '\n')) >= 0; n--)
		rest = str_sub(rest, (size_t)end + 1, rest.n);
	return !n;
}

bool journal_next(struct journal_reader *r, struct journal_item *out)
{
	struct str rest = str_sub(r->text, r->pos, r->text.n);
	ptrdiff_t end = str_chr(rest, '\n');
	struct diags ds = DIAGS_INIT(&r->arena);
	struct raw_line raw = { .serial = 0 };
	struct state_reader rd = { .ds = &ds, .name = "The journal" };
	size_t next;

	if (end < 0)
		return false;
	rest.n = (size_t)end;
	next = r->pos + rest.n + 1;
	rd.scan = json_scan_start(&r->arena, rest);
	*out = (struct journal_item){ .line = rest };
	if (read_fields(&rd, line_fields, &raw) || json_scan_end(&rd.scan) ||
	    !line_kind(&raw, &out->kind))
		return false;
	if (out->kind == JOURNAL_SNAPSHOT) {
		if (!take_snapshot(r, next, &raw, &out->snapshot))
			return false;
		next += raw.bytes + 1;
	}
	if (out->kind == JOURNAL_GROUP && !whole_group(r, next, raw.lines))
		return false;
	out->address = raw.address;
	out->deposed = raw.deposed;
	out->action = raw.action;
	out->lineage = raw.lineage;
	out->new_lineage = raw.new_lineage;
	out->serial = raw.serial;
	r->pos = next;
	return true;
}

/* --- recovery --- */

struct replay {
	struct backend *b;
	struct journal_reader reader;
	struct diags *ds;
	bool header;
	struct str lineage; /* what the journal continues */
	struct str new_lineage;
	uint64_t serial;
	struct str stored;   /* the stored text */
	struct state *state; /* parsed from it; NULL: it is no state */
	bool fits;           /* the journal is of this state */
	struct str snapshot; /* the last one; empty: none */
	VEC(struct journal_item *) outcomes; /* and outputs, after it */
	struct map open; /* object -> struct journal_item * */
	VEC(struct journal_item *) intents;
};

static struct str object_key(struct arena *a, const struct journal_item *i)
{
	return str_printf(a, "%.*s\n%.*s", STR_ARG(i->address),
			  STR_ARG(i->deposed));
}

static void note_item(struct replay *p, const struct journal_item *item)
{
	struct arena *a = &p->reader.arena;

	switch (item->kind) {
	case JOURNAL_HEADER:
		p->header = true;
		p->lineage = item->lineage;
		p->new_lineage = item->new_lineage;
		p->serial = item->serial;
		break;
	case JOURNAL_INTENT:
		map_put(a, &p->open, object_key(a, item),
			arena_dup(a, item, sizeof(*item)));
		break;
	case JOURNAL_OUTCOME:
		map_put(a, &p->open, object_key(a, item), NULL);
		vec_push(a, &p->outcomes, arena_dup(a, item, sizeof(*item)));
		break;
	case JOURNAL_OUTPUT:
		vec_push(a, &p->outcomes, arena_dup(a, item, sizeof(*item)));
		break;
	case JOURNAL_SNAPSHOT:
		p->fits = p->fits || str_eq(item->snapshot, p->stored);
		p->snapshot = item->snapshot;
		p->outcomes.len = 0;
		break;
	case JOURNAL_GROUP:
	case JOURNAL_KINDS:
		break;
	}
}

/* Does the header name the state that is stored? */
static bool continues(const struct replay *p)
{
	if (!p->stored.n)
		return !p->lineage.n;
	return p->state && str_eq(p->state->lineage, p->lineage) &&
	       p->state->serial == p->serial;
}

static void warn_open(struct replay *p)
{
	for (size_t i = 0; i < p->open.len; i++) {
		const struct journal_item *it = p->open.entries[i].value;
		struct diag *d;

		if (!it)
			continue;
		diag_warning(
			p->ds, NULL, "Operation of unknown outcome",
			"An earlier run was interrupted during the "
			"operation \"%.*s\" of %.*s%s%.*s. Whether it took "
			"effect is not known, and the state does not show "
			"it: look at the real object before going on, and "
			"import it if it was created.",
			STR_ARG(it->action), STR_ARG(it->address),
			it->deposed.n ? ", deposed object " : "",
			STR_ARG(it->deposed));
		d = &p->ds->items[p->ds->len - 1];
		d->address = str_dup(p->ds->arena, it->address);
	}
}

/* Renames a journal that does not fit, and warns with its operations: they may
 * have made objects that no state holds. */
static void set_aside(struct replay *p)
{
	struct str path = p->b->journal_path;
	struct buf list = BUF_INIT;
	struct journal_reader r;
	struct journal_item item;
	struct str kept = journal_stale_path(p->b);
	bool moved = p->b->locked && rename(path.p, kept.p) == 0;

	journal_reader_init(&r, p->reader.text);
	while (journal_next(&r, &item) && list.len < 2000)
		if (item.kind == JOURNAL_INTENT)
			buf_addf(&list, "\n  %.*s %.*s", STR_ARG(item.action),
				 STR_ARG(item.address));
	diag_warning(
		p->ds, NULL, "Journal of another state not applied",
		"The journal of an interrupted run continues serial %" PRIu64
		" of a state with lineage \"%.*s\", but the state "
		"%.*s has changed since. It was not applied%s%s. Its "
		"operations were:%s",
		p->serial, STR_ARG(p->lineage), STR_ARG(p->b->name),
		moved ? " and is kept as " : "", moved ? kept.p : "",
		list.len ? list.p : " none.");
	journal_reader_release(&r);
	buf_release(&list);
}

static int apply_outcomes(struct replay *p, struct recovery *out)
{
	struct diags *ds = p->ds;

	for (size_t i = 0; i < p->outcomes.len; i++) {
		const struct journal_item *it = p->outcomes.items[i];

		if (state_read_record(NULL, out->state,
				      it->kind == JOURNAL_OUTPUT
					      ? STR("prior_output")
					      : STR("prior_state"),
				      it->line, ds) < 0)
			return -1;
	}
	out->changed = p->outcomes.len != 0;
	if (out->changed && !out->state->lineage.n)
		out->state->lineage =
			str_dup(out->state->arena, p->new_lineage);
	return 0;
}

static int recover(struct replay *p, struct recovery *out)
{
	struct backend *b = p->b;

	out->found = true;
	if (p->snapshot.n && !str_eq(p->snapshot, p->stored)) {
		out->text = str_dup(b->arena, p->snapshot);
		out->from_snapshot = true;
		out->state = state_parse(b->arena, out->text, b->name.p, p->ds);
		if (!out->state)
			return -1;
	} else {
		out->state = p->state;
	}
	if (apply_outcomes(p, out))
		return -1;
	if (out->from_snapshot || out->changed)
		diag_warning(p->ds, NULL, "State recovered from its journal",
			     "An earlier run was interrupted before it could "
			     "save the state %.*s. What it had finished was "
			     "taken from its journal.",
			     STR_ARG(b->name));
	warn_open(p);
	return 0;
}

static int read_journal(struct backend *b, struct buf *text, bool *there,
			struct diags *ds)
{
	/* A link is none that we made: who did may want its target written. */
	const int fd = io_open_file(b->journal_path.p,
				    O_RDONLY | O_NOFOLLOW, 0);
	const char *why = io_why();

	*there = fd >= 0;
	if (fd < 0 && errno == ENOENT)
		return 0;
	if (fd >= 0 && io_read_fd(fd, text, 0)) {
		why = strerror(errno);
		*there = false;
	}
	if (fd >= 0)
		close(fd);
	if (*there)
		return 0;
	return diag_error(ds, NULL, "Failed to read the journal",
			  "The journal %.*s, which may hold results of an "
			  "interrupted run, could not be read: %s.",
			  STR_ARG(b->journal_path), why);
}

int journal_recover(struct backend *b, struct str text, struct recovery *out,
		    struct diags *ds)
{
	struct replay p = { .b = b, .ds = ds, .stored = text };
	struct arena scratch = ARENA_INIT;
	struct diags errors = DIAGS_INIT(&scratch);
	struct journal_item item;
	struct buf file = BUF_INIT;
	bool there;
	int rc = read_journal(b, &file, &there, ds);

	out->text = text;
	journal_reader_init(&p.reader, buf_view(&file));
	if (rc || !there)
		goto out;
	p.state = state_parse(b->arena, text, b->name.p, &errors);
	while (journal_next(&p.reader, &item))
		note_item(&p, &item);
	p.fits = p.fits || continues(&p) || (!p.state && p.snapshot.n);
	if (p.fits)
		rc = recover(&p, out);
	else if (p.header)
		set_aside(&p);
	else
		out->found = true; /* torn before anything was in it */
out:
	journal_reader_release(&p.reader);
	arena_release(&scratch);
	buf_release(&file);
	return rc;
}
