/*
 * order_int.h - what the files of the apply graph share
 *
 * The graph is built once: the nodes and edges of the configuration
 * (apply_graph.c), the nodes of the changes (planned.c), the edges of
 * destroying (edges.c) between families of them (family.c).  Each edge has a
 * strength, by which it gives way in a cycle (weak.c).  Then nodes that nothing
 * needs are found (needed.c).
 */
#ifndef TFPIPE_ENGINE_ORDER_INT_H
#define TFPIPE_ENGINE_ORDER_INT_H

#include "engine/order/apply_graph.h"

/*
 * When an edge gives way.  Where a cycle has edges of several strengths, those
 * of the first give way, and only if that does not break it those of the next.
 */
enum strength {
	/* Each member of its group has an edge of its own instead. */
	EDGE_EXPANDED,
	/* What waits for a whole module waits for a variable that nothing in it
	 * uses: what a module is given is not what it does. */
	EDGE_UNUSED,
	/* Nothing goes wrong if the later operation comes first.  Gives way to
	 * whatever else closes the cycle. */
	EDGE_UNNECESSARY,
	/* Makes an object that is only destroyed go late.  Gives way where what
	 * it depended on is made again after the old object is gone. */
	EDGE_LATE,
	/* Destroys a dependent before an object of another provider.  Gives way
	 * where the dependent's provider is configured with that object. */
	EDGE_PROVIDERS,
	/* Holds between objects as they were before one of them moved.  Gives
	 * way where the configuration of now asks for another order. */
	EDGE_MOVES,
	/* Never gives way: a cycle of such edges is an error. */
	EDGE_HARD,
};

/* The nodes of a family, by what they do. */
enum group_kind {
	GROUP_CREATORS, /* changes other than no-op */
	GROUP_KEPT,     /* of these: updates, and what is created before the old
	                   object is destroyed */
	GROUP_NEW,      /* of these: what had no object */
	GROUP_REMADE,   /* of these: what is created after the old object is
	                   destroyed */
	GROUP_DESTROYERS,
	GROUP_EARLY_DESTROYERS, /* of these: before creating */
	GROUP_LATE_DESTROYERS,  /* of these: after creating */
	GROUP_KINDS,
};
#define IN(kind) (1u << GROUP_##kind)

enum group_side { BEFORE_ALL, AFTER_ALL };

struct node_list VEC_OF(uint32_t);

/* What a node does to an object. */
struct operation {
	uint32_t node;
	const struct change *change;
	bool destroys;
	bool late;      /* destroys after creating */
	bool may_hurry; /* destroys late, for the sake of others, what depends
			   on something remade */
	VEC(struct family *) families; /* that it belongs to */
	struct family *local;          /* the one of its module instance */
	struct family *before; /* the same before moves, if any are made */
	const struct state_instance *prior;   /* the object; NULL: none */
	const struct state_instance *current; /* if that is another than the
						 one that is destroyed */
};

/* Operations between which and others there is one edge instead of many. */
struct node_group VEC_OF(struct operation *);

/* The operations on a resource: in all instances of its module, in those below
 * some instance of a module around it, or in one instance (a local family). */
struct family {
	const struct instance_addr *addr; /* of one of its objects */
	struct str address; /* with the keys of the instances of modules */
	bool previous;      /* of what had that address before moves */
	bool late; /* something that is destroyed late depended on it */
	struct node_group groups[GROUP_KINDS];
	uint32_t joins[GROUP_KINDS][2]; /* by side; GRAPH_NONE: not made */
};

/* An edge from the join before a group.  `base` is the strength that op says of
 * its members at most. */
struct group_edge {
	uint32_t edge;
	const struct node_group *group;
	const struct operation *op;
	enum strength base;
};

struct config_ends { /* of a node of the plan graph, in this one */
	uint32_t in, out;
};

struct ordering { /* the builder */
	struct arena *a;
	struct arena scratch;
	const struct config *config;
	const struct state *state;
	const struct apply_graph_options *o;
	struct apply_graph *ag;
	struct graph *g;          /* ag's, which is made */
	const struct graph *plan; /* the plan graph's */
	struct config_ends *ends; /* by node of that */
	struct map families[2];   /* address -> struct family *: now, and
				     before moves if any are made */
	/* path.t.n[key] without keys of modules -> node_list *: what a
	 * reference with a literal key means */
	struct map instance_nodes;
	VEC(struct operation *) operations;
	VEC(struct operation *) late; /* of these: destroy late */
	VEC(unsigned char) strengths; /* enum strength, by edge */
	VEC(struct group_edge) group_edges;
	bool moved;    /* some change is of another address than before */
	bool destroys; /* some operation does */
	struct diags *ds;
};

/* A cleared mark for each node of a graph, until o->scratch is reset. */
static inline unsigned char *order_marks(struct ordering *o,
					 const struct graph *g)
{
	return ARENA_ARRAY(&o->scratch, unsigned char, g->nodes.len + 1);
}

/* --- weak.c: edges that give way --- */

/* Adds an edge: of parallel ones the strongest counts. */
uint32_t order_edge(struct ordering *o, uint32_t from, uint32_t to,
		    enum strength s, const struct traversal_ref *why,
		    const char *implied);
/* Adds one that never gives way. */
static inline void order_after(struct ordering *o, uint32_t from, uint32_t to,
			       const char *implied)
{
	order_edge(o, from, to, EDGE_HARD, NULL, implied);
}
/* Takes those edges out of the graph that give way. */
void order_give_way(struct ordering *o);

/* --- family.c: families and their joins --- */

/* The entry of that key, which is made if need be; text is released. */
struct map_entry *order_entry(struct ordering *o, struct map *m,
			      struct buf *text);

uint32_t order_node(struct ordering *o, enum node_kind kind, struct str address,
		    struct cfg_module *module, void *object);
uint32_t order_join(struct ordering *o, struct str name);
/* The join that all members wait for (BEFORE_ALL), or that waits for all; the
 * member itself where there is one. */
uint32_t order_group(struct ordering *o, struct family *f, enum group_kind kind,
		     enum group_side side);
/* Is the change of a resource that had another address? */
bool order_moves(const struct change *c);
/* Enters op into these groups of its families: bits, by IN(). */
void order_enter(struct ordering *o, struct operation *op, unsigned groups);
/* Adds what a node does, and enters it into the families of the present and,
 * once o->moved is known, the previous address of its change.  late: by its own
 * account.  prior: the object that it is done to, or NULL. */
struct operation *order_operation(struct ordering *o, uint32_t node,
				  const struct change *c, unsigned groups,
				  bool late,
				  const struct state_instance *prior);
/* Whose dependencies these are. */
enum dependency_kind {
	DEPENDED,         /* the object's, as the state has them */
	CURRENT_DEPENDS,  /* the current object's; a deposed one is destroyed */
	DEPENDS_FROM_NOW, /* the new object's */
};

struct dependency {
	struct operation *op;
	struct family *on;
	enum dependency_kind whose;
	bool moved; /* only an address before a move means the family */
};
typedef void order_dependency_fn(struct ordering *o,
				 const struct dependency *d);

/* Calls visit for each family that the dependencies mean: the one of that
 * address as seen from the module instance of op and, if they are not new, the
 * one that had the address before moves as seen from where op's object was. */
void order_each_dependency(struct ordering *o, struct operation *op,
			   enum dependency_kind whose,
			   order_dependency_fn *visit);

/* --- planned.c: the nodes of the changes --- */

int order_change(struct ordering *o, struct change *c);
/* The nodes that a reference to address with this key means. */
const struct node_list *order_keyed_nodes(struct ordering *o,
					  struct str address,
					  struct inst_key literal);

/* --- edges.c: the edges of destroying --- */

void order_destroy_edges(struct ordering *o);
/* Adds an edge from each of the group to op, as strong as their providers and
 * what they do let it be, at most `base`. */
void order_members(struct ordering *o, const struct node_group *g,
		   const struct operation *op, enum strength base);

/* --- needed.c: what is done at all --- */

/* Under -target and -exclude, and where changes were taken out of the plan:
 * updates the root outputs that derive only from nodes that are worked on, and
 * from none whose change was taken out. */
void order_select_outputs(struct ordering *o);
/* Marks what nodes that do something need; the rest does nothing, and nobody
 * waits for what is behind it. */
void order_mark_needed(struct ordering *o);

#endif
