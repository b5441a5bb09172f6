/* change_int.h - between the files that write and read changes */
#ifndef TFPIPE_ENGINE_CHANGE_CHANGE_INT_H
#define TFPIPE_ENGINE_CHANGE_CHANGE_INT_H

#include "engine/change/record.h"
#include "json/slice.h"

/* What both records write: the two values with the schema's marks, and the
 * same redacted if need be. */
struct change_shown {
	struct arena arena;
	const struct value *before, *after;
	const struct value *before_text, *after_text;
};

void change_shown_init(struct change_shown *s, const struct change *c,
		       const struct resource_schema *schema, bool redact);

/* What a resource_change said that its planned record must say too. */
struct change_published {
	struct str actions; /* JSON text */
	struct str after;   /* JSON text */
	enum reason reason;
	bool matched;
};

void change_put_published(struct stream_out *o, const char *kind,
			  const struct change *c,
			  const struct change_shown *s);
void change_put_planned(struct stream_out *o, const struct change *c,
			const struct change_shown *s);

/* *key: by which the two records of a change belong together; it may be the
 * line's. */
int change_read_published(struct change_reader *r, struct str line,
			  struct change_published *out, struct str *key,
			  struct diags *ds);
int change_read_planned(struct change_reader *r, struct str line,
			struct change *out, struct str *key,
			struct diags *ds);
/* Do they say the same?  What the planned one does not have, its reason, is
 * not asked for. */
bool change_agrees(struct arena *scratch, const struct change *planned,
		   const struct change_published *p);

/* A deposed object has a key of its own; else it is the address itself. */
struct str change_key(struct arena *a, struct str address, struct str deposed);
/* Which record it is is told by who read its line.  member: the one that is
 * missing, where the line is JSON. */
int change_unreadable(struct diags *ds, const char *kind,
		      const struct json_slice *s, const char *member);

#define CHANGE_WRONG "Inconsistent plan"

#endif
