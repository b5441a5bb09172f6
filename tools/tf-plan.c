/*
 * tf-plan - what would change: refresh and plan (tf-plan(1))
 *
 * The work is in lib/engine.
 */
#include "base/workdir.h"
#include "engine/change/events.h"
#include "engine/plan/plan.h"
#include "install/providers/installed.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/diag_text.h"
#include "ui/display.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct workdir workdir;
	struct str dir;
	struct str_vec given, vars, var_files;
	bool json, show_sensitive, detailed_exitcode, seal;
	struct plan_steps stage;
	struct stream_out out;
	struct display display;
};

static const struct plan_providers installed = {
	.source = installed_source,
	.limit = installed_limit,
	.check = installed_check,
};

static int read_options(struct tool *t, int argc, char **argv)
{
	struct plan_steps *p = &t->stage;
	struct opt selectors[SELECTOR_OPTS];
	struct input_arg *args;
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "start from the configuration in DIR" },
		{ "deny", OPT_LIST, &p->deny, "EXPR",
		  "fail if this is true of a change (tf-select(1))" },
		{ "detailed-exitcode", OPT_FLAG, &t->detailed_exitcode, NULL,
		  "exit with 2 when there is something to apply" },
		{ "display", OPT_FLAG, &t->display.asked, NULL,
		  "text for people, also where stdout is no terminal",
		  .group = &display_group },
		{ "generate-config-out", OPT_STRING, &p->generate, "FILE",
		  "name of the file for generated configuration" },
		{ "import", OPT_STRING, &p->import, "ADDRESS",
		  "import an object to this instance, plan nothing else" },
		{ "import-id", OPT_STRING, &p->import_id, "ID",
		  "which object: the provider's id of it" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "lean", OPT_FLAG, &p->in.lean, NULL,
		  "in tf's own pipe: the values are those of tf-eval",
		  .flags = OPT_HIDDEN },
		{ "max-providers", OPT_INT, &p->max_providers, "N",
		  "provider processes at a time (default: 50)" },
		{ "no-tests", OPT_FLAG, &p->no_tests, NULL,
		  "with -validate: do not check files of tests" },
		{ "parallelism", OPT_INT, &p->parallelism, "N",
		  "instances worked on at a time (default 10)" },
		{ "records", OPT_FLAG, &t->display.refused, NULL,
		  "records, also where stdout is a terminal",
		  .group = &display_group },
		{ "refreshed", OPT_FLAG, &p->refreshed, NULL,
		  "for tf-apply -refreshed: warn if there is nothing to read" },
		{ "seal", OPT_FLAG, &t->seal, NULL,
		  "find out what was edited, and let the next stage do so (default true)" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal" },
		{ "state", OPT_STRING, &p->state_path, "FILE",
		  "state file (local backend)" },
		{ "test-directory", OPT_STRING, &p->test_dir, "DIR",
		  "with -validate: where files of tests are (default tests)" },
		{ "validate", OPT_FLAG, &p->validate, NULL,
		  "only check the configuration" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "set a variable of the root module" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "set variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-plan", "", table, selectors };

	selector_opts(&p->so, selectors);
	p->cwd = workdir_before(&t->arena);
	p->nargs = inputs_args(&t->arena, argc, argv, &args);
	p->args = args;
	return front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			     &t->ds);
}

static int run(struct tool *t)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR, failed;
	struct diags early = DIAGS_INIT(&t->arena);
	struct plan_steps *p = &t->stage;
	int rc;

	stream_out_init(&t->out,
			display_start(&t->arena, &t->display, t->json,
				      p->validate ? "validate" : "stream",
				      t->show_sensitive, &t->ds),
			t->show_sensitive);
	seal_all(t->out.seal);
	if (!t->seal)
		stream_without_seal(&t->out);
	workdir_open(&t->arena, &t->workdir);
	rc = plan_steps_read(p, from_dir);
	stream_begin(&t->out, "tf-plan", &t->given);
	/* refresh and import do not warn of it */
	if (!p->refreshed && !p->import.p)
		installed_warn_overrides(&t->arena, &early);
	front_early(&t->out, &early, t->json, &t->display);
	if (!rc)
		rc = plan_steps_run(p);
	failed = rc == 1 || diags_failed(&t->ds);
	failed = front_end(&t->out, "tf-plan", &t->ds, &p->in.config->sources,
			   t->json, &t->display, failed);
	return failed ? 1 : t->detailed_exitcode && rc == 2 ? 2 : 0;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .seal = true,
			  .stage = { .max_providers = NO_LIMIT_GIVEN } };
	int rc;

	io_init();
	trace_begin("tf-plan");
	text_differences(diag_difference);
	stop_hold();
	t.ds.arena = &t.arena;
	t.stage.arena = &t.arena;
	t.stage.ds = &t.ds;
	t.stage.out = &t.out;
	t.stage.given = &t.given;
	t.stage.providers = &installed;
	t.stage.in.workdir = &t.workdir;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	plan_steps_release(&t.stage);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return trace_end(rc);
}
