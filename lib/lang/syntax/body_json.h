/* body_json.h - JSON bodies: a schema says what the properties are */
#ifndef TFPIPE_LANG_BODY_JSON_H
#define TFPIPE_LANG_BODY_JSON_H

#include "lang/syntax/body.h"

/* Lists the names left out of a JSON body so far; nothing for other bodies. */
void body_hidden_names(struct arena *a, const struct body *b,
		       struct str_vec *out);

#endif
