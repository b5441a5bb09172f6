/* change_int.h - between the files that write and read changes */
#ifndef TFPIPE_ENGINE_CHANGE_CHANGE_INT_H
#define TFPIPE_ENGINE_CHANGE_CHANGE_INT_H

#include "engine/change/record.h"
#include "json/slice.h"

/* What both records write: the two values with the schema's marks, and the
 * same redacted if need be. */
struct change_shown {
	struct arena arena;
	const struct value *before, *after;
	const struct value *before_text, *after_text;
};

/* What a resource_change said that its planned record must say too. */
struct change_published {
	struct str actions; /* JSON text */
	struct str after;   /* JSON text */
	enum reason reason;
	bool matched;
};

#define CHANGE_WRONG "Inconsistent plan"

#endif
