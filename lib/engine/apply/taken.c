/* taken.c - changes that the user took out of the plan, and the consequences */
#include "engine/apply/apply_int.h"
#include "addr/walk.h"

enum { NAMED = 5 }; /* changes that the warning names */

int taken_addresses(struct arena *a, const struct taken_vec *taken,
		    const struct instance_addr **out, struct diags *ds)
{
	struct instance_addr *all =
		ARENA_ARRAY(a, struct instance_addr, taken->len + 1);

	for (size_t i = 0; i < taken->len; i++) {
		struct str text = taken->items[i].address;
		ptrdiff_t end = str_find(text, STR(" deposed "));

		if (end >= 0)
			text = str_sub(text, 0, (size_t)end);
		if (instance_addr_parse(a, text, &all[i], ds))
			return -1;
	}
	*out = all;
	return 0;
}

bool apply_output_stays(const struct apply *ap, struct str name)
{
	uint32_t node;

	if (!ap->in->edits.taken.len || !ap->graph)
		return false;
	node = graph_find(ap->graph->g,
			  STR_CAT(ap->arena, STR("output."), name));
	return node != GRAPH_NONE && apply_node(ap->graph, node)->stays;
}

static void add_changes(struct buf *b, const struct taken_vec *taken)
{
	for (size_t i = 0; i < taken->len && i < NAMED; i++)
		buf_addf(b, "%s%.*s (%.*s)", i ? ", " : "",
			 STR_ARG(taken->items[i].address),
			 STR_ARG(taken->items[i].action));
	if (taken->len > NAMED)
		buf_addf(b, " and %zu more", taken->len - NAMED);
}

static void add_outputs(const struct apply *ap, struct buf *b)
{
	const struct map *outputs = &ap->in->config->root->outputs;

	for (size_t i = 0; i < outputs->len; i++)
		if (apply_output_stays(ap, outputs->entries[i].key))
			buf_addf(b, "%s%.*s", b->len ? ", " : "",
				 STR_ARG(outputs->entries[i].key));
}

void apply_warn_taken(struct apply *ap)
{
	struct buf changes = BUF_INIT, outputs = BUF_INIT;

	if (!ap->in->edits.taken.len)
		return;
	add_changes(&changes, &ap->in->edits.taken);
	add_outputs(ap, &outputs);
	diag_warning(
		ap->ds, NULL, "The plan was edited",
		"Changes were taken out of it after tf-plan, and are not "
		"made: %.*s.%s%.*s%s The next plan has them again.",
		STR_ARG(buf_view(&changes)),
		outputs.len
			? " Outputs that derive from them stay as they were: "
			: "",
		STR_ARG(buf_view(&outputs)), outputs.len ? "." : "");
	buf_release(&changes);
	buf_release(&outputs);
}

int taken_nodes_check(const struct apply_edits *edits, const struct graph *g,
		      struct diags *ds)
{
	for (size_t i = 0; edits->nodes_taken && i < g->nodes.len; i++) {
		const struct graph_node *n = &g->nodes.items[i];

		if (n->kind == NODE_JOIN || map_has(&edits->nodes, n->address))
			continue;
		return override_refused(
			ds, "node", n->address,
			"It was taken out, and the plan still needs it. Take "
			"out what it is there for: the resource_change and "
			"the planned record of the change.");
	}
	return 0;
}
