/*
 * imports.h - import blocks, evaluated
 *
 * They are in the root module.  The names in `to` are fixed, so it is known
 * from the beginning which resource a block is about; the keys in it, ids and
 * identities are expressions.
 */
#ifndef TFPIPE_ENGINE_RUN_IMPORTS_H
#define TFPIPE_ENGINE_RUN_IMPORTS_H

#include "engine/run/run.h"

struct import_eval {
	struct arena *arena;
	struct run *run;
	const struct cfg_import *im;
	bool checking; /* validate walk: unknown is fine */
	struct diags *ds;
	struct run_scope s; /* of one each.key */
	void (*each)(struct import_eval *x, void *data);
	void *data;
};

/* Calls x->each once, or for each of for_each, with x->s set up. */
void import_eval_each(struct import_eval *x);
/* All return -1 after a diagnostic. */
int import_eval_address(struct import_eval *x, struct instance_addr *out);
/* *out has no text where there is no id, or it is unknown. */
int import_eval_id(struct import_eval *x, struct str *out);
/* type is that of the resource; schema may be NULL.  *out may be NULL. */
int import_eval_identity(struct import_eval *x, struct str type,
			 const struct resource_schema *schema,
			 const struct value **out);

#endif
