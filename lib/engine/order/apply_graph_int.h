/* apply_graph_int.h - what the files of the apply graph share */
#ifndef TFPIPE_ENGINE_ORDER_APPLY_GRAPH_INT_H
#define TFPIPE_ENGINE_ORDER_APPLY_GRAPH_INT_H

#include "engine/order/apply_graph.h"

struct node_list VEC_OF(uint32_t);

/* A join over nodes, made when it is first needed: `before` is what all of
 * them wait for, `after` waits for all of them. */
struct gather {
	struct str address;   /* with what: the name of the joins */
	const char *what;
	struct node_list members;
	uint32_t before, after; /* GRAPH_NONE: not made */
};

/* What is done to a resource: in all instances of its module, in those below an
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
	struct gather users;    /* whoever evaluates, unless it creates before
	                           destroying */
	struct gather destroyers;     /* destroying before creating */
	struct gather destroyers_cbd; /* creating before destroying */
	struct gather all_destroyers;
	struct str_vec came_from; /* what instances of it were before a move */
	bool late;   /* something that goes late depended on it */
	bool remade; /* of it something is made when its old object is gone */
	VEC(struct change *) gone;   /* what of it only goes */
	VEC(struct family *) locals; /* of a whole: its local families */
	bool is_local; /* is among the locals of its whole */
};
struct family_vec VEC_OF(struct family *);

/* Those of an object in the state; none without one. */
static inline struct dependencies
dependencies_of(const struct state_instance *si)
{
	return si ? (struct dependencies){ si->dependencies, si->ndependencies }
		  : (struct dependencies){ NULL, 0 };
}

/* Instances of one family with the same dependencies. */
struct dep_class {
	struct family *local;  /* of the module instance */
	struct dependencies on;
	bool planned;          /* the new ones: creating alone */
	struct str provider;   /* text of the provider configuration */
	struct gather members;
	bool destroys, cbd;
	bool early; /* destroys, though it ought to go late: agb_goes_early */
};

struct config_ends { /* of a node of the plan graph, here */
	uint32_t in, out;
};

/* What gives way in a circle: edges that are not necessary; lateness of what
 * only goes; edges between objects of different providers.  Tried in the order
 * of the sums. */
enum {
	ORDER_USERS_YIELD = 1,
	ORDER_LATE_YIELDS = 2,
	ORDER_PROVIDERS_YIELD = 4,
	ORDER_ALL_YIELD = 7,
};

struct agb { /* the builder */
	struct arena *a;
	struct arena scratch;
	const struct config *config;
	const struct state *state;
	const struct apply_graph_options *o;
	struct apply_graph *ag;
	struct graph *g;
	struct config_ends *ends;  /* by node of the plan graph */
	struct map families;       /* address -> struct family * */
	/* static path + key -> node_list *: by what a literal key means */
	struct map instance_nodes, destroy_nodes;
	struct map classes;
	VEC(struct dep_class *) class_list;
	struct family_vec found; /* of agb_families */
	struct map moved; /* resource -> str_vec *: where it is now */
	struct map calls; /* static path -> unsigned *: have its instances keys? */
	bool any_mixed;   /* has a call some with keys and one without? */
	bool any_late;    /* is anything destroyed late? */
	unsigned yields;
	/* The strongly connected components of an earlier build where the
	 * users' edges did not give way, and of one where they alone did.
	 * Nodes of changes have the same numbers in each. */
	const uint32_t *with_users, *without_users;
	uint32_t *members; /* by component of without_users: how many */
	uint32_t *marks, mark; /* by component */
	size_t nmarks;
	struct diags *ds;
};

/* --- family.c --- */
uint32_t agb_node(struct agb *b, enum node_kind kind, enum apply_kind what,
		  struct str address, struct change *c,
		  const struct cfg_resource *config);
uint32_t agb_join(struct agb *b, struct str name);
uint32_t gather_before(struct agb *b, struct gather *g);
uint32_t gather_after(struct agb *b, struct gather *g);
/* Before any family is made: notes which calls of modules have both instances
 * with keys and one without, as after a moved block or another count. */
void agb_note_calls(struct agb *b, const struct change_vec *changes);
/* The family in one module instance, and that of all. */
struct family *agb_local_family(struct agb *b, const struct instance_addr *i);
struct family *agb_config_family(struct agb *b, const struct instance_addr *i);
/* All that i belongs to, from that of all instances to the local one.  Good
 * until the next call. */
const struct family_vec *agb_families(struct agb *b,
				      const struct instance_addr *i);

/* The part of `whole` in those instances of modules that f is in, too, which is
 * local; whole itself where they share none with a key; NULL if there is no
 * part. */
struct family *agb_seen_from(struct agb *b, const struct family *f,
			     struct family *whole);

/* --- planned.c --- */
/* What the state has of what is changed; may be NULL. */
struct state_instance *agb_prior(const struct agb *b, const struct change *c);
/* Is the new object there before the old one goes, by the node's own account?
 */
bool agb_keeps_first(const struct apply_node *an);
/* The nodes of one change. */
int agb_change(struct agb *b, struct change *c);
/* Those of instance_nodes or destroy_nodes that a reference to address with a
 * literal key means; NULL: none. */
const struct node_list *agb_keyed_nodes(const struct map *nodes,
					struct str address,
					struct inst_key literal);
/* A deposed object goes after whatever is done to the current one. */
void agb_connect_deposed(struct agb *b);

/* --- outputs.c --- */
/* Of the root outputs those are brought up to date that derive only from what
 * is worked on, and from nothing whose change was taken out. */
void agb_select_outputs(struct agb *b);

/* --- late.c --- */
/* Does the old object go late by its own account: when the new one is there, or
 * as its state says? */
bool agb_is_late(const struct change *c, const struct state_instance *si);
/* Notes which resources were moved and which must go late. */
void agb_note_late(struct agb *b, const struct change_vec *changes);
/* Does the object of a change that only destroys go late, for the sake of what
 * depended on it? */
bool agb_forced_late(struct agb *b, const struct change *c);
/* Is the node, which destroys the object of a change, in a circle, and does
 * that object depend on what is made again when the old one is gone?  Then it
 * cannot go late, if it only goes. */
bool agb_goes_early(struct agb *b, uint32_t node, const struct change *c,
		    const struct state_instance *si);
typedef void agb_family_fn(void *data, struct family *f);
/* Calls visit with each resource that dependencies of `user` mean, as seen from
 * there: under the name that they have, and under those it was moved to. */
void agb_each_dependency(struct agb *b, const struct family *user,
			 struct dependencies on, agb_family_fn *visit,
			 void *data);

/* --- edges.c --- */
/* Enters a node that creates or destroys into its dependency classes: those of
 * the object in the state, and of the current one where that is another.
 * `like` says what the node does. */
void agb_classify(struct agb *b, uint32_t node, const struct change *c,
		  const struct state_instance *si,
		  const struct state_instance *current, struct dep_class like);
void agb_destroy_edges(struct agb *b);
/* What evaluates a resource waits until what is destroyed of it is gone. */
void agb_reference_destroyers(struct agb *b, struct str from, struct str to,
			      struct inst_key key);

#endif
