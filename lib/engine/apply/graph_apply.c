/* graph_apply.c - see apply.h */
#include <unistd.h>

#include "engine/apply/apply.h"
#include "config/record/records.h"
#include "engine/order/apply_graph.h"
#include "graph/draw.h"
#include "graph/picture/picture.h"
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

static int read_plan(struct graph_steps *g, struct apply_input *planned)
{
	struct str_vec *prior = &planned->prior;
	struct reading r = { .g = g, .planned = planned };
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
	return 0;
}

/* --- what is done to the nodes --- */

static enum picture_action shown_as(enum action a)
{
	switch (a) {
	case ACTION_CREATE:
		return PICTURE_CREATE;
	case ACTION_READ:
		return PICTURE_READ;
	case ACTION_UPDATE:
		return PICTURE_UPDATE;
	case ACTION_DELETE_CREATE:
	case ACTION_CREATE_DELETE:
	case ACTION_FORGET_CREATE:
		return PICTURE_REPLACE;
	case ACTION_DELETE:
		return PICTURE_DELETE;
	case ACTION_FORGET:
		return PICTURE_FORGET;
	default:
		return PICTURE_UNCHANGED;
	}
}

/* Nodes of old objects are named for it: "a (destroy)". */
static bool count_at(struct graph_steps *g, struct str address,
		     const char *done, struct str deposed,
		     enum picture_action a)
{
	const char *also = deposed.n ? *done ? " deposed " : "deposed" : "";
	const struct str key = *done ? deposed : STR_NONE;
	uint32_t n;

	if (*done || deposed.n)
		address =
			str_printf(g->arena, "%.*s (%s%s%.*s)",
				   STR_ARG(address), done, also, STR_ARG(key));
	n = graph_find(g->graph, address);
	if (n == GRAPH_NONE)
		return false;
	g->tallies[n].n[a]++;
	return true;
}

/* The node of the object, or the one that stands for it among others; what is
 * replaced has two while it is applied. */
static void count_change(struct graph_steps *g, const struct change *c)
{
	const enum picture_action a = shown_as(c->action);
	struct instance_addr at = c->addr;
	struct module_step *steps;

	for (int level = 0; level < 3; level++) {
		const struct str name = instance_addr_text(g->arena, &at);

		bool found = count_at(g, name, "", c->deposed, a);

		if (a >= PICTURE_FORGET) {
			found |= count_at(g, name, "destroy", c->deposed, a);
			found |= count_at(g, name, "forget", c->deposed, a);
		}
		if (found)
			return;
		at.key = (struct inst_key){ .kind = KEY_NONE };
		if (!level)
			continue;
		steps = arena_dup(g->arena, at.module.steps,
				  at.module.len * sizeof(*steps));
		for (size_t i = 0; i < at.module.len; i++)
			steps[i].key = at.key;
		at.module.steps = steps;
	}
}

static void count_changes(struct graph_steps *g,
			  const struct apply_input *planned)
{
	const struct change_vec *all = &planned->said.changes.changes;

	if (!planned->said.have_plan)
		return;
	g->tallies = ARENA_ARRAY(g->arena, struct picture_tally,
				 g->graph->nodes.len + 1);
	for (size_t i = 0; i < all->len; i++)
		count_change(g, all->items[i]);
}

int graph_steps_planned(struct graph_steps *g, struct apply_input *planned)
{
	int rc = read_plan(g, planned);
	struct plan_graph *pg;

	if (rc)
		return rc;
	if (!planned->said.have_plan)
		return diag_error(
			g->ds, NULL, "No plan",
			"The input is no plan: -plan wants what tf-plan writes.");
	pg = plan_graph_build(g->arena, planned->config, g->in.state,
			      PLAN_GRAPH_NORMAL, g->ds);
	if (!pg)
		return -1;
	g->graph = pg->g;
	count_changes(g, planned);
	return 0;
}

int graph_steps_apply(struct graph_steps *g, struct apply_input *planned)
{
	int rc = read_plan(g, planned);
	struct apply_graph *ag;

	if (rc)
		return rc;
	ag = apply_input_graph(g->arena, planned, g->in.state, g->ds);
	if (!ag)
		return -1;
	g->graph = ag->g;
	count_changes(g, planned);
	graph_records(g->out, g->graph, "apply");
	return 0;
}
