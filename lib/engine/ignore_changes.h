/* ignore_changes.h - lifecycle { ignore_changes } */
#ifndef TFPIPE_ENGINE_IGNORE_CHANGES_H
#define TFPIPE_ENGINE_IGNORE_CHANGES_H

#include "config/config.h"

/* config with the prior value where changes are to be ignored.  b NULL: v is a
 * planned value, not a configuration ("all" then takes all of prior). */
const struct value *ignore_changes(struct arena *a,
				   const struct cfg_lifecycle *l,
				   const struct value *prior,
				   const struct value *config,
				   const struct schema_block *b);

#endif
