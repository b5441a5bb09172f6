/*
 * tf-show.c - renders streams, saved plans and states: the end of a pipe
 *
 * The work is in lib/ui.
 */
#include <unistd.h>

#include "addr/provider.h"
#include "base/confine.h"
#include "base/opts.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "engine/stage/stage.h"
#include "install/providers/installed.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/outputs.h"
#include "ui/show/form/form.h"
#include "ui/show/providers.h"
#include "ui/show/show.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct show_options o;
	struct outputs_options oo;
	struct str_vec rest, vars, given;
	struct str state_path, color, module, json_into, format, select;
	long max_size;
	bool summary, outputs, current, configuration, modules;
	struct config *config; /* for snippets, or to be shown */
};

static const struct opt_group forms = {
	"Invalid output format",
	"-json, -summary and -format are different forms: use only one of them."
};

/* Not the input is shown, but what files in a directory say. */
static bool of_files(const struct tool *t)
{
	return t->configuration || t->module.n || t->modules;
}

/* Options that count only with another one. */
static int check_given(struct tool *t)
{
	const bool plan = !t->current && !t->outputs && !of_files(t);
	const struct {
		const char *option, *with;
		bool present;
	} rules[] = {
		{ "detailed-exitcode", "a plan",
		  !t->current && !t->o.explain.n },
		{ "explain", "a plan as text or JSON", plan && !t->o.form },
		{ "raw", "-outputs", t->outputs },
		{ "state", "-current", t->current },
		{ "select", "a plan or a state",
		  !t->outputs && !of_files(t) && !t->o.explain.n },
		{ "json-into", "text",
		  !t->o.json && !t->o.form && !t->outputs && !of_files(t) &&
			  !t->o.explain.n },
		{ "format", "a plan", plan },
		{ "summary", "a plan", plan },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(*rules); i++)
		if (!rules[i].present && opts_given(&t->given, rules[i].option))
			return diag_error(
				&t->ds, NULL, "Unsupported option",
				"-%s has no effect here: it is for %s.",
				rules[i].option, rules[i].with);
	return 0;
}

/* Checks -config and -module, which are shown as JSON only, and -modules. */
static int check_configuration(struct tool *t, const struct opts *o)
{
	const char *what = t->configuration ? "configuration" : "module";

	if (!of_files(t))
		return 0;
	if (t->modules && t->rest.len)
		return diag_error(&t->ds, NULL, "Unexpected argument",
				  "%s takes no operands.", opts_called(o));
	if (!t->o.json && !t->modules)
		return diag_error(
			&t->ds, NULL,
			arena_printf(&t->arena, "JSON output required for %s",
				     what),
			"A %s is shown as JSON only: -json is needed.", what);
	if (t->configuration + t->modules + (t->module.n > 0) > 1 ||
	    t->rest.len || t->current || t->outputs)
		return diag_error(
			&t->ds, NULL, "Conflicting object types to show",
			"-config, -module=DIR and -modules say what to show, and only one thing is shown.");
	return 0;
}

/* Finds the form that is asked for. */
static int check_form(struct tool *t)
{
	struct show_options *o = &t->o;

	if (t->summary)
		o->form = &form_summary;
	o->max_size = (size_t)t->max_size;
	return form_options(opts_given(&t->given, "format") ? &t->format : NULL,
			    opts_given(&t->given, "max-size") ? &t->max_size
							      : NULL,
			    o->show_sensitive, &o->form, &t->ds);
}

/* -1: go on; else the exit status. */
static int read_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "color", OPT_STRING, &t->color, "WHEN",
		  "colours: always, never or auto (on a terminal)",
		  .group = &text_color_group },
		{ "config", OPT_FLAG, &t->configuration, NULL,
		  "the current directory's configuration instead of input" },
		{ "current", OPT_FLAG, &t->current, NULL,
		  "the current workspace's state instead of input" },
		{ "detailed-exitcode", OPT_FLAG, &t->o.detailed_exitcode, NULL,
		  "exit with 2 when there is something to apply" },
		{ "explain", OPT_STRING, &t->o.explain, "ADDRESS",
		  "why the plan has this change" },
		{ "json", OPT_FLAG, &t->o.json, NULL,
		  "the published JSON instead of text", .group = &forms },
		{ "format", OPT_STRING, &t->format, "FORM",
		  "a plan as flat, html, md or tsv", .group = &forms },
		{ "json-into", OPT_STRING, &t->json_into, "FILE",
		  "the published JSON to a file, as well as text" },
		{ "max-size", OPT_INT, &t->max_size, "BYTES",
		  "with -format=md: no more than that (default 65536)" },
		{ "module", OPT_STRING, &t->module, "DIR",
		  "the module in that directory, for itself" },
		{ "modules", OPT_FLAG, &t->modules, NULL,
		  "the modules that the current directory's configuration calls" },
		{ "no-color", OPT_FLAG, &t->o.no_color, NULL,
		  "no terminal colours", .group = &text_color_group },
		{ "outputs", OPT_FLAG, &t->outputs, NULL,
		  "the outputs of a state; operand: one output's name" },
		{ "raw", OPT_FLAG, &t->oo.raw, NULL,
		  "with -outputs: the bare value" },
		{ "saved", OPT_FLAG, &t->o.saved, NULL,
		  "of a plan that failed, too, with status 0",
		  .flags = OPT_HIDDEN },
		{ "select", OPT_STRING, &t->select, "EXPR",
		  "those changes or objects alone (tf-select(1))" },
		{ "show-sensitive", OPT_FLAG, &t->o.show_sensitive, NULL,
		  "show sensitive values" },
		{ "state", OPT_STRING, &t->state_path, "FILE",
		  "with -current: this state file" },
		{ "summary", OPT_FLAG, &t->summary, NULL,
		  "a plan as a line a change", .group = &forms },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "a variable, with -current, -config, -module, -modules, or of encryption" },
		{ "var-file", OPT_LIST, &t->vars, "FILE",
		  "with -current, -config, -module, -modules: variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts opts = { "tf-show", "[FILE]", table, NULL };
	enum opts_result r;

	r = opts_parse(&t->arena, &opts, argc, argv, &t->rest, &t->given,
		       &t->ds);
	if (r != OPTS_RUN)
		return r == OPTS_DONE ? 0 : 1;
	if (t->rest.len > 1) {
		diag_error(
			&t->ds, NULL,
			t->outputs ? "Unexpected argument"
				   : "Too many command line arguments",
			"%s takes one operand at most, not \"%.*s\" as well.",
			opts_called(&opts), STR_ARG(t->rest.items[1]));
		return 1;
	}
	if (check_form(t) || check_given(t) || check_configuration(t, &opts) ||
	    text_color(t->color, &t->ds))
		return 1;
	if (t->select.p) {
		t->o.select = select_new(&t->arena, t->select, "-select",
					 STR_NONE, &t->ds);
		if (!t->o.select)
			return 1;
	}
	workdir_open(&t->arena, &t->workdir);
	t->o.workdir = &t->workdir;
	t->o.providers = installed_source(&t->arena, &t->workdir,
					  provider_default_host());
	return -1;
}

/* Skips input from a pipe, which the program before has checked. */
static int check(struct tool *t, int argc, char **argv)
{
	bool file =
		t->rest.len && !t->outputs && !str_is(t->rest.items[0], "-");

	if (!t->current && !file)
		return 0;
	return current_check_dir(&t->arena, &t->workdir, argc, argv,
				 file || t->state_path.n, &t->config,
				 &t->o.encryption, &t->ds);
}

static int read_current(struct tool *t)
{
	t->o.state =
		t->outputs
			? current_outputs(&t->arena, &t->workdir, t->state_path,
					  t->o.encryption, &t->ds)
			: current_state(&t->arena, &t->workdir, t->state_path,
					NULL, t->o.encryption, &t->ds);
	return t->o.state ? 0 : -1;
}

static int show_modules(struct tool *t)
{
	struct out out =
		OUT_INIT_AS(STDOUT_FILENO, t->o.json ? OUT_DATA : OUT_TEXT);
	struct buf b = BUF_INIT;
	int rc;

	if (t->o.json)
		modules_json(&t->arena, &b, t->config);
	else
		modules_text(&t->arena, &b, t->config);
	out_str(&out, buf_view(&b));
	rc = diags_written(&t->arena, &out);
	out_release(&out);
	buf_release(&b);
	return rc;
}

static int run_configuration(struct tool *t, int argc, char **argv)
{
	struct config_options o = { .dir = STR("."),
				    .workdir = &t->workdir,
				    .root_only = t->module.n };
	struct input_arg *args;
	size_t nargs;

	if (t->module.n)
		o.dir = t->module;
	else if (files_present() == 0)
		return diag_error(
			&t->ds, NULL, "No configuration files",
			"There is no configuration in this directory.");
	nargs = inputs_args(&t->arena, argc, argv, &args);
	t->config = load_configuration(&t->arena, args, nargs, &o, &t->ds);
	if (diags_failed(&t->ds))
		return -1;
	/* Drops the warnings, as OpenTofu does; there are no errors. */
	t->ds = (struct diags)DIAGS_INIT(&t->arena);
	if (t->modules)
		return show_modules(t);
	return show_config(&t->arena, t->config,
			   t->module.n ? NULL : t->o.providers, &t->ds);
}

static int run(struct tool *t)
{
	struct str name = STR("the state");
	int fd;

	if (t->outputs) {
		confine(&(struct confine){ 0 });
		t->oo.json = t->o.json;
		t->oo.no_color = t->o.no_color;
		t->oo.show_sensitive = t->o.show_sensitive;
		t->oo.name = t->rest.len ? t->rest.items[0] : STR_NONE;
		return outputs_run(&t->arena, &t->oo, t->o.state, STDIN_FILENO,
				   &t->ds);
	}
	fd = t->o.state ? STDIN_FILENO : show_open(&t->rest, &name, &t->ds);
	if (fd < 0)
		return 1;
	return t->json_into.n ? show_both(&t->arena, &t->o, fd, name,
					  t->json_into, &t->ds)
			      : show_run(&t->arena, &t->o, fd, name);
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT };
	int rc;

	io_init();
	trace_begin("tf-show");
	text_differences(diag_difference);
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0 && check(&t, argc, argv))
		rc = 1;
	if (rc < 0 && of_files(&t))
		rc = run_configuration(&t, argc, argv) ? 1 : 0;
	if (rc < 0)
		rc = t.current && read_current(&t) ? 1 : run(&t);
	if (t.o.no_color)
		text_no_color();
	diags_print(&t.ds, t.config ? &t.config->sources : NULL);
	select_free(t.o.select);
	arena_release(&t.arena);
	return trace_end(rc);
}
