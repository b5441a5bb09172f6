/*
 * body_path.h - the range in the body of a path into its decoded value, and the
 * checks of decoded values that report such ranges
 */
#ifndef TFPIPE_LANG_SPEC_BODY_PATH_H
#define TFPIPE_LANG_SPEC_BODY_PATH_H

#include "lang/eval/eval.h"
#include "lang/syntax/body.h"
#include "schema/schema.h"
#include "value/path.h"

/* The attributes that hold an ephemeral value, or are one, and are not
 * write-only. */
void body_ephemeral_paths(struct arena *a, const struct schema_block *schema,
			  const struct value *v, struct path_vec *out);
/* An error for each value that is ephemeral where only write-only attributes
 * may be. */
void body_check_ephemeral(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  const struct value *v, struct diags *ds);
/* Warns of values that are derived from something deprecated; returns v
 * without those marks. */
const struct value *body_report_deprecated(struct arena *a,
					   const struct body *b,
					   const struct value *v,
					   struct diags *ds);
/* The range in the body of a path into the decoded value: the attribute's
 * value, or the nearest one; for diagnostics that come with a path. */
struct range body_path_range(struct arena *a, const struct body *b,
			     struct path p);

#endif
