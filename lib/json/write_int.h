/* write_int.h - what the files of the writer share */
#ifndef TFPIPE_JSON_WRITE_INT_H
#define TFPIPE_JSON_WRITE_INT_H

#include "json/json.h"
#include "json/write.h"

/* Before any value: the comma and line break that separate it. */
void jw_before(struct jw *w);
/* Only if there is an indent. */
void jw_newline_(struct jw *w);
static inline void jw_newline(struct jw *w)
{
	if (w->indent)
		jw_newline_(w);
}

#endif
