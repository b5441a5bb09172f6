/*
 * root.c - the root module, and the values that its sources may use; or the
 * whole configuration, from a stream
 */
#include <unistd.h>

#include "engine/run/inputs.h"
#include "funcs/table.h"
#include "config/load/load.h"
#include "config/record/records.h"
#include "config/module.h"
#include "engine/stage/eval_steps.h"
#include "install/init/init_int.h"
#include "state/file/file.h"
#include "stream/stream.h"

/* For a caller that asks for the values and runs this again.  Is there any? */
static bool write_missing(struct init *t)
{
	struct str_vec names = { 0 };

	if (!t->missing_file.n || !t->input)
		return false;
	missing_early(t->arena, &t->o, t->backend, &names);
	if (names.len)
		inputs_write_missing(t->missing_file, t->config->root, &names,
				     t->ds);
	return names.len > 0;
}

static struct inputs_options given(struct init *t)
{
	return inputs_given(t->args, t->nargs, &t->config->sources);
}

/* Values of root variables, for sources that use them.  Others may be wrong. */
static int collect_variables(struct init *t)
{
	struct arena *a = t->arena;
	struct inputs_options io = given(t);
	struct diags unused = DIAGS_INIT(a);
	struct inputs in = { 0 };

	if (inputs_collect(a, &io, &in, t->ds))
		return -1;
	inputs_values(a, t->config->root, &in, &t->variables, &unused);
	t->o.variables = &t->variables;
	if (write_missing(t))
		return 1;
	return inputs_check_constants(a, &in, t->config->root, t->ds);
}

static void set_options(struct init *t)
{
	t->o.dir = STR(".");
	t->o.workdir = &t->workdir;
	t->o.function = funcs_find;
}

struct taken { /* from the stream */
	struct init *t;
	struct inputs inputs;
	struct stream_info info;
};

static int take_record(void *data, struct str kind, struct str line,
		       struct diags *ds)
{
	struct taken *k = data;
	struct init *t = k->t;
	int rc;

	if (str_is(kind, "state") && !t->state)
		t->state = state_new(t->arena);
	rc = t->state ? state_read_record(t->state, NULL, kind, line, ds) : 1;
	if (rc > 0)
		rc = config_read_record(t->config, kind, line, ds);
	if (rc > 0)
		rc = inputs_read(t->arena, kind, line, &k->inputs, ds);
	return rc < 0 ? -1 : 0;
}

/* The values of tf-eval count, whatever the environment has here. */
static int collect_unless_there(struct init *t, struct taken *k)
{
	struct inputs_options io = given(t);

	if (!stream_has_stage(&k->info, "tf-eval"))
		return inputs_collect(t->arena, &io, &k->inputs, t->ds);
	if (!t->nargs)
		return 0;
	return diag_error(
		t->ds, NULL, "Conflicting options",
		"-var and -var-file belong to tf-eval, which has run already.");
}

int init_read_stream(struct init *t)
{
	struct taken k = { .t = t };
	struct diags unused = DIAGS_INIT(t->arena);
	int rc;

	set_options(t);
	if (isatty(STDIN_FILENO))
		return diag_error(
			t->ds, NULL, "No input",
			"-stream reads a stream from standard input: tf-parse | tf-init -stream.");
	t->config = config_new(t->arena);
	rc = stream_read(t->arena, STDIN_FILENO, &k.info, t->stream,
			 take_record, &k, t->ds);
	if (rc || k.info.failed) {
		arena_release(&t->config->scratch); /* nobody finishes it */
		return rc ? -1 : 1;
	}
	if (config_finish(t->config, t->ds) || collect_unless_there(t, &k))
		return -1;
	inputs_values(t->arena, t->config->root, &k.inputs, &t->variables,
		      &unused);
	t->o.variables = &t->variables;
	return 0;
}

int init_load_root(struct init *t)
{
	struct inputs_options io;
	int rc;

	set_options(t);
	t->o.root_only = true;
	t->config = config_load(t->arena, &t->o, t->ds);
	if (t->ds->errors && t->config->early_values) {
		/* only with the values it is known what is wrong */
		*t->ds = (struct diags)DIAGS_INIT(t->arena);
		if ((rc = collect_variables(t)))
			return rc;
		*t->ds = (struct diags)DIAGS_INIT(t->arena);
		t->config = config_load(t->arena, &t->o, t->ds);
	}
	t->o.root_only = false;
	if (t->ds->errors && !t->get_only) {
		io = given(t);
		inputs_unreadable(t->arena, &io, t->ds);
		return -1;
	}
	/* Loading all of it will report the root module's errors again. */
	t->early = *t->ds;
	*t->ds = (struct diags)DIAGS_INIT(t->arena);
	rc = collect_variables(t);
	if (rc == 0)
		*t->ds = (struct diags)DIAGS_INIT(t->arena);
	return rc;
}
