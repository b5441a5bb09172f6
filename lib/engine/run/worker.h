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

#include "engine/run/run.h"
#include "engine/object/resource_object.h"
#include "engine/run/conditions.h"
#include "schema/schema.h"

struct event_flight;
struct trace_span;
struct worker;

/*
 * object_plan.c: planning one object of a managed resource with its provider
 *
 * validate - let the provider plan - check what it planned - decide the action
 * - plan again from nothing if the object is to be replaced (lifecycle
 * document, "planned state").  tf-plan does this with what is known before,
 * tf-apply once more with what is known then.
 *
 * Each function but the last fills in the request or takes its answer; the
 * calls are a worker's (worker.h), in the order of the functions here.
 */

struct object_plan {
	/* in */
	struct arena *arena; /* results, too */
	struct diags *ds;
	struct str address, provider; /* in words */
	const struct schema_block *schema;
	const struct cfg_lifecycle *lifecycle;
	const struct value *config; /* with marks */
	const struct value *object; /* as it is, with marks; NULL: none */
	bool tainted;               /* planned as if there were none */
	struct str private_data;
	const struct value *identity; /* may be NULL */
	bool forced;                  /* to be replaced in any case */
	bool cbd;                     /* how: create_before_destroy */
	struct provider_request *q;
	/* out */
	bool legacy; /* the provider's type system */
	enum action action;
	enum reason reason;
	const struct value *before;  /* null: nothing */
	const struct value *planned; /* with marks, but of a replacement
	                              * without those of the schema */
	struct str planned_private;
	const struct value *planned_identity;
	struct path_vec replace; /* why it is to be replaced */
	/* The answer to come repeats the warnings of an earlier one. */
	bool quiet;
	/* inner */
	const struct value *prior, *config_ignored;
};

/* Fills in the request to validate the configuration. */
void object_plan_validate(struct object_plan *x);
/* Fills in the request to plan it. */
void object_plan_ask(struct object_plan *x);
/* Takes the answer to that, which has an object, null perhaps: one that does
 * not fit is an error of the call.  true: the object is to be replaced, and q
 * asks once more, for one made from nothing. */
bool object_plan_take(struct object_plan *x);
/* Takes the answer to that. */
void object_plan_take_replacement(struct object_plan *x);

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
	struct str about;        /* in traces; empty: text is it */
	struct trace_span *span; /* of the work, there */
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

/* worker.c: what a worker evaluates: body, provider_meta, conditions */

/* The scope of the instance. */
void worker_scope(const struct worker *w, struct run_scope *s);
/* The block's value, as the configuration has it; NULL: failed, reported now or
 * before. */
const struct value *worker_body(struct worker *w);
/* Reports what of that value is ephemeral where it would be kept: planning, and
 * again when all is known, for an unknown value may have lost the mark. */
int worker_refuse_ephemeral(struct worker *w, const struct value *v);
/* The conditions of the block.  -1: errors.  *failed (may be NULL): something
 * that they use had failed before. */
int worker_conditions(struct worker *w, enum condition_kind kind,
		      const struct value *self, bool *failed);
/* Plans the object with the provider (object_plan.c): begins w->plan with what
 * the worker knows, the object as it is, and whether it is to be replaced in
 * any case: for this reason, or because -replace names it. */
void worker_plan(struct worker *w, const struct resource_object *object,
		 bool forced, bool cbd);

/*
 * nested_check.c: data sources in check blocks
 *
 * An error while one is read fails the check: a warning that does not stop the
 * run (OpenTofu, "checks with data sources").
 */

/* Passes the check of the worker's data source, which is not read yet; does
 * nothing if it has none. */
void nested_check_pass(struct worker *w);
/* The data source was read: errors since there were `from` diagnostics become
 * warnings. true: there were some, and the check has failed. */
bool nested_check_settle(struct worker *w, size_t from);

/*
 * provisioners.c: the contents of provisioner and connection blocks
 *
 * All provisioners: local-exec, file, remote-exec.
 */

/* NULL: there is no such provisioner. */
const struct schema_block *provisioner_schema(struct arena *a, struct str type);
bool provisioner_exists(struct str type);
/* Of any kind of connection. */
const struct schema_block *provisioner_connection_schema(struct arena *a);
/* The provisioner's own connection over that of its resource; each may be NULL,
 * as may the outcome. */
struct body *provisioner_connection(struct arena *a, struct body *resources,
				    struct body *own);

/* Checks rules that the schema cannot express; errors have no range. */
void provisioner_check(struct str type, const struct value *config,
		       struct diags *ds);

#endif
