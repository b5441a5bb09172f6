/*
 * trigger_ref.h - elements of replace_triggered_by as references: to resources,
 * instances or attributes, where index keys may be count.index or each.key
 */
#ifndef TFPIPE_ENGINE_RUN_TRIGGER_REF_H
#define TFPIPE_ENGINE_RUN_TRIGGER_REF_H

#include "engine/run/run.h"

/* count.index and each.key in its keys are taken from rep. */
int trigger_reference(struct arena *a, struct expression e,
		      const struct repetition *rep, struct reference *out,
		      struct diags *ds);

#endif
