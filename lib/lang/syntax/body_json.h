/* body_json.h - JSON bodies: a schema says what the properties are */
#ifndef TFPIPE_LANG_BODY_JSON_H
#define TFPIPE_LANG_BODY_JSON_H

#include "lang/syntax/body.h"

/* Of a JSON body, the names that are left out so far; others do not tell. */
void body_hidden_names(struct arena *a, const struct body *b,
		       struct str_vec *out);

#endif
