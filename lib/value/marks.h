/* marks.h - marks on values */
#ifndef TFPIPE_VALUE_MARKS_H
#define TFPIPE_VALUE_MARKS_H

#include "value/value.h"

const struct marks *marks_union(struct arena *a, const struct marks *x,
				const struct marks *y);
const struct value *value_with_marks(struct arena *a, const struct value *v,
				     const struct marks *m);
/* v without its own marks (those inside stay); *taken (may be NULL) gets
 * them. */
const struct value *value_unmark(struct arena *a, const struct value *v,
				 const struct marks **taken);
/* Without marks at any depth; *taken (may be NULL) gets the union. */
const struct value *value_unmark_deep(struct arena *a, const struct value *v,
				      const struct marks **taken);
/* All marks of v and of what is inside; NULL: none. */
bool value_has_mark_deep(const struct value *v, enum mark m);
/* Takes only the given mark bits away, at every depth. */
const struct value *value_without_marks(struct arena *a, const struct value *v,
					unsigned bits);

/* m without the given bits; NULL if nothing is left. */
const struct marks *marks_without(struct arena *a, const struct marks *m,
				  unsigned bits);
/* Of something that people must not be shown? */
bool marks_confidential(const struct marks *m);
/* What parts get that are taken out of a value with the marks `whole`, which
 * are put back upon what is made of them: MARK_WITHIN, or NULL. */
const struct marks *marks_within(const struct marks *whole);

#endif
