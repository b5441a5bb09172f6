/* run_int.h - what the files of the run share */
#ifndef TFPIPE_ENGINE_RUN_RUN_INT_H
#define TFPIPE_ENGINE_RUN_RUN_INT_H

#include "engine/run/run.h"

/* The limit for one object: more is a mistake, which without a limit takes all
 * memory. */
enum { INSTANCES_MAX = 1000000 };

struct run_wait { /* a caller waiting for a slot or a provider */
	struct run_wait *next;
	void *fn; /* run_slot_fn * or run_provider_fn * */
	void *data;
	struct run_provider *provider; /* when that is waited for */
};

/* A placeholder for a provider that could not be opened. */
extern struct provider provider_failed;

struct run_module *run_module_new(struct run *r, struct cfg_module *c,
				  struct run_module *parent,
				  struct run_call *call, struct inst_key key,
				  const struct repetition *rep);

/* Nesting of an evaluation from which locals are evaluated by deep_locals.c. */
enum { DEEP_LOCALS = 200 };

#endif
