/* plan_int.h - what the files of planning share */
#ifndef TFPIPE_ENGINE_PLAN_PLAN_INT_H
#define TFPIPE_ENGINE_PLAN_PLAN_INT_H

#include "engine/change/events.h"
#include "engine/change/stop.h"
#include "engine/object/resource_object.h"
#include "engine/plan/moves.h"
#include "engine/plan/plan.h"
#include "engine/run/run_int.h"
#include "engine/run/worker.h"
#include "engine/stage/plan_record.h"
#include "graph/plan_deps.h"

struct state_resource_vec VEC_OF(struct state_resource *);

/* An output of a called module: its value always counts as a change to its
 * callers, for states do not hold it. */
struct module_output {
	struct run_module *module;
	const struct cfg_output *config;
};

/* An instance that differs between the previous and the refreshed state. */
struct prior_change {
	struct state_resource *resource;
	struct state_instance *old;
	struct state_instance *now; /* NULL: gone */
	bool was_null;              /* the state had an object that is none */
};

struct opened { /* an ephemeral resource instance */
	struct plan *plan;
	struct run_provider *provider;
	struct instance_addr addr;
	struct str address, private_data;
	struct provider_request request;
};

/* One instance (or orphan, or deposed object) that a node has to see to. */
struct plan_item {
	struct run_resource *rr;   /* NULL: not in the configuration */
	struct run_instance *inst; /* NULL: orphan or deposed */
	struct state_resource *sr; /* NULL: not in the state */
	struct state_instance *si;
	const struct diags *diags; /* of its job; NULL: none */
};

/* A node while it is worked on. */
struct plan_work {
	struct plan *p;
	uint32_t node;
	struct diags diags; /* of the node itself: not of its items */
	bool failed;
	bool pending_changes; /* some instance has a change, whatever module */
	VEC(struct plan_item) items;
	size_t next, running;
	VEC(struct import_target *) imports; /* into the resource */
	/* Instances refer to the first item, one of themselves: it comes
	 * first, and they only if it can be planned. */
	bool first_alone;
	const struct cfg_resource *config; /* NULL: orphans */
	struct plan_deps deps;
	/* References of the body to the resource itself. */
	VEC(struct reference) self_refs;
	struct key_vec own;    /* instances that all references to the resource
	                       itself mean; without a key: all */
	struct node_vec waits; /* data sources: deferred by their changes */
	struct provider_addr provider;
};

struct plan {
	struct arena *arena;
	struct loop *loop;
	struct diags *diags;
	struct run *run;
	struct plan_options opts;
	enum run_mode mode;
	bool pre_destroy;  /* only refreshing, before destroying */
	bool skip_changes; /* refresh-only */
	struct moves moves;
	struct state *state;  /* previous state with moves made */
	struct map by_config; /* config address -> state_resource_vec * */
	struct plan_graph *pg;
	struct graph_walk *walk;
	struct plan_work **work; /* by node */
	struct destroy_selection destroy;
	struct stop_requests requests;
	bool stopped; /* asked to stop: no instance is begun */
	bool finished;
	VEC(struct output_change) outputs;
	VEC(struct module_output) module_outputs; /* that are not null */
	struct str_vec
		gone_outputs; /* null when refreshed, before destroying */
	bool has_outputs;     /* some were evaluated, of any module */
	VEC(struct prior_change) prior;
	struct change_vec drift;
	struct map import_targets; /* address -> struct import_target * */
	struct map invented;       /* resources whose body is to be generated */
	VEC(struct opened *) opened;
	size_t closing; /* how many of them are being closed */
	bool errored;
};

/* The work on one instance. */
struct job {
	struct worker w; /* first: a job is one */
	struct plan *p;
	struct plan_work *work;
	struct plan_item it;
	size_t item;                     /* its place in work->items */
	struct resource_object previous; /* upgraded */
	struct resource_object now;      /* refreshed */
	bool refreshed; /* now is what is there, and was not noted */
	/* What the state has, where it is of the schema's version and has no
	 * attribute that the schema has not; else NULL. */
	const struct value *stored;
	const struct import_target *importing; /* by what; NULL: it is not */
	struct str generated; /* the block, for -generate-config-out */
	bool triggered;       /* by replace_triggered_by */
	bool cbd;             /* create_before_destroy, forced too */
	size_t said_before;   /* diagnostics before reading */
};
static inline struct job *job_of(struct worker *w)
{
	return (struct job *)w;
}

#endif
