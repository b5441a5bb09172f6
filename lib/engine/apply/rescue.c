/*
 * rescue.c - the last resort: neither the state nor the journal can be written
 *
 * Saves the results of this run to a file in the working directory, under the
 * name that OpenTofu gives it, or else writes the state into the stream, for
 * people to see, and lists what the journal lacks.
 */
#include <errno.h>

#include "engine/apply/apply_int.h"
#include "base/product.h"
#include "base/workdir.h"
#include "encrypt/encrypt.h"
#include "engine/change/events.h"
#include "state/backend/backend.h"
#include "state/backend/rows.h"
#include "state/file/file.h"

#define SUMMARY "Failed to persist state to backend"

static void list_unwritten(struct apply *ap)
{
	struct str rest = journal_unwritten(ap->backend);
	struct buf list = BUF_INIT;
	const char *why = strerror(errno);

	for (ptrdiff_t n; (n = str_chr(rest, '\n')) >= 0;
	     rest = str_sub(rest, (size_t)n + 1, rest.n))
		journal_list_outcome(&list, ap->backend,
				     str_sub(rest, 0, (size_t)n));
	diag_error(
		ap->ds, NULL, SUMMARY,
		"The errors above prevented the state from being saved, and no file " WORKDIR_RESCUED
		" could be written either (%s). So the state is printed above, as "
		"JSON. Save it, from the first { to the last }, as " WORKDIR_RESCUED
		" where there is room, and then run:\n\n    %s state push " WORKDIR_RESCUED
		"\n\nThe journal beside the state lacks these objects:%s",
		why, product_command(), list.len ? list.p : "\n  (none)");
	buf_release(&list);
}

static struct envelope *envelope_of(const struct apply *ap)
{
	return encryption_state(ap->opts->backend.encryption);
}

/* What was done since the journal failed is in no file.  The stream does not
 * say that it is complete; it has the state instead. */
static void dump(struct apply *ap)
{
	struct buf plain = BUF_INIT, text = BUF_INIT;

	state_write_compact(&plain, ap->state);
	if (envelope_seal(envelope_of(ap), ENVELOPE_STATE, buf_view(&plain),
			  &text, ap->ds))
		buf_set_len(&text, 0);
	buf_release(&plain);
	out_drop_held(&ap->events.out->out);
	ap->events.out->out.before = NULL;
	event_state_dump(&ap->events, buf_view(&text));
	*ap->opts->unsaved = buf_take(ap->arena, &text);
}

/* The journal of a remote state is on this machine alone, so that others are
 * told nothing by it. */
static void tell_file(struct apply *ap, bool journalled)
{
	diag_error(
		ap->ds, NULL, SUMMARY,
		"The errors above prevented the state from being saved. It was written to the file \"" WORKDIR_RESCUED
		"\" in the working directory instead. %s:\n\n    %s state push " WORKDIR_RESCUED
		"",
		journalled ? "On this machine the next command that reads "
			     "the state recovers it from its journal; from "
			     "elsewhere, or to save it now"
			   : "Applying again now would make the same "
			     "objects a second time; save the state first",
		product_command());
}

/* Of a state that is kept as rows, which others may have changed since, and of
 * which this run may know a part: the file is not to be pushed as it is.  Its
 * serial is no newer, so that nobody does unawares. */
static void rescue_rows(struct apply *ap)
{
	struct str rest = journal_unwritten(ap->backend);
	struct buf plain = BUF_INIT, text = BUF_INIT, list = BUF_INIT;

	for (ptrdiff_t n; (n = str_chr(rest, '\n')) >= 0;
	     rest = str_sub(rest, (size_t)n + 1, rest.n))
		journal_list_outcome(&list, ap->backend,
				     str_sub(rest, 0, (size_t)n));
	state_write(&plain, ap->state);
	errno = EIO; /* of what cannot be encrypted */
	if (!envelope_seal(envelope_of(ap), ENVELOPE_STATE, buf_view(&plain),
			   &text, ap->ds) &&
	    !io_replace_file(WORKDIR_RESCUED, text.p, text.len, 0600))
		diag_error(
			ap->ds, NULL, SUMMARY,
			"What this run knows of the state was written to the file \"" WORKDIR_RESCUED
			"\" in the working directory. Others may have changed the rest of "
			"the state since, so put only these objects into what \"%s state "
			"pull\" gives, and push that; the database lacks them:%s",
			product_command(), list.len ? list.p : "\n  (none)");
	else
		dump(ap);
	buf_release(&list);
	buf_release(&plain);
	buf_release(&text);
}

void apply_rescue(struct apply *ap)
{
	const bool journalled =
		!ap->journal_failed && journal_sync(ap->backend) == 0;
	struct buf plain = BUF_INIT, text = BUF_INIT;

	if (backend_by_row(ap->backend)) {
		rescue_rows(ap);
		return;
	}
	if (journalled && !backend_is_remote(ap->backend)) {
		diag_warning(ap->ds, NULL, "Results are kept in the journal",
			     "The state could not be saved, but all that was "
			     "done is in the journal beside it: the next "
			     "command that reads the state recovers it.");
		return;
	}
	/* Newer than what is stored, also after the journal was recovered. */
	ap->state->serial += 2;
	state_write(&plain, ap->state);
	errno = EIO; /* of what cannot be encrypted */
	if (!envelope_seal(envelope_of(ap), ENVELOPE_STATE, buf_view(&plain),
			   &text, ap->ds) &&
	    !io_replace_file(WORKDIR_RESCUED, text.p, text.len, 0600)) {
		tell_file(ap, journalled);
	} else if (journalled) {
		diag_error(
			ap->ds, NULL, SUMMARY,
			"The errors above prevented the state from being saved, and no file " WORKDIR_RESCUED
			" could be written either (%s). The next command on "
			"this machine that reads the state recovers it from "
			"its journal.",
			strerror(errno));
	} else {
		list_unwritten(ap);
		dump(ap);
	}
	buf_release(&plain);
	buf_release(&text);
}
