/*
 * tf-select - the records of a stream that an expression selects (tf-select(1))
 *
 * The work is in lib/select.
 */
#include <unistd.h>

#include "base/confine.h"
#include "base/opts.h"
#include "engine/stage/stage.h"
#include "select/select.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"

enum { SELECTED, NONE, FAILED }; /* exit statuses, as those of grep */

struct tool {
	struct arena arena;
	struct diags ds;
	struct str of, print;
	struct str_vec rest, given, vars;
	bool count, list, quiet, show_sensitive;
	struct select_filter filter;
	struct saved_files files; /* the input is one */
	struct stream_out out;
};

static const struct opt_group forms = {
	"Incompatible options",
	"-c, -l, -p and -q are different ways of telling what was selected: use only one of them."
};

/* -1: go on; else the exit status. */
static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "c", OPT_FLAG, &t->count, NULL,
		  "print how many are selected, nothing else",
		  .group = &forms },
		{ "l", OPT_FLAG, &t->list, NULL,
		  "print their addresses, a line each", .group = &forms },
		{ "of", OPT_STRING, &t->of, "KIND,...",
		  "ask these records (default: resource_change)" },
		{ "p", OPT_STRING, &t->print, "EXPR",
		  "print what this comes to for each of them, a line each",
		  .group = &forms },
		{ "q", OPT_FLAG, &t->quiet, NULL,
		  "print nothing: the exit status tells", .group = &forms },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal, nor what -p prints" },
		{ "v", OPT_FLAG, &t->filter.invert, NULL,
		  "select those for which EXPR is false" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "a variable of which the encryption of FILE is made" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-select", "EXPR [FILE]", table, NULL };
	enum opts_result r;

	r = opts_parse(&t->arena, &opts, argc, argv, &t->rest, &t->given,
		       &t->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : FAILED;
	if (t->rest.len == 1 || t->rest.len == 2)
		return -1;
	diag_error(
		&t->ds, NULL, "Wrong number of arguments",
		"tf-select takes an expression, and the name of a file if it is not to read standard input.");
	return FAILED;
}

static bool is_silent(const struct tool *t)
{
	return t->count || t->list || t->quiet || t->filter.print;
}

/* -1: diagnosed. */
static int read_expressions(struct tool *t)
{
	t->filter.select =
		select_new(&t->arena, t->rest.items[0], "EXPR", t->of, &t->ds);
	if (t->print.p)
		t->filter.print =
			select_new(&t->arena, t->print, "-p", t->of, &t->ds);
	if (!t->filter.select || (t->print.p && !t->filter.print))
		return -1;
	if (is_silent(t) || !select_asks_kept(t->filter.select))
		return 0;
	return diag_error(
		&t->ds, NULL, "Unsupported option",
		"Only changes of resources and events can be left out of a stream: other records are counted (-c), listed (-l, -p) or looked for (-q).");
}

static struct str input_name(const struct tool *t)
{
	return t->rest.len > 1 ? t->rest.items[1] : STR("-");
}

/* The input; -1: diagnosed. */
static int open_input(struct tool *t)
{
	const struct str name = input_name(t);

	if (str_is(name, "-") && isatty(STDIN_FILENO))
		return diag_error(
			&t->ds, NULL, "No input",
			"tf-select reads a stream, as in \"tf-plan -C . | tf-select EXPR\".");
	return saved_files_find(name, &t->ds);
}

static int tell(struct tool *t)
{
	const struct select_filter *f = &t->filter;
	struct out out = OUT_INIT_AS(STDOUT_FILENO, OUT_TEXT);
	int rc;

	if (t->count)
		out_str(&out, str_printf(&t->arena, "%zu\n", f->selected));
	else if (t->list || f->print)
		out_str(&out, buf_view(&f->list));
	rc = diags_written(&t->arena, &out);
	out_release(&out);
	return rc;
}

static int run(struct tool *t, int fd)
{
	struct select_filter *f = &t->filter;
	bool failed;

	confine(&(struct confine){ 0 });
	f->arena = &t->arena;
	f->ds = &t->ds;
	f->addresses = t->list;
	f->show_sensitive = t->show_sensitive;
	if (!is_silent(t)) {
		stream_out_init(&t->out, STDOUT_FILENO, t->show_sensitive);
		stream_without_seal(&t->out);
		f->out = &t->out;
	}
	failed = select_filter_read(f, fd) != 0;
	if (f->out)
		failed = front_end(f->out, "tf-select", &t->ds, NULL, false,
				   NULL, failed);
	else if (!failed && tell(t))
		failed = true;
	if (f->out)
		stream_out_release(&t->out);
	else
		diags_print(&t->ds, NULL);
	return failed ? FAILED : f->selected ? SELECTED : NONE;
}

/* -1: diagnosed, and nothing was written. */
static int select_from(struct tool *t)
{
	struct saved in = { .fd = -1 };
	int fd, rc = -1;

	if (read_expressions(t))
		return -1;
	fd = open_input(t);
	if (fd < 0)
		return -1;
	if (!saved_files_stream(&t->files, fd, input_name(t), &in, &t->ds))
		rc = run(t, in.fd);
	saved_release(&in, fd);
	return rc;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT };
	int rc;

	io_init();
	trace_begin("tf-select");
	text_differences(diag_difference);
	t.ds.arena = &t.arena;
	t.files = (struct saved_files){ .arena = &t.arena,
					.argc = argc,
					.argv = argv };
	rc = read_options(&t, argc, argv);
	if (rc > 0)
		diags_print(&t.ds, NULL);
	if (rc < 0)
		rc = select_from(&t);
	if (rc < 0) {
		diags_print(&t.ds,
			    t.files.config ? &t.files.config->sources : NULL);
		rc = FAILED;
	}
	select_filter_release(&t.filter);
	select_free(t.filter.select);
	select_free(t.filter.print);
	arena_release(&t.arena);
	return trace_end(rc);
}
