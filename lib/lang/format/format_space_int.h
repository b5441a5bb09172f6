/* format_space_int.h - whether two tokens of a line are separated by a space */
#ifndef TFPIPE_LANG_FORMAT_SPACE_INT_H
#define TFPIPE_LANG_FORMAT_SPACE_INT_H

#include "lang/format/format_int.h"

/* Is there a space between t and after? before: what precedes t on its line,
 * T_EOF for nothing. */
bool format_space_after(enum tok before, const struct fmt_token *t,
			const struct fmt_token *after);

#endif
