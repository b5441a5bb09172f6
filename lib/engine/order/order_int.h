/*
 * order_int.h - what the files of the apply graph share
 *
 * The graph is built once: the nodes and edges of the configuration
 * (apply_graph.c), the nodes of the changes (planned.c), the edges of
 * destroying (edges.c).  An edge that may be left out has a strength (weak.c).
 * Then nodes that nothing needs are found (outputs.c, needed.c).
 */
#ifndef TFPIPE_ENGINE_ORDER_INT_H
#define TFPIPE_ENGINE_ORDER_INT_H

#include "engine/order/apply_graph.h"

/*
 * When an edge gives way.  Where a cycle has edges of several strengths, those
 * of the first give way, and only if that does not break it those of the next.
 */
enum strength {
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
	GROUP_USERS, /* evaluate expressions; do not create before destroying */
	GROUP_DESTROYERS,
	GROUP_EARLY_DESTROYERS, /* of these: before creating */
	GROUP_LATE_DESTROYERS,  /* of these: after creating */
	GROUP_KINDS,
};

struct node_list VEC_OF(uint32_t);

/* Nodes between which and others there is one edge instead of many. */
struct node_group {
	struct node_list members;
	uint32_t before, after; /* joins; GRAPH_NONE: not made */
	bool known;             /* are these two? */
	bool mixed;             /* the members have different providers */
	bool may_hurry;         /* one of the members may: order.may_hurry */
};

/* The nodes of a resource: in all instances of its module, in those below some
 * instance of a module around it, or in one instance (a local family). */
struct family {
	const struct instance_addr *addr; /* of one of its objects */
	size_t keyed; /* its objects share the instances of so many modules */
	struct str address; /* with the keys of these; "[]": has no key, though
	                       other instances of the call have one */
	bool previous;      /* of objects by their addresses before a move */
	struct node_group groups[GROUP_KINDS];
	bool late; /* something that is destroyed late depended on it */
	VEC(struct change *) gone;   /* its changes that only destroy */
	VEC(struct family *) locals; /* of all instances: the local families */
	bool listed;                 /* is among the locals */
};
struct family_vec VEC_OF(struct family *);

struct dependent { /* a node whose object depends on something */
	uint32_t node;
	struct family *local;
	struct family *previous; /* the local family before a move; `local` if
	                            nothing moved; NULL: `on` is new */
	struct dependencies on;
	bool planned;  /* `on` is what the new object depends on */
	bool borrowed; /* `on` is of the current object, the node destroys a
	                  deposed one */
	bool destroys;
	bool late; /* destroys after creating; creates before destroying */
};

struct weak_edge {
	uint32_t from, to;
	enum strength strength;
	const char *implied;
	const struct traversal_ref *why;
	/* from is the join before this group; NULL: an edge gives way whole.
	 * `base` is the strength that d says of its members at most. */
	struct node_group *group;
	const struct dependent *d;
	enum strength base;
	uint32_t
		edge; /* in the graph; GRAPH_NONE: a parallel one is stronger */
	bool given_way;
};

struct config_ends { /* of a node of the plan graph, in this one */
	uint32_t in, out;
};

struct user_reference { /* users refers to gone, in any instances */
	struct family *users, *gone;
};

struct ordering { /* the builder */
	struct arena *a;
	struct arena scratch;
	const struct config *config;
	const struct state *state;
	const struct apply_graph_options *o;
	struct apply_graph *ag;
	struct graph *g;
	struct config_ends *ends; /* by node of the plan graph */
	struct map families;      /* address -> struct family * */
	/* Families by their addresses before moves; only families that
	 * something moved into or out of. */
	struct map previous;
	/* path.t.n[key] without keys of modules -> node_list *: what a
	 * reference with a literal key means */
	struct map instance_nodes;
	VEC(struct dependent) dependents;
	VEC(struct user_reference) references;
	VEC(struct weak_edge) weak;
	size_t ninserted;                        /* of weak: in the graph */
	struct family_vec found, found_previous; /* of order_families, … */
	struct map calls; /* static path -> unsigned *: kinds of its keys */
	bool any_mixed;   /* a call has instances with keys and one without */
	bool any_late;    /* something is destroyed late */
	/* By node: destroys late, for the sake of others, what depends on
	 * something remade. */
	unsigned char *may_hurry;
	struct diags *ds;
};

/* --- family.c: families and their joins --- */

uint32_t order_node(struct ordering *o, enum node_kind kind,
		    enum apply_kind what, struct str address, struct change *c,
		    const struct cfg_resource *config);
uint32_t order_join(struct ordering *o, struct str name);
/* The join that all members wait for, and the one that waits for all. */
uint32_t group_before(struct ordering *o, struct family *f,
		      enum group_kind kind);
uint32_t group_after(struct ordering *o, struct family *f,
		     enum group_kind kind);
/* To be called before any family is made. */
void order_note_calls(struct ordering *o, const struct change_vec *changes);
/* Makes the families of the previous addresses, if the object has moved.  To be
 * called before anything is entered into families. */
void order_note_move(struct ordering *o, const struct change *c);
struct family *order_local_family(struct ordering *o,
				  const struct instance_addr *i);
struct family *order_config_family(struct ordering *o,
				   const struct instance_addr *i);
/* All families that i belongs to, from that of all instances to the local one.
 * Good until the next call. */
const struct family_vec *order_families(struct ordering *o,
					const struct instance_addr *i);
/* The families of the change's previous address in o->previous. */
const struct family_vec *order_previous_families(struct ordering *o,
						 const struct change *c);
/* The local family at the change's previous address; `local` if nothing moved
 * into or out of it. */
struct family *order_previous_family(struct ordering *o, const struct change *c,
				     struct family *local);

/* moved: the family is meant only by an address before a move. */
typedef void order_family_fn(void *data, struct family *f, bool moved);

/* Calls visit for each family that these dependencies of an object mean: the
 * one of that address as seen from the module instance of `user`, and the one
 * that had the address before a move as seen from `previous`, where the object
 * was then (NULL: the dependencies are new). */
void order_each_dependency(struct ordering *o, const struct family *user,
			   const struct family *previous,
			   struct dependencies on, order_family_fn *visit,
			   void *data);
/* The part of `whole` in the module instances that f is in, too; whole itself
 * if they share none with a key; NULL if it has no such part. */
struct family *order_seen_from(struct ordering *o, const struct family *f,
			       struct family *whole);

/* --- late.c: what is destroyed late --- */

/* Does the old object go late by its own account: when the new one is there, or
 * as its state says? */
bool order_is_late(const struct change *c, const struct state_instance *si);
/* Notes which resources were moved and which must go late. */
void order_note_late(struct ordering *o, const struct change_vec *changes);
/* Does a change that only destroys go late, for the sake of what depended on
 * its object? */
bool order_forced_late(struct ordering *o, const struct change *c);

/* --- planned.c: the nodes of the changes --- */

/* The changed object as the state has it; may be NULL. */
struct state_instance *order_prior(const struct ordering *o,
				   const struct change *c);
/* Does the node create before the old object is destroyed, by its own account?
 */
bool order_keeps_first(const struct apply_node *an);
int order_change(struct ordering *o, struct change *c);
/* The nodes that a reference to address with this key means; NULL: none. */
const struct node_list *order_keyed_nodes(const struct ordering *o,
					  struct str address,
					  struct inst_key literal);
/* A deposed object goes after whatever is done to the current one. */
void order_connect_deposed(struct ordering *o);

/* --- edges.c: the edges of destroying --- */

/* Enters a node into the families at the change's present and previous address.
 */
void order_enter(struct ordering *o, uint32_t node, const struct change *c,
		 bool destroys, bool late);
/* Enters a node that creates or destroys, and what it depends on: what its
 * object si depends on, and the current object where that is another.  d says
 * what the node does. */
void order_depends(struct ordering *o, struct dependent d,
		   const struct change *c, const struct state_instance *si,
		   const struct state_instance *current);
/* Nodes that evaluate the resource `from` wait until the destroyed objects of
 * `to`, which it refers to, are gone. */
void order_reference(struct ordering *o, struct str from, struct str to);
void order_destroy_edges(struct ordering *o);
/* The strength of "m after d" where it is `base` but for its providers and for
 * what m does. */
enum strength order_strength(const struct ordering *o, uint32_t m,
			     const struct dependent *d, enum strength base);

/* --- weak.c: edges that give way --- */

/* Notes an edge, or adds it if it is EDGE_HARD. */
void order_edge(struct ordering *o, struct weak_edge e);
/* Adds the edges that were noted.  Hard edges between the same nodes must be
 * there by then. */
void order_add_weak(struct ordering *o);
/* Takes edges out of the graph until no cycle has any that may give way. */
void order_give_way(struct ordering *o);

/* --- outputs.c, needed.c: what is done at all --- */

/* Under -target and -exclude, and where changes were taken out of the plan:
 * updates the root outputs that derive only from nodes that are worked on, and
 * from none whose change was taken out. */
void order_select_outputs(struct ordering *o);
/* Marks what nodes that do something need; the rest does nothing, and nobody
 * waits for what is behind it. */
void order_mark_needed(struct ordering *o);

#endif
