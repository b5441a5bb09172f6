/* conditions.h - preconditions, postconditions, rules of variables, asserts */
#ifndef TFPIPE_ENGINE_RUN_CONDITIONS_H
#define TFPIPE_ENGINE_RUN_CONDITIONS_H

#include "engine/run/run.h"

enum condition_kind {
	COND_PRECONDITION,
	COND_POSTCONDITION,
	COND_OUTPUT,
	COND_ASSERT,
	COND_VALIDATION,
	COND_TEST, /* an assertion of a test: nothing is left for later */
};
struct condition_use {
	enum condition_kind kind;
	struct check_object *object; /* NULL: results are not kept */
	struct str address;          /* of what has the conditions */
	bool warn;                   /* failures are warnings */
	/* COND_VALIDATION: the variable, and the range of its value */
	const struct cfg_variable *variable;
	struct range subject;
	/* Checks what a condition and its message name together, before they
	 * are evaluated; returns bits of config/check/refs.h.  NULL: that is
	 * done. */
	unsigned (*references)(void *data, const struct traversal_vec *refs);
	void *data;
};

/* Evaluates conditions in s (set s->self where self is allowed), reports each
 * to the check object and to ds.  Failures are errors, with u->warn and of
 * check blocks warnings; conditions still unknown are left for later.  Returns
 * -1 on an error. */
int run_conditions(struct run *r, struct run_scope *s,
		   const struct condition_use *u,
		   const struct cfg_condition_vec *conds, struct diags *ds);

/*
 * module_checks.c: the conditions of a module's outputs and check blocks, and
 * where their results are kept
 */

/* The results of an output or check block (kind) in an instance of its module;
 * NULL: no condition of it is known. */
struct check_object *module_check(struct run_module *m, enum check_kind kind,
				  struct str name);

/* The preconditions of an output.  -1: errors; *failed is set where something
 * that the last of them uses had failed before. */
int module_output_conditions(struct run_module *m, const struct cfg_output *o,
			     bool warn, bool *failed, struct diags *ds);
/* Evaluates the assertions of a check block, which give warnings; does nothing
 * if its data source could not be read. */
void module_check_asserts(struct run_module *m, const struct cfg_check *c,
			  struct diags *ds);

#endif
