/*
 * graph.h - dependency graphs: nodes with addresses, edges with reasons
 *
 * A node represents a configuration object (or, in the apply phase, what is
 * done to a resource's instances); an edge from A to B says that A depends on B
 * and may remember the reference that made it so.  Node numbers are indexes and
 * never change.  Every pass here is linear in nodes + edges.
 *
 * plan_graph.h and the engine define what the nodes mean.
 */
#ifndef TFPIPE_GRAPH_GRAPH_H
#define TFPIPE_GRAPH_GRAPH_H

#include "config/config.h"
#include "stream/stream.h"

struct graph_walk;

enum node_kind {
	NODE_RESOURCE, /* managed */
	NODE_DATA,
	NODE_EPHEMERAL,
	NODE_LOCAL,
	NODE_VARIABLE,
	NODE_OUTPUT,
	NODE_MODULE,       /* expansion of a module call */
	NODE_MODULE_CLOSE, /* everything in a module is done */
	NODE_PROVIDER,     /* a provider configuration */
	NODE_CHECK,
	NODE_ORPHAN,  /* in the state, not in the configuration */
	NODE_DEPOSED, /* deposed objects of a resource of the state */
	NODE_DESTROY, /* destroy side of a resource */
	NODE_JOIN,    /* only orders, so that n x m edges become n + m */
};

struct graph_node {
	enum node_kind kind;
	bool selected;      /* by -target and -exclude; true without them */
	struct str address; /* unique in the graph */
	struct cfg_module *module; /* it belongs to; NULL: to none */
	void *object;   /* by kind: cfg_resource *, cfg_local *, … */
	void *data;     /* the user's */
	uint32_t first; /* first outgoing edge, GRAPH_NONE: none */
	uint32_t last;
	uint32_t ndeps;
};

/* Of the configuration: managed, data or ephemeral. */
static inline bool node_is_resource(const struct graph_node *n)
{
	return n->kind == NODE_RESOURCE || n->kind == NODE_DATA ||
	       n->kind == NODE_EPHEMERAL;
}

static inline bool node_is_from_state(const struct graph_node *n)
{
	return n->kind == NODE_ORPHAN || n->kind == NODE_DESTROY ||
	       n->kind == NODE_DEPOSED;
}

enum { GRAPH_NONE = UINT32_MAX };

struct graph_edge {
	uint32_t from, to;
	uint32_t next;                   /* next edge of the same node */
	const struct traversal_ref *why; /* the reference; NULL: implied */
	const char *implied; /* why, when there is no reference: "provider",
	                        "depends_on module", …; may be NULL */
};

/* Not all that an edge leads to is meant, but these instances of it. */
struct graph_note {
	uint32_t edge;
	struct str_vec instances; /* their addresses */
};

struct graph {
	struct arena *arena;
	VEC(struct graph_note) notes; /* in order of their edges */
	VEC(struct graph_node) nodes;
	VEC(struct graph_edge) edges;
	struct map by_address; /* -> index + 1, as a pointer value */
	uint32_t *pairs; /* internal: a hash set of edges, counted from 1 */
	size_t npairs;   /* its size, a power of two */
};

struct graph *graph_new(struct arena *a);
/* Room for so many nodes (named of them not joins) and edges without growing,
 * in an empty graph: growing leaves the old arrays in the arena. */
void graph_reserve(struct graph *g, size_t nodes, size_t named, size_t edges);
/* The address must be new (except of joins, which graph_find does not find); it
 * is borrowed. */
uint32_t graph_add(struct graph *g, enum node_kind kind, struct str address,
		   struct cfg_module *module, void *object);
uint32_t graph_find(const struct graph *g, struct str address);
/* from depends on to; self-edges are kept (a cycle of one).  Of parallel edges
 * only the first is kept.  Returns the edge that there is now. */
uint32_t graph_edge(struct graph *g, uint32_t from, uint32_t to,
		    const struct traversal_ref *why, const char *implied);

/* From now on the node depends on nothing: its edges stay among g->edges, where
 * no node leads to them. */
void graph_cut(struct graph *g, uint32_t node);
/* Leaves the marked edges (a byte for each of g->edges) out of the graph, and
 * no others.  graph_edge does not add another between their nodes. */
void graph_leave_out(struct graph *g, const unsigned char *marked);

const char *node_kind_name(enum node_kind k);

/* Dependencies first; among ready nodes by node number (so the order is
 * deterministic).  out has room for all nodes.  Returns how many were ordered:
 * fewer than nodes.len means that there is a cycle. */
size_t graph_order(const struct graph *g, uint32_t *out);

/* A dependency of `from` on `to`, by their addresses. */
struct graph_link {
	struct str from, to;
};
struct graph_link_vec VEC_OF(struct graph_link);

/* A way along dependencies, of len nodes. */
struct graph_path {
	uint32_t *nodes;
	const struct graph_edge **edges; /* edges[i]: nodes[i] -> next */
	size_t len;
};

/* Marks in set[] (one byte a node) everything that the nodes already marked
 * depend on, or (reverse) that depends on them. */
void graph_reach(const struct graph *g, unsigned char *set, bool reverse);
/* Marks what the marked nodes depend on by edges that `follow` says yes to. */
typedef bool graph_follow_fn(const struct graph_node *from,
			     const struct graph_node *to);
void graph_reach_along(const struct graph *g, unsigned char *set,
		       graph_follow_fn *follow);

/* Notes that the edge that was just made, from this node, means the instance;
 * empty: nothing. */
void graph_note(struct graph *g, uint32_t from, struct str instance);
/* Notes instances at any edge that has no note yet; there may be none. */
void graph_note_edge(struct graph *g, uint32_t edge,
		     const struct str_vec *instances);
/* The note of the edge; NULL: none. */
const struct graph_note *graph_noted(const struct graph *g, uint32_t edge);

/*
 * A walk: start is called once for each node whose dependencies are all done;
 * the code that does the work calls graph_walk_done, at once or later.  Nodes
 * that depend on a failed one are not started: skip (may be NULL) is called for
 * them.
 */
struct graph_walk_ops {
	void (*start)(void *data, struct graph_walk *w, uint32_t node);
	void (*skip)(void *data, struct graph_walk *w, uint32_t node);
	void (*finished)(void *data, struct graph_walk *w);
};

/*
 * components.c: the strongly connected components of a graph (Tarjan): which
 * nodes depend on each other; without recursion, for graphs are deep
 */

/* Which nodes depend on each other: the number of each node's component, from 0
 * on, in a. */
uint32_t *graph_components(struct arena *a, const struct graph *g);

/* graph_walk.c: visiting nodes as their dependencies get done */

struct graph_walk *graph_walk_new(struct arena *a, const struct graph *g,
				  const struct graph_walk_ops *ops, void *data);
/* Starts whatever is ready; not recursive: graph_walk_done from inside start is
 * fine. */
void graph_walk_begin(struct graph_walk *w);
void graph_walk_done(struct graph_walk *w, uint32_t node, bool failed);
/* Nothing more is started; finished is called when what runs is done. */
void graph_walk_stop(struct graph_walk *w);
bool graph_walk_failed(const struct graph_walk *w, uint32_t node);

#endif
