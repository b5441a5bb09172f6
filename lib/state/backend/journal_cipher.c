/*
 * journal_cipher.c - the journal of a state that is encrypted
 *
 * Its lines are encrypted one by one, with a key of its own, as a method may
 * be a program that takes its time.  The key lies in the first line, sealed as
 * the state is.  A line is vouched for with its number, so that it stands for
 * nothing in another place:
 *
 *	{"record":"journal",…,"key":"ENVELOPE",SEAL}
 *	{"record":"sealed","data":"base64",SEAL}
 *
 * What is encrypted is the line as it would be, up to its seal, not closed.
 */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/base64.h"
#include "base/io.h"
#include "crypto/crypto.h"
#include "encrypt/encrypt.h"
#include "json/read.h"
#include "json/tree.h"
#include "state/backend/backend_int.h"

enum { KEY = 32 };

static struct str number_text(uint64_t n, char digits[24])
{
	return (struct str){ digits,
			     (size_t)snprintf(digits, 24, "%" PRIu64, n) };
}

int journal_key_make(struct backend *b)
{
	struct journal *j = &b->journal;
	struct diags unused = DIAGS_INIT(b->arena);
	struct buf sealed = BUF_INIT;
	char *key;

	if (!envelope_seals(b->envelope)) {
		j->key = j->sealed_key = STR_NONE;
		return 0;
	}
	if (j->key.n && !j->key_stale)
		return 0;
	key = arena_alloc(b->arena, KEY);
	if (io_random(key, KEY))
		return -1;
	if (envelope_seal(b->envelope, ENVELOPE_PLAIN, (struct str){ key, KEY },
			  &sealed, &unused)) {
		buf_release(&sealed);
		errno = ENOKEY;
		return -1;
	}
	j->key = (struct str){ key, KEY };
	j->sealed_key = buf_take(b->arena, &sealed);
	j->key_stale = false;
	return 0;
}

int journal_key_read(struct backend *b, struct str text, struct diags *ds)
{
	struct journal *j = &b->journal;
	ptrdiff_t end = str_chr(text, '\n');
	struct str line = end < 0 ? STR_NONE : str_sub(text, 0, (size_t)end);
	struct str sealed =
		json_slice_str(b->arena, json_slice_get(line, "key"));
	struct str key;
	bool stale;

	j->key = j->sealed_key = STR_NONE;
	if (!str_is(json_peek_record(line), "journal"))
		return 0; /* damaged, or none: so others will say */
	if (!sealed.n)    /* says whether it may be plain */
		return envelope_open(b->envelope, b->arena, ENVELOPE_PLAIN,
				     line, &key, &stale, ds);
	if (!b->envelope)
		return diag_error(ds, NULL, "Journal is encrypted",
				  "The journal %.*s of an interrupted run is "
				  "encrypted, and can not be read without an "
				  "encryption configuration.",
				  STR_ARG(b->journal_path));
	if (envelope_open(b->envelope, b->arena, ENVELOPE_PLAIN, sealed, &key,
			  &stale, ds))
		return -1;
	if (key.n != KEY)
		return diag_error(
			ds, NULL, "Invalid journal key",
			"The journal %.*s does not hold a key as this version writes it.",
			STR_ARG(b->journal_path));
	j->key = key;
	j->sealed_key = str_dup(b->arena, sealed);
	j->key_stale = stale;
	return 0;
}

void journal_line_seal(struct journal *j, struct buf *out, size_t from,
		       uint64_t n)
{
	struct arena scratch = ARENA_INIT;
	struct buf data = BUF_INIT;
	char digits[24];

	if (crypto_seal(j->key, number_text(n, digits),
			str_sub(buf_view(out), from, out->len), &data))
		j->broken = EIO; /* nothing is written any more */
	buf_set_len(out, from);
	buf_puts(out, "{\"record\":\"sealed\",\"data\":\"");
	buf_str(out, base64_encode(&scratch, buf_view(&data)));
	buf_putc(out, '"');
	buf_release(&data);
	arena_release(&scratch);
}

bool journal_line_open(struct arena *a, struct str key, struct str data,
		       uint64_t n, struct str *body, struct str *line)
{
	struct buf out = BUF_INIT;
	char digits[24];
	struct str bytes;
	bool ok;

	ok = key.n && base64_decode(a, data, &bytes) &&
	     !crypto_open(key, number_text(n, digits), bytes, &out);
	if (ok) {
		buf_putc(&out, '}');
		*line = buf_dup(a, &out);
		*body = str_sub(*line, 0, line->n - 1);
	}
	buf_release(&out);
	return ok;
}
