/*
 * json_read_int.h - what the two files of the JSON reader share
 */
#ifndef TFPIPE_LANG_JSON_READ_INT_H
#define TFPIPE_LANG_JSON_READ_INT_H

#include "lang/syntax/json_syntax_int.h"

enum json_tok {
	J_EOF = 'E',
	J_STRING = 's',
	J_NUMBER = 'n',
	J_WORD = 'w',
	J_INVALID = '?', /* the punctuation stands for itself */
};

struct json_node_list VEC_OF(struct json_node);
struct json_prop_list VEC_OF(struct json_prop);

struct json_reader {
	struct arena *a;
	struct arena scratch;
	const struct source *src;
	struct diags *ds;
	uint32_t pos, end; /* nothing is read beyond end */
	int tok; /* the next token */
	struct span span;
	int depth, errors;
	struct json_node_list items; /* under construction */
	struct json_prop_list props;
};

/* The next token's span; goes on to the one after it. */
struct span json_take(struct json_reader *r);
/* Reports; the node is invalid. */
struct json_node json_fail(struct json_reader *r, struct span at,
			   const char *summary, const char *detail);
/* End of the string token that begins at p, closed or not. */
uint32_t json_string_end(struct str s, uint32_t p);

/* json_scalar.c: the next token, of that kind, as a value. */
struct json_node json_read_string(struct json_reader *r);
struct json_node json_read_number(struct json_reader *r);
struct json_node json_read_word(struct json_reader *r);

#endif
