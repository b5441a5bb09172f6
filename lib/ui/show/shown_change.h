/*
 * shown_change.h - one change of a plan, as its record has it, to be shown
 */
#ifndef TFPIPE_UI_SHOWN_CHANGE_H
#define TFPIPE_UI_SHOWN_CHANGE_H

#include "engine/change/published.h"
#include "ui/diff/diff.h"

/* A resource_change, resource_drift or output_change record.  What it does not
 * have is empty.  All of it may lie in the record's line. */
struct shown_change {
	struct published json; /* its members, as JSON texts */
	struct str address, previous_address, module, mode, type, name;
	struct str provider, deposed, reason, generated_config;
	enum diff_action action; /* no-op, where it is not known */
	bool moved, importing;
};

/* 0, or -1 after a diagnostic. */
int shown_change_read(struct arena *a, struct str line,
		      struct shown_change *out, struct diags *ds);
/* Fills *out from a change whose members were read. */
void shown_change_from(struct arena *a, const struct published *p,
		       struct shown_change *out);
/* The change's values, as trees. */
struct diff_input shown_change_values(struct arena *a,
				      const struct shown_change *c);
/* The name of the output that an output_change is about. */
struct str shown_change_output(const struct shown_change *c);

#endif
