/*
 * journal_lines.c - the lines of a journal: numbered and sealed as they are
 * written, and held to that as they are read
 *
 * A line that does not fit its seal is damage, and so is all up to the next one
 * that does; so are numbers that are missing, come twice or out of order.  An
 * end without a newline is what a run that was interrupted may leave.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdlib.h>

#include "state/backend/backend_int.h"
#include "json/read.h"
#include "state/file/file_int.h"

#define CHECK_KEY ",\"check\":\""
#define NUMBER_KEY ",\"n\":"

enum {
	DIGITS = 16,
	SEAL = sizeof(CHECK_KEY) - 1 + DIGITS + 2, /* and "} */
	NUMBERS = sizeof(",\"n\":,\"synced\":,\"group\":") - 1 + 60,
};

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

struct str journal_digits(uint64_t sum, char *to)
{
	for (int i = DIGITS; i-- > 0; sum >>= 4)
		to[i] = "0123456789abcdef"[sum & 15];
	return (struct str){ to, DIGITS };
}

static void put_number(struct buf *out, const char *key, uint64_t n)
{
	char text[20];
	size_t at = sizeof(text);

	do
		text[--at] = (char)('0' + n % 10);
	while (n /= 10);
	buf_puts(out, key);
	buf_add(out, text + at, sizeof(text) - at);
}

void journal_begin_group(struct journal *j, uint64_t lines)
{
	j->group = j->n + 1;
	j->group_end = j->group + lines;
}

void journal_seal(struct journal *j, struct buf *out, size_t from)
{
	char digits[DIGITS];

	j->n++;
	if (j->key.n)
		journal_line_seal(j, out, from, j->n);
	put_number(out, NUMBER_KEY, j->n);
	if (j->synced > j->synced_said)
		put_number(out, ",\"synced\":", j->synced);
	j->synced_said = j->synced;
	if (j->group)
		put_number(out, ",\"group\":", j->group);
	if (j->n == j->group_end)
		j->group = 0;
	journal_digits(journal_sum(str_sub(buf_view(out), from, out->len)),
		       digits);
	buf_puts(out, CHECK_KEY);
	buf_add(out, digits, DIGITS);
	buf_puts(out, "\"}\n");
}

/* --- reading --- */

struct raw_line {
	struct str record, address, deposed, action, lineage, new_lineage, sum;
	struct str data;
	uint64_t serial, bytes, version, n, synced, group, lines;
	bool creations;
};

#define ROW(name_, kind_) \
	{ \
#name_, kind_, offsetof(struct raw_line, name_), NULL \
	}

static const struct state_field line_fields[] = {
	ROW(record, FIELD_STRING),   ROW(address, FIELD_STRING),
	ROW(deposed, FIELD_STRING),  ROW(action, FIELD_STRING),
	ROW(lineage, FIELD_STRING),  ROW(new_lineage, FIELD_STRING),
	ROW(sum, FIELD_STRING),      ROW(serial, FIELD_UINT),
	ROW(bytes, FIELD_UINT),      ROW(version, FIELD_UINT),
	ROW(creations, FIELD_BOOL),  ROW(lines, FIELD_UINT),
	ROW(n, FIELD_UINT),          ROW(synced, FIELD_UINT),
	ROW(group, FIELD_UINT),      ROW(data, FIELD_STRING),
	{ NULL, FIELD_FN, 0, NULL },
};

/* *body: the line without its number and seal, and what closes it. */
static bool sealed(struct str line, struct str *body)
{
	char digits[DIGITS];
	size_t n = line.n - SEAL, least;

	if (line.n <= SEAL ||
	    memcmp(line.p + n, CHECK_KEY, sizeof(CHECK_KEY) - 1) != 0 ||
	    memcmp(line.p + line.n - 2, "\"}", 2) != 0)
		return false;
	journal_digits(journal_sum(str_sub(line, 0, n)), digits);
	if (memcmp(line.p + line.n - 2 - DIGITS, digits, DIGITS) != 0)
		return false;
	least = n > NUMBERS ? n - NUMBERS : 0;
	for (; n > least; n--) {
		*body = str_sub(line, 0, n);
		if (str_starts(str_sub(line, n, line.n), NUMBER_KEY))
			return true;
	}
	return false;
}

/* The bytes behind a snapshot line, if they are all there and unharmed. */
static bool take_snapshot(struct str text, size_t at,
			  const struct raw_line *raw, struct str *out)
{
	size_t left = text.n - at;
	char digits[DIGITS];

	if (raw->bytes >= left || text.p[at + raw->bytes] != '\n')
		return false;
	*out = str_sub(text, at, at + raw->bytes);
	return str_eq(raw->sum, journal_digits(journal_sum(*out), digits));
}

static bool line_kind(struct str record, enum journal_kind *out)
{
	static const char *const names[] = {
		[JOURNAL_HEADER] = "journal",    [JOURNAL_INTENT] = "intent",
		[JOURNAL_OUTCOME] = "outcome",   [JOURNAL_OUTPUT] = "output",
		[JOURNAL_SNAPSHOT] = "snapshot", [JOURNAL_UNKNOWN] = "unknown",
		[JOURNAL_SETTLED] = "settled",   [JOURNAL_GROUP] = "group",
	};

	for (int k = 0; k < JOURNAL_KINDS; k++) {
		if (str_is(record, names[k])) {
			*out = (enum journal_kind)k;
			return true;
		}
	}
	return false;
}

static bool read_line(struct journal_reader *r, struct str line,
		      struct raw_line *raw)
{
	struct diags ds = DIAGS_INIT(&r->arena);
	struct state_reader rd = { .ds = &ds, .name = "The journal" };

	rd.scan = json_scan_start(&r->arena, line);
	return !read_fields(&rd, line_fields, raw) && !json_scan_end(&rd.scan);
}

/* A line that is encrypted becomes the one that it was. */
static bool open_line(struct journal_reader *r, struct journal_item *out,
		      struct raw_line *raw)
{
	const uint64_t n = raw->n, synced = raw->synced, group = raw->group;

	if (!str_is(raw->record, "sealed"))
		return true;
	if (!journal_line_open(&r->arena, r->key, raw->data, n, &out->body,
			       &out->line))
		return false;
	*raw = (struct raw_line){ .serial = 0 };
	if (!read_line(r, out->line, raw))
		return false;
	raw->n = n;
	raw->synced = synced;
	raw->group = group;
	return true;
}

/* Reads the item at `at`, whose end is in out->end.  *cut: it is a snapshot
 * that the text ends in. */
static bool read_item(struct journal_reader *r, size_t at, size_t end,
		      struct journal_item *out, bool *cut)
{
	struct str line = str_sub(r->text, at, end);
	struct raw_line raw = { .serial = 0 };

	*out = (struct journal_item){ .line = line, .at = at, .end = end + 1 };
	*cut = false;
	if (!sealed(line, &out->body))
		return false;
	if (!read_line(r, line, &raw) || !open_line(r, out, &raw))
		return false;
	out->n = raw.n;
	out->synced = raw.synced;
	out->group = raw.group;
	out->version = raw.version;
	/* Every version keeps the form of the first line. */
	if (!line_kind(raw.record, &out->kind))
		return false;
	if (out->kind == JOURNAL_SNAPSHOT) {
		*cut = raw.bytes >= r->text.n - out->end;
		if (!take_snapshot(r->text, out->end, &raw, &out->snapshot))
			return false;
		out->end += raw.bytes + 1;
	}
	out->address = raw.address;
	out->deposed = raw.deposed;
	out->action = raw.action;
	out->lineage = raw.lineage;
	out->new_lineage = raw.new_lineage;
	out->serial = raw.serial;
	out->creations = raw.creations;
	out->lines = raw.lines;
	return true;
}

/* The next item, or the damage up to it, of kind JOURNAL_KINDS.  False at the
 * end. */
static bool next_item(struct journal_reader *r, struct journal_item *out)
{
	const size_t from = r->pos;
	bool cut_snapshot = false, cut;
	size_t at = from;

	while (at < r->text.n) {
		ptrdiff_t end = str_chr(str_sub(r->text, at, r->text.n), '\n');

		if (end < 0) {
			cut_snapshot |= at == from;
			break;
		}
		if (read_item(r, at, at + (size_t)end, out, &cut)) {
			r->pos = at > from ? at : out->end;
			if (at == from)
				return true;
			goto damage;
		}
		cut_snapshot |= at == from && cut;
		at += (size_t)end + 1;
	}
	r->pos = r->text.n;
	if (from == r->text.n)
		return false;
damage:
	*out = (struct journal_item){
		.kind = JOURNAL_KINDS,
		.damage = r->pos == r->text.n && cut_snapshot ? DAMAGE_CUT
							      : DAMAGE_LINES,
		.at = from,
		.end = r->pos,
	};
	return true;
}

static void add_damage(struct journal_text *t, enum journal_damage kind,
		       const struct journal_item *item)
{
	struct journal_item *d =
		arena_dup(&t->reader.arena, item, sizeof(*item));

	d->damage = kind;
	d->after = t->last;
	vec_push(&t->reader.arena, &t->damages, d);
	t->damaged |= kind != DAMAGE_CUT;
}

/* Does the number of the item follow? */
static void check_number(struct journal_text *t,
			 const struct journal_item *item, bool after_damage)
{
	if (item->n <= t->last)
		add_damage(t, DAMAGE_PLACE, item);
	else if (item->n != t->last + 1 && !after_damage)
		add_damage(t, DAMAGE_MISSING, item);
}

static int by_number(const void *a, const void *b)
{
	const struct journal_item *x = *(struct journal_item *const *)a;
	const struct journal_item *y = *(struct journal_item *const *)b;

	return x->n < y->n ? -1 : x->n > y->n;
}

/* Each record once, in the order in which they were written. */
static void put_in_order(struct journal_text *t)
{
	size_t n = 0;

	if (!t->items.len)
		return;
	qsort(t->items.items, t->items.len, sizeof(*t->items.items), by_number);
	for (size_t i = 0; i < t->items.len; i++)
		if (!n || t->items.items[n - 1]->n != t->items.items[i]->n)
			t->items.items[n++] = t->items.items[i];
	t->items.len = n;
}

/* The end of the group at i, whose first line may be missing; i + 1: it is
 * none. */
static size_t group_end(const struct journal_text *t, size_t i)
{
	const uint64_t group = t->items.items[i]->group;
	size_t end = i + 1;

	while (group && end < t->items.len &&
	       t->items.items[end]->group == group)
		end++;
	return end;
}

/* What changes together counts together: a group of which a line is missing
 * does not, be it cut off or damaged. */
static void drop_groups(struct journal_text *t)
{
	const size_t len = t->items.len;
	size_t n = 0;

	for (size_t i = 0, end; i < len; i = end) {
		struct journal_item **items = t->items.items;
		const struct journal_item *first = items[i];

		end = group_end(t, i);
		if (!first->group || (first->kind == JOURNAL_GROUP &&
				      first->lines + 1 == end - i)) {
			memmove(items + n, items + i,
				(end - i) * sizeof(*items));
			n += end - i;
		} else if (t->damaged) {
			add_damage(t, DAMAGE_GROUP, first);
		} else { /* the end of the text is */
			t->last = first->n - 1;
			t->end = first->at;
		}
	}
	t->items.len = n;
}

void journal_text_read(struct journal_text *t, struct str text, struct str key)
{
	struct arena *a = &t->reader.arena;
	struct journal_item item;
	bool after_damage = false;

	*t = (struct journal_text){
		.reader = { .text = text, .key = key, .arena = ARENA_INIT }
	};
	while (next_item(&t->reader, &item)) {
		if (item.kind == JOURNAL_KINDS) {
			add_damage(t, item.damage, &item);
			after_damage = true;
			continue;
		}
		check_number(t, &item, after_damage);
		after_damage = false;
		t->last = item.n > t->last ? item.n : t->last;
		t->synced = item.synced > t->synced ? item.synced : t->synced;
		if (item.kind == JOURNAL_HEADER && !t->header)
			t->header = arena_dup(a, &item, sizeof(item));
		vec_push(a, &t->items, arena_dup(a, &item, sizeof(item)));
		t->end = item.end;
	}
	if (t->damaged)
		put_in_order(t);
	drop_groups(t);
	t->unknown = t->header && t->header->version != JOURNAL_VERSION;
	if (t->unknown) {
		t->damaged = true;
		t->items.len = 0;
	}
}

void journal_text_release(struct journal_text *t)
{
	arena_release(&t->reader.arena);
}
