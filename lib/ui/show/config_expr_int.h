/* config_expr_int.h - expressions and bodies in `configuration` */
#ifndef TFPIPE_UI_CONFIG_EXPR_INT_H
#define TFPIPE_UI_CONFIG_EXPR_INT_H

#include "ui/show/show.h"

/* Writes the value if it needs neither references nor functions, and the
 * references, also those in arms that are not taken. */
void config_expression_json(struct jw *w, struct expression e);
/* Writes a member unless it is empty. */
void config_member_unless_empty(struct jw *w, const char *name,
				const struct buf *object);
void config_member_expression(struct jw *w, const char *name,
			      struct expression e);
/* `expressions`: one for each argument of the body, nested as its blocks are;
 * an attribute that is given as blocks is one expression. */
void config_expressions_json(struct jw *w, const struct body *body,
			     const struct schema_block *schema);
/* The attributes of a body whose schema is not known, as `expressions`. */
void config_attributes_json(struct jw *w, const struct body *body);

#endif
