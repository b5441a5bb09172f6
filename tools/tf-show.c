/*
 * tf-show.c - renders streams, saved plans and states: the end of a pipe
 *
 * The work is in lib/ui.
 */
#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

#include "base/opts.h"
#include "engine/stage/current.h"
#include "install/installed.h"
#include "ui/outputs.h"
#include "ui/show.h"

static int open_input(const struct str_vec *rest, struct str *name,
		      struct diags *ds)
{
	int fd;

	*name = STR("standard input");
	if (rest->len == 0 || str_is(rest->items[0], "-")) {
		if (isatty(STDIN_FILENO))
			return diag_error(ds, NULL, "No input",
				"tf-show reads a stream or a state from its "
				"standard input, or from the file named.");
		return STDIN_FILENO;
	}
	*name = rest->items[0];
	fd = open(name->p, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return diag_error(ds, NULL, "Failed to read the given file as "
				  "a state or plan file",
				  "Cannot open %s: %s.", name->p,
				  strerror(errno));
	return fd;
}

struct tool {
	struct arena arena;
	struct diags ds;
	struct show_options o;
	struct outputs_options oo;
	struct str_vec rest, vars;
	struct str state_path;
	bool outputs, current, consolidate;
	struct config *config; /* for snippets */
};

/* -1: go on; else the exit status. */
static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "compact-warnings", OPT_FLAG, &t->o.compact_warnings, NULL,
		  "with -ui: warnings without detail" },
		{ "concise", OPT_FLAG, &t->o.concise, NULL,
		  "with -ui: no refresh and progress lines" },
		{ "consolidate-errors", OPT_FLAG, &t->o.consolidate_errors, NULL,
		  "with -ui: similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &t->consolidate, NULL,
		  "with -ui: similar warnings as one; the default" },
		{ "continued", OPT_FLAG, &t->o.continued, NULL,
		  "with -ui -json: no version line" },
		{ "current", OPT_FLAG, &t->current, NULL,
		  "the current workspace's state instead of input" },
		{ "deprecation", OPT_STRING, &t->o.deprecation, "LEVEL",
		  "with -ui: module:none leaves out what modules deprecate" },
		{ "detailed-exitcode", OPT_FLAG, &t->o.detailed_exitcode, NULL,
		  "exit with 2 when there is something to apply" },
		{ "feed", OPT_STRING, &t->o.feed, "FIFO",
		  "with -ui: the plan shown goes there but for its end" },
		{ "generated", OPT_STRING, &t->o.generated, "FILE",
		  "with -ui: where generated configuration was put" },
		{ "json", OPT_FLAG, &t->o.json, NULL,
		  "the published JSON instead of text" },
		{ "json-into", OPT_STRING, &t->o.json_into, "FILE",
		  "with -ui: messages as JSON lines to a file as well" },
		{ "keep", OPT_STRING, &t->o.keep, "FILE",
		  "with -ui: a copy of the plan shown goes there" },
		{ "no-color", OPT_FLAG, &t->o.no_color, NULL,
		  "no terminal colours" },
		{ "op", OPT_STRING, &t->o.op, "OPERATION",
		  "with -ui: what is running" },
		{ "outputs", OPT_FLAG, &t->outputs, NULL,
		  "the outputs of a state; operand: one output's name" },
		{ "raw", OPT_FLAG, &t->oo.raw, NULL,
		  "with -outputs: the bare value" },
		{ "saved", OPT_STRING, &t->o.saved, "FILE",
		  "with -ui: where the plan is being saved" },
		{ "show-sensitive", OPT_FLAG, &t->o.show_sensitive, NULL,
		  "show sensitive values" },
		{ "state", OPT_STRING, &t->state_path, "FILE",
		  "with -current: this state file" },
		{ "ui", OPT_FLAG, &t->o.live, NULL,
		  "show progress as it arrives: the driver's display" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "with -current: a variable that the backend uses" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "with -current: variables from a file" },
		{ "warnings", OPT_FLAG, &t->o.warnings, NULL,
		  "with -op=apply: the warnings of the plan, too" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-show", "[FILE]", table, NULL };

	switch (opts_parse(&t->arena, &opts, argc, argv, &t->rest, NULL,
			   &t->ds)) {
	case OPTS_DONE:
		return 0;
	case OPTS_BAD:
		return 1;
	case OPTS_RUN:
		break;
	}
	if (t->rest.len > 1) {
		diag_error(&t->ds, NULL, t->outputs ? "Unexpected argument"
				      : "Too many command line arguments",
			   "tf-show takes one operand at most, not \"%.*s\" "
			   "as well.", STR_ARG(t->rest.items[1]));
		return 1;
	}
	t->o.each_warning = !t->consolidate;
	t->o.providers = installed_source(&t->arena, provider_default_host());
	return -1;
}

static int read_current(struct tool *t, int argc, char **argv)
{
	if (!t->state_path.n &&
	    current_check_dir(&t->arena, argc, argv, &t->config, &t->ds))
		return -1;
	t->o.state = current_state(&t->arena, t->state_path, &t->ds);
	return t->o.state ? 0 : -1;
}

static int run(struct tool *t)
{
	struct str name = STR("the state");
	int fd;

	if (t->outputs) {
		t->oo.json = t->o.json;
		t->oo.no_color = t->o.no_color;
		t->oo.show_sensitive = t->o.show_sensitive;
		t->oo.name = t->rest.len ? t->rest.items[0] : STR_NONE;
		return outputs_run(&t->arena, &t->oo, t->o.state, STDIN_FILENO,
				   &t->ds);
	}
	fd = t->o.state ? STDIN_FILENO : open_input(&t->rest, &name, &t->ds);
	return fd < 0 ? 1 : show_run(&t->arena, &t->o, fd, name);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .consolidate = true };
	int rc;

	io_init();
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = t.current && read_current(&t, argc, argv) ? 1 : run(&t);
	diags_print(&t.ds, t.config ? &t.config->sources : NULL);
	arena_release(&t.arena);
	return rc;
}
