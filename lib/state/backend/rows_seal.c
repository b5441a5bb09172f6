/*
 * rows_seal.c - values of rows, encrypted
 *
 * They are sealed with a key of the state's, which is kept beside it in an
 * envelope, and vouched for with their addresses, so that a value stands for
 * nothing in another place.
 */
#include <errno.h>

#include "base/base64.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "encrypt/encrypt.h"
#include "state/backend/backend_int.h"

enum { KEY = 32 };

static const char sealed_mark[] = "sealed:";

struct str rows_place(struct arena *a, const struct state_row *r)
{
	const char kind = (char)r->kind;

	return STR_CAT(a, ((struct str){ &kind, 1 }), STR("\n"), r->address,
		       STR("\n"), r->deposed);
}

int rows_seal(struct backend *b, struct arena *a, struct state_row *r)
{
	struct arena scratch = ARENA_INIT;
	struct buf out = BUF_INIT;
	int rc = 0;

	if (!b->rows->seals || r->gone || !r->value.n)
		return 0;
	rc = crypto_seal(b->rows->key, rows_place(&scratch, r), r->value, &out);
	if (!rc)
		r->value = STR_CAT(a, str_c(sealed_mark),
				   base64_encode(&scratch, buf_view(&out)));
	buf_release(&out);
	arena_release(&scratch);
	return rc;
}

int rows_open(struct backend *b, struct arena *a, struct state_row *r)
{
	struct arena scratch = ARENA_INIT;
	struct str text = r->value, bytes;
	struct buf out = BUF_INIT;
	int rc = 0;

	if (str_take(&text, str_c(sealed_mark))) {
		rc = !b->rows->key.n ||
				     !base64_decode(&scratch, text, &bytes) ||
				     crypto_open(b->rows->key,
						 rows_place(&scratch, r), bytes,
						 &out)
			     ? -1
			     : 0;
		r->value = rc ? STR_NONE : buf_dup(a, &out);
	} else if (r->value.n && (b->rows->key.n || !b->rows->plain_ok)) {
		rc = b->rows->plain_ok ? 0 : -1;
		b->stale = true;
	}
	buf_release(&out);
	arena_release(&scratch);
	return rc;
}

int rows_read_key(struct backend *b, const struct row_head *head,
		  struct diags *ds)
{
	struct diags unused = DIAGS_INIT(b->arena);
	struct rows *rw = b->rows;
	struct str key;

	rw->key = rw->sealed_key = STR_NONE;
	b->stale = rw->key_stale = false;
	rw->plain_ok = !envelope_open(b->envelope, b->arena, ENVELOPE_PLAIN,
				      STR("{}"), &key, &b->stale, &unused);
	if (!head->key.n) {
		/* Before the first run has ended there need be no values. */
		if (!head->there || !head->serial)
			b->stale = false;
		else if (!rw->plain_ok)
			return envelope_open(b->envelope, b->arena,
					     ENVELOPE_PLAIN, STR("{}"), &key,
					     &b->stale, ds);
		return 0;
	}
	if (!b->envelope)
		return diag_error(ds, NULL, "Unsupported state file format",
				  "The state %.*s is encrypted, and can not be "
				  "read without an encryption configuration.",
				  STR_ARG(b->name));
	if (envelope_open(b->envelope, b->arena, ENVELOPE_PLAIN, head->key,
			  &key, &rw->key_stale, ds))
		return -1;
	b->stale = rw->key_stale;
	if (key.n != KEY)
		return diag_error(
			ds, NULL, "Unsupported state file format",
			"The key of the values of %.*s is none as this version writes it.",
			STR_ARG(b->name));
	rw->key = key;
	rw->sealed_key = str_dup(b->arena, head->key);
	return 0;
}

static int seal_key(struct backend *b, struct diags *ds)
{
	struct buf sealed = BUF_INIT;

	if (envelope_seal(b->envelope, ENVELOPE_PLAIN, b->rows->key, &sealed,
			  ds)) {
		buf_release(&sealed);
		return -1;
	}
	b->rows->sealed_key = buf_take(b->arena, &sealed);
	return 0;
}

int rows_prepare_sealing(struct backend *b, bool *renewed, struct diags *ds)
{
	struct rows *rw = b->rows;
	char *key;

	*renewed = false;
	rw->seals = envelope_seals(b->envelope);
	if (!rw->seals || (rw->key.n && !rw->key_stale))
		return 0;
	*renewed = true;
	if (!rw->key.n) {
		key = arena_alloc(b->arena, KEY);
		if (io_random(key, KEY))
			return diag_error(ds, NULL, "Failed to save state",
					  "No key could be made: %s.",
					  strerror(errno));
		rw->key = (struct str){ key, KEY };
	}
	return seal_key(b, ds);
}
