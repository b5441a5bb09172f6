/*
 * tf-parse - configuration files to records (tf-parse(1))
 *
 * Reads the root module in the current directory and the modules that are
 * installed for it, checks them, and writes what they declare.
 */
#include <unistd.h>

#include "addr/target.h"
#include "addr/walk.h"
#include "base/confine.h"
#include "base/workdir.h"
#include "config/check/refs.h"
#include "config/record/records.h"
#include "engine/run/inputs.h"
#include "engine/stage/stage.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct str dir, import, missing_file, purpose;
	struct str_vec vars, var_files, given;
	bool json, show_sensitive, references, seal;
};

static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory" },
		{ "for", OPT_STRING, &t->purpose, "COMMAND",
		  "report as for that command: plan or apply" },
		{ "import", OPT_STRING, &t->import, "ADDRESS",
		  "check that this resource is there to import into" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "missing-file", OPT_STRING, &t->missing_file, "FILE",
		  "list variables without a value there that are needed to "
		  "read the configuration" },
		{ "references", OPT_FLAG, &t->references, NULL,
		  "check what references name (default true)" },
		{ "seal", OPT_FLAG, &t->seal, NULL,
		  "let the next stage find out what was edited (default true)" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "the value of a variable, for module sources" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "values of variables, for module sources" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-parse", "", table, NULL };
	int rc = front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			       &t->ds);

	if (rc >= 0 || !opts_given(&t->given, "for") ||
	    str_is(t->purpose, "plan") || str_is(t->purpose, "apply"))
		return rc;
	diag_error(&t->ds, NULL, "Invalid option",
		   "-for is plan or apply; \"%.*s\" is neither.",
		   STR_ARG(t->purpose));
	diags_print(&t->ds, NULL);
	return 1;
}

/* Values are looked at only where sources or versions of modules need them. */
static struct config *load(struct tool *t, const struct input_arg *args,
			   size_t nargs)
{
	struct config_options o = {
		.dir = STR("."),
		.workdir = &t->workdir,
		.stepwise = t->purpose.n > 0,
		.repeat = str_is(t->purpose, "plan"),
	};

	return load_configuration(&t->arena, args, nargs, &o, &t->ds);
}

/* Checks -import's address; an invalid one replaces all other errors. */
static void check_import(struct tool *t, const struct config *c)
{
	struct diags own = DIAGS_INIT(&t->arena);
	struct instance_addr addr;

	if (instance_addr_parse(&t->arena, t->import, &addr, &own)) {
		addr_told(&own, 0, t->import);
		t->ds = own; /* instead of those of the configuration */
	} else if (!diags_failed(&t->ds)) {
		import_target_check(&t->arena, c, &addr, &t->ds);
	}
}

static int run(struct tool *t, int argc, char **argv)
{
	struct stream_out out;
	struct input_arg *args;
	const size_t nargs = inputs_args(&t->arena, argc, argv, &args);
	struct config *c = load(t, args, nargs);
	bool failed;

	if (t->purpose.n)
		load_check_backend(&t->arena, &t->workdir, c, args, nargs,
				   str_is(t->purpose, "plan"), &t->ds);
	if (!diags_failed(&t->ds) && t->references)
		config_check_references(c, &t->ds);
	if (t->import.p)
		check_import(t, c);
	failed = diags_failed(&t->ds);
	if (t->missing_file.n && c->early_missing.len) {
		/* the missing values are asked for: no errors */
		t->ds = (struct diags)DIAGS_INIT(&t->arena);
		inputs_write_missing(t->missing_file, c->root,
				     &c->early_missing, &t->ds);
	}
	stream_out_init(&out, STDOUT_FILENO, t->show_sensitive);
	if (!t->seal)
		stream_without_seal(&out);
	stream_begin(&out, "tf-parse", &t->given);
	if (failed)
		config_write_sources(&out, c);
	else
		config_write(&out, c);
	failed = front_end(&out, "tf-parse", &t->ds, &c->sources, t->json, NULL,
			   failed);
	stream_out_release(&out);
	return failed;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .references = true,
			  .seal = true };
	int rc;

	io_init();
	trace_begin("tf-parse");
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0) {
		const char *const named[] = {
			t.missing_file.n ? t.missing_file.p : NULL, NULL
		};

		confine(&(struct confine){ .replace = named,
					   .modes = named[0] });
		workdir_open(&t.arena, &t.workdir);
		rc = run(&t, argc, argv);
	}
	arena_release(&t.arena);
	return trace_end(rc);
}
