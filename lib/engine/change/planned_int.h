/* planned_int.h - the record `planned`, written and read */
#ifndef TFPIPE_ENGINE_PLANNED_INT_H
#define TFPIPE_ENGINE_PLANNED_INT_H

#include "engine/change/change_int.h"

void change_put_planned(struct stream_out *o, const struct change *c,
			const struct change_shown *s);
int change_read_planned(struct change_reader *r, struct str line,
			struct change *out, struct str *key, struct diags *ds);

#endif
