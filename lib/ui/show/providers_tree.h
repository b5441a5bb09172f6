/*
 * providers_tree.h - which providers are required, module by module, as a tree
 */
#ifndef TFPIPE_UI_PROVIDERS_TREE_H
#define TFPIPE_UI_PROVIDERS_TREE_H

#include "config/config.h"
#include "state/state.h"

/* What the modules of a configuration require, and then what a state still
 * needs, which is left out where that is nothing. */
void providers_tree_text(struct arena *a, struct buf *b, const struct config *c,
			 const struct state *s);

#endif
