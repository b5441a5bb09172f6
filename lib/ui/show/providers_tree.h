/*
 * providers_tree.h - which providers are required, module by module, as a tree
 */
#ifndef TFPIPE_UI_PROVIDERS_TREE_H
#define TFPIPE_UI_PROVIDERS_TREE_H

#include "config/config.h"
#include "state/state.h"

/* Appends the providers that each module of a configuration requires, then
 * those that a state still needs, if any. */
void providers_tree_text(struct arena *a, struct buf *b, const struct config *c,
			 const struct state *s);

#endif
