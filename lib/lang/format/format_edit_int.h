/* format_edit_int.h - what the formatter changes besides spaces */
#ifndef TFPIPE_LANG_FORMAT_EDIT_INT_H
#define TFPIPE_LANG_FORMAT_EDIT_INT_H

#include "lang/format/format_int.h"

/* The edits of a file without errors, in source order. */
void format_edits(struct arena *a, const struct body *b, struct fmt_edits *out);
/* The tokens of an expression "${...}" without the wrapping; false if it cannot
 * be removed. */
bool format_unwrap(struct arena *a, const struct fmt_token *t, size_t n,
		   struct fmt_tokens *out);

#endif
