/*
 * module_checks.h - the conditions of a module's outputs and check blocks, and
 * where their results are kept
 */
#ifndef TFPIPE_ENGINE_RUN_MODULE_CHECKS_H
#define TFPIPE_ENGINE_RUN_MODULE_CHECKS_H

#include "engine/run/run.h"

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
