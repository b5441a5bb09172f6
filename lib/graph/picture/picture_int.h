/* picture_int.h - a picture, before it has a form */
#ifndef TFPIPE_GRAPH_PICTURE_PICTURE_INT_H
#define TFPIPE_GRAPH_PICTURE_PICTURE_INT_H

#include "graph/picture/picture.h"

struct picture_box {
	struct str label; /* within its module */
	struct str brief; /* the same, without the middle of a long one */
	struct str more;  /* how many it stands for; or empty */
	struct str title; /* what it is in full */
	uint32_t module;
	uint32_t resources; /* nodes of the graph that it stands for */
	enum picture_action action;
	struct picture_tally tally;
	bool managed;  /* not only read */
	bool selected; /* some of it */
};

struct picture_module {
	struct str path; /* empty: the root */
	struct str label;
	uint32_t parent; /* GRAPH_NONE: it is the root */
	uint32_t boxes;  /* in it itself */
	bool drawn;      /* as a cluster */
};

struct picture_edge {
	uint32_t from, to;
	bool back; /* folding has made a cycle, which this one closes */
};

struct picture_box_vec VEC_OF(struct picture_box);
struct picture_module_vec VEC_OF(struct picture_module);
struct picture_edge_vec VEC_OF(struct picture_edge);

struct picture {
	struct arena *arena;
	const struct graph *graph;
	bool planned;
	struct picture_box_vec boxes;
	struct picture_module_vec modules; /* parents first */
	struct picture_edge_vec edges;     /* by from, then to */
	uint32_t *box_of;     /* by node; GRAPH_NONE: it is not drawn */
	size_t resources;     /* nodes that are drawn or folded */
	size_t folded, folds; /* of these into so many boxes */
	struct picture_tally all;
};

/* picture_words.c: what is written into a picture, and how wide it is */

/* Of an action: its words, its sign, and its name as a class. */
const char *picture_action_words(enum picture_action a);
const char *picture_action_sign(enum picture_action a);
const char *picture_action_class(enum picture_action a);
/* What was folded, a sentence; empty if nothing was. */
struct str picture_folded_words(const struct picture *p);
/* 12,345; and 12,345 things. */
struct str picture_number(struct arena *a, size_t n);
struct str picture_counted(struct arena *a, size_t n, const char *what);
/* Keys may be long: the middle of such a label is left out. */
struct str picture_shortened(struct arena *a, struct str label);
/* How wide a text is, in columns of a terminal, and one of these. */
size_t picture_cells(struct str text);
enum { PICTURE_CELL = 73 }; /* tenths of a pixel */

/* picture_edges.c: which boxes depend on which, no edge too many */
void picture_connect(struct picture *p);

/* picture_text.c, picture_svg.c: the forms */
void picture_dot(const struct picture *p, struct buf *b);
void picture_mermaid(const struct picture *p, struct buf *b);
void picture_svg(const struct picture *p, struct buf *b);

/*
 * picture_layout.c: where boxes lie
 *
 * What depends lies left of what it depends on: a box has the column that the
 * longest way from it gives.  Modules are rectangles over the columns of what
 * is in them, and what is in one lies above or below what else is in these
 * columns, so no two meet.  An edge over several columns has a lane of its own
 * in those between, so that it runs under no box.
 */

struct layout_point {
	int x, y;
};
struct layout_line { /* of an edge: it starts and ends at boxes */
	struct layout_point from, to; /* in neighbouring columns */
	int width; /* of the lane behind it, which ends there; 0: a box */
	bool back, begins, ends; /* with an arrow */
};
struct layout_line_vec VEC_OF(struct layout_line);
struct layout_rect {
	int x, y, w, h;
};

struct layout {
	struct layout_rect *boxes;   /* by box */
	struct layout_rect *modules; /* by module; only of those drawn */
	struct layout_line_vec lines;
	int width, height;
};

void picture_layout(const struct picture *p, struct layout *out);

#endif
