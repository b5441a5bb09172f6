/* json_syntax.h - reads JSON text into nodes; see json_syntax_int.h */
#ifndef TFPIPE_LANG_JSON_SYNTAX_H
#define TFPIPE_LANG_JSON_SYNTAX_H

#include "lang/syntax/ast.h"
#include "lang/syntax/body.h"

/* A whole JSON-syntax file. */
struct body *parse_json_body(struct arena *a, const struct source *src,
			     struct diags *ds);
/* A part of such a file, in the place of blocks: may be null. */
struct body *parse_json_part(struct arena *a, const struct source *src,
			     struct diags *ds);
/* One JSON value of a JSON-syntax file, as an expression (EXPR_JSON). */
struct expression parse_json_expression(struct arena *a,
					const struct source *src,
					struct diags *ds);

#endif
