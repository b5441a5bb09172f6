/*
 * format_int.h - what the formatter's files share
 *
 * Formatting works on tokens, not on trees: only the spaces before tokens
 * change, apart from a few edits (format_edit.c) that the tree decides on.
 */
#ifndef TFPIPE_LANG_FORMAT_FORMAT_INT_H
#define TFPIPE_LANG_FORMAT_FORMAT_INT_H

#include "base/vec.h"
#include "lang/format/format.h"
#include "lang/syntax/lexer.h"

struct fmt_token {
	const char *p;
	uint32_t n;
	uint32_t spaces; /* before it */
	/* The token's type, as seen by what precedes it and by what follows it:
	 * a plain string is one token that opens and closes. */
	uint8_t first, last; /* enum tok */
};

enum edit_kind {
	EDIT_UNWRAP,  /* "${x}" becomes x, if its tokens allow */
	EDIT_REPLACE, /* by other tokens */
};

struct fmt_edit {
	enum edit_kind kind;
	/* Tokens within are concerned: from the first that starts at or after
	 * span.start to that which ends at span.end. */
	struct span span;
	const struct fmt_token *tokens; /* EDIT_REPLACE */
	size_t ntokens;
};

struct fmt_edits VEC_OF(struct fmt_edit);
struct fmt_tokens VEC_OF(struct fmt_token);

static inline int format_nesting(const struct fmt_token *t)
{
	switch (t->last) {
	case T_OBRACE:
	case T_OBRACK:
	case T_OPAREN:
	case T_CONTROL:
	case T_INTERP:
		return 1;
	case T_CBRACE:
	case T_CBRACK:
	case T_CPAREN:
	case T_SEQ_END:
		return -1;
	default:
		return 0;
	}
}

/* format_edit.c: what the formatter changes besides spaces */

/* The edits of a file without errors, in source order. */
void format_edits(struct arena *a, const struct body *b, struct fmt_edits *out);
/* The tokens of an expression "${...}" without the wrapping; false if it cannot
 * be removed. */
bool format_unwrap(struct arena *a, const struct fmt_token *t, size_t n,
		   struct fmt_tokens *out);

/* format_space.c: whether two tokens of a line are separated by a space */

/* Is there a space between t and after? before: what precedes t on its line,
 * T_EOF for nothing. */
bool format_space_after(enum tok before, const struct fmt_token *t,
			const struct fmt_token *after);

#endif
