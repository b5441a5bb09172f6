/* compare_int.h - what the files of comparing share: values, taken apart */
#ifndef TFPIPE_COMPARE_COMPARE_INT_H
#define TFPIPE_COMPARE_COMPARE_INT_H

#include "compare/compare.h"
#include "json/json.h"
#include "stream/stream.h"

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

/* read.c: an attribute of an object in a state, whose values are hidden */
void compared_state_attribute(struct leaf_walk *w, const struct json_member *m);

#endif
