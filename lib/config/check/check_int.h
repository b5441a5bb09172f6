/* check_int.h - what the files of this room share */
#ifndef TFPIPE_CONFIG_CHECK_CHECK_INT_H
#define TFPIPE_CONFIG_CHECK_CHECK_INT_H

#include "config/config.h"
#include "config/check/refs.h"

/* check_providers.c: what the checks of provider configurations share */

/* The provider configurations of one module, by "name" or "name.alias". */
struct check_view {
	const struct cfg_module *m;
	struct arena *a;
	struct diags *ds;
	struct map configured;   /* -> cfg_provider with something in it */
	struct map empty;        /* -> cfg_provider without */
	struct map passed;       /* -> cfg_provider_pass from the caller */
	struct map aliases;      /* -> cfg_required_provider that expects it */
	struct str here, caller; /* how messages name the modules */
	struct str host;
};

/* The provider configurations of the whole tree. */
void check_providers(const struct config *c, struct diags *ds);

/*
 * refs.c: between refs.c, which checks references, and refs_objects.c,
 * which knows where objects have them
 */

/* How messages call the module. */
struct str refs_module_text(const struct cfg_module *m);

void refs_check_body(const struct refs_place *u, const struct body *b);
void refs_check_conditions(const struct refs_place *u,
			   const struct cfg_condition_vec *v);
void refs_check_expr(const struct refs_place *u, struct expression e);

/* refs_objects.c: the references of each kind of object; see refs.c */

void refs_check_objects(const struct cfg_module *m, struct refs_place *u);

/* same_expression.c: do two expressions say the same? */

/* Are they written the same, but for parentheses? */
bool same_expressions(struct expression x, struct expression y);

#endif
