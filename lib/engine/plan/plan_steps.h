/*
 * plan_steps.h - the steps of tf-plan: the input, the work of skipped stages,
 * validation, the plan
 *
 * Validation begins while the input is read, as soon as the configuration is
 * complete.  Validation and planning are repeated if a schema turns out to
 * differ from the kept one that they used: neither has effects.
 */
#ifndef TFPIPE_ENGINE_PLAN_PLAN_STEPS_H
#define TFPIPE_ENGINE_PLAN_PLAN_STEPS_H

#include "engine/plan/plan.h"
#include "engine/stage/stage.h"
#include "provider/source.h"

/* The source of providers, implemented where they are installed
 * (installed.h). */
struct plan_providers {
	struct provider_source *(*source)(struct arena *a,
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
	struct str cwd; /* inputs_original_dir */
	long parallelism, max_providers;
	bool validate;       /* nothing else */
	struct str test_dir; /* of tests; empty: tests */
	bool no_tests, refreshed;

	struct stage in; /* the configuration is there after reading */

	/* private */
	struct loop *loop;
	struct provider_source *source;
	unsigned slots;     /* by parallelism */
	bool checked;       /* while reading: the outcome waits in */
	struct diags early; /* what was found then */
	struct plan *plan;
};

/* Reads the stream, or the directory, which is the current one.  1: an earlier
 * stage has failed and reported why; -1: diagnosed. */
int plan_steps_read(struct plan_steps *p, bool from_dir);
/* Validates, plans and writes the records.  0; 2: there is something to apply;
 * -1: diagnosed. */
int plan_steps_run(struct plan_steps *p);
void plan_steps_release(struct plan_steps *p);

#endif
