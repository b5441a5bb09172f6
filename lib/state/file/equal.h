/*
 * equal.h - do two states have the same content? Serial, lineage and the form
 * of the text apart.
 */
#ifndef TFPIPE_STATE_EQUAL_H
#define TFPIPE_STATE_EQUAL_H

#include "state/state.h"

/* Same content apart from serial (decides whether serial goes up). */
bool state_equal_content(const struct state *x, const struct state *y);

#endif
