/* canon_int.h - what the files of tf-canon share */
#ifndef TFPIPE_COMPARE_CANON_INT_H
#define TFPIPE_COMPARE_CANON_INT_H

#include "compare/canon.h"
#include "compare/compare_int.h"

/*
 * canon_kinds.c: what of which records there is
 */

enum canon_form {
	CANON_PLAIN,  /* member by member */
	CANON_CHANGE, /* of before, what is not as in after */
	CANON_OBJECT, /* of a state: its attributes are hidden */
	CANON_EVENT,  /* of an apply, what was done */
	CANON_NONE,
};

struct canon_kind {
	const char *kind;
	enum canon_form form;
	bool planned; /* it counts where there is a plan: else all do */
	const char *without[10]; /* members that are left out */
};

/* Its place in the order of records; *k: the kind, of which one that is not
 * known has all members. */
size_t canon_kind_find(struct str kind, const struct canon_kind **k);
/* Is the member left out, of all records and wherever it is but in values? */
bool canon_is_place(const struct json_member *m);
bool canon_is_left_out(const struct canon_kind *k, struct str name);

/*
 * canon_put.c: the lines of a record
 */

/* The name of what the record is about: its address, else what tells it from
 * others of its kind. */
struct str canon_address(struct arena *a, const struct json *rec);
/* Appends the lines, without kind and address. */
void canon_put(struct canon *c, const struct canon_kind *k,
	       const struct json *rec, struct buf *out);

/* Notes the texts that a change, or the variables of a plan, mark as sensitive:
 * they are hidden wherever else they are, for what a provider copies has no
 * mark. */
void canon_note_secrets(struct canon *c, const struct json *rec);

#endif
