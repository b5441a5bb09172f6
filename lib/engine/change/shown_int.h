/* shown_int.h - the values of a change, as its records may show them */
#ifndef TFPIPE_ENGINE_SHOWN_INT_H
#define TFPIPE_ENGINE_SHOWN_INT_H

#include "engine/change/change_int.h"

void change_shown_init(struct change_shown *s, const struct change *c,
		       const struct resource_schema *schema, bool redact);

#endif
