/* compare_int.h - what the files of comparing share: values, taken apart */
#ifndef TFPIPE_COMPARE_COMPARE_INT_H
#define TFPIPE_COMPARE_COMPARE_INT_H

#include "compare/compare.h"
#include "json/json.h"
#include "stream/stream.h"
#include "compare/canon.h"

/*
 * leaf.c: a value as its leaves, those that are made of no others
 *
 * Members come as they stand, or by name (lines), elements in their order.  A
 * null has no leaf, but as an element where they are lines.
 */

struct leaf_masks { /* as changes have them; NULL: nothing is so */
	const struct json *unknown, *sensitive;
	const struct json *also; /* sensitive, too */
};

struct leaf_walk {
	struct arena *arena;
	bool show_sensitive;
	/* For those who read differences line by line: elements have no
	 * numbers, one that is made of others begins with a line of its own,
	 * and what is hidden is one leaf. */
	bool lines;
	struct buf path;
	/* From here on; what is hidden from the beginning is so even if it
	 * is not sensitive. */
	enum compared_hidden hidden;
	size_t visible;
	void (*put)(void *data, const struct compared_leaf *l);
	void *data;
};

void leaf_walk(struct leaf_walk *w, const struct json *j,
	       const struct leaf_masks *m);
/* What the masks say of a member, or of the element of a list. */
struct leaf_masks leaf_masks_below(const struct leaf_masks *m, struct str name,
				   uint32_t i);

/* The text of a leaf, where the other side is as secret as this; l may be
 * NULL. */
struct str compared_shown(const struct compared_leaf *l,
			  enum compared_hidden other);

/* Of a stream that was read: -1, diagnosed, where the run that wrote it has
 * failed, or has planned without a plan. */
int compared_whole(const struct stream_info *info, bool plan, struct str name,
		   struct diags *ds);

/* The member of the name; NULL: there is none. */
const struct json *leaf_member(const struct json *j, struct str name);

/* compared.c: an attribute of an object in a state, whose values are hidden */
void compared_state_attribute(struct leaf_walk *w, const struct json_member *m);

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
