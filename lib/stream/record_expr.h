/* record_expr.h - expressions in records */
#ifndef TFPIPE_STREAM_RECORD_EXPR_H
#define TFPIPE_STREAM_RECORD_EXPR_H

#include "stream/record.h"

/* EXPR: {"constant_value":…,"at":…} or {"expr":…,"references":[…],"at":…}, the
 * latter with "syntax":"json" in JSON syntax.  e must be present.
 * Reading parses the text again. */
void record_expression(struct jw *w, struct expression e);
/* "member": EXPR; nothing when e is absent. */
void record_expression_member(struct jw *w, const char *member,
			      struct expression e);
/* In an expression read as a value all parts have the range of the whole;
 * returns the same with the ranges of its parts, for messages, if the file
 * still has that text. */
struct expression record_expression_placed(struct arena *a,
					   struct expression e);
/* j NULL: absent, which is no error. */
int record_expression_read(struct record_reader *r, const struct json *j,
			   struct expression *out);
/* The members of an expression alone, without the braces. */
void record_expression_members(struct jw *w, struct expression e);
/* Traversals as text with their place: {"expr":…,"at":…}.  relative: the
 * result has no root, its first name is a step. */
void record_traversal(struct jw *w, const struct traversal_ref *t);
int record_traversal_read(struct record_reader *r, const struct json *j,
			  bool relative, struct traversal_ref *out);

#endif
