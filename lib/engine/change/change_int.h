/* change_int.h - between the files that write and read changes */
#ifndef TFPIPE_ENGINE_CHANGE_CHANGE_INT_H
#define TFPIPE_ENGINE_CHANGE_CHANGE_INT_H

#include "engine/change/record.h"
#include "json/read.h"
#include "engine/change/events.h"
#include "json/write.h"

/* The values in both records: the two with the schema's marks, and the same
 * redacted if need be. */
struct change_shown {
	struct arena arena;
	const struct value *before, *after;
	const struct value *before_text, *after_text;
};

#define CHANGE_WRONG "Inconsistent plan"

/* events.c: what the files of the events share */

/* Members come in the order of their names; those before "@" sort first. */
struct jw event_begin(struct events *e, struct str message);
/* The members that all events of the UI stream have.  Members that are not part
 * of it precede them in the record. */
void event_members(struct events *e, struct jw *w, struct str message);
/* type NULL: none. */
void event_end(struct events *e, struct jw *w, const char *type);

/* planned_record.c: the record `planned`, written and read */

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

/*
 * published.c: `resource_change` and `resource_drift`, written; members of
 * records as texts, read
 */

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

/* record.c: a change as two records, and read back from them */

/* Reports a record that cannot be read: bad JSON, or member is missing. */
int change_unreadable(struct diags *ds, const char *kind, bool bad,
		      const char *member);

int change_read_schema(struct change_reader *r, struct str line,
		       struct diags *ds);

/* The object that the change finds. */
const struct change_object *change_object_now(struct change_entry *e);
/* Are its values of no interest to those who show it? */
bool change_is_brief(const struct change_reader *r,
		     const struct change_entry *e);

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
/* The member of the resource_drift that is not what the state's records have of
 * the object, which was `was`; NULL: they agree. */
const char *change_drift_disagrees(struct change_reader *r,
				   struct change_entry *e,
				   const struct published *p, int action,
				   const struct change_object *was);

/* shown_values.c: the values of a change, as its records may show them */

void change_shown_init(struct change_shown *s, const struct change *c,
		       const struct resource_schema *schema, bool redact);

#endif
