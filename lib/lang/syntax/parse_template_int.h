/*
 * parse_template_int.h - quoted strings with sequences, heredocs, whole
 * templates
 */
#ifndef TFPIPE_LANG_PARSE_TEMPLATE_INT_H
#define TFPIPE_LANG_PARSE_TEMPLATE_INT_H

#include "lang/syntax/parser_int.h"

/* After the opening token; up to and including `end`. */
struct expr *parse_template_parts(struct parser *p, enum tok end, bool flush,
				  struct span open);

#endif
