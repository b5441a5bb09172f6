/*
 * tables.h - the tables of steps of ops
 */
#ifndef TFPIPE_ENGINE_APPLY_TABLES_H
#define TFPIPE_ENGINE_APPLY_TABLES_H

#include "engine/apply/apply_int.h"

/* change.c, data.c, destroy.c */
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

#endif
