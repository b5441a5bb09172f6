/* schema_refs.h - checks references against the schemas of their objects */
#ifndef TFPIPE_ENGINE_RUN_SCHEMA_REFS_H
#define TFPIPE_ENGINE_RUN_SCHEMA_REFS_H

#include "engine/run/run.h"

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

#endif
