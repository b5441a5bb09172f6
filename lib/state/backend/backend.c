/*
 * backend.c - an opened workspace: reading, and writing by the rules of serial
 * and lineage
 *
 * A write goes: backup of what is stored (once), the new text into the journal
 * and synced, the store itself, the journal cleared.  Whatever step fails, the
 * old state or the new one can be read back.
 */
#include <errno.h>
#include <inttypes.h>
#include <unistd.h>

#include "crypto/crypto.h"
#include "encrypt/encrypt.h"
#include "state/backend/backend_int.h"
#include "state/backend/backend.h"
#include "state/backend/lock.h"
#include "state/file/file.h"

struct backend *backend_open(struct arena *a, const struct backend_options *o,
			     struct diags *ds)
{
	struct backend *b = ARENA_NEW(a, struct backend);

	b->arena = a;
	b->opts = *o;
	b->journal.fd = -1;
	b->envelope =
		o->envelope ? o->envelope : encryption_state(o->encryption);
	b->workspace = o->workspace.n ? o->workspace : STR("default");
	b->ops = backend_kind(o->state_path.n ? STR_NONE : o->backend_type);
	if (!b->ops) {
		diag_error(
			ds, NULL, "Unsupported backend type",
			"The backend \"%.*s\" cannot be used by this version.",
			STR_ARG(o->backend_type));
		return NULL;
	}
	b->remote = (struct remote){ .a = a, .loop = o->loop };
	if (b->ops->one_workspace && !str_is(b->workspace, "default")) {
		diag_error(ds, NULL, "workspaces not supported",
			   "The backend \"%s\" has the default workspace only, "
			   "but \"%.*s\" is selected.",
			   b->ops->type, STR_ARG(b->workspace));
		return NULL;
	}
	if (b->ops->open(b, ds)) {
		b->ops->close(b);
		return NULL;
	}
	if (o->like && b->ops->take_over)
		b->ops->take_over(b, o->like);
	if (b->ops->remote) {
		b->journal_path = journal_remote_path(b);
		handover_take(b);
	}
	return b;
}

void backend_rest(struct backend *b)
{
	remote_end(&b->remote);
}

void backend_close(struct backend *b)
{
	struct diags ignored = DIAGS_INIT(b->arena);

	backend_unlock(b, &ignored);
	journal_close(b);
	b->ops->close(b);
	remote_end(&b->remote);
	handover_release(b);
	encryption_end(b->opts.encryption);
	buf_release(&b->written);
	buf_release(&b->sealed);
}

/* Takes serial and lineage from a parsed state; NULL: nothing is stored. */
static void set_known(struct backend *b, struct str text, const struct state *s)
{
	b->known = true;
	b->text = text;
	b->serial = s ? s->serial : 0;
	b->ninstances = s ? state_instance_count(s) : 0;
	b->lineage = s ? str_dup(b->arena, s->lineage) : STR_NONE;
}

static struct state *parse(struct backend *b, struct arena *a, struct str text,
			   struct diags *ds)
{
	return state_parse(a, text, b->name.p, ds);
}

struct str backend_sum(struct backend *b, struct str text)
{
	return digest_hex(b->arena, "sha256", text);
}

static void keep_sum(struct backend *b, struct str text)
{
	if (b->ops->compares)
		b->kept = backend_sum(b, text);
}

int backend_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	if (!handover_text(b, out) && b->ops->fetch(b, out, ds))
		return -1;
	keep_sum(b, *out);
	return 0;
}

/* Where a store failed after all, the same is pushed, with a later serial. */
static bool is_pushed(struct backend *b, struct str text)
{
	struct arena scratch = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&scratch);
	struct state *s = NULL;
	bool same, stale;

	if (!b->opts.pushed)
		return false;
	if (!envelope_open(b->envelope, &scratch, ENVELOPE_STATE, text, &text,
			   &stale, &ignored))
		s = parse(b, &scratch, text, &ignored);
	same = s && s->serial <= b->opts.pushed->serial &&
	       str_eq(s->lineage, b->opts.pushed->lineage) &&
	       state_equal_content(s, b->opts.pushed);
	arena_release(&scratch);
	return same;
}

bool backend_stored_here(struct backend *b, struct str text)
{
	return text.n && (is_pushed(b, text) || journal_stores(b, text));
}

/* What was sealed last. */
static int store(struct backend *b, struct diags *ds)
{
	if (b->ops->store(b, buf_view(&b->sealed), ds))
		return -1;
	keep_sum(b, buf_view(&b->sealed));
	return handover_update(b, buf_view(&b->sealed), ds);
}

int backend_know(struct backend *b, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct str text;
	struct state *s;
	int rc = -1;

	if (b->known)
		return 0;
	if (b->rows)
		return rows_read(b, b->arena, ds) ? 0 : -1;
	if (backend_fetch(b, &text, ds) || backend_open_text(b, &text, ds))
		return -1;
	s = text.n ? parse(b, &scratch, text, ds) : NULL;
	if (s || !text.n) {
		set_known(b, text, s);
		rc = 0;
	}
	arena_release(&scratch);
	return rc;
}

static struct state *finish_read(struct backend *b, struct state *s)
{
	s->backend = str_c(b->ops->type);
	s->workspace = b->workspace;
	s->absent = !b->ops->remote && !backend_exists(b);
	return s;
}

/* Writes the recovered state, so that the journal can be cleared.  Without the
 * lock it stays, and every reader recovers the same again. */
static int settle(struct backend *b, const struct recovery *r, struct diags *ds)
{
	if (!r->found || !b->locked)
		return 0;
	if (r->from_snapshot &&
	    (backend_seal_text(b, r->text, ds) || store(b, ds)))
		return -1;
	b->unsaved = false;
	if (r->changed)
		return backend_write(b, r->state, ds);
	return r->only_unsettled ? 0 : journal_clear(b);
}

struct state *backend_read(struct backend *b, struct diags *ds)
{
	struct recovery r = { .text = STR_NONE };
	struct diags ignored = DIAGS_INIT(b->arena);
	struct str token = lock_token(), text;
	struct state *s;

	/* Under our parent's lock the recovered state can be written, so that
	 * the stages of one pipe see one serial. */
	if (!b->locked && token.n)
		backend_adopt_lock(b, token, &ignored);
	if (b->rows)
		return rows_read(b, b->arena, ds);
	if (backend_fetch(b, &text, ds) || backend_open_text(b, &text, ds))
		return NULL;
	r.text = text;
	if (!journal_alive(b) && journal_recover(b, text, &r, ds))
		return NULL;
	s = r.state ? r.state : parse(b, b->arena, r.text, ds);
	if (!s)
		return NULL;
	set_known(b, r.text, r.text.n ? s : NULL);
	r.state = s;
	b->unsaved = r.from_snapshot;
	b->recovered = r.changed;
	if (settle(b, &r, ds))
		return NULL;
	return finish_read(b, s);
}

struct state *backend_read_outputs(struct backend *b, struct diags *ds)
{
	struct diags found = DIAGS_INIT(b->arena);
	struct state *s = backend_read(b, &found);

	/* those of an encrypted state are told to nobody */
	if ((!s || !backend_exists(b)) && b->ops->outputs && !b->envelope) {
		const struct str text = b->ops->outputs(b);

		if (text.n)
			return parse(b, b->arena, text, ds);
	}
	diags_append(ds, &found);
	if (s && b->ops->no_outputs && !backend_exists(b)) {
		diag_error_line(ds, "%s", b->ops->no_outputs);
		return NULL;
	}
	return s;
}

int backend_peek(struct backend *b, struct arena *a, const char *name,
		 struct state **out, struct diags *ds)
{
	struct str text;

	*out = NULL;
	if (b->rows) {
		*out = rows_read(b, a, ds);
		if (*out && !backend_exists(b))
			*out = NULL;
		return b->known ? 0 : -1;
	}
	if (backend_fetch(b, &text, ds) ||
	    envelope_open(b->envelope, a, ENVELOPE_STATE, text, &text,
			  &b->stale, ds))
		return -1;
	if (!text.n)
		return 0;
	*out = state_parse(a, str_dup(a, text), name, ds);
	return *out ? 0 : -1;
}

bool backend_interrupted(const struct backend *b)
{
	return access(b->journal_path.p, F_OK) == 0;
}

int backend_settle(struct backend *b, const struct str *address, size_t *n,
		   struct diags *ds)
{
	if (!journal_settle(b, address, true, n) &&
	    (b->rows || !journal_clear(b)))
		return 0;
	return diag_error(ds, NULL, "Failed to write the journal",
			  "The journal %.*s, which has the operations of "
			  "unknown outcome, could not be written: %s.",
			  STR_ARG(b->journal_path), strerror(errno));
}

struct str backend_kept_journal(const struct backend *b)
{
	return b->kept_journal;
}

bool backend_is_remote(const struct backend *b)
{
	return b->ops->remote;
}

bool backend_asks(const struct backend *b)
{
	return b->ops->remote && !b->handover;
}

struct str backend_name(const struct backend *b)
{
	return b->name;
}

bool backend_exists(const struct backend *b)
{
	return b->text.n || b->recovered;
}

int backend_load_error(struct backend *b, struct str why, struct diags *ds)
{
	return diag_error(ds, NULL,
			  arena_printf(b->arena, "error loading state: %.*s",
				       STR_ARG(why)),
			  (char *)NULL);
}

int backend_store_error(struct backend *b, struct str why, struct diags *ds)
{
	return diag_error(ds, NULL, "Failed to save state",
			  "Error saving state: %.*s\n\n"
			  "The state is %.*s.",
			  STR_ARG(why), STR_ARG(b->name));
}

int backend_list_error(struct str why, struct diags *ds)
{
	return diag_error_line(ds, "Failed to get existing workspaces: %.*s",
			       STR_ARG(why));
}

static int save_error(struct diags *ds, struct backend *b, const char *what)
{
	return diag_error(ds, NULL, "Failed to save state",
			  "The state %.*s could not be %s: %s. What was stored "
			  "before is unchanged.",
			  STR_ARG(b->name), what, strerror(errno));
}

/* Backs up the stored state, as it is, before the first change.  stored: its
 * text, if that was read and differs from s; STR_NONE: fetch and compare. */
static int back_up(struct backend *b, struct str stored, const struct state *s,
		   struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct buf sealed = BUF_INIT;
	const struct state *there;
	int rc = 0;

	if (!b->ops->backup)
		return 0;
	if (!stored.n && !b->unsaved) { /* else the file may be torn */
		rc = b->ops->fetch_target(b, &stored, ds) ||
				     backend_open_text(b, &stored, ds)
			     ? -1
			     : 0;
		if (!rc && stored.n) {
			there = parse(b, &scratch, stored, ds);
			rc = there ? 0 : -1;
			if (there && state_equal_content(there, s))
				stored = STR_NONE;
		}
	}
	if (!rc && stored.n) {
		rc = envelope_seal(b->envelope, ENVELOPE_STATE, stored, &sealed,
				   ds) ||
				     b->ops->backup(b, buf_view(&sealed), ds)
			     ? -1
			     : 0;
		b->backed_up = rc == 0;
	}
	buf_release(&sealed);
	arena_release(&scratch);
	return rc;
}

/* Stores s as it is; on success text is what is stored. */
static int commit(struct backend *b, struct str stored, struct state *s,
		  struct buf *text, struct diags *ds)
{
	/* An apply goes on while the text is stored. */
	const size_t ninstances = state_instance_count(s);
	uint64_t written; /* records that text has in it */

	if ((!b->backed_up && back_up(b, stored, s, ds)) ||
	    backend_seal_text(b, buf_view(text), ds))
		return -1;
	if (journal_snapshot(b, buf_view(&b->sealed), s->serial))
		return save_error(ds, b, "written to the journal first");
	written = b->journal.n;
	if (store(b, ds))
		return -1;
	b->stale = false;
	buf_release(&b->written);
	b->written = *text;
	*text = (struct buf)BUF_INIT;
	set_known(b, buf_view(&b->written), s);
	b->ninstances = ninstances;
	b->unsaved = false;
	/* What was done while the text was stored is still to be stored. */
	b->journal.outdated = b->journal.n != written;
	if (!b->journal.outdated && journal_clear(b))
		diag_warning(
			ds, NULL, "Journal not cleared",
			"The state was saved, but its journal %.*s could not be cleared: %s.",
			STR_ARG(b->journal_path), strerror(errno));
	return 0;
}

static int take_lineage(struct backend *b, struct state *s, struct diags *ds)
{
	if (!s->lineage.n && !b->lineage.n && !b->new_lineage.n)
		b->new_lineage = state_new_lineage(b->arena);
	if (!s->lineage.n)
		s->lineage = str_dup(s->arena, b->lineage.n ? b->lineage
							    : b->new_lineage);
	if (b->lineage.n && !str_eq(b->lineage, s->lineage))
		return diag_error(
			ds, NULL, "Failed to save state",
			"The state %.*s has the lineage \"%.*s\" now, "
			"but the one to be saved has \"%.*s\": it "
			"belongs to something else.",
			STR_ARG(b->name), STR_ARG(b->lineage),
			STR_ARG(s->lineage));
	return 0;
}

/* Parses the stored state into a scratch arena; NULL also when there is none.
 * Returns -1 when it cannot be read. */
static int parse_stored(struct backend *b, struct arena *a, struct state **out,
			struct diags *ds)
{
	*out = b->text.n ? parse(b, a, b->text, ds) : NULL;
	return b->text.n && !*out ? -1 : 0;
}

/* 1: s has the content of the stored state; 0: other content; -1: the stored
 * state cannot be read. */
static int same_as_stored(struct backend *b, const struct state *s,
			  struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct state *stored;
	int rc;

	if (!b->text.n || b->ninstances != state_instance_count(s))
		return 0;
	rc = parse_stored(b, &scratch, &stored, ds);
	if (!rc)
		rc = state_equal_content(stored, s);
	arena_release(&scratch);
	return rc;
}

/* With the serial that the content asks for.  A host may refuse one that it
 * has: there what is only sealed anew counts, and what says the same in other
 * words is left. */
int backend_write(struct backend *b, struct state *s, struct diags *ds)
{
	struct buf text = BUF_INIT;
	struct str stored;
	int same, rc;

	if (backend_know(b, ds) || take_lineage(b, s, ds))
		return -1;
	if (b->rows)
		return rows_write(b, s, ds);
	s->serial = b->serial;
	same = same_as_stored(b, s, ds);
	if (same < 0)
		return -1;
	s->serial += !same || (b->ops->remote && b->stale);
	state_write(&text, s);
	stored = same || b->opts.state_out.n || b->unsaved ? STR_NONE : b->text;
	if (same && (b->ops->remote || str_eq(buf_view(&text), b->text)) &&
	    !b->opts.state_out.n && !b->unsaved && !b->stale)
		rc = journal_clear(b);
	else
		rc = commit(b, stored, s, &text, ds);
	if (rc)
		s->serial = b->serial;
	buf_release(&text);
	return rc;
}

/* Of a push: is the content another than that which is stored?  *stored gets
 * that. */
static int compare_push(struct backend *b, struct arena *a, struct state *s,
			struct state **stored, bool *differs, struct diags *ds)
{
	if (b->rows) {
		*stored = rows_read(b, a, ds);
		if (!*stored || rows_replace(b, s, false, differs, ds))
			return -1;
		if (!backend_exists(b))
			*stored = NULL;
		return 0;
	}
	if (parse_stored(b, a, stored, ds))
		return -1;
	*differs = !*stored || !state_equal_content(*stored, s);
	return 0;
}

/* OpenTofu's rules for what may be pushed over what. */
static int check_push(struct backend *b, const struct state *s, bool differs,
		      struct diags *ds)
{
	static const char summary[] = "Failed to write the imported state";

	if (!s->lineage.n || !b->lineage.n)
		return 0;
	if (!str_eq(s->lineage, b->lineage))
		return diag_error(ds, NULL, summary,
				  "cannot import state with lineage \"%.*s\" "
				  "over unrelated state with lineage \"%.*s\"",
				  STR_ARG(s->lineage), STR_ARG(b->lineage));
	if (s->serial < b->serial)
		return diag_error(ds, NULL, summary,
				  "cannot import state with serial %" PRIu64
				  " over newer state with serial %" PRIu64,
				  s->serial, b->serial);
	if (s->serial == b->serial && differs)
		return diag_error(
			ds, NULL, summary,
			"cannot overwrite existing state with serial %" PRIu64
			" with a different state that has the same serial",
			s->serial);
	return 0;
}

int backend_empty(struct backend *b, struct diags *ds)
{
	struct str text;

	if (!b->ops->backup || b->ops->fetch(b, &text, ds))
		return -1;
	if (!text.n)
		return 0;
	return backend_open_text(b, &text, ds) ||
			       backend_seal_text(b, text, ds) ||
			       b->ops->backup(b, buf_view(&b->sealed), ds) ||
			       b->ops->store(b, STR_NONE, ds)
		       ? -1
		       : 0;
}

int backend_push(struct backend *b, struct state *s, bool force,
		 struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct buf text = BUF_INIT;
	struct state *stored = NULL;
	bool differs;
	int rc = -1;

	b->forced = force;
	if (backend_know(b, ds) ||
	    compare_push(b, &scratch, s, &stored, &differs, ds))
		goto out;
	if (!force && stored && !state_is_empty(stored) &&
	    check_push(b, s, differs, ds))
		goto out;
	/* There it is: a host may refuse the same serial again. */
	if (!differs && b->ops->remote && s->serial == b->serial &&
	    str_eq(s->lineage, b->lineage) && !b->unsaved && !b->stale) {
		rc = 0;
		goto out;
	}
	/* The peer counts a push over another state; a file it saves twice, and
	 * counts each time that differs from what it first read.  The serial is
	 * seen by other programs. */
	if (b->ops->remote && stored)
		s->serial++;
	else if (differs)
		s->serial += stored ? 2 : 1;
	if (b->rows) {
		rc = rows_replace(b, s, true, &differs, ds);
		goto out;
	}
	state_write(&text, s);
	rc = commit(b, STR_NONE, s, &text, ds);
out:
	buf_release(&text);
	arena_release(&scratch);
	return rc;
}
