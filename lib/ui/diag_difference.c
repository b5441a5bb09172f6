/* diag_difference.c - see diag_difference.h */
#include "ui/diag_difference.h"

#include "json/read.h"
#include "ui/diff/diff.h"
#include "ui/diff/diff_text.h"
#include "ui/diff/diff_value.h"

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
