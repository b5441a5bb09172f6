/* refs.h - checks of references and import targets that take no values */
#ifndef TFPIPE_CONFIG_CHECK_REFS_H
#define TFPIPE_CONFIG_CHECK_REFS_H

#include "config/config.h"

/*
 * refs.c: checks of references: does the object exist, is it allowed here?
 *
 * The references of an expression (or of a whole body) are checked together, in
 * three steps: their syntax; modules and resources; everything else.  As in
 * OpenTofu, errors in a step skip the later ones.
 */

/* The context in which references are checked. */
struct refs_place {
	const struct cfg_module *m;
	bool count, each, self;              /* are those there? */
	bool assertion;                      /* run.x is nothing then */
	const struct resource_addr *self_is; /* where steps is given, or NULL */
	const struct cfg_check *check;       /* whose scope it is in, or NULL */
	/* Checks the steps behind a declared resource against its schema; NULL:
	 * there are no schemas yet. */
	void (*steps)(void *data, const struct reference *r);
	void *data;
	struct arena *scratch;
	struct diags *ds;
};

/* Kinds of errors, as bits. */
enum {
	REFS_UNREADABLE = 1,
	REFS_NO_OBJECT = 2, /* of the values nothing is known then */
	REFS_NO_VALUE = 4,
};

/* Returns 0 or bits. */
unsigned config_refs_check(const struct refs_place *p,
			   const struct traversal_vec *vars);
/* Checks references of depends_on, which name whole objects. */
void config_refs_depends_on(const struct refs_place *p,
			    const struct traversal_vec *v);

/* Static checks of references (undeclared variables, resources, …) that need
 * no provider; those with schemas are the engine's. */
void config_check_references(const struct config *c, struct diags *ds);
/* Checks one expression in m, outside of any block. */
void config_check_expression(const struct cfg_module *m, struct expression e,
			     struct diags *ds);

/* refs_objects.c: the references of each kind of object; see refs.c */

/* Checks references of a local value, which may not name itself.  -1 after
 * errors. */
int config_refs_local(const struct refs_place *p, const struct cfg_local *l);
/* Checks the arguments of module calls against the variables of the modules.
 * Returns -1 after errors. */
int config_check_arguments(const struct config *c, struct diags *ds);

/* " Did you mean "TYPE.NAME"?", or "", ended by a NUL. */
struct str config_near_resource(struct arena *a, const struct cfg_module *m,
				const struct resource_addr *r);

/* import_target.c: what the import command can import into */

/* Is it a managed resource of the configuration?  -1 with a diagnostic. */
int import_target_check(struct arena *a, const struct config *c,
			const struct instance_addr *addr, struct diags *ds);

#endif
