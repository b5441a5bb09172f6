/*
 * tf-plan - what would change: refresh and plan (tf-plan(1))
 *
 * The work is in lib/engine.
 */
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "engine/change/events.h"
#include "engine/change/stop.h"
#include "engine/plan/graph_stage.h"
#include "engine/plan/plan.h"
#include "engine/stage/stage.h"
#include "engine/validate/validate.h"
#include "install/providers/installed.h"
#include "state/backend/encryption.h"
#include "ui/display.h"
#include "ui/front.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str dir, state_path, generate, import, import_id;
	struct str_vec given, vars, var_files;
	struct selector_options so;
	struct input_arg *args;
	size_t nargs;
	long parallelism, max_providers;
	bool json, show_sensitive, detailed_exitcode, validate, no_tests;
	bool refreshed;
	struct str cwd;
	struct stage in;
	struct stream_out out;
	struct display display;
	struct loop *loop;
	struct provider_source *providers;
	bool checked;         /* while reading: the outcome waits in */
	struct diags early;   /* what was found then */
	struct plan *plan;
};

static int read_options(struct tool *t, int argc, char **argv)
{
	struct opt selectors[SELECTOR_OPTS];
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "start from the configuration in DIR" },
		{ "detailed-exitcode", OPT_FLAG, &t->detailed_exitcode, NULL,
		  "exit with 2 when there is something to apply" },
		{ "display", OPT_FLAG, &t->display.asked, NULL,
		  "text for people, also where stdout is no terminal",
		  .group = &display_group },
		{ "generate-config-out", OPT_STRING, &t->generate, "FILE",
		  "name of the file for generated configuration" },
		{ "import", OPT_STRING, &t->import, "ADDRESS",
		  "import an object to this instance, plan nothing else" },
		{ "import-id", OPT_STRING, &t->import_id, "ID",
		  "which object: the provider's id of it" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "diagnostics as records instead of text on stderr" },
		{ "max-providers", OPT_INT, &t->max_providers, "N",
		  "provider processes at a time (default: 50)" },
		{ "no-tests", OPT_FLAG, &t->no_tests, NULL,
		  "with -validate: nothing about files of tests" },
		{ "parallelism", OPT_INT, &t->parallelism, "N",
		  "instances worked on at a time (default 10)" },
		{ "records", OPT_FLAG, &t->display.refused, NULL,
		  "records, also where stdout is a terminal",
		  .group = &display_group },
		{ "refreshed", OPT_FLAG, &t->refreshed, NULL,
		  "for tf-apply -refreshed: warn if there is nothing to read" },
		{ "show-sensitive", OPT_FLAG, &t->show_sensitive, NULL,
		  "do not redact when stdout is a terminal" },
		{ "state", OPT_STRING, &t->state_path, "FILE",
		  "state file (local backend)" },
		{ "validate", OPT_FLAG, &t->validate, NULL,
		  "only check the configuration" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "set a variable of the root module" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "set variables from a file" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-plan", "", table, selectors };

	selector_opts(&t->so, selectors);
	t->cwd = inputs_original_dir(&t->arena);
	t->nargs = inputs_args(&t->arena, argc, argv, &t->args);
	return front_options(&t->arena, &o, argc, argv, &t->dir, &t->given,
			     &t->ds);
}

/* The selectors: tf-graph's if it has run, but -refresh is ours too. */
static int choose_selectors(struct tool *t)
{
	static const char *const graph_options[] = {
		"target", "target-file", "exclude", "exclude-file", "replace",
		"destroy", "refresh-only", "state", NULL
	};
	struct selectors *s = &t->in.selectors;

	if (stage_check_options(&t->in, "tf-graph", graph_options, &t->given,
				&t->ds))
		return -1;
	if (t->import.n)
		t->so.refresh_only = true;
	if (!t->in.have_selectors)
		return selectors_parse(&t->arena, &t->so, s, &t->ds);
	if (!t->so.refresh)
		s->refresh = false;
	return selectors_check(s, &t->ds);
}

/* -generate-config-out makes a new file. */
static int check_generate(struct tool *t)
{
	if (!t->generate.n)
		return 0;
	if (t->in.selectors.mode != RUN_NORMAL)
		return diag_error(&t->ds, NULL,
				  "Invalid generate-config-out flag",
				  "Configuration is generated in normal "
				  "planning only.");
	if (access(t->generate.p, F_OK) == 0)
		return diag_error(&t->ds, NULL,
				  "Target generated file already exists",
				  "The file \"%.*s\" exists; generated "
				  "configuration goes to a new one.",
				  STR_ARG(t->generate));
	return 0;
}

/* Planning without any configuration would plan to destroy everything, which
 * must be asked for. */
static int check_present(struct tool *t)
{
	const struct config *c = t->in.config;
	const struct cfg_module *root = c->root;

	if (t->validate || t->in.selectors.mode == RUN_DESTROY ||
	    c->sources.by_name.len || root->managed.len || root->data.len ||
	    root->calls.len || root->outputs.len)
		return 0;
	return diag_error(&t->ds, NULL, "No configuration files",
			  "There is no configuration here, and a plan without "
			  "any would destroy everything. Use -destroy if that "
			  "is meant.");
}

/* The work of tf-eval and tf-graph, where they have not run. */
static int prepare(struct tool *t)
{
	struct inputs_options io = { .dir = STR("."), .environ = environ,
				     .args = t->args, .nargs = t->nargs,
				     .sources = &t->in.config->sources };

	if (choose_selectors(t) || check_present(t) || check_generate(t))
		return -1;
	/* Validating needs no values, but what gives them must be readable. */
	if (t->validate) {
		if (!inputs_collect(&t->arena, &io, &t->in.inputs, &t->ds))
			inputs_check_constants(&t->arena, &t->in.inputs,
					       t->in.config->root, &t->ds);
	} else if (stage_inputs(&t->in, &io, &t->ds)) {
		return -1;
	}
	if (diags_failed(&t->ds) ||
	    (!t->validate && stage_check(&t->in, &t->ds)))
		return -1;
	if (!t->in.have_selectors)
		selectors_write(&t->out, &t->in.selectors);
	if (t->in.state || t->validate)
		return t->validate ? 0
				   : graph_stage_edits(&t->in, &t->out, &t->ds);
	if (stage_load_state(&t->in, t->state_path, &t->ds))
		return -1;
	state_records(&t->out, t->in.state);
	return 0;
}

static struct str now(struct arena *a)
{
	time_t when = time(NULL);
	struct tm tm;
	char text[32];

	gmtime_r(&when, &tm);
	strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &tm);
	return str_dup(a, str_c(text));
}

static void run_options(struct tool *t, struct run_options *o)
{
	const struct selectors *s = &t->in.selectors;

	*o = (struct run_options){
		.mode = s->mode,
		.refresh = s->refresh,
		.importing = t->import.n != 0,
		.parallelism = t->parallelism > 0 ? (unsigned)t->parallelism
						  : 10,
		.targets = s->targets,
		.ntargets = s->ntargets,
		.excludes = s->excludes,
		.nexcludes = s->nexcludes,
		.replace = s->replace,
		.nreplace = s->nreplace,
		.timestamp = now(&t->arena),
		.dir = t->in.config->root->dir,
		.original_dir = t->cwd,
		.providers = t->providers,
		.overrides = overrides_any(&t->in.overrides)
				     ? &t->in.overrides : NULL,
	};
	if (t->in.state && t->in.state->workspace.n)
		o->workspace = t->in.state->workspace;
	else
		o->workspace = workspace_current(
			&t->arena, getenv("TF_DATA_DIR")
					   ? str_c(getenv("TF_DATA_DIR"))
					   : STR(".terraform"));
}

static int read_import(struct tool *t, struct instance_addr *out,
		       struct diags *ds)
{
	size_t from;

	if (!t->import_id.n)
		return diag_error(ds, NULL, "Invalid import option",
				  "-import needs -import-id: which object is to "
				  "be imported.");
	from = ds->len;
	if (!instance_addr_parse(&t->arena, t->import, out, ds))
		return 0;
	addr_told(ds, from, t->import);
	return -1;
}

/* By the schemas that are kept, and once more where one of them has changed:
 * before an error is told all are known to be right. */
static void validate(struct tool *t, const struct run_options *o,
		     struct diags *ds)
{
	struct provider_source *src = t->providers;
	struct diags own = DIAGS_INIT(&t->arena);
	struct diags asked = DIAGS_INIT(&t->arena);

	if (validate_run(t->loop, t->in.config, o, &own) && !src->changed &&
	    provider_source_confirm(src, t->loop, &asked))
		own = asked;
	if (src->changed) {
		src->changed = false;
		own = (struct diags)DIAGS_INIT(&t->arena);
		validate_run(t->loop, t->in.config, o, &own);
	}
	diags_append(ds, &own);
}

/* What needs the configuration and the providers alone. */
static void check(struct tool *t, struct diags *ds)
{
	struct run_options ro;

	t->checked = true;
	if (!t->validate && encryption_refuse(t->in.config, ds))
		return;
	if (!t->loop) {
		t->loop = loop_new();
		t->providers = installed_source(&t->arena,
						t->in.config->default_host);
		t->providers->keep_idle = true; /* validated, then planned */
		t->providers->trial = true;
	}
	if (installed_limit(t->providers, t->max_providers, ds))
		return;
	run_options(t, &ro);
	if (t->validate && !t->no_tests && files_have_tests("."))
		diag_warning(ds, NULL, "Test files are not checked",
			     "Files of tests are not read yet, so that they may "
			     "be wrong. -no-tests leaves this warning out.");
	if (!installed_check(t->providers, &t->arena, t->in.config,
			     t->validate, ds))
		validate(t, &ro, ds);
}

static void check_early(void *data)
{
	struct tool *t = data;

	t->early = (struct diags)DIAGS_INIT(&t->arena);
	check(t, &t->early);
}

/* Validates, if that is not done, and plans. */
static int attempt(struct tool *t, struct diags *ds)
{
	struct plan_options o = { .generate_config_path = t->generate,
				  .refreshed = t->refreshed };
	struct run_options ro;
	struct plan_import import;
	struct events events;

	if (t->checked)
		diags_append(ds, &t->early);
	else
		check(t, ds);
	if (t->validate || diags_failed(ds))
		return diags_failed(ds) ? -1 : 0;
	run_options(t, &ro);
	if (t->import.n) {
		ro.mode = RUN_REFRESH_ONLY;
		ro.refresh = false;
		import.id = t->import_id;
		if (read_import(t, &import.addr, ds))
			return -1;
		o.import = &import;
	}
	o.run = ro;
	o.inputs = t->in.inputs;
	events_init(&events, &t->arena, &t->out, t->loop);
	o.events = &events;
	t->plan = plan_run(&t->arena, t->loop, t->in.config, t->in.state, &o,
			   ds);
	return t->plan ? 0 : -1;
}

/* Again, if a provider's schema turns out to be another than the one that was
 * known: planning has no effects.  0, or 2 when there is something to apply. */
static int plan(struct tool *t)
{
	struct diags own = DIAGS_INIT(&t->arena);
	int rc = attempt(t, &own);

	if (t->providers && !stop_waits() &&
	    provider_source_confirm(t->providers, t->loop, &own))
		rc = -1;
	if (t->providers && t->providers->changed) {
		if (t->plan)
			plan_free(t->plan);
		t->plan = NULL;
		t->checked = t->providers->changed = false;
		own = (struct diags)DIAGS_INIT(&t->arena);
		rc = attempt(t, &own);
	}
	diags_append(&t->ds, &own);
	if (rc || !t->plan)
		return rc;
	overrides_write(&t->out, &t->in.overrides);
	plan_write(&t->out, t->plan);
	plan_write_generated(t->plan, &t->ds);
	return plan_has_changes(t->plan) ? 2 : 0;
}

static int run(struct tool *t)
{
	bool from_dir = stream_choose(t->dir) == STREAM_FROM_DIR, failed;
	struct diags early = DIAGS_INIT(&t->arena);
	int rc;

	t->in.arena = &t->arena;
	t->in.tool = STR("tf-plan");
	t->in.configured = check_early;
	t->in.data = t;
	stream_out_init(&t->out, display_start(&t->arena, &t->display, t->json,
					       t->validate ? "validate"
							   : "stream",
					       t->show_sensitive, &t->ds),
			t->show_sensitive);
	seal_all(t->out.seal);
	rc = stage_read(&t->in, from_dir, &t->out, &t->ds);
	if (rc && stop_waits()) { /* which the stages before have heard, too */
		t->ds.len = t->ds.errors = 0;
		diag_error(&t->ds, NULL, "execution halted",
			   "The run was interrupted before it was planned.");
	}
	stream_begin(&t->out, "tf-plan", &t->given);
	/* refresh and import do not say it */
	if (!t->refreshed && !t->import.n)
		installed_warn_overrides(&t->arena, &early);
	front_early(&t->out, &early, t->json, &t->display);
	if (!rc && !prepare(t))
		rc = plan(t);
	failed = rc == 1 || diags_failed(&t->ds);
	failed = front_end(&t->out, "tf-plan", &t->ds, &t->in.config->sources,
			   t->json, &t->display, failed);
	return failed ? 1 : t->detailed_exitcode && rc == 2 ? 2 : 0;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .so = { .refresh = true },
			  .max_providers = NO_LIMIT_GIVEN };
	int rc;

	io_init();
	stop_hold();
	t.ds.arena = &t.arena;
	rc = read_options(&t, argc, argv);
	if (rc < 0)
		rc = run(&t);
	if (t.plan)
		plan_free(t.plan);
	if (t.providers)
		provider_source_close(t.providers);
	if (t.loop)
		loop_free(t.loop);
	stream_out_release(&t.out);
	arena_release(&t.arena);
	return rc;
}
