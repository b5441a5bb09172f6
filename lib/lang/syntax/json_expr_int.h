/* json_expr_int.h - expressions in JSON syntax; see json_node_int.h */
#ifndef TFPIPE_LANG_JSON_EXPR_INT_H
#define TFPIPE_LANG_JSON_EXPR_INT_H

#include "lang/syntax/json_node_int.h"

/* The expression that a node of src is; in objects that are values the names
 * are expressions as well. */
struct expression json_expression(struct arena *a, const struct source *src,
				  struct json_node *n);
/* e is an EXPR_JSON that holds a string: the template in it, which has a
 * source of its own.  root is NULL after errors. */
struct expression json_string_template(struct expression e, struct diags *ds);
/* The native expression in a string, for the places where the text itself is
 * code (type constraints, calls that are read and not evaluated). */
struct expression json_string_expression(struct arena *a, struct expression e,
					 struct diags *ds);

#endif
