/*
 * tf-fmt - rewrites configuration in the canonical style; see tf-fmt(1)
 */
#include <errno.h>
#include <stdio.h>
#include <unistd.h>

#include "lang/format/format_files.h"
#include "ui/diag_text.h"

enum { EXIT_CHANGED = 3, EXIT_ERRORS = 2 };

struct settings {
	struct format_options format;
	bool check, no_color;
	struct str_vec paths;
};

static enum opts_result read_options(struct arena *a, int argc, char **argv,
				     struct settings *s, struct diags *ds)
{
	const struct opt options[] = {
		{ "list", OPT_FLAG, &s->format.list, NULL,
		  "list the files that change (default: true)" },
		{ "write", OPT_FLAG, &s->format.write, NULL,
		  "rewrite the files (default: true)" },
		{ "diff", OPT_FLAG, &s->format.diff, NULL,
		  "show what changes, as diff -u" },
		{ "check", OPT_FLAG, &s->check, NULL,
		  "write nothing; exit 3 if a file would change" },
		{ "recursive", OPT_FLAG, &s->format.recursive, NULL,
		  "directories: with those below them" },
		{ "no-color", OPT_FLAG, &s->no_color, NULL,
		  "no terminal colours in errors" },
		{ 0 },
	};
	const struct opts o = { "tf-fmt", "[PATH ...] | -", options, NULL };

	return opts_parse(a, &o, argc, argv, &s->paths, NULL, ds);
}

/* The texts to stdout; errors of writing are errors. */
static int put_out(struct arena *a, const struct buf *out, bool data)
{
	struct out o = OUT_INIT_AS(STDOUT_FILENO, data ? OUT_DATA : OUT_TEXT);
	int rc;

	out_write(&o, out->p, out->len);
	rc = diags_written(a, &o);
	out_release(&o);
	return rc;
}

static int run(struct arena *a, struct settings *s, struct sources *ss,
	       struct diags *ds)
{
	bool input = s->paths.len && str_is(s->paths.items[0], "-");
	bool show = !s->check || (s->format.list && !input);
	struct buf out = BUF_INIT;
	bool changed = false;
	int rc;

	if (input)
		s->format.list = s->format.write = false;
	if (s->check) {
		s->format.list = true;
		s->format.write = false;
	}
	if (s->paths.len == 0)
		vec_push(a, &s->paths, STR("."));
	if (input)
		rc = format_input(a, &s->format, STDIN_FILENO, &out, &changed,
				  ss, ds);
	else
		rc = format_paths(a, &s->format, &s->paths, &out, &changed, ss,
				  ds);
	if (show && (!rc || !s->check) &&
	    put_out(a, &out, input && !s->format.diff))
		rc = -1;
	buf_release(&out);
	if (rc)
		return EXIT_ERRORS;
	return s->check && changed ? EXIT_CHANGED : 0;
}

int main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct settings s = { .format = { .list = true, .write = true } };
	struct sources ss = { 0 };
	int status = 1;

	io_init();
	switch (read_options(&a, argc, argv, &s, &ds)) {
	case OPTS_DONE:
		status = 0;
		break;
	case OPTS_BAD:
		break;
	case OPTS_RUN:
		status = run(&a, &s, &ss, &ds);
		break;
	}
	if (s.no_color)
		text_no_color();
	diags_print(&ds, &ss);
	arena_release(&a);
	return status;
}
