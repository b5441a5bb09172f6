/* static.h - what an expression says without being evaluated; see ast.h */
#ifndef TFPIPE_LANG_STATIC_H
#define TFPIPE_LANG_STATIC_H

#include "lang/syntax/ast.h"

/* The range for an error about the expression as a whole, when all of it would
 * be too much: the opening bracket, the operator, a string without its quotes;
 * OpenTofu's "start range". */
struct span expression_start(struct expression e);
/* Written in quotes or as a heredoc (and not just one "${...}"). */
bool expression_is_quoted(struct expression e);
/* Static readings of an expression (no evaluation); each returns -1 and adds a
 * diagnostic if the expression is not of that form. */
/* The text of a string in JSON syntax, which is no template then; STR_NONE of
 * everything else. */
struct str expression_json_text(struct expression e);
/* a.b["c"][0] as an absolute traversal; JSON: a string holding one. */
int expression_traversal(struct arena *a, struct expression e,
			 struct traversal_ref *out, struct diags *ds);
/* As above, relative: name or .name (ignore_changes). */
int expression_rel_traversal(struct arena *a, struct expression e,
			     struct traversal_ref *out, struct diags *ds);
/* [x, y]: the element expressions. */
int expression_list(struct arena *a, struct expression e,
		    struct expression **items, size_t *n, struct diags *ds);
/* {k = v}: pairs. */
int expression_map(struct arena *a, struct expression e,
		   struct expression **keys, struct expression **values,
		   size_t *n, struct diags *ds);
/* A bare keyword such as `all`, `any`; STR_NONE if it is not one. */
struct str expression_keyword(struct expression e);

#endif
