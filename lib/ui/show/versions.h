/*
 * versions.h - tf version: whose behaviour this has, what it is, and which
 * providers the lock file selects
 *
 * Source of the layout, which programs read: OpenTofu 1.12.6.
 */
#ifndef TFPIPE_UI_VERSIONS_H
#define TFPIPE_UI_VERSIONS_H

#include "install/providers/lockfile.h"

void versions_text(struct arena *a, struct buf *b, const struct lockfile *f);
void versions_json(struct arena *a, struct buf *b, const struct lockfile *f);

#endif
