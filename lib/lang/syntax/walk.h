/* walk.h - what an expression refers to and what it calls; see ast.h */
#ifndef TFPIPE_LANG_WALK_H
#define TFPIPE_LANG_WALK_H

#include "lang/syntax/ast.h"

/* All variables an expression uses (local ones of for and splat left out), in
 * order of appearance.  JSON expressions included. */
void expression_variables(struct arena *a, struct expression e,
			  struct traversal_vec *out);
/* All functions called. */
void expression_calls(struct arena *a, struct expression e,
		      struct call_vec *out);
/* Both at once; either may be NULL. */
void expression_uses(struct arena *a, struct expression e,
		     struct traversal_vec *vars, struct call_vec *calls);

#endif
