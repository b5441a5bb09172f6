/*
 * journal_damage.c - journals that were damaged: told line by line, and made
 * whole again by who decides
 *
 * Nobody but a person can know what a record said that cannot be read, so
 * nothing goes on before one has decided.  Not so after a power failure, of
 * what was not on the disk yet: it had not been told to anybody, and no
 * operation had been sent for it.
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/stat.h>
#include <time.h>

#include "state/backend/backend.h"
#include "state/backend/backend_int.h"
#include "base/product.h"
#include "json/read.h"
#include "json/tree.h"
#include "state/backend/lock.h"

enum { TOLD = 20 }; /* places of damage, or records, at most */

/* A line as it was before it was encrypted. */
static const struct json *parse_line(struct arena *a, const struct backend *b,
				     struct str line)
{
	struct json_error err;
	const struct json *j = json_parse(a, line, &err);
	struct str body;

	if (!str_is(json_get_str(j, "record"), "sealed"))
		return j;
	return journal_line_open(a, b->journal.key, json_get_str(j, "data"),
				 (uint64_t)json_get_int(j, "n", 0), &body,
				 &line)
		       ? json_parse(a, line, &err)
		       : NULL;
}

void journal_list_outcome(struct buf *out, const struct backend *b,
			  struct str line)
{
	struct arena a = ARENA_INIT;
	const struct json *j = parse_line(&a, b, line);
	const struct json *secret = json_get(j, "sensitive_attributes");
	struct str deposed = json_get_str(j, "deposed");
	struct str id = json_get_str(json_get(j, "attributes"), "id");

	if (!str_is(json_get_str(j, "record"), "outcome"))
		goto out;
	buf_addf(out, "\n  %.*s", STR_ARG(json_get_str(j, "address")));
	if (deposed.n)
		buf_addf(out, " (deposed object %.*s)", STR_ARG(deposed));
	if (json_get(j, "gone"))
		buf_puts(out, " is gone");
	else if (id.n && !(secret && secret->len))
		buf_addf(out, " [id=%.*s]", STR_ARG(id));
out:
	arena_release(&a);
}

static size_t line_at(struct str text, size_t at)
{
	size_t n = 1;

	for (size_t i = 0; i < at; i++)
		n += text.p[i] == '\n';
	return n;
}

static void put_damage(struct buf *out, struct str text,
		       const struct journal_item *d)
{
	const size_t first = line_at(text, d->at);
	const size_t last = line_at(text, d->end - (d->end > d->at));

	switch (d->damage) {
	case DAMAGE_CUT:
		buf_addf(out, "\n  the end is cut off within line %zu", last);
		break;
	case DAMAGE_LINES:
		if (first == last)
			buf_addf(out, "\n  line %zu cannot be read", first);
		else
			buf_addf(out, "\n  lines %zu to %zu cannot be read",
				 first, last);
		break;
	case DAMAGE_MISSING:
		buf_addf(out,
			 "\n  before line %zu there is less than there was: "
			 "%" PRIu64 " %s missing",
			 first, d->n - d->after - 1,
			 d->n - d->after == 2 ? "record is" : "records are");
		break;
	case DAMAGE_GROUP:
		buf_addf(out,
			 "\n  line %zu is of a change that is not all there, "
			 "so nothing of that counts",
			 first);
		break;
	case DAMAGE_PLACE:
		buf_addf(out,
			 "\n  line %zu stands there twice, or out of order",
			 first);
		break;
	}
}

static struct str list_damage(struct arena *a, const struct journal_text *t)
{
	struct buf out = BUF_INIT;

	if (t->unknown)
		buf_addf(&out, "\n  it has version %" PRIu64 ", not %d",
			 t->header->version, JOURNAL_VERSION);
	for (size_t i = 0; i < t->damages.len && i < TOLD && !t->unknown; i++)
		put_damage(&out, t->reader.text, t->damages.items[i]);
	if (t->damages.len > TOLD && !t->unknown)
		buf_addf(&out, "\n  and %zu more", t->damages.len - TOLD);
	return buf_take(a, &out);
}

static struct str list_records(const struct backend *b,
			       const struct journal_text *t)
{
	struct buf out = BUF_INIT;

	for (size_t i = 0; i < t->items.len; i++) {
		const struct journal_item *it = t->items.items[i];

		if (it->kind == JOURNAL_OUTCOME)
			journal_list_outcome(&out, b, it->line);
		else if (it->kind == JOURNAL_OUTPUT)
			buf_addf(&out, "\n  %.*s", STR_ARG(it->address));
		else if (it->kind == JOURNAL_INTENT)
			buf_addf(&out, "\n  %.*s begins: %.*s",
				 STR_ARG(it->address), STR_ARG(it->action));
		else if (it->kind == JOURNAL_SNAPSHOT)
			buf_addf(&out, "\n  the whole state, of %zu bytes",
				 it->snapshot.n);
	}
	return buf_take(b->arena, &out);
}

/* Has the machine started since the file was written? */
static bool before_start(const char *path)
{
	struct timespec now, running;
	struct stat st;

	return stat(path, &st) == 0 &&
	       clock_gettime(CLOCK_REALTIME, &now) == 0 &&
	       clock_gettime(CLOCK_BOOTTIME, &running) == 0 &&
	       st.st_mtime < now.tv_sec - running.tv_sec;
}

/* Is it only what was not on the disk yet when the power failed? */
static bool never_told(const struct backend *b, const struct journal_text *t)
{
	for (size_t i = 0; i < t->damages.len; i++)
		if (t->damages.items[i]->damage != DAMAGE_GROUP &&
		    t->damages.items[i]->after < t->synced)
			return false;
	return !t->unknown && before_start(b->journal_path.p);
}

static int refuse(const struct backend *b, const struct journal_report *r,
		  struct diags *ds)
{
	if (!r->usable)
		return diag_error(
			ds, NULL, "Unsupported journal version",
			"The journal %.*s of an interrupted run was written by another "
			"version of this program, and holds what is not in the "
			"state:%.*s\n\n"
			"Let that version finish, by any command that takes the lock of "
			"the state. \"%s state recover -discard\" does without it.",
			STR_ARG(r->path), STR_ARG(r->damage),
			product_command());
	return diag_error(
		ds, NULL, "Journal damaged",
		"The journal %.*s holds what an interrupted run had done and the "
		"state %.*s does not show, and is damaged:%.*s\n\n"
		"Nothing is done until it is decided what becomes of it: \"%s "
		"state recover\" shows what can be used, and asks.",
		STR_ARG(r->path), STR_ARG(b->name), STR_ARG(r->damage),
		product_command());
}

static int failed(struct backend *b, struct diags *ds)
{
	return diag_error(ds, NULL, "Failed to recover the journal",
			  "The journal %.*s could not be kept under another "
			  "name, or not be written: %s. It is unchanged.",
			  STR_ARG(b->journal_path), strerror(errno));
}

/* The header of a journal that has lost its own: it is taken for one of the
 * state that is there. */
static void make_header(struct backend *b, struct journal_text *t,
			const struct state *s)
{
	struct arena *a = &t->reader.arena;

	t->header = ARENA_NEW(a, struct journal_item);
	t->header->lineage = s ? s->lineage : STR_NONE;
	t->header->serial = s ? s->serial : 0;
	t->header->new_lineage = s ? STR_NONE : state_new_lineage(b->arena);
}

/* Writes the records that can be used as a journal that is whole. */
static void put_records(struct backend *b, const struct journal_text *t,
			struct buf *out)
{
	struct journal *j = &b->journal;

	b->lineage = t->header->lineage;
	b->new_lineage = str_dup(b->arena, t->header->new_lineage);
	b->serial = t->header->serial;
	j->n = j->synced = j->synced_said = 0;
	journal_put_header(out, b);
	for (size_t i = 0; i < t->items.len; i++) {
		const struct journal_item *it = t->items.items[i];
		const size_t from = out->len;

		if (it->kind == JOURNAL_HEADER)
			continue;
		if (it->kind == JOURNAL_GROUP)
			journal_begin_group(j, it->lines);
		buf_str(out, it->body);
		journal_seal(j, out, from);
		if (it->kind != JOURNAL_SNAPSHOT)
			continue;
		buf_str(out, it->snapshot);
		buf_putc(out, '\n');
	}
}

int journal_keep(struct backend *b, struct str text, struct diags *ds)
{
	b->kept_journal = journal_stale_path(b);
	return !b->kept_journal.n || io_replace_file(b->kept_journal.p, text.p,
						     text.n, 0600)
		       ? failed(b, ds)
		       : 0;
}

/* Puts the whole one in the place of the damaged one, which is kept. */
static int rewrite(struct backend *b, const struct journal_text *t,
		   struct diags *ds)
{
	struct buf text = BUF_INIT;
	int rc = journal_keep(b, t->reader.text, ds);

	if (rc)
		return rc;
	if (journal_key_make(b))
		return failed(b, ds);
	put_records(b, t, &text);
	if (journal_replace(b, buf_view(&text)) || journal_sync(b))
		rc = failed(b, ds);
	buf_release(&text);
	return rc;
}

static void warn_lost(struct backend *b, const struct journal_report *r,
		      struct diags *ds)
{
	diag_warning(ds, NULL, "Journal damaged by a power failure",
		     "The machine went down before all of the journal %.*s was "
		     "on the disk:%.*s\n\nNothing of that had been told to "
		     "anybody. The other records count.%s%.*s",
		     STR_ARG(r->path), STR_ARG(r->damage),
		     b->kept_journal.n ? " It is kept as " : "",
		     STR_ARG(b->kept_journal));
}

int journal_repair(struct backend *b, struct journal_text *t,
		   const struct state *s, struct diags *ds)
{
	const bool lost = t->damaged && never_told(b, t);
	enum journal_decision what = JOURNAL_USE;
	struct journal_report r = { .path = b->journal_path,
				    .usable = !t->unknown };

	if (!t->damaged)
		return 0;
	r.damage = list_damage(b->arena, t);
	if (!lost && !b->opts.decide)
		return refuse(b, &r, ds);
	if (!lost) {
		r.records = list_records(b, t);
		what = b->opts.decide(b->opts.decide_data, &r);
	}
	if (what == JOURNAL_LEAVE) {
		diags_fail_quietly(ds);
		return -1;
	}
	if (what == JOURNAL_DISCARD) {
		t->items.len = 0;
		t->header = NULL;
		b->kept_journal = journal_set_aside(b);
		return b->kept_journal.n ? 0 : failed(b, ds);
	}
	if (!t->header)
		make_header(b, t, s);
	if (b->locked && rewrite(b, t, ds))
		return -1;
	if (lost)
		warn_lost(b, &r, ds);
	return 0;
}
