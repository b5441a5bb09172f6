/*
 * picture.h - a graph drawn for people: clustered, reduced, folded, coloured
 *
 * What a picture shows are resources.  What lies between them in the graph
 * (values, modules, providers) is gone through, and an edge that a way of other
 * edges says as well is left out.  Where there are more resources than fit,
 * those that are alike are folded into one box, what does not change first.
 *
 * The same graph makes the same bytes.
 */
#ifndef TFPIPE_GRAPH_PICTURE_PICTURE_H
#define TFPIPE_GRAPH_PICTURE_PICTURE_H

#include "graph/graph.h"

/* What a plan does: what is said first of a box comes last here. */
enum picture_action {
	PICTURE_UNCHANGED,
	PICTURE_READ,
	PICTURE_CREATE,
	PICTURE_UPDATE,
	PICTURE_FORGET,
	PICTURE_REPLACE,
	PICTURE_DELETE,
	PICTURE_ACTIONS,
};

struct picture_tally { /* instances, by what is done to them */
	uint32_t n[PICTURE_ACTIONS];
};

enum picture_form { PICTURE_DOT, PICTURE_MERMAID, PICTURE_SVG };

enum { PICTURE_BOXES = 60 }; /* a screen or two */

/* max_boxes: 0 is any number.  tallies: one a node; NULL: there is no plan. */
void graph_picture(struct arena *a, const struct graph *g,
		   const struct picture_tally *tallies, size_t max_boxes,
		   enum picture_form form, struct buf *b);

#endif
