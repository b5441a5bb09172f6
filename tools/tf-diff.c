/*
 * tf-diff - two plans or states compared by address and attribute (tf-diff(1))
 *
 * The work is in lib/compare.
 */
#include <unistd.h>

#include "base/confine.h"
#include "base/opts.h"
#include "compare/compare.h"
#include "engine/stage/stage.h"
#include "trace/trace.h"
#include "ui/diag_text.h"

enum { SAME, DIFFERENT, FAILED }; /* exit statuses, as those of diff */

struct tool {
	struct arena arena;
	struct diags ds;
	struct str_vec rest, vars;
	bool quiet, show_sensitive;
	struct saved_files files;
	int fds[2];
	struct saved saved[2];
};

/* -1: go on; else the exit status. */
static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "q", OPT_FLAG, &t->quiet, NULL,
		  "print nothing: the exit status tells" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "show sensitive values, and those of states" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "a variable of which the encryption of the files is made" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-diff", "FILE FILE", table, NULL };
	enum opts_result r;

	r = opts_parse(&t->arena, &opts, argc, argv, &t->rest, NULL, &t->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : FAILED;
	if (t->rest.len == 2 &&
	    !(str_is(t->rest.items[0], "-") && str_is(t->rest.items[1], "-")))
		return -1;
	diag_error(
		&t->ds, NULL, "Wrong number of arguments",
		"tf-diff takes two files, each a stream or a state; - is standard input, once.");
	return FAILED;
}

/* Opens one of the two, before the program is confined. */
static int open_side(struct tool *t, int i)
{
	const struct str name = t->rest.items[i];

	t->fds[i] = saved_files_find(name, &t->ds);
	return t->fds[i] < 0 ? -1
			     : saved_files_open(&t->files, t->fds[i], name,
						&t->saved[i], &t->ds);
}

static int run(struct tool *t)
{
	struct compared sides[2];
	struct out out = OUT_INIT_AS(STDOUT_FILENO, OUT_TEXT);
	size_t n;

	if (open_side(t, 0) || open_side(t, 1))
		return FAILED;
	confine(&(struct confine){ 0 });
	for (int i = 0; i < 2; i++) {
		sides[i] = (struct compared){
			.arena = &t->arena,
			.show_sensitive = t->show_sensitive,
		};
		if (compared_read(&sides[i], &t->saved[i], t->rest.items[i],
				  &t->ds))
			return FAILED;
	}
	n = compared_write(t->quiet ? NULL : &out, &sides[0], &sides[1]);
	if (diags_written(&t->arena, &out))
		return FAILED;
	out_release(&out);
	return n ? DIFFERENT : SAME;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .fds = { -1, -1 },
			  .saved = { { .fd = -1 }, { .fd = -1 } } };
	int rc;

	io_init();
	trace_begin("tf-diff");
	t.ds.arena = &t.arena;
	t.files = (struct saved_files){ .arena = &t.arena,
					.argc = argc,
					.argv = argv };
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	for (int i = 0; i < 2; i++)
		saved_release(&t.saved[i], t.fds[i]);
	diags_print(&t.ds, t.files.config ? &t.files.config->sources : NULL);
	arena_release(&t.arena);
	return trace_end(rc);
}
