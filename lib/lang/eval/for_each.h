/*
 * for_each.h - what the value of a for_each may be: a map, object or set of
 * strings, not null, with keys that are known and that may be shown
 */
#ifndef TFPIPE_LANG_FOR_EACH_H
#define TFPIPE_LANG_FOR_EACH_H

#include "lang/eval/eval.h"

struct for_each_use { /* the argument, and where it was evaluated */
	struct arena *scratch;
	const struct scope *scope;
	struct expression e;
	bool unknown_allowed; /* keys may be unknown */
	struct diags *ds;
};

/* Reports all errors of the value, even if its evaluation had errors.  Returns
 * whether the keys are not known yet, and nothing else is wrong. */
bool for_each_check(const struct for_each_use *x, const struct value *v);

#endif
