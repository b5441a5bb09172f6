/*
 * refs_int.h - between refs.c, which checks references, and refs_objects.c,
 * which knows where objects have them
 */
#ifndef TFPIPE_CONFIG_REFS_INT_H
#define TFPIPE_CONFIG_REFS_INT_H

#include "config/config_int.h"

/* Where the references stand. */
struct unit {
	const struct cfg_module *m;
	bool count, each, self;
	bool condition; /* evaluated whatever it refers to */
	const struct cfg_check *check; /* whose scope it is in, or NULL */
	struct arena *scratch;
	struct diags *ds;
};

/* How messages call the module. */
struct str refs_module_text(const struct cfg_module *m);

void refs_check_body(const struct unit *u, const struct body *b);
void refs_check_conditions(const struct unit *u,
			     const struct cfg_condition_vec *v);
void refs_check_depends_on(const struct unit *u,
			     const struct traversal_vec *v);
void refs_check_expr(const struct unit *u, struct expression e);
void refs_check_objects(const struct cfg_module *m, struct unit *u);
void refs_check_vars(const struct unit *u, const struct traversal_vec *vars);

#endif
