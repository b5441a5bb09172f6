/* plan_steps.c - see plan.h */
#include <time.h>
#include <unistd.h>

#include "engine/plan/plan.h"
#include "base/workdir.h"
#include "addr/walk.h"
#include "config/load/test.h"
#include "engine/change/events.h"
#include "engine/plan/plan_int.h"
#include "engine/run/assertions.h"
#include "engine/run/inputs.h"
#include "engine/validate/validate.h"
#include "provider/open.h"
#include "provider/schema_cache.h"
#include "state/file/file.h"

/* --- before the plan --- */

/* The selectors: tf-graph's if it has run, but -refresh is ours too. */
static int choose_selectors(struct plan_steps *p)
{
	static const char *const graph_options[] = { "target",  "target-file",
						     "exclude", "exclude-file",
						     "replace", "replace-file",
						     "destroy", "refresh-only",
						     "state",   NULL };
	struct selectors *s = &p->in.selectors;

	p->so.replace_later = true; /* when all is validated */
	if (stage_check_options(&p->in, "tf-graph", graph_options, p->given,
				p->ds))
		return -1;
	if (p->import.p) /* "" is a wrong one */
		p->so.refresh_only = true;
	if (!p->in.have_selectors)
		return selectors_parse(p->arena, &p->so, s, p->ds);
	return selectors_refresh(&p->so, s, p->ds) || selectors_check(s, p->ds)
		       ? -1
		       : 0;
}

/* -generate-config-out makes a new file. */
static int check_generate(struct plan_steps *p)
{
	if (!p->generate.n)
		return 0;
	if (p->in.selectors.mode != RUN_NORMAL)
		return diag_error(
			p->ds, NULL, "Invalid generate-config-out flag",
			"Configuration is generated in normal planning only.");
	if (access(p->generate.p, F_OK) == 0)
		return diag_error(
			p->ds, NULL, "Target generated file already exists",
			"The file \"%.*s\" exists; generated configuration goes to a new one.",
			STR_ARG(p->generate));
	return 0;
}

/* Planning without any configuration would plan to destroy everything, which
 * must be asked for; what is only refreshed stays. */
static int check_present(struct plan_steps *p)
{
	const struct config *c = p->in.config;
	const struct cfg_module *root = c->root;

	if (p->validate || p->refreshed ||
	    p->in.selectors.mode == RUN_DESTROY || c->sources.by_name.len ||
	    root->managed.len || root->data.len || root->calls.len ||
	    root->outputs.len)
		return 0;
	return diag_error(p->ds, NULL, "No configuration files",
			  "There is no configuration here, and a plan without "
			  "any would destroy everything. Use -destroy if that "
			  "is meant.");
}

/* The work of tf-eval and tf-graph, where they have not run. */
static int prepare(struct plan_steps *p)
{
	const struct inputs_options io =
		inputs_given(p->args, p->nargs, &p->in.config->sources);

	if (plan_deny_read(p) || choose_selectors(p) || check_present(p) ||
	    check_generate(p))
		return -1;
	/* Validating needs no values, but what gives them must be readable. */
	if (p->validate) {
		if (!inputs_collect(p->arena, &io, &p->in.inputs, p->ds))
			inputs_check_constants(p->arena, &p->in.inputs,
					       p->in.config->root, p->ds);
	} else if (stage_inputs(&p->in, &io, p->ds)) {
		return -1;
	}
	if (diags_failed(p->ds) || (!p->validate && stage_check(&p->in, p->ds)))
		return -1;
	if (!p->in.have_selectors)
		selectors_write(p->out, &p->in.selectors);
	stage_warn_plain(&p->in, p->out, p->ds);
	if (p->in.state || p->validate)
		return p->validate ? 0
				   : graph_stage_edits(&p->in, p->out, p->ds);
	p->in.plans = true;
	if (stage_load_state(&p->in, p->state_path, p->ds))
		return -1;
	state_records(p->out, p->in.state);
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

static void run_options(struct plan_steps *p, struct run_options *o)
{
	const struct selectors *s = &p->in.selectors;

	*o = (struct run_options){
		.mode = s->mode,
		/* No plan to destroy says which objects are to be read: as in
		 * Terraform none is. */
		.refresh = s->refresh &&
			   !(s->minimal_refresh && s->mode == RUN_DESTROY),
		.minimal_refresh = s->minimal_refresh,
		.refresh_older_than = s->refresh_older_than,
		.importing = p->import.p != NULL,
		.parallelism = p->slots,
		.only = s->set,
		.timestamp = now(p->arena),
		.dir = p->in.config->root->dir,
		.original_dir = p->cwd,
		.providers = p->source,
		.encryption = p->in.encryption,
		.overrides = overrides_any(&p->in.overrides) ? &p->in.overrides
							     : NULL,
	};
	if (p->in.state && p->in.state->workspace.n)
		o->workspace = p->in.state->workspace;
	else
		o->workspace = p->in.workdir->workspace;
}

/* --- validation --- */

/* Validates by the kept schemas, and once more if one of them has changed: all
 * are known to be right before an error is reported. */
static void validate(struct plan_steps *p, const struct run_options *o,
		     struct diags *ds)
{
	struct provider_source *src = p->source;
	struct diags own = DIAGS_INIT(p->arena);
	struct diags asked = DIAGS_INIT(p->arena);

	if (validate_run(p->loop, p->in.config, o, &own) && !src->changed &&
	    provider_source_confirm(src, p->loop, &asked))
		own = asked;
	if (src->changed) {
		src->changed = false;
		own = (struct diags)DIAGS_INIT(p->arena);
		validate_run(p->loop, p->in.config, o, &own);
	}
	diags_append(ds, &own);
}

/* Runs the checks that need only the configuration and the providers. */
static void check(struct plan_steps *p, struct diags *ds)
{
	struct cfg_test_file_vec tests = { NULL, 0, 0 };
	struct run_options ro;

	p->checked = true;
	if (!p->loop) {
		p->loop = loop_new();
		p->source = p->providers->source(p->arena, p->in.workdir,
						 p->in.config->default_host);
		p->source->keep_idle = true; /* validated, then planned */
		p->source->trial = true;
	}
	if (run_parallelism(p->parallelism, &p->slots, ds) ||
	    p->providers->limit(p->source, p->max_providers, ds))
		return;
	run_options(p, &ro);
	if (p->validate && !p->no_tests &&
	    test_files(p->in.config, STR("."),
		       p->test_dir.n ? p->test_dir : STR("tests"), &tests, ds))
		return;
	/* tests, too, take what is installed, whatever the lock file selects */
	if (!p->providers->check(p->source, p->arena, p->in.config,
				 p->validate || p->in.config->test, ds))
		validate(p, &ro, ds);
}

static void check_early(void *data)
{
	struct plan_steps *p = data;

	p->early = (struct diags)DIAGS_INIT(p->arena);
	check(p, &p->early);
}

/* --- the plan --- */

static int read_import(struct plan_steps *p, struct instance_addr *out,
		       struct diags *ds)
{
	size_t from;

	if (!p->import_id.p)
		return diag_error(
			ds, NULL, "Invalid import option",
			"-import needs -import-id: which object is to be imported.");
	from = ds->len;
	if (!instance_addr_parse(p->arena, p->import, out, ds))
		return 0;
	addr_told(ds, from, p->import);
	return -1;
}

/* Validates, if that is not done, and plans. */
static int attempt(struct plan_steps *p, struct diags *ds)
{
	struct plan_options o = { .workdir = p->in.workdir,
				  .generate_config_path = p->generate,
				  .refreshed = p->refreshed };
	struct run_options ro;
	struct plan_import import;
	struct events events;

	if (p->checked)
		diags_append(ds, &p->early);
	else
		check(p, ds);
	if (p->validate || diags_failed(ds))
		return diags_failed(ds) ? -1 : 0;
	run_options(p, &ro);
	if (p->import.p) {
		ro.mode = RUN_REFRESH_ONLY;
		ro.refresh = false;
		import.id = p->import_id;
		if (read_import(p, &import.addr, ds))
			return -1;
		o.import = &import;
	}
	o.run = ro;
	o.inputs = p->in.inputs;
	events_init(&events, p->arena, p->out, p->loop);
	o.events = &events;
	p->plan =
		plan_run(p->arena, p->loop, p->in.config, p->in.state, &o, ds);
	events_slowest(&events, "plan");
	if (!p->plan)
		return -1;
	/* What still ends, as the providers do, is told to nobody. */
	p->plan->opts.events = NULL;
	return 0;
}

/* Again, if a provider's schema turns out to be another than the one that was
 * known: planning has no effects.  0, or 2 when there is something to apply. */
static int plan(struct plan_steps *p)
{
	struct diags own = DIAGS_INIT(p->arena);
	int rc = attempt(p, &own);

	if (p->source && !stop_waits() &&
	    provider_source_confirm(p->source, p->loop, &own))
		rc = -1;
	if (p->source && p->source->changed) {
		if (p->plan)
			plan_free(p->plan);
		p->plan = NULL;
		p->checked = p->source->changed = false;
		own = (struct diags)DIAGS_INIT(p->arena);
		rc = attempt(p, &own);
	}
	diags_append(p->ds, &own);
	if (rc || !p->plan)
		return rc;
	if (p->in.config->test && p->in.config->test->plan)
		assertions_check(p->plan->run, p->ds);
	plan_deny(p, p->ds);
	overrides_write(p->out, &p->in.overrides);
	plan_write(p->out, p->plan);
	plan_write_generated(p->plan, p->ds);
	return plan_has_changes(p->plan) ? 2 : 0;
}

/* --- the stage --- */

int plan_steps_read(struct plan_steps *p, bool from_dir)
{
	int rc;

	p->in.arena = p->arena;
	p->in.tool = STR("tf-plan");
	p->in.args = p->args;
	p->in.nargs = p->nargs;
	p->in.configured = check_early;
	p->in.data = p;
	rc = stage_read(&p->in, from_dir, p->out, p->ds);
	if (rc && stop_waits()) { /* which the stages before have heard, too */
		diags_clear(p->ds);
		diag_error(p->ds, NULL, "execution halted",
			   "The run was interrupted before it was planned.");
	}
	return rc;
}

int plan_steps_run(struct plan_steps *p)
{
	return prepare(p) ? -1 : plan(p);
}

void plan_steps_release(struct plan_steps *p)
{
	plan_deny_release(p);
	if (p->plan)
		plan_free(p->plan);
	if (p->source)
		provider_source_close(p->source);
	if (p->loop)
		loop_free(p->loop);
}
