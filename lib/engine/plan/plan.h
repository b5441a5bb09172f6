/*
 * plan.h - planning: from configuration, state and selectors to changes
 *
 * Refreshes and plans every instance in the order of the graph, at most
 * -parallelism at a time, in one event loop.  A plan with errors is still a
 * plan: it holds what could be planned.
 */
#ifndef TFPIPE_ENGINE_PLAN_PLAN_H
#define TFPIPE_ENGINE_PLAN_PLAN_H

#include "engine/run/run.h"

struct plan;

/* The import command: one object that exists becomes managed, and nothing else
 * is planned. */
struct plan_import {
	struct instance_addr addr;
	struct str id;
};

struct plan_options {
	struct run_options run;          /* phase is set here */
	struct inputs inputs;            /* parsed */
	struct str generate_config_path; /* empty: do not generate */
	bool refreshed;                  /* only what is read will be stored */
	struct events *events; /* gets the progress; NULL: not reported */
	const struct plan_import *import; /* NULL: an ordinary plan; else the
	                            mode is refresh-only, without refresh */
};

/* The configuration is valid (validate.h).  Always returns a plan unless the
 * graph failed (NULL); look at ds for errors. */
struct plan *plan_run(struct arena *a, struct loop *l, struct config *c,
		      struct state *previous, const struct plan_options *o,
		      struct diags *ds);
/* Closes the providers. */
void plan_free(struct plan *p);

#endif
