/* seal_members_int.h - which members of a record differ */
#ifndef TFPIPE_STREAM_SEAL_MEMBERS_INT_H
#define TFPIPE_STREAM_SEAL_MEMBERS_INT_H

#include "stream/seal_int.h"

/* Adds the members of a record, a line in canonical form, to what is kept,
 * before its mark. */
void seal_members_add(struct seal *s, int kind, struct str line,
		      struct kept *to);
/* Adds the members of records that a seal lists: `names` is the seal's list. */
void seal_members_listed(struct seal *s, int kind, const struct json *names,
			 struct str members, struct kept *to);
/* Are those of all records kept? */
bool seal_members_complete(const struct kept *k);
/* Takes the first of several records off the text.  Its names hold for the next
 * one, too, unless that has its own. */
void seal_members_next(struct str *text, struct seal_members *m);
/* The names of those that differ. */
struct str_vec seal_members_differ(struct arena *a, const struct str_vec *names,
				   const struct seal_members *now,
				   const struct seal_members *was);

#endif
