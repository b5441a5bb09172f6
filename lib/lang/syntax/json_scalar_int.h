/* json_scalar_int.h - strings, numbers and words of JSON; see json_syntax.c */
#ifndef TFPIPE_LANG_JSON_SCALAR_INT_H
#define TFPIPE_LANG_JSON_SCALAR_INT_H

#include "lang/syntax/json_read_int.h"

/* json_scalar.c: the next token, of that kind, as a value. */
struct json_node json_read_string(struct json_reader *r);
struct json_node json_read_number(struct json_reader *r);
struct json_node json_read_word(struct json_reader *r);

#endif
