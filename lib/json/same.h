/*
 * same.h - do two texts say the same?
 *
 * For what a stream says twice: both are walked at once, no tree is built.
 * Both are valid JSON already.
 */
#ifndef TFPIPE_JSON_SAME_H
#define TFPIPE_JSON_SAME_H

#include "base/str.h"

enum json_same {
	JSON_SAME_PLAIN,
	JSON_SAME_NULLS, /* a null may be left out of either */
	/* So may it here, and the second text is of a state: what has a type of
	 * its own stands there as {"value":…,"type":…}. */
	JSON_SAME_STATE,
};

/* true: they do.  false: they may do so nevertheless, with members in another
 * order, or numbers in another form.  a is for strings with escapes. */
bool json_same(struct arena *a, struct str x, struct str y, enum json_same how);

/* How often `true` stands in the text, as a value. */
size_t json_count_true(struct str text);
/* Is `true` where the path leads, a list of names and positions as JSON?  A
 * name has to be spelled alike in both. */
bool json_true_at(struct str text, struct str path);

#endif
