/* shown.h - the values of a change, as its records may show them */
#ifndef TFPIPE_ENGINE_SHOWN_H
#define TFPIPE_ENGINE_SHOWN_H

#include "provider/provider.h"
#include "state/state.h"

/* For terminals: whatever is marked sensitive is replaced. */
const struct value *change_redacted(struct arena *a, const struct value *v);

#endif
