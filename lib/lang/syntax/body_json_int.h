/* body_json_int.h - JSON bodies: a schema says what the properties are */
#ifndef TFPIPE_LANG_BODY_JSON_INT_H
#define TFPIPE_LANG_BODY_JSON_INT_H

#include "lang/syntax/body.h"
#include "lang/syntax/json_syntax_int.h"

/* The answers by kind; rest may be NULL, strict means body_content. */
int json_body_read(struct arena *a, const struct body *b,
		   const struct body_schema *schema, struct body_content *out,
		   struct body **rest, bool strict, struct diags *ds);
int json_body_attributes(struct arena *a, const struct body *b,
			 struct attribute_vec *out, struct diags *ds);
/* The body that a node of src is (json_body.c). */
struct body *json_body(struct arena *a, const struct source *src,
		       struct json_node *n);

#endif
