/* body_merge_int.h - two bodies that answer as one */
#ifndef TFPIPE_LANG_BODY_MERGE_INT_H
#define TFPIPE_LANG_BODY_MERGE_INT_H

#include "lang/syntax/body.h"

int body_merged_read(struct arena *a, const struct body *b,
		     const struct body_schema *schema, struct body_content *out,
		     struct body **rest, bool strict, struct diags *ds);
int body_merged_attributes(struct arena *a, const struct body *b,
			   struct attribute_vec *out, struct diags *ds);

#endif
