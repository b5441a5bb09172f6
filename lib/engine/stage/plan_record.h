/*
 * plan_record.h - the records `plan` and `output_change`: the parts of a plan
 * beside the changes of resources; written by tf-plan, read to apply or show it
 */
#ifndef TFPIPE_ENGINE_STAGE_PLAN_RECORD_H
#define TFPIPE_ENGINE_STAGE_PLAN_RECORD_H

#include "base/opts.h"
#include "engine/change/change.h"
#include "engine/run/inputs.h"
#include "engine/stage/selectors.h"

struct plan_record {
	struct selectors what;
	struct str timestamp, workspace;
	/* Of root variables, as they were given or by default, and the names of
	 * those that are ephemeral: their values are never in a plan. */
	struct inputs variables;
	struct str_vec ephemeral_variables;
	/* address -> struct provider_package *, whose exe is not kept; NULL:
	 * the built-in one.  Reading leaves NULL out. */
	struct map providers;
	struct str relevant_attributes; /* JSON text */
	bool errored;
	/* For people.  empty: it failed before any instance, or output of a
	 * module, was reached. */
	bool empty, applyable, complete;
};

void plan_record_write(struct stream_out *o, const struct plan_record *r);
int plan_record_read(struct arena *a, struct str line, struct plan_record *out,
		     struct diags *ds);

struct output_change {
	struct str name;
	enum action action;
	const struct value *before; /* unmarked; null: there was none */
	const struct value *after;
	bool sensitive;
};

void output_change_write(struct stream_out *o, const struct output_change *c);
/* The members of the record, address first, as an object. */
struct str output_change_text(struct arena *a, const struct output_change *c);
/* The name, the action and the planned value. */
int output_change_read(struct arena *a, struct str line,
		       struct output_change *out, struct diags *ds);

#endif
