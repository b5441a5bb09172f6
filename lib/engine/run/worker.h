/*
 * worker.h - the work on one instance, in steps
 *
 * Validating, planning and applying an instance go the same way: in a slot,
 * with a provider, from one answer of it to the next.  A table lists the steps
 * in order and ends with NULL; the worker carries them out one after the other.
 *
 * A step that evaluates may meet a function of a provider whose outcome is not
 * known yet (calls.c).  Then the worker drops the step's diagnostics, and takes
 * the same step again when the outcome is known.  So a step that evaluates has
 * no effects but on the worker itself: those are the next step's.
 *
 * A struct worker is the first member of its phase's own struct (struct job,
 * struct op, struct visit), and lives in the slot's arena.
 */
#ifndef TFPIPE_ENGINE_RUN_WORKER_H
#define TFPIPE_ENGINE_RUN_WORKER_H

#include "engine/object/resource_object.h"
#include "engine/run/conditions.h"
#include "engine/run/object_plan.h"
#include "engine/run/slots.h"

struct event_flight;
struct worker;

/* The outcome of a step. */
enum worked {
	WORK_NEXT,  /* on with the table */
	WORK_GO,    /* on with another table (worker_go) */
	WORK_CALL,  /* w->q is to be sent (worker_call): the next step has the
	               answer, and w->answered is set */
	WORK_LATER, /* somebody will call worker_resume, or has the worker */
	WORK_END,   /* done, well or with errors in w->ds */
	WORK_FAIL,  /* given up; why is in w->ds, or reported before */
};
typedef enum worked worker_step(struct worker *w);

struct worker_ops {
	/* The work is over: gives the slot back. */
	void (*end)(struct worker *w, bool failed);
	/* For work that has not begun and whose provider is asleep (NULL: it
	 * waits in its slot): w goes; begin(data) is to begin anew in another
	 * slot, with the data that parked gave. */
	void *(*parked)(struct worker *w);
	run_slot_fn *begin;
};

struct worker {
	const struct worker_ops *ops;
	struct run *run;
	struct run_slot *slot; /* NULL: a is of somebody else */
	struct arena *a;       /* scratch */
	struct diags ds;       /* in the run's arena */
	struct instance_addr addr;
	struct str text;           /* addr, and the deposed key, in words */
	struct run_module *module; /* NULL: not in the configuration */
	const struct cfg_resource *block; /* the same */
	struct repetition rep;
	bool only_warn; /* of conditions that do not hold */
	struct run_provider *provider;
	const struct resource_schema *schema;
	const struct value *meta;    /* provider_meta; NULL: none */
	const struct value *config;  /* the block evaluated, with marks */
	struct object_plan plan;     /* managed resources */
	struct event_flight *flight; /* the operation in the events */
	struct provider_request q;
	/* Errors of the next answers are for the steps that get them; else the
	 * worker fails. */
	bool keep_on;
	bool answered; /* this step follows a call: q has it */
	/* inner */
	worker_step *const *next, *const *other;
	struct run_mark mark;
};

/* Takes the first step.  ops, run, slot, a and ds are set; the rest is for the
 * steps. */
void worker_begin(struct worker *w, worker_step *const *table);
/* For a step: goes on with another table. */
enum worked worker_go(struct worker *w, worker_step *const *table);
/* For a step: sends w->q, of which the call, the type, provider_meta and where
 * the answer goes are filled in here. */
enum worked worker_call(struct worker *w, enum provider_call call);
/* After WORK_LATER: goes on with the next step.  A loop_fn. */
void worker_resume(void *worker);
static inline bool worker_failed(const struct worker *w)
{
	return diags_failed(&w->ds);
}

/* --- steps and parts of steps --- */

/* Has w->provider ready. */
worker_step worker_get_provider;
/* Evaluates the module's provider_meta block for this provider into w->meta
 * ("Provider X doesn't support provider_meta"). */
worker_step worker_provider_meta;

/* Then these steps; the result is in w->plan. */
#define WORKER_PLAN_STEPS \
	worker_plan_validate, worker_plan_ask, worker_planned, \
		worker_replacement_planned
worker_step worker_plan_validate, worker_plan_ask, worker_planned,
	worker_replacement_planned;

#endif
