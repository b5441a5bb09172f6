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
#include "graph/plan_graph.h"

struct state_resource_vec VEC_OF(struct state_resource *);

struct output_change {
	struct str name;
	enum action action;
	const struct value *before, *after; /* before null: none */
	bool sensitive;
};

/* An output of a called module: what it gives changes as far as its callers are
 * concerned, for states do not hold it. */
struct module_output {
	struct run_module *module;
	const struct cfg_output *config;
};

/* What the refreshed state has otherwise than the previous one. */
struct prior_change {
	struct state_resource *resource;
	struct state_instance *old;
	struct state_instance *now; /* NULL: gone */
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
	struct run_resource *rr;      /* NULL: not in the configuration */
	struct run_instance *inst;    /* NULL: orphan or deposed */
	struct state_resource *sr;    /* NULL: not in the state */
	struct state_instance *si;
	const struct diags *diags;    /* of its job; NULL: none */
};

/* What is known of a node while it is worked on. */
struct plan_work {
	struct plan *p;
	uint32_t node;
	struct diags diags;   /* of the node itself: not of its items */
	bool failed;
	bool pending_changes; /* some instance has a change, whatever module */
	VEC(struct plan_item) items;
	size_t next, running;
	VEC(struct import_target *) imports; /* into the resource */
	/* Instances refer to the first item, one of themselves: it comes
	 * first, and they only if it can be planned. */
	bool first_alone;
	const struct cfg_resource *config; /* NULL: orphans */
	struct str *dependencies;
	size_t ndependencies;
	/* References of the body to the resource itself. */
	VEC(struct reference) self_refs;
	struct node_vec waits;     /* data sources: whose changes defer */
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
	struct state *state; /* previous state with moves made */
	struct map by_config; /* config address -> state_resource_vec * */
	struct plan_graph *pg;
	struct graph_walk *walk;
	struct plan_work **work; /* by node */
	struct destroy_selection destroy;
	struct stop_requests requests;
	bool stopped;      /* asked to stop: no instance is begun */
	bool finished;
	VEC(struct output_change) outputs;
	VEC(struct module_output) module_outputs; /* that are not null */
	VEC(struct prior_change) prior;
	struct change_vec drift;
	struct map import_targets; /* address -> struct import_target * */
	struct map invented; /* resources whose body is to be generated */
	VEC(struct opened *) opened;
	size_t closing; /* how many of them are being closed */
	bool errored;
};

/* The work on one instance. */
struct job {
	struct worker w;       /* first: a job is one */
	struct plan *p;
	struct plan_work *work;
	struct plan_item it;
	size_t item;           /* its place in work->items */
	struct resource_object previous; /* upgraded */
	struct resource_object now;      /* refreshed */
	bool refreshed;        /* now is what is there, and was not noted */
	bool importing;
	struct str generated;  /* the block, for -generate-config-out */
	bool triggered;        /* by replace_triggered_by */
	bool cbd;              /* create_before_destroy, forced too */
	size_t said_before;    /* diagnostics before reading */
};
static inline struct job *job_of(struct worker *w)
{
	return (struct job *)w;
}

/* --- nodes.c --- */
void plan_node_start(void *data, struct graph_walk *w, uint32_t node);
/* Records the instances of check blocks that the walk did not reach. */
void plan_name_checks(struct plan *p);
void plan_node_done(struct plan_work *w);
/* The instances of its module in which the node of w, which is n, is needed. */
void plan_modules(struct plan_work *w, const struct graph_node *n,
		  struct run_module_vec *out);

/* --- work.c: resources and their instances; job.c: each of them --- */
void plan_resource(struct plan_work *w);
void plan_state_resource(struct plan_work *w);
void plan_work_queue(struct plan_work *w); /* for a slot for its next item */

/* --- the tables of steps: managed.c, data.c, ephemeral.c, delete.c --- */
extern worker_step *const plan_managed[], *const plan_data[],
	*const plan_ephemeral[], *const plan_orphan[], *const plan_deposed[],
	*const plan_destroy[];
void plan_close_ephemerals(struct plan *p);

/* --- steps of several tables --- */
/* refresh.c: reads and upgrades the object of the state into j->previous and
 * j->now. */
worker_step job_read, job_upgraded;
/* Refreshes j->now, unless -refresh=false. */
worker_step job_refresh, job_refreshed;
/* change.c: "Self-referential block" */
worker_step job_self_reference;
/* "Invalid lifecycle destroy expression": neither true nor false. */
worker_step job_destroy_setting;
/* Preconditions, then the body, into w.config. */
worker_step job_configure;
/* Those of the object as references see it. */
worker_step job_postconditions;
/* import.c: the object that an import block names, into j->now. */
worker_step job_import, job_imported, job_import_read;

/* --- refresh.c --- */
/* Errors for what is unknown in an object that was read; false: nothing is. */
bool job_read_unknown(struct job *j, const struct value *v);
/* Notes what differs from the previous state, and drift. */
void job_note_state(struct job *j);

/* --- change.c --- */
/* Has something that a data source or ephemeral resource waits for changes to
 * come? */
bool job_waits(struct job *j);
/* A change of the job's object, recorded. */
struct change *job_change(struct job *j, enum action action,
			  enum reason reason, const struct value *before,
			  const struct value *after);

/* Does lifecycle { destroy = false } hold back destroying? */
bool config_skips_destroy(const struct cfg_resource *c);
/* "Resource instance cannot be destroyed" */
int job_prevent_destroy(struct job *j, enum action action);

/* "Unsupported provisioner type": what would be run can not be.  destroying:
 * when the object goes, else when it is made. */
int job_provisioners(struct job *j, bool destroying);

/* --- triggers.c --- */
/* Does replace_triggered_by ask for a replacement? */
bool job_triggered(struct job *j);

/* --- outputs.c --- */
void plan_output(struct plan_work *w);
void plan_outputs_finish(struct plan *p);

/* --- checks of the walk --- */
void plan_check(struct plan_work *w);

/* --- import.c --- */
struct import_target { /* resolved from import blocks */
	const struct cfg_import *config;
	struct instance_addr addr;
	struct str id;
	const struct value *identity;
	bool command; /* of the import command, not of a block */
};
void plan_imports_resolve(struct plan_work *w); /* into w->imports */
void plan_imports_add(struct plan_work *w);
/* Is there configuration for each, or can it be generated? */
int imports_validate(struct arena *a, const struct config *c, bool generate,
		     struct diags *ds);
/* Targets that the configuration does not ask for: -1, and of what the walk has
 * said since `before` nothing counts. */
int plan_imports_check(struct plan *p, struct diags_mark before);
/* The import command: can there be an import, as far as configuration and state
 * say?  Then it is one of the targets. */
int import_command_check(struct arena *a, const struct config *c,
			 struct state *s, const struct plan_import *im,
			 struct diags *ds);
void plan_import_command(struct plan *p, const struct plan_import *im);
struct import_target *plan_import_target(const struct plan *p,
					 const struct instance_addr *i);

/* --- import_generate.c --- */
/* Adds a resource without a body for each import block that has none. */
void imports_invent(struct arena *a, struct config *c, struct map *invented);
/* Once such an object is read: its body. */
int job_generate(struct job *j);
/* When planning it fails. */
void job_keep_generated(struct job *j);

/* --- parts of plan_write: records_schema.c, records_prior.c --- */
void plan_write_schemas(struct stream_out *o, struct plan *p);
void plan_write_prior(struct stream_out *o, struct plan *p);

/* --- relevant.c --- */
void relevant_records(struct jw *w, struct plan *p);

#endif
