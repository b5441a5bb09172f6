/* record_int.h - a change as two records, and read back from them */
#ifndef TFPIPE_ENGINE_RECORD_INT_H
#define TFPIPE_ENGINE_RECORD_INT_H

#include "engine/change/planned_int.h"
#include "engine/change/published.h"

/* Reports a record that cannot be read: bad JSON, or member is missing. */
int change_unreadable(struct diags *ds, const char *kind, bool bad,
		      const char *member);

int change_read_schema(struct change_reader *r, struct str line,
		       struct diags *ds);
/* NULL: the stream has none. */
struct change_schema *change_schema_for(struct change_reader *r,
					const struct published *p);

/* The object that the change finds. */
const struct change_object *change_object_now(struct change_entry *e);
/* Are its values of no interest to those who show it? */
bool change_is_brief(const struct change_reader *r,
		     const struct change_entry *e);

/* Is the address made of the parts that stand beside it?  false where it holds
 * escapes, too. */
bool change_address_agrees(const struct published *p);
/* Surely they say the same, as a look at the texts shows. */
bool change_agrees(struct change_reader *r, struct change_entry *e,
		   const struct published *p, const struct planned_texts *t);
/* The member of the resource_change that is not what the planned record and the
 * state's say; NULL: they agree. */
const char *change_disagrees(struct change_reader *r, struct change_entry *e,
			     const struct published *p,
			     const struct planned_texts *t);
/* Is what planning found of the object told where people see it? */
int change_found_check(struct change_reader *r, struct change_entry *e,
		       struct diags *ds);
/* Is the published object the one of a state's record? */
bool change_is_object(struct change_reader *r, const struct published *p,
		      struct str published, const struct change_object *o);

#endif
