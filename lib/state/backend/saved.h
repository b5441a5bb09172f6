/*
 * saved.h - the backend that `init` chose, as saved in the data directory
 */
#ifndef TFPIPE_STATE_SAVED_H
#define TFPIPE_STATE_SAVED_H

#include "state/backend/backend.h"

/* Fills backend_type and config from what `init` left in data_dir, if
 * anything. */
int backend_saved(struct arena *a, struct backend_options *o, struct diags *ds);

#endif
