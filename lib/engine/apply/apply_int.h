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
};
static inline struct op *op_of(struct worker *w)
{
	return (struct op *)w;
}
static inline bool op_failed(const struct op *o)
{
	return worker_failed(&o->w);
}

#endif
