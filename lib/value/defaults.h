/* defaults.h - defaults of optional attributes; see convert.h */
#ifndef TFPIPE_VALUE_DEFAULTS_H
#define TFPIPE_VALUE_DEFAULTS_H

#include "value/convert.h"

/* v with defaults in place of attributes that are missing or null, at every
 * level; its type may change, conversion to the declared type comes after. */
const struct value *type_defaults_apply(struct arena *a,
					const struct type_defaults *d,
					const struct value *v);

#endif
