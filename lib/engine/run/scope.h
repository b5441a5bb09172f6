/* scope.h - what names mean in expressions of a module instance */
#ifndef TFPIPE_ENGINE_SCOPE_H
#define TFPIPE_ENGINE_SCOPE_H

#include "engine/run/run.h"

void run_scope_init(struct run_scope *s, struct run_module *m,
		    const struct repetition *rep);

#endif
