/* json_syntax_int.h - the reader of JSON, token by token */
#ifndef TFPIPE_LANG_JSON_SYNTAX_INT_H
#define TFPIPE_LANG_JSON_SYNTAX_INT_H

#include "lang/syntax/json_read_int.h"

/* The next token's span; goes on to the one after it. */
struct span json_take(struct json_reader *r);
/* Reports; the node is invalid. */
struct json_node json_fail(struct json_reader *r, struct span at,
			   const char *summary, const char *detail);
/* End of the string token that begins at p, closed or not. */
uint32_t json_string_end(struct str s, uint32_t p);

#endif
