/*
 * diff_value_int.h - differences of values: by their type, or by the JSON alone
 */
#ifndef TFPIPE_UI_DIFF_VALUE_INT_H
#define TFPIPE_UI_DIFF_VALUE_INT_H

#include "base/vec.h"
#include "ui/diff/diff.h"
#include "ui/diff/diff_int.h"

enum diff_action diff_container_action(const struct diff_input *in,
				       enum json_kind kind);
int diff_by_key(const void *x, const void *y);
/* The members of values whose keys no type names: kids are the keys of before
 * and after, with hidden also those of what is unknown and sensitive, sorted,
 * once each; the inputs of all of them are returned.  In one pass, for there
 * may be very many. */
const struct diff_input *diff_members(struct arena *a,
				      const struct diff_input *in, bool hidden,
				      struct child_vec *kids);
enum diff_action diff_set_elems(struct arena *a, const struct diff_input *in,
				diff_fn *f, const void *schema,
				struct child_vec *kids);
int diff_by_key(const void *x, const void *y);

#endif
