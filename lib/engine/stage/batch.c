/* batch.c - see console.h */
#include <stdio.h>
#include <stdlib.h>

#include "engine/stage/console.h"
#include "json/read.h"
#include "json/tree.h"

static int bad_line(struct diags *ds, size_t number)
{
	return diag_error(ds, NULL, "Invalid batch",
			  "Line %zu is not a JSON object with id and expr.",
			  number);
}

/* As in the console, a backslash at the end of the line joins the next one,
 * which is empty here. */
static struct str one_line(struct arena *a, struct str expr)
{
	if (!str_ends(expr, "\\"))
		return expr;
	return str_printf(a, "%.*s\n", (int)expr.n - 1, expr.p);
}

struct batch_line {
	struct str id, expr;
};

/* The usual line, read without building a tree; false: read it properly. */
static bool read_usual(struct arena *a, struct str line, struct batch_line *out)
{
	struct json_slice s = JSON_SLICE_INIT(line);

	if (str_find(line, STR("\\u")) >= 0 || !str_utf8_valid(line))
		return false;
	while (json_slice_next(&s)) {
		if (str_is(s.name, "id") && !out->id.p)
			out->id = json_slice_str(a, s.value);
		else if (str_is(s.name, "expr") && !out->expr.p)
			out->expr = json_slice_str(a, s.value);
		else
			return false;
	}
	if (s.bad) /* otherwise it stopped at the closing brace */
		return false;
	while (++s.p < s.end)
		if (*s.p != '\n' && *s.p != '\r')
			return false;
	return out->id.p && out->expr.p;
}

static bool read_line(struct arena *a, struct str line, struct batch_line *out)
{
	struct json_error err;
	const struct json *j;

	*out = (struct batch_line){ STR_NONE, STR_NONE };
	if (read_usual(a, line, out))
		return true;
	*out = (struct batch_line){ STR_NONE, STR_NONE };
	j = json_parse(a, line, &err);
	out->id = json_get_str(j, "id");
	out->expr = json_get_str(j, "expr");
	return out->expr.p;
}

int batch_answer(struct run_module *m, FILE *in, struct out *out,
		 struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct batch_line l;
	char *line = NULL;
	size_t cap = 0, number = 0;
	int rc = 0;
	ssize_t n;

	while (!rc && (n = getline(&line, &cap, in)) >= 0) {
		number++;
		if (read_line(&scratch, (struct str){ line, (size_t)n }, &l))
			console_answer(&scratch, m, &out->buf, l.id,
				       one_line(&scratch, l.expr));
		else
			rc = bad_line(ds, number);
		arena_reset(&scratch);
		if (out->buf.len > 1 << 16)
			out_flush(out);
	}
	free(line);
	arena_release(&scratch);
	return rc;
}
