/* triggers.h - elements of replace_triggered_by as references */
#ifndef TFPIPE_ENGINE_TRIGGERS_H
#define TFPIPE_ENGINE_TRIGGERS_H

#include "engine/run.h"

/* count.index and each.key in its keys are taken from rep. */
int trigger_reference(struct arena *a, struct expression e,
		      const struct repetition *rep, struct reference *out,
		      struct diags *ds);

#endif
