/* backend_text.c - a state's text as it is kept: sealed, if it is encrypted */
#include "encrypt/encrypt.h"
#include "state/backend/backend_int.h"
#include "state/backend/lock.h"

/* A plain state says so at its beginning: it need not be read for this. */
static bool may_be_envelope(struct str text)
{
	struct str head = str_sub(text, 0, text.n < 512 ? text.n : 512);

	return str_find(head, STR("\"terraform_version\"")) < 0;
}

/* Opens a text that was fetched.  Under the lock of a file OpenTofu reads that
 * first, so that what is wrong with it has the title of the lock. */
int backend_open_text(struct backend *b, struct str *text, struct diags *ds)
{
	struct diags own = DIAGS_INIT(b->arena);
	const struct str token = lock_token();

	if (!envelope_open(b->envelope, b->arena, ENVELOPE_STATE, *text, text,
			   &b->stale, &own) &&
	    (b->envelope || !may_be_envelope(*text) || !envelope_is(*text)))
		return 0;
	if (!own.len)
		diag_error(&own, NULL, "Unsupported state file format",
			   "The state %.*s is encrypted, and can not be read "
			   "without an encryption configuration.",
			   STR_ARG(b->name));
	for (size_t i = 0; i < own.len; i++)
		if (!b->ops->remote && (b->locked || token.n))
			diag_error(ds, &own.items[i].subject,
				   "Error acquiring the state lock",
				   "%.*s: %.*s", STR_ARG(own.items[i].summary),
				   STR_ARG(own.items[i].detail));
		else
			diags_push(ds, own.items[i]);
	return -1;
}

int backend_seal_text(struct backend *b, struct str text, struct diags *ds)
{
	buf_release(&b->sealed);
	return envelope_seal(b->envelope, ENVELOPE_STATE, text, &b->sealed, ds);
}
