/* apply_int.h - what the files of applying share */
#ifndef TFPIPE_ENGINE_APPLY_APPLY_INT_H
#define TFPIPE_ENGINE_APPLY_APPLY_INT_H

#include "engine/change/events.h"
#include "engine/run/run.h"
#include "engine/apply/apply.h"
#include "engine/object/resource_object.h"
#include "engine/order/apply_graph.h"
#include "engine/run/worker.h"
#include "engine/run/conditions.h"

struct op;

/*
 * provision.c: provisioners
 *
 * The provisioners of one object run one after the other.  Their output is
 * reported as events, line by line, unless a sensitive or ephemeral value could
 * be read from it.
 */

struct provisioning; /* under way */

struct provision_request {
	struct arena *arena; /* scratch; lives until done is called */
	struct events *events;
	struct instance_addr addr;
	const struct cfg_provisioner *provisioners;
	size_t n;
	/* The connection block of the resource; NULL: it has none. */
	struct body *connection;
	bool destroy;              /* those of this time only */
	struct run_module *module; /* NULL: gone from the configuration */
	struct repetition rep;
	const struct value *self;
	struct run *run;
	struct diags *ds;
	void (*done)(void *data); /* failures are in ds */
	void *data;
};

/* Never calls done from inside. */
struct provisioning *provision_start(const struct provision_request *r);
/* Ends what runs: gently, or at once. */
void provision_stop(struct provisioning *p, bool at_once);
/* The run is over, whatever p still waits for. */
void provision_drop(struct provisioning *p);

/* Is there any provisioner for that time? */
bool provision_wanted(const struct cfg_provisioner_vec *v, bool destroy);

/*
 * provision_remote.c: what tf-ssh is asked, and what it says
 */

/* Does another machine have a part in it? */
bool provision_is_remote(struct str type);
/* A file in memory with the request.  connection: NULL for none; discreet: its
 * host or user must not be told.  -1 and errno. */
int provision_ask(struct arena *a, struct str type,
		  const struct value *connection, const struct value *config,
		  bool *discreet);

struct provision_said {
	struct arena *arena;
	struct buf text; /* of a line that is not complete */
	void (*say)(void *data, struct str line);
	void *data;
	struct str error, detail; /* empty: it failed in no way */
};

/* A piece of what tf-ssh prints. */
void provision_take(struct provision_said *s, struct str text);

struct apply {
	struct arena *arena;
	struct loop *loop;
	struct apply_input *in;
	const struct apply_options *opts;
	struct diags *ds;
	struct run *run;
	struct state *state; /* being made */
	struct backend *backend;
	struct events events;
	struct apply_graph *graph;
	struct graph_walk *walk;
	struct loop_timer *persist;
	struct op *running; /* list of what is under way */
	VEC(struct ephemeral *) opened;
	unsigned closing;    /* ephemeral resources being closed */
	bool journal_failed; /* reported once */
	bool sync_wanted;
	struct stop_requests requests;
	bool stopped; /* asked to stop */
	bool killed;  /* asked twice */
	bool interrupted;
	bool finished;
	unsigned long written; /* serial last reported */
};

/* One node at work. */
struct op {
	struct worker w; /* first: an op is one */
	struct apply *ap;
	struct op *next, **link; /* in ap->running */
	struct op_starter *starter;
	uint32_t node;
	const struct apply_node *an;
	struct change *change;
	struct run_instance *inst;
	struct resource_object prior; /* before */
	struct resource_object now;   /* after */
	struct str deposed;           /* key the old object got; empty: none */
	const struct value *before, *planned; /* of the final change */
	struct str planned_private;
	const struct value *planned_identity;
	enum action action;
	bool only_marks;    /* of the object change: nothing to send */
	size_t said_before; /* diagnostics before reading */
	struct provisioning *provisioning;
	bool unchecked; /* made; its postconditions were not looked at yet */
	bool unmet;     /* they were: one failed */
};
static inline struct op *op_of(struct worker *w)
{
	return (struct op *)w;
}
static inline bool op_failed(const struct op *o)
{
	return worker_failed(&o->w);
}

/*
 * claims.c: what an apply claims of a state that is kept as rows
 *
 * What the plan changes, and what is read for that: by the apply graph, all
 * that a change or an output that changes depends on.  Others may work on the
 * rest meanwhile, and may have changed it since the plan was made, so the apply
 * goes on from the state that the plan tells of, and what it claims is compared
 * with what is stored.
 */

/* The state as the plan tells of it; NULL after a diagnostic. */
struct state *claims_planned_state(struct apply *ap);
/* Claims for ap->graph (NULL: nothing is done but to store what planning
 * read), and makes sure that it is as the plan has it. */
int claims_take(struct apply *ap);

/* destroy.c: forgetting */

void apply_forget(struct apply *ap, uint32_t node);

/* apply_ephemeral.c: ephemeral resources, open while the run lasts */

void apply_ephemerals(struct apply *ap, uint32_t node);
void apply_close_ephemerals(struct apply *ap);

/* finish.c: the end of a run */

/* Registers the objects with conditions that the plan knew. */
int apply_expect_checks(struct apply *ap);
/* Ends the event loop. */
void apply_finish(struct apply *ap);
/* Called after the loop: writes the state and, unless it failed, the
 * summary. */
void apply_end(struct apply *ap, bool failed);
/* Instead of all that: the refresh command. */
void apply_refreshed(struct apply *ap);

/*
 * needs.c: what needs values or objects that will not be, or would not be what
 * was planned without them
 */

/* Refuses changes that need what will not be there. */
int apply_check_needs(struct apply *ap);

int apply_check_values(struct apply *ap);

/* apply_nodes.c: what is done at each node of the apply graph */

/* Makes v the output's value in the state. */
void apply_keep_output(struct apply *ap, const struct cfg_output *o,
		       const struct value *v);
void apply_start_node(void *data, struct graph_walk *w, uint32_t node);

/* op.c: the life of an op, and what several of them do */

/* Runs the steps of the table in a slot; at the end reports the diagnostics and
 * notifies the walk. */
void op_begin(struct apply *ap, uint32_t node, worker_step *const *table);
/* The instance in the configuration, and its provider. */
worker_step op_configured;
/* The provider that the plan recorded, for what is destroyed. */
worker_step op_recorded_provider;
/* Checks postconditions against the new object.  Always the last step. */
worker_step op_postconditions;
/* Reads the current or deposed object into o->prior. */
int op_read(struct op *o, struct str deposed);
int op_conditions(struct op *o, enum condition_kind kind,
		  const struct value *self);
/* The body's value, wholly known; NULL: failed. */
const struct value *op_config(struct op *o);
/* The provider, in words, for messages. */
const char *op_provider_text(const struct op *o);

/* rescue.c: a state that could not be saved */

/* Called at the end, when the state could not be saved and that was reported:
 * leaves the results of this run where users find them. */
void apply_rescue(struct apply *ap);

/* apply_state.c: the state as it is being made, and its journal */

/* The journal is written with the events, before them. */
void apply_journal_start(struct apply *ap);
/* Makes obj the object at (address, deposed key) in the state; NULL removes. */
void apply_put(struct apply *ap, const struct instance_addr *addr,
	       struct str deposed, const struct resource_object *obj,
	       const struct resource_schema *schema,
	       const struct run_provider *p);
void apply_remove(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p);
/* The instance with all that is deposed of it. */
void apply_remove_all(struct apply *ap, const struct instance_addr *addr);
/* The current object becomes a deposed one, or the reverse. */
void apply_depose(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p);
bool apply_restore(struct apply *ap, const struct instance_addr *addr,
		   struct str deposed, const struct run_provider *p);
void apply_intent(struct op *o, struct str deposed);
/* A root output gets this value; NULL removes it. */
void apply_output(struct apply *ap, struct str name, const struct value *v,
		  struct str deprecated);
int apply_write_state(struct apply *ap, struct diags *ds);

/*
 * stored.c: does what the plan was shown with hold of what is there now?
 *
 * The stream agrees with itself (stage/plan_reader.h).  What it says of the
 * state, of outputs and of schemas is compared here with the state that is
 * stored and with the providers, for people were shown changes of those.
 */

/* The state, before anything of the plan is in it.  0, or -1. */
int stored_check(struct apply *ap);
/* What planning found, which is in the state by now, fits the schemas that it
 * was shown with, so that others can read it.  0, or -1. */
int stored_check_prior(struct apply *ap);
/* Does a state have the object as the plan tells of it, */
bool stored_same_object(struct apply *ap, const struct state *s,
			struct change_entry *e);
/* and the output?  previous: the plan's record; STR_NONE: it has none. */
bool stored_same_output(struct apply *ap, struct arena *a,
			const struct state *s, struct str name,
			struct str previous);
/* The schema that the change was shown with is the provider's. */
int stored_check_schema(struct op *o);

/* The tables of steps of ops */

/* apply_managed.c, apply_data.c, destroy.c */
extern worker_step *const apply_managed[],
	*const apply_data[], *const apply_destroy[],
				     *const apply_destroy_deposed[];

/* replan.c: plans again with what is known now, into o->action, o->before,
 * o->planned; the result must be a completion of the plan. */
worker_step apply_replan, apply_replanned;
#define REPLAN_STEPS apply_replan, WORKER_PLAN_STEPS, apply_replanned

/* object.c: carries o->action out; the result is in o->now. */
worker_step apply_intend, apply_send, apply_sent;
#define OBJECT_STEPS apply_intend, apply_send, apply_sent

/* taken.c: changes that the user took out of the plan */

int taken_addresses(struct arena *a, const struct taken_vec *taken,
		    const struct instance_addr **out, struct diags *ds);
/* Does the root output derive from one? */
bool apply_output_stays(const struct apply *ap, struct str name);
void apply_warn_taken(struct apply *ap);
/* Are nodes of tf-graph -apply gone that the plan needs? */
int taken_nodes_check(const struct apply_edits *edits, const struct graph *g,
		      struct diags *ds);

/* vars.c: the variables of an apply */

/* Parses given and merges it with the plan's variables into out.  saved: as in
 * struct apply_options.  -1: diagnosed. */
int apply_variables(struct apply_input *in, struct inputs *given,
		    struct inputs *out, bool saved, struct diags *ds);

#endif
