/* graph_steps.c - see plan.h */
#include "engine/plan/plan.h"
#include "base/confine.h"
#include "encrypt/encrypt.h"
#include "engine/plan/plan_int.h"
#include "engine/stage/eval_steps.h"
#include "engine/stage/stage.h"
#include "graph/draw.h"
#include "state/file/file.h"
#include "stream/stream.h"

/* Collects the inputs for the arguments of a backend and the keys of providers,
 * if tf-eval has not run; all must be readable, as in OpenTofu.  Keys are shown
 * where they are known: other stages report missing values. */
static int inputs(struct graph_steps *g)
{
	const struct inputs_options io =
		inputs_given(g->in.args, g->in.nargs, &g->in.config->sources);
	struct diags quiet = DIAGS_INIT(g->arena);

	if (stream_has_stage(&g->in.info, "tf-eval"))
		return 0;
	if (inputs_collect(g->arena, &io, &g->in.inputs, g->ds))
		return -1;
	if (chosen_any(g->in.config))
		stage_inputs(&g->in, &io, &quiet);
	return 0;
}

/* tf-plan builds the graph again, after it has validated the configuration by
 * the schemas: errors of the graph may only result from errors there. */
static int write_graph(struct graph_steps *g, bool state_loaded)
{
	struct diags later = DIAGS_INIT(g->arena);
	struct diags *ds = g->leave_errors ? &later : g->ds;
	struct plan_graph *pg =
		g->in.lean ? NULL : graph_stage_build(&g->in, ds);

	if (state_loaded)
		state_records(g->out, g->in.state);
	if (!pg)
		return g->leave_errors ? 0 : -1;
	if (chosen_any(g->in.config))
		chosen_note(g->arena, pg, &g->in.inputs,
			    g->in.state->workspace);
	g->graph = pg->g;
	graph_records(g->out, g->graph, "plan");
	return 0;
}

/* With the state read, nothing is written, and nobody asked, any more. */
static void stay(struct graph_steps *g)
{
	const bool refused = !g->asks_hosts; /* from the beginning */

	if (g->stays)
		return;
	g->stays = true;
	confine(&(struct confine){ .programs = refused, .network = refused });
}

/* Is all that makes the graph of use?  In tf's own pipe nobody reads that, but
 * from it is known which rows of a state a selection needs. */
static bool needs_graph(struct graph_steps *g)
{
	const struct selector_options *o = &g->so;
	const bool narrows = o->target.len || o->exclude.len ||
			     o->target_files.len || o->exclude_files.len;

	return !g->in.lean ||
	       (narrows &&
		current_by_row(g->arena, g->in.workdir, g->state_path));
}

int graph_steps_plan(struct graph_steps *g, bool from_dir)
{
	static const char *const eval_options[] = { NULL };
	struct input_arg *args; /* those of `tf graph` */
	bool loaded = false;
	int rc;

	g->in.nargs = inputs_args(g->arena, 0, NULL, &args);
	g->in.args = args;
	g->in.arena = g->arena;
	g->in.tool = STR("tf-graph");
	g->in.frame = !needs_graph(g);
	g->so.replace_later = g->leave_errors;
	if (!from_dir && !g->encrypts)
		stage_state_ahead(&g->in, g->state_path);
	if (g->in.ahead)
		stay(g);
	rc = stage_read(&g->in, from_dir, g->out, g->ds);
	stream_begin(g->out, "tf-graph", g->given);
	if (rc)
		return rc;
	if (stage_check_options(&g->in, "tf-eval", eval_options, g->given,
				g->ds) ||
	    selectors_parse(g->arena, &g->so, &g->in.selectors, g->ds) ||
	    inputs(g) || stage_check(&g->in, g->ds))
		return -1;
	stage_warn_plain(&g->in, g->out, g->ds);
	selectors_write(g->out, &g->in.selectors);
	out_flush(&g->out->out); /* the next stage can begin with something */
	encryption_hand_on(g->in.encryption);
	if (!g->in.state) {
		g->in.plans = g->leave_errors; /* as tf plan wants it */
		if (target_set_narrows(&g->in.selectors.set) &&
		    current_by_row(g->arena, g->in.workdir, g->state_path))
			g->in.part = graph_stage_part(&g->in);
		if (stage_load_state(&g->in, g->state_path, g->ds))
			return -1;
		loaded = true;
	}
	stay(g);
	return write_graph(g, loaded);
}
