/* plan_link.c - dependencies added to a graph by an edit */
#include "graph/plan_graph.h"
#include "graph/draw.h"

int plan_graph_link(struct plan_graph *pg, const struct graph_link_vec *links,
		    struct diags *ds)
{
	for (size_t i = 0; i < links->len; i++) {
		uint32_t from = graph_find(pg->g, links->items[i].from);
		uint32_t to = graph_find(pg->g, links->items[i].to);

		if (from != GRAPH_NONE && to != GRAPH_NONE)
			graph_edge(pg->g, from, to, NULL, "edited");
	}
	return links->len ? graph_check_cycles(pg->g->arena, pg->g, ds) : 0;
}
