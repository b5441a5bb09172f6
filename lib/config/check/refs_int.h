/*
 * refs_int.h - between refs.c, which checks references, and refs_objects.c,
 * which knows where objects have them
 */
#ifndef TFPIPE_CONFIG_REFS_INT_H
#define TFPIPE_CONFIG_REFS_INT_H

#include "config/check/refs.h"

/* How messages call the module. */
struct str refs_module_text(const struct cfg_module *m);

void refs_check_body(const struct refs_place *u, const struct body *b);
void refs_check_conditions(const struct refs_place *u,
			   const struct cfg_condition_vec *v);
void refs_check_expr(const struct refs_place *u, struct expression e);

#endif
