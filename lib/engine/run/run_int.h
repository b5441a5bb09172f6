/* run_int.h - what the files of the run share */
#ifndef TFPIPE_ENGINE_RUN_RUN_INT_H
#define TFPIPE_ENGINE_RUN_RUN_INT_H

#include "engine/run/run.h"

/* calls.c: calls of providers' functions, which take their time */

/* Notes that the current evaluation needs a pending call: its value is only a
 * placeholder. */
void run_asks(struct run *r, struct run_asked *what);
/* Frees the outcomes of all calls. */
void run_calls_free(struct run *r);
/* A function of a provider: of an instance, which is configured for it, or
 * (NULL) of p, which is not.  NULL if there is none. */
const struct func *run_provider_function(struct run *r, struct run_provider *in,
					 struct provider *p, struct str name);
bool run_asked_over(const struct run_asked *what);
/* Is there a value that counts, for now at least? */
static inline bool run_memo_kept(const struct run_memo *m)
{
	return m->value && !(m->waits && run_asked_over(m->waits));
}

/* deep_locals.c: long chains of local values, evaluated without recursion */

/* The locals that l needs, and those that they need, however long the chain. */
void eval_needed_locals(struct run_module *m, const struct cfg_local *l,
			struct eval *ev, struct diags *ds);

/* functions.c: the functions that expressions can call */

/* Functions by name: built-in ones and those of providers. */
const struct func *run_function(void *data, struct str name);
struct str run_function_name(void *data, size_t i);
/* Does the module require a provider of this local name? */
bool run_has_provider(void *data, struct str local_name);

/* providers.c: which object gets which provider instance */

/* The instance that a call in m means; NULL: none is configured. */
struct run_provider *run_provider_of_call(struct run_module *m,
					  const struct func_of_provider *f,
					  struct provider_addr provider);

/*
 * repetition.c: count, for_each and enabled: their values, and those that
 * instances see
 */

/* count.index, each.key and each.value where they are not known. */
struct repetition repetition_unknown(struct run *r, bool count, bool each);
/* expansion_evaluate for the validate walk too: what is unknown there is
 * EXPAND_UNKNOWN. */
void expansion_compute(struct run_module *m, struct expression count,
		       struct expression for_each, struct expression enabled,
		       struct expansion *e, struct diags *ds);

/* resource_value.c: what references to resources see */

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

/* schema_marks.c: marks by the schema on the values that references see */

/* v as references see it: deprecated attributes are marked. */
const struct value *run_resource_as_seen(struct run_resource *rr,
					 const struct value *v);

/* scope.c: what the files of the scope share */

/* The module as messages name it: its path, or "the root module". */
struct str cfg_module_display(const struct cfg_module *m);

/*
 * scope_names.c: names with a meaning in all scopes: count, each, path,
 * terraform, self
 */

struct range scope_range(const struct ref *r);
/* The range of root and the first n steps. */
struct range scope_prefix_range(const struct ref *r, size_t n);
/* An error; the unknown value to go on with. */
const struct value *scope_wrong(struct diags *ds, struct range at,
				const char *summary, const char *fmt, ...)
	__attribute__((format(printf, 4, 5)));
/* count.NAME and so on; name is r's first step. */
const struct value *scope_count(struct run_scope *s, const struct ref *r,
				struct str name, struct diags *ds);
const struct value *scope_each(struct run_scope *s, const struct ref *r,
			       struct str name, struct diags *ds);
const struct value *scope_path(struct run_scope *s, struct eval *ev,
			       const struct ref *r, struct str name,
			       struct diags *ds);
const struct value *scope_terraform(struct run_scope *s, struct eval *ev,
				    const struct ref *r, struct str name,
				    struct diags *ds);
const struct value *scope_self(struct run_scope *s, const struct ref *r,
			       struct diags *ds);

/* values.c: named values, evaluated on demand and kept */

/* An argument of the call that made m; NULL: not given. */
const struct attribute *run_module_argument(struct run_module *m,
					    struct str name);
/* The value of run_variable, which has reported errors before.  But of a called
 * module it is what the call gives, while validating, too. */
const struct value *run_variable_given(struct run_module *m,
				       const struct cfg_variable *v);
/* What run_variable and so on do, inside of an evaluation. */
const struct value *eval_variable(struct run_module *m,
				  const struct cfg_variable *v, struct eval *ev,
				  bool *failed, struct diags *ds);
const struct value *eval_local_value(struct run_module *m,
				     const struct cfg_local *l, struct eval *ev,
				     bool *failed, struct diags *ds);
const struct value *eval_output(struct run_module *m,
				const struct cfg_output *o, struct eval *ev,
				bool *failed, struct diags *ds);
const struct value *eval_module_whole(struct run_call *c, struct eval *ev,
				      bool *failed, struct diags *ds);

#endif
