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

int main(int argc, char **argv)
{
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct show_options o = { 0 };
	struct outputs_options oo = { 0 };
	struct str_vec rest = { 0 };
	struct str name, state_path = STR_NONE;
	struct config *config = NULL;
	struct str_vec vars = { 0 };
	bool outputs = false, current = false, consolidate = true;
	int fd, rc = 1;
	const struct opt table[] = {
		{ "compact-warnings", OPT_FLAG, &o.compact_warnings, NULL,
		  "with -ui: warnings without detail" },
		{ "concise", OPT_FLAG, &o.concise, NULL,
		  "with -ui: no refresh and progress lines" },
		{ "consolidate-errors", OPT_FLAG, &o.consolidate_errors, NULL,
		  "with -ui: similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &consolidate, NULL,
		  "with -ui: similar warnings as one; the default" },
		{ "continued", OPT_FLAG, &o.continued, NULL,
		  "with -ui -json: no version line" },
		{ "current", OPT_FLAG, &current, NULL,
		  "the current workspace's state instead of input" },
		{ "deprecation", OPT_STRING, &o.deprecation, "LEVEL",
		  "with -ui: module:none leaves out what modules deprecate" },
		{ "detailed-exitcode", OPT_FLAG, &o.detailed_exitcode, NULL,
		  "exit with 2 when there is something to apply" },
		{ "generated", OPT_STRING, &o.generated, "FILE",
		  "with -ui: where generated configuration was put" },
		{ "json", OPT_FLAG, &o.json, NULL,
		  "the published JSON instead of text" },
		{ "json-into", OPT_STRING, &o.json_into, "FILE",
		  "with -ui: messages as JSON lines to a file as well" },
		{ "keep", OPT_STRING, &o.keep, "FILE",
		  "with -ui: a copy of the plan shown goes there" },
		{ "no-color", OPT_FLAG, &o.no_color, NULL,
		  "no terminal colours" },
		{ "op", OPT_STRING, &o.op, "OPERATION",
		  "with -ui: what is running" },
		{ "outputs", OPT_FLAG, &outputs, NULL,
		  "the outputs of a state; operand: one output's name" },
		{ "raw", OPT_FLAG, &oo.raw, NULL,
		  "with -outputs: the bare value" },
		{ "saved", OPT_STRING, &o.saved, "FILE",
		  "with -ui: where the plan is being saved" },
		{ "show-sensitive", OPT_FLAG, &o.show_sensitive, NULL,
		  "show sensitive values" },
		{ "state", OPT_STRING, &state_path, "FILE",
		  "with -current: this state file" },
		{ "ui", OPT_FLAG, &o.live, NULL,
		  "show progress as it arrives: the driver's display" },
		{ "var", OPT_LIST, &vars, "NAME=VALUE",
		  "with -current: a variable that the backend uses" },
		{ "var-file", OPT_LIST, &vars, "FILE",
		  "with -current: variables from a file" },
		{ "warnings", OPT_FLAG, &o.warnings, NULL,
		  "with -op=apply: the warnings of the plan, too" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	struct opts opts = { "tf-show", "[FILE]", table, NULL };

	switch (opts_parse(&a, &opts, argc, argv, &rest, NULL, &ds)) {
	case OPTS_DONE:
		return 0;
	case OPTS_BAD:
		goto out;
	case OPTS_RUN:
		break;
	}
	if (rest.len > 1) {
		diag_error(&ds, NULL, outputs ? "Unexpected argument"
				      : "Too many command line arguments",
			   "tf-show takes one operand at most, not \"%.*s\" "
			   "as well.", STR_ARG(rest.items[1]));
		goto out;
	}
	o.each_warning = !consolidate;
	o.providers = installed_source(&a, provider_default_host());
	if (current) {
		if (!state_path.n &&
		    current_check_dir(&a, argc, argv, &config, &ds))
			goto out;
		o.state = current_state(&a, state_path, &ds);
		if (!o.state)
			goto out;
	}
	if (outputs) {
		oo.json = o.json;
		oo.no_color = o.no_color;
		oo.show_sensitive = o.show_sensitive;
		oo.name = rest.len ? rest.items[0] : STR_NONE;
		rc = outputs_run(&a, &oo, o.state, STDIN_FILENO, &ds);
		goto out;
	}
	name = STR("the state");
	fd = o.state ? STDIN_FILENO : open_input(&rest, &name, &ds);
	if (fd >= 0)
		rc = show_run(&a, &o, fd, name);
out:
	diags_print(&ds, config ? &config->sources : NULL);
	arena_release(&a);
	return rc;
}
