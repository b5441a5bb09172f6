/*
 * values.h - named values and objects, as references see them; the scope of an
 * evaluation
 */
#ifndef TFPIPE_ENGINE_RUN_VALUES_H
#define TFPIPE_ENGINE_RUN_VALUES_H

#include "engine/run/run.h"

const struct value *run_variable(struct run_module *m,
				 const struct cfg_variable *v,
				 bool *failed, struct diags *ds);
const struct value *run_local(struct run_module *m, const struct cfg_local *l,
			      bool *failed, struct diags *ds);
/* As the caller of the module sees it (marks of sensitive, ephemeral,
 * deprecated added). */
const struct value *run_output(struct run_module *m,
			       const struct cfg_output *o, bool *failed,
			       struct diags *ds);
/* The value of r as a whole: object, tuple, object of objects. */
const struct value *run_resource_value(struct run_resource *r);
/* One instance, as a reference sees it. */
const struct value *run_instance_value(struct run_instance *i);
/* Sets what references see; v must live in run->arena. */
void run_instance_set(struct run_instance *i, const struct value *v);

/* Decodes an object of the state by its schema; marks from
 * sensitive_attributes and from the schema are added. NULL with a diagnostic
 * when it does not fit. */
const struct value *run_decode_state(struct arena *a,
				     const struct resource_schema *schema,
				     const struct state_instance *i,
				     const struct instance_addr *addr,
				     struct diags *ds);

void run_scope_init(struct run_scope *s, struct run_module *m,
		    const struct repetition *rep);

#endif
