/* apply_graph_int.h - what the files of the apply graph share */
#ifndef TFPIPE_ENGINE_ORDER_APPLY_GRAPH_INT_H
#define TFPIPE_ENGINE_ORDER_APPLY_GRAPH_INT_H

#include "engine/order/apply_graph.h"

struct node_list VEC_OF(uint32_t);

/* A join over nodes, made when it is first needed: `before` is what all of
 * them wait for, `after` waits for all of them. */
struct gather {
	struct str address; /* with what: the name of the joins */
	const char *what;
	struct node_list members;
	uint32_t before, after; /* GRAPH_NONE: not made */
};

/* The actions on a resource: in all instances of its module, in those below an
 * instance of a module around it, or in one of them (a local family). */
struct family {
	struct str address;     /* module.a.module.b.t.n, with keys after a, or
	                           after both; [] if a has none, others of its
	                           call one */
	struct str module;      /* that without t.n */
	struct str module_path; /* static: module.a.module.b */
	struct gather creators; /* changes other than no-op */
	struct gather kept;     /* of these, those that do not wait until their
	                           own old object is gone, without reads */
	struct gather users;    /* nodes that evaluate, unless they create
	                           before destroying */
	struct gather destroyers;     /* destroying before creating */
	struct gather destroyers_cbd; /* creating before destroying */
	struct gather all_destroyers;
	bool late;   /* something that goes late depended on it */
	bool remade; /* of it something is made when its old object is gone */
	VEC(struct change *) gone;   /* its changes that only destroy */
	VEC(struct family *) locals; /* of a whole: its local families */
	bool is_local;               /* is among the locals of its whole */
};
struct family_vec VEC_OF(struct family *);

/* Those of an object in the state; none without one. */
static inline struct dependencies dependencies_of(
	const struct state_instance *si)
{
	return si ? (struct dependencies){ si->dependencies, si->ndependencies }
		  : (struct dependencies){ NULL, 0 };
}

struct dependent { /* a node that depends on something */
	uint32_t node;
	struct family *local; /* of the module instance */
	struct family *was;   /* where it was: agb_local_place; `planned`: not
	                         used */
	struct dependencies on;
	bool planned;  /* the new ones: creating alone */
	bool borrowed; /* the current object's, of a deposed one that goes */
	bool destroys, cbd;
	bool early; /* destroys, though it ought to go late: agb_goes_early */
};

struct config_ends { /* of a node of the plan graph, here */
	uint32_t in, out;
};

/* The rules that give way in a circle: edges that are not necessary; lateness
 * of objects that are only destroyed; edges between objects of different
 * providers; edges of what depended on an object where that was before it
 * moved.  Tried in the order of the sums. */
enum {
	ORDER_USERS_YIELD = 1,
	ORDER_LATE_YIELDS = 2,
	ORDER_PROVIDERS_YIELD = 4,
	ORDER_MOVES_YIELD = 8,
};

struct agb { /* the builder */
	struct arena *a;
	struct arena scratch;
	const struct config *config;
	const struct state *state;
	const struct apply_graph_options *o;
	struct apply_graph *ag;
	struct graph *g;
	struct config_ends *ends; /* by node of the plan graph */
	struct map families;      /* address -> struct family * */
	struct map places; /* the same by where what is in it was before, of
	                      those that something moved to or from */
	/* static path + key -> node_list *: by what a literal key means */
	struct map instance_nodes;
	VEC(struct dependent) dependents;
	struct family_vec found, found_places; /* of agb_families, agb_places */
	struct map
		calls; /* static path -> unsigned *: have its instances keys? */
	bool any_mixed; /* has a call some with keys and one without? */
	bool any_late;  /* is anything destroyed late? */
	unsigned yields;
	/* The strongly connected components of an earlier build where the
	 * users' edges did not give way, and of one where they alone did.
	 * Nodes of changes have the same numbers in each. */
	const uint32_t *with_users, *without_users;
	/* Those of one where lateness gave way, too: what is a circle through
	 * providers then. */
	const uint32_t *without_late;
	uint32_t *members;     /* by component of without_users: how many */
	uint32_t *marks, mark; /* by component */
	size_t nmarks;
	struct diags *ds;
};

/* moved: it is meant only as it was before something moved. */
typedef void agb_family_fn(void *data, struct family *f, bool moved);

#endif
