/*
 * tf-canon - a stream or a state as lines for git (tf-canon(1))
 *
 * The work is in lib/compare.
 */
#include <unistd.h>

#include "base/confine.h"
#include "base/opts.h"
#include "compare/canon.h"
#include "engine/stage/stage.h"
#include "trace/trace.h"
#include "ui/diag_text.h"

enum { DONE, FAILED = 2 }; /* exit statuses */

struct tool {
	struct arena arena;
	struct diags ds;
	struct str_vec rest, vars;
	struct saved_files files;
	struct saved saved;
	int fd;
	struct canon canon;
};

/* -1: go on; else the exit status. */
static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "show-sensitive", OPT_FLAG, &t->canon.show_sensitive, NULL,
		  "write sensitive values, and those of states" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "a variable of which the encryption of the file is made" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-canon", "[FILE]", table, NULL };
	enum opts_result r;

	r = opts_parse(&t->arena, &opts, argc, argv, &t->rest, NULL, &t->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? DONE : FAILED;
	if (t->rest.len < 2)
		return -1;
	diag_error(
		&t->ds, NULL, "Wrong number of arguments",
		"tf-canon takes the name of one file, a stream or a state, if it is not to read standard input.");
	return FAILED;
}

/* Opens the input, before the program is confined.  -1: diagnosed. */
static int input(struct tool *t, struct str name)
{
	if (str_is(name, "-") && isatty(STDIN_FILENO))
		return diag_error(
			&t->ds, NULL, "No input",
			"tf-canon reads a stream or a state, as in \"tf-plan -C . | tf-canon\".");
	t->fd = saved_files_find(name, &t->ds);
	return t->fd < 0 ||
			       saved_files_open(&t->files, t->fd, name,
						&t->saved, &t->ds) ||
			       canon_begin(&t->canon, &t->arena, &t->saved,
					   &t->ds)
		       ? -1
		       : 0;
}

static int run(struct tool *t)
{
	const struct str name = t->rest.len ? t->rest.items[0] : STR("-");
	struct out out = OUT_INIT_AS(STDOUT_FILENO, OUT_TEXT);

	if (input(t, name))
		return FAILED;
	confine(&(struct confine){ 0 });
	if (canon_read(&t->canon, &t->saved, name, &t->ds))
		return FAILED;
	canon_write(&t->canon, &out);
	if (diags_written(&t->arena, &out))
		return FAILED;
	out_release(&out);
	return DONE;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .fd = -1, .saved.fd = -1 };
	int rc;

	io_init();
	trace_begin("tf-canon");
	t.ds.arena = &t.arena;
	t.files = (struct saved_files){ .arena = &t.arena,
					.argc = argc,
					.argv = argv };
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	saved_release(&t.saved, t.fd);
	diags_print(&t.ds, t.files.config ? &t.files.config->sources : NULL);
	canon_release(&t.canon);
	arena_release(&t.arena);
	return trace_end(rc);
}
