/* journal_cipher_int.h - the journal of a state that is encrypted */
#ifndef TFPIPE_STATE_JOURNAL_CIPHER_INT_H
#define TFPIPE_STATE_JOURNAL_CIPHER_INT_H

#include "state/backend/backend_int.h"

/* Takes the key from the first line of a journal's text; none where that is
 * plain.  -1 after a diagnostic: it cannot be opened, or may not be plain. */
int journal_key_read(struct backend *b, struct str text, struct diags *ds);
/* Makes one for a journal that begins, if the state is encrypted and there is
 * none that can go on being used.  -1 with errno. */
int journal_key_make(struct backend *b);
/* Encrypts the line that begins at `from`, which gets the number n. */
void journal_line_seal(struct journal *j, struct buf *out, size_t from,
		       uint64_t n);
/* Decrypts a line, into a; body: not closed.  False: it does not belong
 * there. */
bool journal_line_open(struct arena *a, struct str key, struct str data,
		       uint64_t n, struct str *body, struct str *line);

#endif
