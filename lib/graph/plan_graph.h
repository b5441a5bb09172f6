/*
 * plan_graph.h - the graph of the plan phase: configuration and prior state
 *
 * One node for each object of the configuration, whatever the number of its
 * instances, one for each provider configuration in use, and one for each
 * resource of the state that has no configuration any more, and for each that
 * has deposed objects.  The nodes of a module depend on its NODE_MODULE
 * (expansion), and its NODE_MODULE_CLOSE depends on all of them: who waits for
 * a module waits for what goes from it as well.
 *
 * For destroying, the configuration matters only so far as providers need it:
 * there is a NODE_DESTROY for each resource of the state (selected instance by
 * instance: destroy_select), and resource nodes have no dependencies of their
 * own.
 */
#ifndef TFPIPE_GRAPH_PLAN_GRAPH_H
#define TFPIPE_GRAPH_PLAN_GRAPH_H

#include "graph/graph.h"
#include "state/state.h"

enum plan_graph_kind { PLAN_GRAPH_NORMAL, PLAN_GRAPH_DESTROY };

struct plan_provider {                     /* object of a NODE_PROVIDER */
	struct provider_config_addr addr;  /* key absent */
	const struct cfg_provider *config; /* NULL: implied */
};

struct key_vec VEC_OF(struct inst_key);

struct plan_need { /* of instances in some instances of their module */
	const struct target *in; /* those that this target meets */
	struct inst_key key;     /* KEY_NONE: all of them there; */
	bool picked;             /* or an unknown one */
};

struct plan_node {   /* data of every node */
	bool direct; /* -target names this resource itself: the instances that
	                it names are wanted, */
	bool part;   /* and none names it as a whole */
	bool whole;  /* what is selected depends on all instances, */
	struct key_vec keys; /* or on these, which are wanted, too; */
	VEC(struct plan_need)
	there;              /* part: or on these; of all of them on
	                                those that the targets leave out: see
	                                select_instance_needed.  Values: by what they
	                                are needed, see plan_graph_meets */
	unsigned char *met; /* internal: by target, which of these stand there
	                       without a key */
	bool by_key; /* some reference means a single instance; managed, if it
	                names that */
	bool partly; /* values: depends on instances that may be left out, see
	                plan_graph_left_out */
	bool cbd;    /* create_before_destroy, own or forced by a dependent */
	uint32_t state_index; /* nodes of the state: index of the resource */
};

/* The schema of a resource's body; NULL: its type has none.  Parts of a body
 * that are not in its schema give no references. */
struct plan_shapes {
	const struct schema_block *(*schema)(void *data,
					     const struct cfg_resource *r);
	void *data;
};

struct node_vec VEC_OF(uint32_t);

struct plan_graph {
	struct graph *g;
	const struct config *config;
	const struct state *state;        /* moves are made */
	const struct plan_shapes *shapes; /* NULL: all in bodies is taken */
	enum plan_graph_kind kind;
	bool only_reads; /* to be set before selecting: no changes are planned,
	                    so targets take along all instances */
	struct plan_graph_module *modules; /* internal */
	size_t nmodules;
	uint32_t *stamps, stamp;   /* internal: marks of a search */
	struct node_vec resources; /* internal: by address */
	/* internal: the resource last connected with its provider's node */
	const struct cfg_resource *last_served;
	uint32_t last_provider;
	struct str last_instance;
	struct map module_index; /* path -> plan_graph_module * */
	struct map imports;      /* see imports_of() */
	struct map
		*recorded; /* internal: of the state, by address without keys */
};

struct plan_graph *plan_graph_build(struct arena *a, const struct config *c,
				    const struct state *s,
				    enum plan_graph_kind kind,
				    struct diags *ds);
/* The graph by which to validate: bodies may be wrong yet. */
struct plan_graph *plan_graph_build_shaped(struct arena *a,
					   const struct config *c,
					   const struct plan_shapes *shapes,
					   struct diags *ds);

static inline struct plan_node *plan_node(const struct plan_graph *pg,
					  uint32_t node)
{
	return pg->g->nodes.items[node].data;
}

/* The node of a configuration resource; GRAPH_NONE if there is none. */
uint32_t plan_graph_resource(const struct plan_graph *pg,
			     const struct cfg_resource *r);

/* With targets: which instances of a resource are chosen and seen, in an
 * instance of its module.  Starts as zero; call plan_graph_see with each
 * configured instance. */
struct plan_seen {
	bool chosen;     /* the targets name some of it */
	int64_t numbers; /* a reference to all sees those below */
};

/* Destroying: by which instances are destroyed.  By the dependencies in the
 * state, objects that depend on a target are destroyed with it, and objects
 * that an excluded one depends on are kept. */
struct destroy_selection {
	/* [index of the resource in the state][index of the instance] */
	unsigned char **wanted;
};

/* Arguments of a module call: name -> const struct attribute *. */
void call_arguments(struct arena *a, const struct cfg_call *c, struct map *out);

struct expr_vec VEC_OF(const struct expr *);
struct import_vec VEC_OF(const struct cfg_import *);

/*
 * plan_deps.c: the resources behind a node: what the state records as
 * dependencies, and what delays reading a data source
 */

/* With targets: does a value depend on an instance that is left out, of a
 * resource other instances of which are not? complete says of a resource's node
 * whether none of its instances was. */
bool plan_graph_left_out(struct plan_graph *pg, uint32_t value,
			 bool (*complete)(void *data, uint32_t node),
			 void *data);
/* Addresses of resources without keys, sorted: what the state records. */
struct plan_deps {
	struct str *items; /* of the configuration */
	size_t n;
	struct str *now; /* with those that the state alone has, in modules it
	                    waits for: they count until the change is made */
	size_t nnow;
};

/* All resources that node depends on, directly or not. */
struct plan_deps plan_graph_dependencies(struct arena *a, struct plan_graph *pg,
					 uint32_t node);
/* The managed resources whose pending changes defer reading the data source:
 * those it names (depends_on, references), those behind what it names in
 * depends_on, and those behind depends_on of the modules around it: orphans,
 * too, but not what is deposed. */
void plan_graph_data_waits(struct arena *a, struct plan_graph *pg,
			   uint32_t node, struct node_vec *out);

/* plan_keys.c: which instances of resources a node's configuration names */

/* Calls fn for each resource that the node's own configuration names, with the
 * literal instance key that follows (KEY_NONE: none, so all instances) or with
 * what picks one of them (NULL: nothing).  A resource may come several times; a
 * reference to the node itself is left out. */
typedef void plan_resource_ref_fn(void *data, uint32_t to, struct inst_key key,
				  const struct expr *picks,
				  const struct traversal_ref *why);
void plan_graph_resource_refs(struct arena *a, const struct plan_graph *pg,
			      uint32_t node, plan_resource_ref_fn *fn,
			      void *data);
/* Calls fn for each reference of a resource to itself. */
void plan_graph_own_refs(struct arena *a, const struct plan_graph *pg,
			 uint32_t node, plan_resource_ref_fn *fn, void *data);

/* plan_link.c: dependencies added to a graph by an edit */

/* Adds edges; those of absent nodes, such as variables that a plan with targets
 * does not need, are left out.  -1: they make a cycle. */
int plan_graph_link(struct plan_graph *pg, const struct graph_link_vec *links,
		    struct diags *ds);

/* import_addr.c: the static part of an import block's `to` */

/* The address in an import block's `to`, without the keys of modules; the
 * expressions of keys go to *keys.  -1: it is not an address. */
int import_static_address(struct arena *a, const struct cfg_import *im,
			  struct instance_addr *out, struct expr_vec *keys);
/* The import blocks by the resource they lead to. */
struct map imports_by_resource(struct arena *a, const struct config *c);
/* NULL: none. */
const struct import_vec *imports_of(const struct map *m,
				    const struct cfg_resource *c);

#endif
