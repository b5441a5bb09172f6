/*
 * explain.h - why a plan has a change (tf-show -explain)
 */
#ifndef TFPIPE_UI_SHOW_EXPLAIN_H
#define TFPIPE_UI_SHOW_EXPLAIN_H

#include "ui/show/show.h"

/* What is read of a stream for it beside what display needs. */
struct explain_records {
	struct arena *arena;
	struct map values;     /* variables and local values: address -> line */
	struct map expansions; /* the same */
	struct map planned;
	/* Objects of data sources, as the last run and this one have them. */
	struct map data_before, data_after;
};

/* Takes note of a record; of the kinds it does not need, nothing. */
void explain_keep(struct explain_records *r, struct str kind, struct str line);
/* Shows why the object at the address changes, or does not.  0, or -1 after a
 * diagnostic: the plan has no such object. */
int explain_run(struct shown *s, struct explain_records *r, struct view *v,
		struct str address, struct diags *ds);

#endif
