/*
 * requirements.h - which providers a configuration and a state need
 */
#ifndef TFPIPE_INSTALL_REQUIREMENTS_H
#define TFPIPE_INSTALL_REQUIREMENTS_H

#include "base/opts.h"
#include "config/config.h"
#include "config/source/version.h"
#include "state/state.h"

struct requirement {
	struct provider_addr provider;
	struct str_vec texts;           /* the constraints, as written */
	struct version_constraints all; /* all of them */
	bool declared; /* in required_providers of some module */
	/* The first resource without an explicit provider: the name of its type
	 * decides; without an `of` there is none. */
	struct {
		struct str of, type;
		struct range at;
	} inferred;
};
struct requirement_vec VEC_OF(struct requirement *);

/* All providers of all modules, sorted by address, each once. */
void requirements_collect(struct arena *a, const struct config *c,
			  struct requirement_vec *out);
/* Collects the requirements of one module alone. */
void requirements_of_module(struct arena *a, const struct cfg_module *m,
			    struct requirement_vec *out);
/* Adds one that something else needs, in any version. */
void requirements_add(struct arena *a, struct requirement_vec *v,
		      struct provider_addr p);
/* Adds the providers of what a state still holds. */
void requirements_of_state(struct arena *a, const struct state *s,
			   struct requirement_vec *v);
/* An error for each provider without a namespace, which states of before 0.13
 * name; a warning of each type that more than one provider of the projects
 * themselves has: most often one of them was not meant. */
int requirements_check(struct arena *a, const struct requirement_vec *v,
		       struct str default_host, struct diags *ds);
bool provider_is_builtin(struct provider_addr p);
/* "~> 1.2, >= 1.4": constraints in the form that lock files have them in,
 * sorted, each once, with whole versions; empty if none. */
struct str requirements_normal(struct arena *a,
			       const struct version_constraints *c);
/* All constraints of r in that form. */
struct str requirement_text(struct arena *a, const struct requirement *r);

#endif
