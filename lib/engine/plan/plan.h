/* plan.h - the steps of tf-plan and tf-graph */
#ifndef TFPIPE_ENGINE_PLAN_PLAN_H
#define TFPIPE_ENGINE_PLAN_PLAN_H

#include "engine/run/run.h"
#include "engine/stage/stage.h"
#include "provider/source.h"
#include "graph/graph.h"

struct plan;
struct select;

/*
 * plan.c: planning: from configuration, state and selectors to changes
 *
 * Refreshes and plans every instance in the order of the graph, at most
 * -parallelism at a time, in one event loop.  A plan with errors is still a
 * plan: it holds what could be planned.
 */

/* The import command: one object that exists becomes managed, and nothing else
 * is planned. */
struct plan_import {
	struct instance_addr addr;
	struct str id;
};

struct plan_options {
	struct run_options run;          /* phase is set here */
	const struct workdir *workdir;   /* where reads are remembered; NULL:
	                                    they are not */
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

/*
 * plan_steps.c: the steps of tf-plan: the input, the work of skipped stages,
 * validation, the plan
 *
 * Validation begins while the input is read, as soon as the configuration is
 * complete.  Validation and planning are repeated if a schema turns out to
 * differ from the kept one that they used: neither has effects.
 */

/* The source of providers, implemented where they are installed
 * (installed.h). */
struct plan_providers {
	struct provider_source *(*source)(struct arena *a,
					  const struct workdir *w,
					  struct str default_host);
	/* How many processes there may be.  -1: diagnosed. */
	int (*limit)(struct provider_source *s, long given, struct diags *ds);
	/* Is all there that the configuration requires? */
	int (*check)(struct provider_source *s, struct arena *a,
		     const struct config *c, bool validate, struct diags *ds);
};

struct plan_steps {
	struct arena *arena;
	struct diags *ds;
	struct stream_out *out;
	const struct plan_providers *providers;
	/* options, by their names where no more is said */
	struct str state_path, generate, import, import_id;
	struct selector_options so;
	const struct str_vec *given;  /* names of all */
	const struct input_arg *args; /* -var and -var-file */
	size_t nargs;
	struct str cwd; /* workdir_before */
	long parallelism, max_providers;
	bool validate;       /* nothing else */
	struct str test_dir; /* of tests; empty: tests */
	bool no_tests, refreshed;
	struct str_vec deny; /* expressions (select.h) */

	struct stage
		in; /* with workdir; the configuration is there after reading */

	/* private */
	struct loop *loop;
	struct provider_source *source;
	unsigned slots;     /* by parallelism */
	bool checked;       /* while reading: the outcome waits in */
	struct diags early; /* what was found then */
	struct plan *plan;
	VEC(struct select *) denies;
};

/* Reads the stream, or the directory, which is the current one.  1: an earlier
 * stage has failed and reported why; -1: diagnosed. */
int plan_steps_read(struct plan_steps *p, bool from_dir);
/* Validates, plans and writes the records.  0; 2: there is something to apply;
 * -1: diagnosed. */
int plan_steps_run(struct plan_steps *p);
void plan_steps_release(struct plan_steps *p);

/*
 * graph_steps.c: the steps of tf-graph: the input, the selectors, the state,
 * the graph
 *
 * Each is written as soon as it is known, so that the next stage can begin.
 */

struct picture_tally;

struct graph_steps {
	struct arena *arena;
	struct diags *ds;
	struct stream_out *out;
	const struct str_vec *given; /* names of options */
	struct selector_options so;
	struct str state_path; /* that of -state; or empty */
	bool asks_hosts;       /* reading the state may: confined accordingly */
	bool encrypts;         /* files here speak of encryption */
	bool stays;            /* confined for good: the state was read */
	bool leave_errors;     /* errors of the graph are left to
					tf-plan */

	struct stage in;           /* with workdir */
	const struct graph *graph; /* NULL: there is none */
	/* Of a plan: what it does to the instances of each node. */
	struct picture_tally *tallies;
};

/* The graph of the plan phase, of a stream or of the directory.  1: the stages
 * before have failed; -1: diagnosed. */
int graph_steps_plan(struct graph_steps *g, bool from_dir);

#endif
