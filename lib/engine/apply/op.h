/*
 * op.h - the life of an op, and what several of them do
 */
#ifndef TFPIPE_ENGINE_APPLY_OP_H
#define TFPIPE_ENGINE_APPLY_OP_H

#include "engine/apply/apply_int.h"
#include "engine/run/conditions.h"

/* Runs the steps of the table in a slot; at the end reports the diagnostics and
 * notifies the walk. */
void op_begin(struct apply *ap, uint32_t node, worker_step *const *table);
/* The instance in the configuration, and its provider. */
worker_step op_configured;
/* The provider that the plan recorded, for what is destroyed. */
worker_step op_recorded_provider;
/* Checks postconditions against the new object.  Always the last step. */
worker_step op_postconditions;
/* Reads the current or deposed object into o->prior. */
int op_read(struct op *o, struct str deposed);
int op_conditions(struct op *o, enum condition_kind kind,
		  const struct value *self);
/* The body's value, wholly known; NULL: failed. */
const struct value *op_config(struct op *o);
/* The provider, in words, for messages. */
const char *op_provider_text(const struct op *o);

#endif
