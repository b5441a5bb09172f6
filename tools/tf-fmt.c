/*
 * tf-fmt - rewrites configuration in the canonical style; see tf-fmt(1)
 */
#include <fts.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/confine.h"
#include "lang/format/format.h"
#include "trace/trace.h"
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

/* Files that are rewritten elsewhere than below a directory that is named:
 * where links lead, or beside a file that is named. */
static void add_files(struct arena *a, const struct settings *s,
		      struct str_vec *files)
{
	char **top = ARENA_ARRAY(a, char *, s->paths.len + 1);
	FTS *walk;
	FTSENT *e;

	for (size_t i = 0; i < s->paths.len; i++)
		top[i] = (char *)s->paths.items[i].p;
	top[s->paths.len] = NULL;
	walk = fts_open(top, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	while (walk && (e = fts_read(walk))) {
		if (e->fts_info == FTS_SL ||
		    (e->fts_info == FTS_F && !e->fts_level))
			vec_push(a, files, str_dup(a, str_c(e->fts_path)));
		if (e->fts_info == FTS_D && e->fts_level > 0 &&
		    !s->format.recursive)
			fts_set(walk, e, FTS_SKIP);
	}
	if (walk)
		fts_close(walk);
}

/* Only what is named is written, and the files that diff(1) reads. */
static void stay(struct arena *a, const struct settings *s)
{
	const char *tmp = getenv("TMPDIR");
	struct str_vec files = { 0 };
	const char **below = ARENA_ARRAY(a, const char *, s->paths.len + 2);
	const char **replace;
	size_t n = 0;

	if (s->format.write) {
		add_files(a, s, &files);
		for (; n < s->paths.len; n++)
			below[n] = s->paths.items[n].p;
	}
	if (s->format.diff)
		below[n++] = tmp && *tmp ? tmp : "/tmp";
	below[n] = NULL;
	replace = ARENA_ARRAY(a, const char *, files.len + 1);
	for (n = 0; n < files.len; n++)
		replace[n] = files.items[n].p;
	replace[n] = NULL;
	confine(&(struct confine){ .below = below,
				   .replace = replace,
				   .modes = s->format.write,
				   .programs = s->format.diff });
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
	stay(a, s);
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
	trace_begin("tf-fmt");
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
	return trace_end(status);
}
