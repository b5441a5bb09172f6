/* body_merge.h - two bodies that answer as one */
#ifndef TFPIPE_LANG_BODY_MERGE_H
#define TFPIPE_LANG_BODY_MERGE_H

#include "lang/syntax/body.h"

/* Answers body_content, body_partial and body_attributes as one body. */
struct body *body_merge(struct arena *a, enum body_merge_kind kind,
			const struct body *first, const struct body *second);

#endif
