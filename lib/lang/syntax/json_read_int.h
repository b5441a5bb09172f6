/*
 * json_read_int.h - what the two files of the JSON reader share
 */
#ifndef TFPIPE_LANG_JSON_READ_INT_H
#define TFPIPE_LANG_JSON_READ_INT_H

#include "lang/syntax/json_node_int.h"

enum json_tok {
	J_EOF = 'E',
	J_STRING = 's',
	J_NUMBER = 'n',
	J_WORD = 'w',
	J_INVALID = '?', /* punctuation is its own token */
};

struct json_node_list VEC_OF(struct json_node);
struct json_prop_list VEC_OF(struct json_prop);

struct json_reader {
	struct arena *a;
	struct arena scratch;
	const struct source *src;
	struct diags *ds;
	uint32_t pos, end; /* nothing is read beyond end */
	int tok;           /* the next token */
	struct span span;
	int depth, errors;
	struct json_node_list items; /* under construction */
	struct json_prop_list props;
};

#endif
