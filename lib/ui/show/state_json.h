/* state_json.h - the published representation of a state */
#ifndef TFPIPE_UI_SHOW_STATE_JSON_H
#define TFPIPE_UI_SHOW_STATE_JSON_H

#include "ui/show/show.h"

/* The published state representation.  schemas as in struct shown. */
void state_json(struct jw *w, const struct state *st,
		const struct map *schemas);
/* Its "values" member alone (prior_state, planned_values share it). */
void state_values_json(struct jw *w, const struct state *st,
		       const struct map *schemas);

#endif
