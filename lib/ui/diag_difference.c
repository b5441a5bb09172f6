/* diag_difference.c - see diag_text.h */
#include "ui/diag_text.h"
#include "json/read.h"
#include "ui/diff/diff.h"

void diag_difference(struct buf *out, struct str change, bool color)
{
	struct arena a = ARENA_INIT;
	struct json_error err;
	const struct json *j = json_parse(&a, change, &err);
	struct diff_input in;

	if (j) {
		in = diff_input_from(&a, j);
		buf_puts(out, "    ");
		diff_render(out, diff_typed(&a, &in, NULL), 0,
			    (struct diff_style){ .color = color });
	}
	arena_release(&a);
}
