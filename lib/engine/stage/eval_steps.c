/* eval_steps.c - see eval_steps.h */
#include <unistd.h>

#include "base/didyoumean.h"
#include "base/workdir.h"
#include "engine/stage/eval_steps.h"
#include "addr/target.h"
#include "encrypt/encrypt.h"
#include "config/check/refs.h"
#include "config/record/records.h"
#include "config/module.h"
#include "engine/run/expand.h"
#include "engine/run/inputs.h"
#include "engine/stage/console.h"
#include "engine/stage/stage.h"
#include "engine/stage/edits.h"
#include "engine/stage/eval_stage.h"
#include "stream/stream.h"

static struct inputs_options given(struct eval_steps *e)
{
	return inputs_given(e->args, e->nargs, &e->config->sources);
}

int eval_steps_load(struct eval_steps *e)
{
	struct inputs_options io;
	struct config_options o = { .dir = STR("."),
				    .workdir = e->workdir,
				    .stepwise = e->console };

	e->config = load_configuration(e->arena, e->args, e->nargs, &o, e->ds);
	if (e->console)
		load_check_backend(e->arena, e->workdir, e->config, e->args,
				   e->nargs, true, e->ds);
	if (!e->ds->errors)
		return 0;
	io = given(e);
	inputs_unreadable(e->arena, &io, e->ds);
	return -1;
}

static int take_record(void *data, struct str kind, struct str line,
		       struct diags *ds)
{
	struct eval_steps *e = data;
	int rc = config_read_record(e->config, kind, line, ds);

	return rc > 0 ? 0 : rc;
}

static int read_stream(struct eval_steps *e)
{
	struct diags quiet = DIAGS_INIT(e->arena);
	int rc;

	e->config = config_new(e->arena);
	e->config->outline = true;
	e->config->frame = e->lean;
	e->config->frame_early = encryption_asked(NULL);
	rc = stream_read(e->arena, STDIN_FILENO, &e->info, e->out, take_record,
			 e, e->ds);
	if (rc == 0 && stream_has_stage(&e->info, "tf-eval"))
		rc = diag_error(e->ds, NULL, "Stage already done",
				"The stream went through tf-eval before.");
	if (rc == 0 && !e->info.failed)
		rc = edits_check_eval(e->arena, e->out, &e->info, e->ds);
	/* the output of a failed stage need not be consistent */
	if (config_finish(e->config, rc || e->info.failed ? &quiet : e->ds))
		rc = e->info.failed ? rc : -1;
	return rc;
}

static int get_inputs(struct eval_steps *e)
{
	struct inputs_options io = given(e);

	return inputs_collect(e->arena, &io, &e->inputs, e->ds);
}

static int start(struct eval_steps *e, struct provider_source *providers,
		 struct state *state, bool unknown_inputs)
{
	struct run_options o = { .phase = RUN_EVAL,
				 .dir = STR("."),
				 .workspace = e->workdir->workspace,
				 .console = unknown_inputs,
				 .providers = providers,
				 .original_dir = e->cwd };

	e->loop = loop_new();
	e->run = run_new(e->arena, e->loop, e->config, state, &o, e->ds);
	e->run->inputs = e->inputs;
	if (unknown_inputs)
		console_unknown_inputs(e->run);
	return inputs_parse(e->arena, &e->run->inputs, e->config->root, e->ds);
}

/* --- the stage --- */

/* Missing values are neither asked for nor reported if the backend is not
 * ready: OpenTofu checks it first.  They are listed for callers that can ask
 * for them and run the stage again. */
static int look_for_missing(struct eval_steps *e)
{
	struct encryption *unused;
	struct str_vec names = { 0 };

	missing_inputs(e->config->root, &e->inputs, e->arena, &names);
	if (!names.len)
		return 0;
	if (current_check(e->arena, e->workdir, e->config, &e->inputs, &unused,
			  e->ds))
		return -1;
	if (!e->missing_file.n)
		return 0;
	e->lacking = true;
	inputs_write_missing(e->missing_file, e->config->root, &names, e->ds);
	return -1;
}

static void evaluate_all(struct eval_steps *e)
{
	if (get_inputs(e) || look_for_missing(e))
		return;
	if (!start(e, NULL, NULL, false) &&
	    !load_check_sources(e->arena, e->workdir, e->config, &e->inputs,
				e->ds))
		eval_stage_write(e->run, e->out, e->lean, e->ds);
}

static void stage_from_dir(struct eval_steps *e)
{
	int rc = eval_steps_load(e);

	stream_begin(e->out, "tf-eval", e->given);
	if (rc || e->ds->errors) {
		config_write_sources(e->out, e->config);
		return;
	}
	config_check_references(e->config, e->ds);
	config_write(e->out, e->config);
	if (!e->ds->errors)
		evaluate_all(e);
}

static void stage_from_stream(struct eval_steps *e)
{
	int rc = read_stream(e);

	stream_begin(e->out, "tf-eval", e->given);
	if (rc || e->info.failed)
		return;
	evaluate_all(e);
}

bool eval_steps_stage(struct eval_steps *e, bool from_dir)
{
	if (from_dir)
		stage_from_dir(e);
	else
		stage_from_stream(e);
	return e->ds->errors || e->info.failed || e->lacking;
}

int eval_steps_missing(struct eval_steps *e, bool from_dir,
		       struct str_vec *names)
{
	struct out *out = &e->out->out;
	int rc, fd = out->fd;

	out->fd = -1; /* the stream is not passed on */
	rc = from_dir ? eval_steps_load(e) : read_stream(e);
	buf_set_len(&out->buf, 0);
	out->fd = fd;
	if (rc || e->info.failed || get_inputs(e))
		return -1;
	missing_inputs(e->config->root, &e->inputs, e->arena, names);
	return 0;
}

/* --- expressions --- */

/* Finds the module instance that expressions are evaluated in. */
static int enter_scope(struct eval_steps *e)
{
	struct diags quiet = DIAGS_INIT(e->arena);
	struct target t;

	e->module = e->run->root;
	if (!e->scope.n)
		return 0;
	if (target_parse(e->arena, e->scope, "scope", &t, e->ds))
		return -1;
	if (t.kind != TARGET_MODULE)
		return diag_error(
			e->ds, NULL, "Invalid scope",
			"-scope takes the address of an instance of a module, not %.*s.",
			STR_ARG(e->scope));
	e->module = run_module(e->run, t.addr.module, &quiet);
	if (e->module)
		return 0;
	return diag_error(e->ds, NULL, "Invalid scope",
			  "There is no instance of a module at %.*s.%.*s",
			  STR_ARG(e->scope),
			  STR_ARG(didyoumean_key(e->arena, e->scope,
						 &e->run->config->modules)));
}

int eval_steps_open(struct eval_steps *e, struct provider_source *providers)
{
	const size_t errors = e->ds->errors;
	struct encryption *enc;
	struct state *state = NULL;

	if (get_inputs(e))
		return -1;
	if (e->console) {
		if (!current_check(e->arena, e->workdir, e->config, &e->inputs,
				   &enc, e->ds))
			state = current_state(e->arena, e->workdir,
					      e->state_path, e->config, enc,
					      e->ds);
		if (!state || config_check_arguments(e->config, e->ds))
			return -1;
	}
	/* the backend may have read values that are wrong before */
	if (start(e, providers, state, true) || e->ds->errors != errors)
		return -1;
	if (enter_scope(e))
		return -1;
	if (eval_stage_check(e->run, e->ds))
		diag_warning(e->ds, NULL,
			     "Due to the problems above, some expressions may "
			     "produce unexpected results.",
			     "%s", "");
	return 0;
}

void eval_steps_release(struct eval_steps *e)
{
	if (e->run)
		run_free(e->run);
	if (e->loop)
		loop_free(e->loop);
}
