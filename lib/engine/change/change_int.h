/* change_int.h - between the files that write and read changes */
#ifndef TFPIPE_ENGINE_CHANGE_CHANGE_INT_H
#define TFPIPE_ENGINE_CHANGE_CHANGE_INT_H

#include "engine/change/record.h"
#include "json/slice.h"

/* The values in both records: the two with the schema's marks, and the same
 * redacted if need be. */
struct change_shown {
	struct arena arena;
	const struct value *before, *after;
	const struct value *before_text, *after_text;
};

#define CHANGE_WRONG "Inconsistent plan"

#endif
