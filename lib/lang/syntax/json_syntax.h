/*
 * json_syntax.h - JSON values with their places in the source
 *
 * The reader decides what a value means: a body, a block's labels, an
 * expression.  In expressions a string is a template, an object's names too.
 */
#ifndef TFPIPE_LANG_SYNTAX_JSON_SYNTAX_H
#define TFPIPE_LANG_SYNTAX_JSON_SYNTAX_H

#include "lang/syntax/parse.h"

enum json_node_kind {
	JSON_NODE_NULL,
	JSON_NODE_BOOL,
	JSON_NODE_NUMBER,
	JSON_NODE_STRING,
	JSON_NODE_ARRAY,
	JSON_NODE_OBJECT,
	JSON_NODE_INVALID, /* could not be read: unknown */
};

struct json_node {
	enum json_node_kind kind;
	struct span span; /* with the quotes or brackets */
	uint32_t len;     /* items or members */
	union {
		const struct value *value; /* null, bool, number */
		struct str text;           /* string, escapes resolved */
		struct json_node *items;
		struct json_prop *props;
	};
	/* The template that a string is, once read without error; its source
	 * and its nodes live as long as the source of the file. */
	struct expression template;
};

struct json_prop {
	struct json_node name; /* a string */
	struct json_node value;
};

/* The range for an error about the value as a whole: its first bracket, or all
 * of a scalar. */
static inline struct span json_node_start(const struct json_node *n)
{
	struct span s = n->span;

	if (n->kind == JSON_NODE_ARRAY || n->kind == JSON_NODE_OBJECT)
		s.end = s.start + 1;
	return s;
}

/* json_expr.c: expressions in JSON syntax */

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
