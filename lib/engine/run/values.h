/*
 * values.h - named values and objects, as references see them; the scope of an
 * evaluation
 */
#ifndef TFPIPE_ENGINE_RUN_VALUES_H
#define TFPIPE_ENGINE_RUN_VALUES_H

#include "engine/run/run.h"

struct condition_use;

const struct value *run_variable(struct run_module *m,
				 const struct cfg_variable *v, bool *failed,
				 struct diags *ds);
const struct value *run_local(struct run_module *m, const struct cfg_local *l,
			      bool *failed, struct diags *ds);
/* As the caller of the module sees it (marks of sensitive, ephemeral,
 * deprecated added). */
const struct value *run_output(struct run_module *m, const struct cfg_output *o,
			       bool *failed, struct diags *ds);
/* Its value, if that is known, but may be another one when all is done: of
 * what was unknown, or of a function that looks elsewhere.  Else NULL.  It was
 * evaluated. */
const struct value *run_output_doubtful(struct run_module *m,
					const struct cfg_output *o);
/* May an output hold this value? Marks, and where they are allowed. */
int run_output_refused(struct run_module *m, const struct cfg_output *o,
		       const struct value *v, struct diags *ds);
/* An infinite number in v, which is to be stored at the address, is an error:
 * state files are JSON, which has none. */
int run_refuse_infinity(const struct value *v, const struct range *at,
			struct str address, struct diags *ds);

/* variables.c: the last step of a variable's value, and its validations */

/* Evaluates the variable's validations in m, and warns when a deprecated
 * variable is used.  u: how references are checked, or NULL.  Returns -1 on an
 * error. */
int variable_validate(struct run_module *m, const struct cfg_variable *v,
		      const struct condition_use *u, struct diags *ds);

/*
 * variable_value.c: a variable's value from what was given and what it is
 * declared as, which takes no run (see variables.c)
 */

/* The default, converted; NULL: there is none, or it does not fit. */
const struct value *variable_default(struct arena *a,
				     const struct cfg_variable *v,
				     struct diags *ds);
/* The given value (NULL: not set) made to fit the variable: default, defaults
 * of optional attributes, conversion, nullability.  `how` says in words how it
 * was given, for values from outside ("with -var"); NULL otherwise.  at: the
 * range of the value, or of the declaration if it is in no file.  No marks are
 * added. */
const struct value *variable_settle(struct arena *a,
				    const struct cfg_variable *v,
				    const struct value *given,
				    const struct range *at, const char *how,
				    struct diags *ds);
/* The value of an argument of a call made to fit; otherwise: variable_default,
 * which has said what is wrong with it. */
const struct value *variable_settle_argument(struct arena *a,
					     const struct cfg_variable *v,
					     const struct value *otherwise,
					     const struct value *given,
					     const struct range *at,
					     struct diags *ds);

/* scope.c: what names mean in expressions of a module instance */

void run_scope_init(struct run_scope *s, struct run_module *m,
		    const struct repetition *rep);

/* resource_value.c: what references to resources see */

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

/* schema_refs.c: checks references against the schemas of their objects */

/* Are the steps after a resource attributes and blocks of its schema? It is
 * optimistic: dynamically typed attributes may have anything in them. */
int schema_check_steps(const struct schema_block *b, const struct source *src,
		       const struct step *steps, size_t n, struct diags *ds);

/* Checks a reference to a resource in m by its schema.  Returns -1 after
 * errors. */
int schema_check_reference(struct run_module *m, const struct reference *r,
			   struct diags *ds);
/* Checks all references to resources in m among these.  -1: errors.  a is
 * scratch. */
int schema_check_references(struct arena *a, struct run_module *m,
			    const struct traversal_vec *v, struct diags *ds);

/* The attribute a path of plain names leads to, or NULL. */
const struct schema_attr *schema_attr_at(const struct schema_block *b,
					 const struct step *steps, size_t n);

/*
 * trigger_ref.c: elements of replace_triggered_by as references: to resources,
 * instances or attributes, where index keys may be count.index or each.key
 */

/* count.index and each.key in its keys are taken from rep. */
int trigger_reference(struct arena *a, struct expression e,
		      const struct repetition *rep, struct reference *out,
		      struct diags *ds);

/* calls.c: evaluations that meet functions of providers */

/* An evaluation that meets a call whose outcome is not known yet goes on with
 * an unknown value.  The caller takes a mark before it evaluates; if
 * run_must_wait says so, the diagnostics since are dropped, and `again` is
 * called to repeat it all when the outcome is known.  So nothing with effects
 * may be done before that is asked. */
struct run_mark run_mark(struct run *r, struct diags *ds);
bool run_must_wait(const struct run_mark *m, void (*again)(void *data),
		   void *data);
/* The question alone. */
bool run_waits(const struct run_mark *m);
/* For callers with nothing else to do: waits, running the loop.  true: evaluate
 * again. */
bool run_settle(struct run_mark *m);

#endif
