/* graph_apply.c - see apply.h */
#include <unistd.h>

#include "engine/apply/apply.h"
#include "config/record/records.h"
#include "engine/order/apply_graph.h"
#include "graph/draw.h"
#include "state/file/file.h"
#include "stream/stream.h"

struct reading {
	struct graph_steps *g;
	struct apply_input *planned;
	bool again; /* the input has an apply phase already */
};

/* A record of a plan: the state that the changes start from is needed too. */
static int read_planned(void *data, struct str kind, struct str line,
			struct diags *ds)
{
	struct reading *r = data;

	if (str_is(kind, "node") && !r->again &&
	    str_find(line, STR("\"phase\":\"apply\"")) >= 0) {
		r->again = true;
		return diag_error(
			ds, NULL, "Stage has run already",
			"The input went through tf-graph -apply once.");
	}
	if ((str_is(kind, "state") || str_is(kind, "previous_run_state")) &&
	    state_read_record(r->g->in.state, NULL, kind, line, ds) < 0)
		return -1;
	return apply_read(r->planned, kind, line, ds);
}

int graph_steps_apply(struct graph_steps *g, struct apply_input *planned)
{
	struct str_vec *prior = &planned->prior;
	struct reading r = { .g = g, .planned = planned };
	struct apply_graph *ag;
	int rc;

	apply_input_init(planned, g->arena);
	g->in.config = planned->config;
	g->in.state = state_new(g->arena);
	seal_all(g->out->seal);
	rc = stream_read(g->arena, STDIN_FILENO, &g->in.info, g->out,
			 read_planned, &r, g->ds);
	stream_begin(g->out, "tf-graph", g->given);
	if (rc)
		return rc;
	if (g->in.info.failed)
		return 1;
	if (edits_check_apply(g->arena, g->out, &g->in.info, &planned->edits,
			      g->ds) ||
	    (planned->said.have_plan ? apply_read_finish(planned, g->ds)
				     : config_finish(planned->config, g->ds)))
		return -1;
	for (size_t i = 0; i < prior->len; i++)
		if (state_read_record(NULL, g->in.state, STR("prior_state"),
				      prior->items[i], g->ds))
			return -1;
	ag = apply_input_graph(g->arena, planned, g->in.state, g->ds);
	if (!ag)
		return -1;
	g->graph = ag->g;
	graph_records(g->out, g->graph, "apply");
	return 0;
}
