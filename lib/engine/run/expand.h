/* expand.h - modules and resources, expanded: their instances */
#ifndef TFPIPE_ENGINE_RUN_EXPAND_H
#define TFPIPE_ENGINE_RUN_EXPAND_H

#include "engine/run/run.h"

/* The instance at an address; NULL if the configuration has none (any more).
 * Expands calls on the way. */
struct run_module *run_module(struct run *r, struct module_addr m,
			      struct diags *ds);
/* An instance of the module for expressions that name nothing in it, only self,
 * path and the like: no call is expanded for it. */
struct run_module *run_module_aside(struct run *r, struct cfg_module *c);
/* The call, expanded; exp.kind says whether that could be done. */
struct run_call *run_call(struct run_module *m, const struct cfg_call *c,
			  struct diags *ds);
/* All instances of a static module, in order of their addresses.  *failed is
 * set when some call on the way could not be expanded. */
void run_modules(struct run *r, const struct cfg_module *c,
		 struct run_module_vec *out, bool *failed, struct diags *ds);
/* The resource, expanded; NULL if it is not in the configuration. */
struct run_resource *run_resource(struct run_module *m,
				  const struct resource_addr *addr,
				  struct diags *ds);
/* The key of run->idle. */
static inline struct str run_idle_key(const struct cfg_resource *const *r)
{
	return (struct str){ (const char *)r, sizeof(*r) };
}
/* By key, among instances and extra; NULL if there is none. */
struct run_instance *run_instance(struct run_resource *r, struct inst_key k);
/* References still see what the state holds at this key, though it is no longer
 * asked for. */
void run_keep_visible(struct run_resource *rr, struct inst_key key);
struct instance_addr run_instance_addr(const struct run_instance *i);
/* How an object of this instance of a module is called: kind is "local.",
 * "output." and so on, or "" where name says it. */
struct str run_address(struct arena *a, const struct run_module *m,
		       const char *kind, struct str name);

/*
 * repetition.c: count, for_each and enabled: their values, and those that
 * instances see
 */

/* Evaluates the three meta-arguments ("Invalid count argument", …).  e->kind is
 * EXPAND_FAILED afterwards when it could not be done. */
void expansion_evaluate(struct run_module *m, struct expression count,
			struct expression for_each, struct expression enabled,
			struct expansion *e, struct diags *ds);
/* The i-th key; the position of a key, or -1. */
struct inst_key expansion_key(const struct expansion *e, size_t i);
ptrdiff_t expansion_index(const struct expansion *e, struct inst_key k);
struct repetition expansion_repetition(struct arena *a,
				       const struct expansion *e, size_t i);

#endif
