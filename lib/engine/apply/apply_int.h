/* apply_int.h - what the files of applying share */
#ifndef TFPIPE_ENGINE_APPLY_APPLY_INT_H
#define TFPIPE_ENGINE_APPLY_APPLY_INT_H

#include "engine/apply/apply.h"
#include "engine/apply/provision.h"
#include "engine/change/events.h"
#include "engine/change/stop.h"
#include "engine/object/resource_object.h"
#include "engine/order/apply_graph.h"
#include "engine/run/worker.h"

struct op;

struct apply {
	struct arena *arena;
	struct loop *loop;
	struct apply_input *in;
	const struct apply_options *opts;
	struct diags *ds;
	struct run *run;
	struct state *state;      /* being made */
	struct backend *backend;
	struct events events;
	struct apply_graph *graph;
	struct graph_walk *walk;
	struct loop_timer *persist;
	struct op *running;       /* list of what is under way */
	VEC(struct ephemeral *) opened;
	unsigned closing;         /* ephemeral resources being closed */
	bool journal_failed;      /* reported once */
	bool sync_wanted;
	struct stop_requests requests;
	bool stopped;             /* asked to stop */
	bool killed;              /* asked twice */
	bool interrupted;
	bool finished;
	unsigned long written;    /* serial last reported */
};

/* One node at work. */
struct op {
	struct worker w;           /* first: an op is one */
	struct apply *ap;
	struct op *next, **link;   /* in ap->running */
	struct op_starter *starter;
	uint32_t node;
	const struct apply_node *an;
	struct change *change;
	struct run_instance *inst;
	struct resource_object prior; /* before */
	struct resource_object now;   /* after */
	struct str deposed;        /* key the old object got; empty: none */
	const struct value *before, *planned; /* of the final change */
	struct str planned_private;
	const struct value *planned_identity;
	enum action action;
	size_t said_before;        /* diagnostics before reading */
	struct provisioning *provisioning;
};
static inline struct op *op_of(struct worker *w)
{
	return (struct op *)w;
}
static inline bool op_failed(const struct op *o)
{
	return worker_failed(&o->w);
}

/* --- op.c: the life of an op, and steps of several tables --- */
/* In a slot, the steps of the table; at the end the diagnostics are reported
 * and the walk is told. */
void op_begin(struct apply *ap, uint32_t node, worker_step *const *table);
/* The instance in the configuration, and its provider. */
worker_step op_configured;
/* The provider that the plan recorded, for what is destroyed. */
worker_step op_recorded_provider;
/* Those of what there is now.  The last step. */
worker_step op_postconditions;
/* Reads the current or deposed object into o->prior. */
int op_read(struct op *o, struct str deposed);
int op_conditions(struct op *o, enum condition_kind kind,
		  const struct value *self);
/* The body's value, wholly known; NULL: failed. */
const struct value *op_config(struct op *o);
/* The provider, in words, for messages. */
const char *op_provider_text(const struct op *o);

/* --- the tables: change.c, data.c, destroy.c --- */
extern worker_step *const apply_managed[], *const apply_data[],
	*const apply_destroy[], *const apply_destroy_deposed[];

/* --- replan.c: planned again with what is known now, into o->action,
 * o->before, o->planned; what comes of it must be a completion of the plan ---
 */
worker_step apply_replan, apply_replanned;
#define REPLAN_STEPS apply_replan, WORKER_PLAN_STEPS, apply_replanned

/* --- object.c: carries o->action out; the result is in o->now --- */
worker_step apply_intend, apply_send, apply_sent;
#define OBJECT_STEPS apply_intend, apply_send, apply_sent

/* --- destroy.c --- */
void apply_forget(struct apply *ap, uint32_t node);
/* Does the removed block of module m mean this resource? */
bool removed_names(struct arena *a, const struct cfg_module *m,
		   const struct cfg_removed *r,
		   const struct instance_addr *addr);

/* --- ephemeral.c --- */
void apply_ephemerals(struct apply *ap, uint32_t node);
void apply_close_ephemerals(struct apply *ap);

/* --- nodes.c --- */
/* Makes v the output's value in the state. */
void apply_keep_output(struct apply *ap, const struct cfg_output *o,
		       const struct value *v);
void apply_start_node(void *data, struct graph_walk *w, uint32_t node);

/* --- state.c: the state and its journal --- */
/* The journal is written with the events, before them. */
void apply_journal_start(struct apply *ap);
/* Makes obj the object at (address, deposed key) in the state; NULL removes. */
void apply_put(struct apply *ap, const struct instance_addr *addr,
	       struct str deposed, const struct resource_object *obj,
	       const struct resource_schema *schema,
	       const struct run_provider *p);
void apply_remove(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p);
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

/* --- rescue.c --- */
/* At the end, when the state could not be saved and that was reported: what
 * this run did goes where somebody finds it. */
void apply_rescue(struct apply *ap);

/* --- taken.c: changes that somebody took out of the plan --- */
int taken_addresses(struct arena *a, const struct taken_vec *taken,
		    const struct instance_addr **out, struct diags *ds);
/* Does the root output derive from one? */
bool apply_output_stays(const struct apply *ap, struct str name);
void apply_warn_taken(struct apply *ap);
/* Are nodes of tf-graph -apply gone that the plan needs? */
int taken_nodes_check(const struct apply_edits *edits, const struct graph *g,
		      struct diags *ds);

/* --- needs_values.c: what needs values that will not be --- */
int apply_check_values(struct apply *ap);

/* --- needs.c --- */
/* Refuses changes that need what will not be there. */
int apply_check_needs(struct apply *ap);

/* --- vars.c --- */
int apply_variables(struct apply_input *in, struct inputs *given,
		    struct inputs *out, struct diags *ds);

/* --- finish.c --- */
/* Registers the objects with conditions that the plan knew. */
int apply_expect_checks(struct apply *ap);
/* Ends the event loop. */
void apply_finish(struct apply *ap);
/* After it: writes the state, and says what was done unless it failed. */
void apply_end(struct apply *ap, bool failed);
/* Instead of all that: the refresh command. */
void apply_refreshed(struct apply *ap);

#endif
