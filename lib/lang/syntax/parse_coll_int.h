/* parse_coll_int.h - tuples, objects and for expressions */
#ifndef TFPIPE_LANG_PARSE_COLL_INT_H
#define TFPIPE_LANG_PARSE_COLL_INT_H

#include "lang/syntax/parser_int.h"

struct expr *parse_tuple(struct parser *p);
struct expr *parse_object(struct parser *p);
struct expr *parse_for(struct parser *p, struct token open);

#endif
