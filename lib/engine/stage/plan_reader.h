/*
 * plan_reader.h - a plan as its stream has it, read by all who show it or carry
 * it out
 *
 * They go by one struct, and refuse the same streams: those that say one thing
 * here and another there.  What tf-apply can look up beside the stream it
 * compares as well (apply/stored.h).
 */
#ifndef TFPIPE_ENGINE_STAGE_PLAN_READER_H
#define TFPIPE_ENGINE_STAGE_PLAN_READER_H

#include "engine/change/record.h"
#include "engine/stage/plan_record.h"

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
