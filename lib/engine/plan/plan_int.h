/* plan_int.h - what the files of planning share */
#ifndef TFPIPE_ENGINE_PLAN_PLAN_INT_H
#define TFPIPE_ENGINE_PLAN_PLAN_INT_H

#include "config/config.h"
#include "state/state.h"
#include "engine/change/events.h"
#include "engine/object/resource_object.h"
#include "engine/plan/plan.h"
#include "engine/run/run_int.h"
#include "engine/run/worker.h"
#include "engine/stage/plan_reader.h"
#include "graph/plan_graph.h"
#include "addr/addr.h"
#include "schema/schema.h"
#include "engine/stage/stage.h"
#include "engine/run/run.h"
#include "lang/syntax/body.h"
#include "graph/graph.h"

/*
 * moves.c: moved and removed blocks, and the moves that adding or removing
 * count implies
 *
 * Moves change the state before anything is planned.  Whether the statements
 * are valid is checked after planning, when all instances are known, because
 * errors of them explain all others.
 */

enum move_kind { MOVE_MODULE, MOVE_RESOURCE };

/* One end of a move. The first `base` steps are the module of the block: any
 * instance of it, the same at both ends. */
struct move_endpoint {
	enum move_kind kind;
	const struct module_step *steps;
	size_t nsteps, base;
	/* No instance is named, at neither end: the whole module call (its
	 * last step stands for any key), or the whole resource. */
	bool whole;
	struct resource_addr resource; /* MOVE_RESOURCE */
	struct inst_key key;
};

struct move {
	struct move_endpoint from, to;
	struct range at;
	bool implied;
};

struct moved_instance {
	struct instance_addr from, to;
	bool implied;
	bool superseded; /* it moved on from here */
};

struct removal {
	struct target from; /* module steps without keys mean any */
	bool destroy;
	const struct cfg_removed *config;
};

struct moves {
	VEC(struct move) moves;
	VEC(struct removal) removals;
	struct map results;      /* new address -> struct moved_instance * */
	VEC(struct str) blocked; /* "X could not move to Y" */
};

/* Collects the statements of the configuration and what the state implies;
 * invalid ones are diagnosed. */
int moves_collect(struct arena *a, const struct config *c,
		  const struct state *s, struct moves *m, struct diags *ds);

/* The address that the object at this one had before; this one if it did not
 * move. */
const struct instance_addr *moves_origin(const struct moves *m,
					 const struct instance_addr *i);
bool moves_explicit(const struct moves *m, const struct instance_addr *i);
/* The last removed block that covers the address; NULL: none. */
const struct removal *moves_removal(const struct moves *m,
				    const struct instance_addr *i);

/* After planning: cycles, ambiguity, "still exists", …  The functions say
 * whether an object was planned as one of the configuration: none that
 * targeting leaves out; when destroying none at all, and no modules but the
 * root. */
struct moves_world {
	void *data;
	bool (*module_exists)(void *data, struct module_addr m);
	bool (*call_planned)(void *data, const struct cfg_call *c);
	bool (*resource_exists)(void *data, const struct instance_addr *r);
	bool (*instance_exists)(void *data, const struct instance_addr *i);
	bool destroying;
};

/* An output of a called module: its value always counts as a change to its
 * callers, for states do not hold it. */
struct module_output {
	struct run_module *module;
	const struct cfg_output *config;
};

/* One whose value counts, whatever it comes to when applying. */
struct settled_output {
	struct str address;
	const struct value *value;
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
	struct reads *reads; /* NULL: they are not remembered */
	size_t unread;       /* objects that an option left unread */
	struct event_progress progress;
	VEC(struct output_change) outputs;
	VEC(struct module_output) module_outputs; /* that are not null */
	VEC(struct settled_output) settled_outputs;
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
	bool unread;    /* now is what the state says: to be refreshed, were it
			     not for an option */
	bool read_to_change; /* that is read after all if it is to change */
	bool planned;        /* once, unread */
	bool looked;         /* the provider has told what is there */
	uint64_t reading_ms; /* since when it is asked, by clock_ms */
	struct str reading;  /* its key in the file of reads; empty: none yet */
	/* What the state has, where it is of the schema's version and has no
	 * attribute that the schema has not; else NULL. */
	const struct value *stored;
	const struct import_target *importing; /* by what; NULL: it is not */
	struct str generated;          /* the block, for -generate-config-out */
	bool triggered;                /* by replace_triggered_by */
	bool cbd;                      /* create_before_destroy, forced too */
	struct diags_mark said_before; /* before planning with the provider, or
					  reading a data source */
};
static inline struct job *job_of(struct worker *w)
{
	return (struct job *)w;
}

/* refresh.c: the events of reading an object */

void job_reads(struct job *j, const struct value *known);
void job_has_read(struct job *j, const struct value *found);

/* change.c: recording changes */

/* A change of the job's object, recorded. */
struct change *job_change(struct job *j, enum action action, enum reason reason,
			  const struct value *before,
			  const struct value *after);

/* guard.c: what refuses a change that is planned */

/* Does lifecycle { destroy = false } hold back destroying? */
bool config_skips_destroy(const struct cfg_resource *c);
/* "Resource instance cannot be destroyed" */
int job_prevent_destroy(struct job *j, enum action action);
/* "Unsupported connection type": a provisioner that would be run is not
 * supported.  destroying: when the object goes, else when it is made. */
int job_provisioners(struct job *j, bool destroying);

/* data.c: data sources, while planning */

/* Has something that a data source or ephemeral resource waits for changes to
 * come? */
bool job_waits(struct job *j);

/* drift.c: managed objects that are not as, or not where, the state had them */

/* Notes it if the current object at an address changed (now.value is NULL: is
 * gone) or moved. */
void drift_note(struct plan *p, const struct instance_addr *addr,
		const struct provider_config_addr *provider,
		const struct resource_object *was,
		const struct resource_object *now);
/* Notes, after the walk, what moved but was not worked on: left out by a
 * selection, or for errors before it. */
void drift_of_moves(struct plan *p);

/* ephemeral.c: ephemeral resources that planning has opened */

/* Closes them, the last first; then the plan is finished. */
void plan_close_ephemerals(struct plan *p);

/*
 * generate.c: configuration for objects that exist already
 *
 * Writes resource blocks for which planning finds nothing to change: every
 * argument that can be set, as the object has it, in canonical format.
 */

/* The contents of the block; provider: NULL if the resource's type implies
 * it. */
struct str generate_body(struct arena *a, const struct schema_block *schema,
			 const char *provider, const struct value *v,
			 struct diags *ds);
/* resource "TYPE" "NAME" { body } */
struct str generate_block(struct arena *a, const struct resource_addr *r,
			  struct str body, struct diags *ds);

/* graph_stage.c: the graph of tf-graph, and the user's edits of it */

/* Of what the selectors say, by which it is annotated.  NULL: a diagnostic. */
struct plan_graph *graph_stage_build(struct stage *s, struct diags *ds);

/* What of the state is needed for what the selectors say; NULL: all.  By the
 * configuration alone, before the state is read. */
struct state_part *graph_stage_part(struct stage *s);

/* tf-plan: applies the edits of the nodes and edges that were read.  A node
 * that was taken out is excluded, with all that needs it; an added edge is a
 * dependency.  All other edits are refused. */
int graph_stage_edits(struct stage *s, const struct stream_out *o,
		      struct diags *ds);

/* import.c: objects that exist already become managed */

struct import_target { /* resolved from import blocks */
	const struct cfg_import *config;
	struct instance_addr addr;
	struct str id; /* empty, and no identity: nothing is imported */
	const struct value *identity;
	bool command; /* of the import command, not of a block */
};
void plan_imports_resolve(struct plan_work *w); /* into w->imports */
void plan_imports_add(struct plan_work *w);
/* Is there configuration for each, or can it be generated? */
int imports_validate(struct arena *a, const struct config *c, bool generate,
		     struct diags *ds);
/* Checks for targets that the configuration lacks: -1, and the walk's
 * diagnostics since `before` are dropped. */
int plan_imports_check(struct plan *p, struct diags_mark before);
/* The import command: can there be an import, by configuration and state?  Then
 * it is one of the targets. */
int import_command_check(struct arena *a, const struct config *c,
			 struct state *s, const struct plan_import *im,
			 struct diags *ds);
void plan_import_command(struct plan *p, const struct plan_import *im);
struct import_target *plan_import_target(const struct plan *p,
					 const struct instance_addr *i);

/* import_generate.c: import blocks without a resource block */

/* Adds a resource without a body for each import block that has none. */
void imports_invent(struct arena *a, struct config *c, struct map *invented);
bool import_is_invented(const struct plan *p, const struct cfg_resource *c);
/* Once the object of such a resource is known, imported or in the state: its
 * body. */
enum worked job_generate(struct worker *w);
/* When planning it fails. */
void job_keep_generated(struct job *j);
/* Writes the file with generated configuration, if there is any; after
 * plan_write. */
int plan_write_generated(struct plan *p, struct diags *ds);

/* job.c: the work on one instance, in a slot */

void plan_work_queue(struct plan_work *w); /* for a slot for its next item */

/* nodes.c: what the walk does at each kind of node */

void plan_node_start(void *data, struct graph_walk *w, uint32_t node);
/* Records the instances of check blocks that the walk did not reach. */
void plan_name_checks(struct plan *p);
void plan_node_done(struct plan_work *w);
/* The instances of its module in which the node of w, which is n, is needed. */
void plan_modules(struct plan_work *w, const struct graph_node *n,
		  struct run_module_vec *out);

/* output_changes.c: output values, while planning */

void plan_output(struct plan_work *w);
void plan_outputs_finish(struct plan *p);

/* The output as it would be now: without a value if that is null.  false: it
 * stays as it was, because nobody declares it any more or knows its value. */
bool plan_output_now(const struct plan *p, const struct output_change *c,
		     struct state_output *out);

/* plan_records.c: the parts of plan_write */

/* All records of tf-plan but diagnostics. */
void plan_write(struct stream_out *o, struct plan *p);
/* Is there anything to apply? */
bool plan_has_changes(const struct plan *p);

/* The schema that a change is written with. */
const struct resource_schema *plan_schema_of(struct plan *p,
					     const struct change *c);

/* deny.c: changes that nobody may plan */

struct plan_steps;

/* Reads the expressions of -deny.  -1: diagnosed. */
int plan_deny_read(struct plan_steps *p);
/* An error for each that holds for a change; the plan has failed then.  Before
 * plan_write. */
void plan_deny(struct plan_steps *p, struct diags *ds);
void plan_deny_release(struct plan_steps *p);

/*
 * reads.c: when objects were read, for -refresh=older-than
 *
 * The file `reads` of the data directory remembers objects that a provider
 * found to be as the state has them, and when that was.  An object is known by
 * what the state says of it: where another apply has changed it, or a plan has
 * found it otherwise, there is nothing to remember.  Plans keep the file once
 * it is there; the first with the option makes it.
 */

/* NULL: nothing is remembered here. */
struct reads *reads_open(struct plan *p);
/* Was the job's object found as the state has it, since that long ago? */
bool reads_recent(struct job *j);
/* Its provider was asked, and found it so, or not. */
void reads_note(struct job *j, bool as_stored);
/* Writes the file; a warning, where it cannot and the option was given. */
void reads_save(struct plan *p);

/* refresh.c: an object of the state, as it was and as it is */

/* Reports unknown values in an object that was read; false: there are none. */
bool job_read_unknown(struct job *j, const struct value *v);
/* Notes what differs from the previous state, and drift. */
void job_note_state(struct job *j);

/* relevant.c: the member relevant_attributes of a plan's record */

/* Appends its value, JSON. */
void relevant_attributes(struct plan *p, struct buf *out);

/* relevant.c: what the files of relevant share */

/* A module as references name it: the keys of its address are those that were
 * written, so that it may stand for several instances, or for none. */
struct relevant_module {
	const struct cfg_module *config;
	struct relevant_module *parent;
	struct module_addr addr;
	struct str path;
	struct map *args; /* of the call, by name */
};

struct followed {
	struct relevant_module *m;
	const struct cfg_resource *in; /* the resource it is in, or NULL */
	const struct traversal_ref *t;
};

struct relevant {
	struct plan *p;
	struct arena a;
	struct arena scratch; /* for one reference */
	struct buf key;
	struct map seen;
	struct map modules; /* relevant_module by path */
	struct map args;    /* of calls, by the path of what they call */
	VEC(struct followed) queue;
	size_t next;
};

/*
 * The tables of steps by which an instance is planned, and the
 * steps that several of them have
 */

/* managed.c, data.c, ephemeral.c, delete.c */
extern worker_step *const plan_managed[],
	*const plan_data[], *const plan_ephemeral[],
				    *const plan_orphan[],
					    *const plan_deposed[],
						    *const plan_destroy[];

/* refresh.c: reads and upgrades the object of the state, and its identity, into
 * j->previous and j->now. */
worker_step job_read, job_upgraded, job_identity, job_identity_upgraded;
#define READ_STEPS job_read, job_upgraded, job_identity, job_identity_upgraded
/* Refreshes j->now, unless -refresh=false. */
worker_step job_refresh, job_refreshed;
/* configure.c: "Self-referential block" */
worker_step job_self_reference;
/* "Invalid lifecycle destroy expression": neither true nor false. */
worker_step job_destroy_setting;
/* Preconditions, then the body, into w.config. */
worker_step job_configure;
/* Postconditions of the object as references see it. */
worker_step job_postconditions;
/* import.c: the object that an import block names, into j->now. */
worker_step job_import, job_imported, job_import_read;

/* triggers.c: lifecycle { replace_triggered_by } */

/* Does replace_triggered_by ask for a replacement? */
bool job_triggered(struct job *j);

/* work.c: a resource's node: its instances, each a job */

void plan_resource(struct plan_work *w);
void plan_state_resource(struct plan_work *w);

/* moves_apply.c: moving in the state */

/* A state with the moves made: s itself if there are none. */
struct state *moves_apply(struct arena *a, struct moves *m, struct state *s);
/* Resources and lists of instances are new, the instances themselves shared. */
struct state *moves_copy_state(struct arena *a, const struct state *s);

/* moves_check.c: are the move statements, and the removed blocks, valid? */

/* "Removed resource block still exists" */
int moves_check_removals(const struct moves *m, const struct config *c,
			 struct diags *ds);
/* "Moved resource instances excluded by targeting" */
int moves_check_targets(const struct moves *m, const struct target_set *only,
			struct diags *ds);

/* moves_graph.c: the order of move statements */

/* A node a statement, by their numbers; edges lead to those that are carried
 * out before. */
struct graph *moves_graph(struct arena *a, const struct moves *m);

/* Gives the new address of a module instance; false if the move does not
 * concern it. */
bool move_module(struct arena *a, const struct move *m, struct module_addr at,
		 struct module_addr *out);
/* Moves a resource instance (the key counts), or, with `whole`, a whole
 * resource. */
bool move_instance(struct arena *a, const struct move *m,
		   const struct instance_addr *at, bool whole,
		   struct instance_addr *out);
/* Does the endpoint name a module (with any keys where it has any)? */
void move_endpoint_print(struct buf *b, const struct move_endpoint *e);

/* moves_check.c: move statements, checked against what the walk met */

/* 0, or -1.  Errors of the move statements take the place of all that the walk
 * found, the diagnostics from before on: they are likely its cause. */
int moves_check(struct plan *p, struct diags_mark before);

#endif
