/* state_checks.h - `checks` of the published state representation */
#ifndef TFPIPE_UI_SHOW_STATE_CHECKS_H
#define TFPIPE_UI_SHOW_STATE_CHECKS_H

#include "ui/show/show.h"

/* Its "checks" member, if there are any. */
void state_checks_json(struct jw *w, const struct state *st);

#endif
