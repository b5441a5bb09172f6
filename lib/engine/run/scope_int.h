/* scope_int.h - what the files of the scope share */
#ifndef TFPIPE_ENGINE_RUN_SCOPE_INT_H
#define TFPIPE_ENGINE_RUN_SCOPE_INT_H

#include "engine/run/run.h"

/* The module as messages name it: its path, or "the root module". */
struct str cfg_module_display(const struct cfg_module *m);
/* " Did you mean \"x\"?" from a map's keys, or "". */
struct str scope_suggest_key(struct arena *a, struct str given,
			     const struct map *among);

#endif
