/*
 * tables.h - the tables of steps by which an instance is planned, and the
 * steps that several of them have
 */
#ifndef TFPIPE_ENGINE_PLAN_TABLES_H
#define TFPIPE_ENGINE_PLAN_TABLES_H

#include "engine/plan/plan_int.h"

/* managed.c, data.c, ephemeral.c, delete.c */
extern worker_step *const plan_managed[],
	*const plan_data[], *const plan_ephemeral[],
				    *const plan_orphan[],
					    *const plan_deposed[],
						    *const plan_destroy[];

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
/* Postconditions of the object as references see it. */
worker_step job_postconditions;
/* import.c: the object that an import block names, into j->now. */
worker_step job_import, job_imported, job_import_read;

#endif
