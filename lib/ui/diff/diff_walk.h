/*
 * diff_walk.h - the walk over two sequences along their longest common
 * subsequence
 */
#ifndef TFPIPE_UI_DIFF_WALK_H
#define TFPIPE_UI_DIFF_WALK_H

#include "ui/diff/diff.h"

void diff_walk(struct arena *a, const struct diff_sequence *s);

#endif
