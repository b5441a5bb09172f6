/*
 * import.h - objects that exist already become managed
 */
#ifndef TFPIPE_ENGINE_PLAN_IMPORT_H
#define TFPIPE_ENGINE_PLAN_IMPORT_H

#include "engine/plan/plan_int.h"

struct import_target { /* resolved from import blocks */
	const struct cfg_import *config;
	struct instance_addr addr;
	struct str id; /* empty, and no identity: nothing is imported */
	const struct value *identity;
	bool command; /* of the import command, not of a block */
};
void plan_imports_resolve(struct plan_work *w); /* into w->imports */
void plan_imports_add(struct plan_work *w);
/* Is there configuration for each, or can it be generated? */
int imports_validate(struct arena *a, const struct config *c, bool generate,
		     struct diags *ds);
/* Checks for targets that the configuration lacks: -1, and the walk's
 * diagnostics since `before` are dropped. */
int plan_imports_check(struct plan *p, struct diags_mark before);
/* The import command: can there be an import, by configuration and state?  Then
 * it is one of the targets. */
int import_command_check(struct arena *a, const struct config *c,
			 struct state *s, const struct plan_import *im,
			 struct diags *ds);
void plan_import_command(struct plan *p, const struct plan_import *im);
struct import_target *plan_import_target(const struct plan *p,
					 const struct instance_addr *i);

#endif
