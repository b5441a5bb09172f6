/*
 * claims.h - what an apply claims of a state that is kept as rows
 *
 * What the plan changes, and what is read for that: by the apply graph, all
 * that a change or an output that changes depends on.  Others may work on the
 * rest meanwhile, and may have changed it since the plan was made, so the apply
 * goes on from the state that the plan tells of, and what it claims is compared
 * with what is stored.
 */
#ifndef TFPIPE_ENGINE_APPLY_CLAIMS_H
#define TFPIPE_ENGINE_APPLY_CLAIMS_H

#include "engine/apply/apply_int.h"

/* The state as the plan tells of it; NULL after a diagnostic. */
struct state *claims_planned_state(struct apply *ap);
/* Claims for ap->graph (NULL: nothing is done but to store what planning
 * read), and makes sure that it is as the plan has it. */
int claims_take(struct apply *ap);

#endif
