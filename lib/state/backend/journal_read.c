/*
 * journal_read.c - recovering what an interrupted run had done
 *
 * The journal is used only if it continues the stored state: its header names
 * that lineage and serial, or one of its snapshots is the stored text.  A
 * stored text that is no state at all is an overwrite that was cut off; then
 * the last snapshot replaces it.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <unistd.h>

#include "state/backend/backend_int.h"
#include "encrypt/encrypt.h"
#include "state/file/file.h"

struct replay {
	struct backend *b;
	struct journal_text text;
	struct diags *ds;
	bool header;
	struct str lineage; /* what the journal continues */
	struct str new_lineage;
	uint64_t serial;
	struct str stored;   /* the stored text */
	struct state *state; /* parsed from it; NULL: it is no state */
	bool fits;           /* the journal is of this state */
	bool failed;         /* a snapshot cannot be opened */
	bool only_unsettled; /* there is nothing but its first line and those */
	struct str snapshot; /* the last one; empty: none */
	VEC(struct journal_item *) outcomes; /* and outputs, after it */
	struct map open; /* object -> struct journal_item * */
};

static struct str object_key(struct arena *a, const struct journal_item *i)
{
	return str_printf(a, "%.*s\n%.*s", STR_ARG(i->address),
			  STR_ARG(i->deposed));
}

static void take_unsettled(struct replay *p, const struct journal_item *it)
{
	journal_unsettled_add(p->b,
			      &(struct unsettled){ it->address, it->deposed,
						   it->action });
}

static void note_item(struct replay *p, const struct journal_item *item)
{
	struct arena *a = &p->text.reader.arena;
	bool stale;

	p->only_unsettled &=
		item->kind == JOURNAL_HEADER || item->kind == JOURNAL_UNKNOWN;
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
	case JOURNAL_UNKNOWN:
		take_unsettled(p, item);
		break;
	case JOURNAL_SETTLED:
		journal_unsettled_drop(p->b,
				       item->address.n ? &item->address : NULL,
				       NULL, item->creations);
		break;
	case JOURNAL_OUTCOME:
		journal_unsettled_drop(p->b, &item->address, &item->deposed,
				       false);
		map_put(a, &p->open, object_key(a, item), NULL);
		vec_push(a, &p->outcomes, arena_dup(a, item, sizeof(*item)));
		break;
	case JOURNAL_OUTPUT:
		vec_push(a, &p->outcomes, arena_dup(a, item, sizeof(*item)));
		break;
	case JOURNAL_SNAPSHOT:
		if (envelope_open(p->b->envelope, a, ENVELOPE_STATE,
				  item->snapshot, &p->snapshot, &stale, p->ds))
			p->failed = true;
		p->fits = p->fits || str_eq(p->snapshot, p->stored);
		p->outcomes.len = 0;
		break;
	case JOURNAL_GROUP:
	case JOURNAL_KINDS:
		break;
	}
}

/* What nobody knows stays unknown when others write the state: a journal with
 * nothing else is used as long as it is the same state, or has been the first
 * one's. */
static bool outlives_changes(const struct replay *p)
{
	return p->header && p->state && !p->outcomes.len && !p->snapshot.n &&
	       (!p->lineage.n || str_eq(p->state->lineage, p->lineage));
}

/* Does the header name the state that is stored? */
static bool continues(const struct replay *p)
{
	if (!p->stored.n)
		return !p->lineage.n;
	return p->state && str_eq(p->state->lineage, p->lineage) &&
	       p->state->serial == p->serial;
}

static void take_open(struct replay *p)
{
	for (size_t i = 0; i < p->open.len; i++)
		if (p->open.entries[i].value)
			take_unsettled(p, p->open.entries[i].value);
}

/* Keeps a journal that does not fit under another name, and warns with its
 * operations: they may have made objects that no state holds, so that their
 * outcomes are unknown to the one that there is. */
static int set_aside(struct replay *p, struct recovery *out)
{
	struct backend *b = p->b;
	struct buf list = BUF_INIT;

	if (b->locked && journal_keep(b, p->text.reader.text, p->ds))
		return -1;
	out->found = b->locked;
	for (size_t i = 0; i < p->text.items.len; i++) {
		const struct journal_item *it = p->text.items.items[i];

		if (it->kind != JOURNAL_INTENT)
			continue;
		take_unsettled(p, it);
		if (list.len < 2000)
			buf_addf(&list, "\n  %.*s %.*s", STR_ARG(it->action),
				 STR_ARG(it->address));
	}
	diag_warning(
		p->ds, NULL, "Journal of another state not applied",
		"The journal of an interrupted run continues serial %" PRIu64
		" of a state with lineage \"%.*s\", but the state "
		"%.*s has changed since. It was not applied%s%.*s. Its "
		"operations were:%s",
		p->serial, STR_ARG(p->lineage), STR_ARG(b->name),
		b->locked ? " and is kept as " : "", STR_ARG(b->kept_journal),
		list.len ? list.p : " none.");
	buf_release(&list);
	return 0;
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
	if (!p->stored.n && p->new_lineage.n)
		b->new_lineage = str_dup(b->arena, p->new_lineage);
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
	take_open(p);
	/* One that was cut off is written anew, or goes: else it would be told
	 * and kept each time. */
	out->only_unsettled = p->only_unsettled && !p->open.len &&
			      !p->text.damages.len &&
			      b->journal.unsettled.len && continues(p);
	return 0;
}

static int read_journal(struct backend *b, struct buf *text, bool *there,
			struct diags *ds)
{
	/* A link is none that we made: who did may want its target written. */
	const int fd =
		io_open_file(b->journal_path.p, O_RDONLY | O_NOFOLLOW, 0);
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

/* The end of a run that was interrupted while it wrote, most likely; but it may
 * have lost more than that, so it is kept. */
static int tell_cut(struct replay *p)
{
	struct backend *b = p->b;
	struct str text = p->text.reader.text;

	if (p->text.damaged || !p->text.damages.len)
		return 0;
	if (b->locked && journal_keep(b, text, p->ds))
		return -1;
	diag_warning(p->ds, NULL, "Journal is cut off",
		     "The journal %.*s of an interrupted run ends within a "
		     "record, which does not count.%s%.*s",
		     STR_ARG(b->journal_path),
		     b->locked ? " It is kept as " : "",
		     STR_ARG(b->kept_journal));
	return 0;
}

int journal_recover(struct backend *b, struct str text, struct recovery *out,
		    struct diags *ds)
{
	struct replay p = {
		.b = b, .ds = ds, .stored = text, .only_unsettled = true
	};
	struct arena scratch = ARENA_INIT;
	struct diags errors = DIAGS_INIT(&scratch);
	struct buf file = BUF_INIT;
	bool there;
	int rc = read_journal(b, &file, &there, ds);

	out->text = text;
	b->journal.unsettled.len = 0;
	if (rc || !there)
		goto out;
	rc = journal_key_read(b, buf_view(&file), ds);
	if (rc)
		goto out;
	journal_text_read(&p.text, buf_view(&file), b->journal.key);
	p.state = state_parse(b->arena, text, b->name.p, &errors);
	rc = journal_repair(b, &p.text, p.state, ds);
	if (rc || (rc = tell_cut(&p)))
		goto out;
	if (p.text.header)
		note_item(&p, p.text.header);
	for (size_t i = 0; i < p.text.items.len; i++)
		note_item(&p, p.text.items.items[i]);
	if (p.failed) {
		rc = -1;
		goto out;
	}
	p.fits = p.fits || continues(&p) || (!p.state && p.snapshot.n) ||
		 outlives_changes(&p);
	if (p.fits)
		rc = recover(&p, out);
	else if (p.header)
		rc = set_aside(&p, out);
	else
		out->found = true; /* torn before anything was in it */
	if (!rc && !b->opts.unsettled_told)
		journal_warn_unsettled(b, ds);
out:
	journal_text_release(&p.text);
	arena_release(&scratch);
	buf_release(&file);
	return rc;
}

bool journal_stores(struct backend *b, struct str text)
{
	struct diags ignored = DIAGS_INIT(b->arena);
	struct journal_text t = { 0 };
	struct buf file = BUF_INIT;
	bool there = false, found = false;

	if (!read_journal(b, &file, &there, &ignored) && there &&
	    !journal_key_read(b, buf_view(&file), &ignored)) {
		journal_text_read(&t, buf_view(&file), b->journal.key);
		for (size_t i = 0; i < t.items.len; i++)
			if (t.items.items[i]->kind == JOURNAL_SNAPSHOT)
				found = str_eq(t.items.items[i]->snapshot,
					       text);
		journal_text_release(&t);
	}
	buf_release(&file);
	return found;
}
