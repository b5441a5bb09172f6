/* planned_int.h - the record `planned`, written and read */
#ifndef TFPIPE_ENGINE_PLANNED_INT_H
#define TFPIPE_ENGINE_PLANNED_INT_H

#include "engine/change/change_int.h"

void change_put_planned(struct stream_out *o, const struct change *c,
			const struct change_shown *s);

/* The members of a planned record as JSON texts within its line; STR_NONE: it
 * lacks one. */
struct planned_texts {
	struct str address, deposed, action, provider, previous_address;
	struct str planned_private, required_replace, planned_identity;
	struct str import_id, import_identity, create_before_destroy;
	struct str dependencies, planned;
	/* within `planned` */
	struct str value, unknown, sensitive, numbers;
	struct str likely; /* not read: what `value` is likely to be */
};

/* 0, or -1 when the line is not JSON, or has one of them twice.  likely: what
 * its value is likely to be, for speed. */
int planned_texts_read(struct str line, struct str likely,
		       struct planned_texts *out);
/* The change that they say, in the reader's arena; before is not filled. */
int change_from_planned(struct change_reader *r, const struct planned_texts *t,
			struct change *out, struct diags *ds);

#endif
