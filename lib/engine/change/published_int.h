/*
 * published_int.h - `resource_change` and `resource_drift`, written; members of
 * records as texts, read
 */
#ifndef TFPIPE_ENGINE_PUBLISHED_INT_H
#define TFPIPE_ENGINE_PUBLISHED_INT_H

#include "engine/change/change_int.h"
#include "engine/change/published.h"

void change_put_published(struct stream_out *o, const char *kind,
			  const struct change *c, const struct change_shown *s);
/* The members of the record, address first, as an object. */
struct str change_published_text(struct arena *a, const struct change *c,
				 const struct change_shown *s);

/* A member that is kept, as its text. */
struct member_field {
	struct str name;
	size_t at;      /* of a struct str in what is read into, */
	ptrdiff_t like; /* and of one that it is likely the same as; or -1 */
	const struct member_field *inside; /* its own members; NULL: as it is */
};
#define MEMBER_FIELDS_END \
	{ \
		STR_INIT(""), 0, -1, NULL \
	}

/* Into *out, which is zero but for texts that are `like`.  -1: the line is not
 * JSON, or has one of them twice. */
int change_members_read(struct str line, const struct member_field *fields,
			void *out);

#endif
