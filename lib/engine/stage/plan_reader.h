/*
 * plan_reader.h - a plan as its stream has it, read by all who show it or carry
 * it out
 *
 * They go by one struct, and refuse the same streams: those that say one thing
 * here and another there.  What tf-apply can look up beside the stream it
 * compares as well (apply/stored.c).
 */
#ifndef TFPIPE_ENGINE_STAGE_PLAN_READER_H
#define TFPIPE_ENGINE_STAGE_PLAN_READER_H

#include "engine/change/change.h"
#include "engine/run/inputs.h"
#include "engine/stage/selectors.h"
#include "engine/change/record.h"

/*
 * plan_record.c: the records `plan` and `output_change`: the parts of a plan
 * beside the changes of resources; written by tf-plan, read to apply or show it
 */

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
	int64_t unread; /* objects that an option left unread */
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
/* module_output: an output of a called module that keeps its value. */
void module_output_write(struct stream_out *o, struct str address,
			 const struct value *v);
int module_output_read(struct arena *a, struct str line, struct str *address,
		       const struct value **v, struct diags *ds);
/* The members of the record, address first, as an object. */
struct str output_change_text(struct arena *a, const struct output_change *c);
/* The name, the action and the planned value. */
int output_change_read(struct arena *a, struct str line,
		       struct output_change *out, struct diags *ds);

/* What the stream says of an output of the root module. */
struct plan_output {
	struct str name;
	bool declared, sensitive; /* by the configuration */
	struct str previous; /* lines of records; STR_NONE: there is none */
	struct str prior, change;
	bool changes; /* says the last */
};

struct plan_reader {
	struct arena *arena;
	struct change_reader changes;
	bool have_plan;
	struct plan_record plan;
	struct map outputs;         /* name -> struct plan_output */
	struct map planned_outputs; /* name -> value, where one is planned */
	struct map module_outputs;  /* address -> value */
	/* internal */
	bool have_state;
};

void plan_reader_init(struct plan_reader *r, struct arena *a, bool shown_only);
void plan_reader_release(struct plan_reader *r);
/* 1: the record is for others, too, or not of a plan. */
int plan_reader_record(struct plan_reader *r, struct str kind, struct str line,
		       struct diags *ds);
/* When all are read; not for plans that failed, of which parts are missing. */
int plan_reader_finish(struct plan_reader *r, struct diags *ds);

#endif
