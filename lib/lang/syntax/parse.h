/*
 * parse.h - source text to syntax trees: native syntax and JSON syntax
 *
 * All parsers recover: they add every diagnostic they find and still return
 * what could be read (possibly an empty body), so that one typo yields one
 * message and the rest of the file is still checked.  Nesting is limited
 * (LANG_MAX_DEPTH) with a diagnostic.
 */
#ifndef TFPIPE_LANG_SYNTAX_PARSE_H
#define TFPIPE_LANG_SYNTAX_PARSE_H

#include "lang/syntax/ast.h"
#include "lang/syntax/body.h"

enum {
	LANG_MAX_DEPTH = 1000,
	/* So many errors of one source are reported; then reading stops. */
	LANG_MAX_ERRORS = 10000,
};

/* A whole native-syntax file; a leading byte order mark is skipped. */
struct body *parse_native(struct arena *a, const struct source *src,
			  struct diags *ds);
/* Parses a source where items may follow each other on a line, with commas or
 * without: the syntax's first version, in which CLI configurations are written.
 */
struct body *parse_loose(struct arena *a, const struct source *src,
			 struct diags *ds);

/* A whole source that is one expression; root is NULL on error.  In a fragment
 * (not at the start of a file) a heredoc may end without the newline that a
 * file needs there. */
struct expression parse_expression(struct arena *a, const struct source *src,
				   struct diags *ds);
/* Parses an expression that is a part of a source, as a fragment. */
struct expression parse_expression_part(struct arena *a,
					const struct source *src,
					struct span part, struct diags *ds);
/* A whole source that is a template (templatefile). */
struct expression parse_template(struct arena *a, const struct source *src,
				 struct diags *ds);

/* parse_traversal.c: a source that is one reference and nothing else */

/* A whole source that is an absolute traversal: addresses on command lines. */
int parse_traversal(struct arena *a, const struct source *src,
		    struct traversal *out, struct diags *ds);

/* parser.c: the parser's tokens, errors, recovery and nodes; parser.c */

/* A cleared node with room for its kind only. */
struct expr *expr_new(struct arena *a, enum expr_kind kind, struct span span);

/* brackets.c: what is still open at the end of a line */

/* Adds to open[] how many brackets of each kind, { [ (, are opened and not
 * closed in text; those in strings do not count.  A console reads lines until
 * none is left. */
void text_brackets(struct str text, int open[3]);

#endif
