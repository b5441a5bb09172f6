/* run_int.h - what the files of the run share */
#ifndef TFPIPE_ENGINE_RUN_RUN_INT_H
#define TFPIPE_ENGINE_RUN_RUN_INT_H

#include "engine/run/run.h"

/* Of one object: nobody means more; without a bound a slip of the pen takes all
 * memory. */
enum { INSTANCES_MAX = 1000000 };

/* count.index, each.key and each.value where they are not known. */
struct repetition unknown_for(struct run *r, bool count, bool each);

struct run_wait { /* somebody waiting for a slot or a provider */
	struct run_wait *next;
	void *fn; /* run_slot_fn * or run_provider_fn * */
	void *data;
	struct run_provider *provider; /* when that is waited for */
};

/* Stands for a provider that could not be opened. */
extern struct provider provider_failed;
/* A provider of that address nobody uses yet; NULL with a diagnostic. */
struct provider *run_take_process(struct run *r, struct provider_addr p,
				  struct diags *ds);

struct run_module *module_new(struct run *r, struct cfg_module *c,
			      struct run_module *parent,
			      struct run_call *call, struct inst_key key,
			      const struct repetition *rep);

/* Evaluates e in m, with rep (may be NULL), as a part of ev (may be NULL); the
 * result is in the run's arena.  *failed is set on errors of this evaluation
 * and when it used what had failed before. */
const struct value *run_evaluate(struct run_module *m,
				 const struct repetition *rep,
				 struct expression e, struct eval *ev,
				 bool *failed, struct diags *ds);

/* expansion_evaluate for the validate walk too: what is unknown there is
 * EXPAND_UNKNOWN. */
void expansion_compute(struct run_module *m, struct expression count,
		       struct expression for_each, struct expression enabled,
		       struct expansion *e, struct diags *ds);

/* An argument of the call that made m; NULL: not given. */
const struct attribute *module_argument(struct run_module *m,
					struct str name);

/* As run_variable, which has been called before and told what is wrong; but
 * while validating, too, the value that a module's call gives. */
const struct value *run_variable_given(struct run_module *m,
				       const struct cfg_variable *v);

/* The same as run_variable and so on, inside of an evaluation. */
const struct value *eval_variable(struct run_module *m,
				  const struct cfg_variable *v,
				  struct eval *ev, bool *failed,
				  struct diags *ds);
const struct value *eval_local_value(struct run_module *m,
				     const struct cfg_local *l,
				     struct eval *ev, bool *failed,
				     struct diags *ds);
/* Evaluates the locals that l needs, and those that they need, however long
 * the chain (deep_locals.c). */
enum { DEEP_LOCALS = 200 }; /* nesting of an evaluation from which it is done */
void eval_needed_locals(struct run_module *m, const struct cfg_local *l,
			struct eval *ev, struct diags *ds);
const struct value *eval_output(struct run_module *m,
				const struct cfg_output *o, struct eval *ev,
				bool *failed, struct diags *ds);
const struct value *eval_module_whole(struct run_call *c, struct eval *ev,
				      bool *failed, struct diags *ds);

/* An unknown value of the type that references to a resource have before
 * anything is known of it. */
const struct value *resource_unknown(struct run_resource *r);
/* v as references see it: what the provider has deprecated is marked. */
const struct value *resource_as_seen(struct run_resource *rr,
				     const struct value *v);

/* Where an address is said to be in messages: "the root module". */
struct str module_display(const struct cfg_module *m);

/* --- calls.c --- */
/* The evaluation that runs needs what is asked: its value stands in only. */
void run_asks(struct run *r, struct run_asked *what);
bool run_asked_over(const struct run_asked *what);
/* Lets go of calls that nobody waited for to the end. */
void run_calls_free(struct run *r);
/* Is there a value that counts, for now at least? */
static inline bool run_memo_kept(const struct run_memo *m)
{
	return m->value && !(m->waits && run_asked_over(m->waits));
}
/* A function of a provider: of an instance, which is configured for it, or
 * (NULL) of p, which is not.  NULL if there is none. */
const struct func *run_provider_function(struct run *r,
					 struct run_provider *in,
					 struct provider *p, struct str name);
/* The instance that a call in m means; NULL: none is configured. */
struct run_provider *run_provider_of_call(struct run_module *m,
					  const struct func_of_provider *f,
					  struct provider_addr provider);

/* Functions by name: built-in ones and those of providers. */
const struct func *run_function(struct run_scope *s, struct str name);
struct str run_function_name(void *data, size_t i);
/* Does the module require a provider of this local name? */
bool run_has_provider(void *data, struct str local_name);

/* " Did you mean \"x\"?" from a map's keys, or "". */
struct str suggest_key(struct arena *a, struct str given,
		       const struct map *among);

#endif
