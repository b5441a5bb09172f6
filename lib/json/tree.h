/*
 * tree.h - trees that borrow the text (json_slice_tree), and a look into trees
 */
#ifndef TFPIPE_JSON_TREE_H
#define TFPIPE_JSON_TREE_H

#include "json/json.h"
#include "base/str.h"

/* Member by name, or NULL; NULL also when j is NULL or not an object. */
const struct json *json_get(const struct json *j, const char *name);
/* Text of a string member, STR_NONE when absent or of another kind. */
struct str json_get_str(const struct json *j, const char *name);
/* Appends a list of strings; NULL is as good as empty.  -1: it is no such
 * list. */
int json_texts(struct arena *a, const struct json *list, struct str_vec *out);
bool json_get_bool(const struct json *j, const char *name, bool otherwise);
int64_t json_get_int(const struct json *j, const char *name, int64_t otherwise);
/* Cheap look at one line of a stream: the text of the leading "record"
 * member, without parsing the line.  STR_NONE if the line does not start with
 * {"record":"...  (then parse it). */
struct str json_peek_record(struct str line);
/* As json_parse, of an object, but the tree borrows what it can: numbers and
 * strings without escapes are slices of text, which must live as long as the
 * tree.  Members whose names are in `skip` (ended by NULL; may be NULL) are
 * left out wherever they are.  NULL: text is no valid object; json_parse says
 * why. */
const struct json *json_slice_tree(struct arena *a, struct str text,
				   const char *const *skip);

/*
 * same.c: do two texts say the same?
 *
 * For what a stream says twice: both are walked at once, no tree is built.
 * Both are valid JSON already.
 */

enum json_same {
	JSON_SAME_PLAIN,
	JSON_SAME_NULLS, /* a null may be left out of either */
	/* So may it here, and the second text is of a state: what has a type of
	 * its own stands there as {"value":…,"type":…}. */
	JSON_SAME_STATE,
};

/* true: they do.  false: they may do so nevertheless, with members in another
 * order, or numbers in another form.  a is for strings with escapes. */
bool json_same(struct arena *a, struct str x, struct str y, enum json_same how);

/* How often `true` stands in the text, as a value. */
size_t json_count_true(struct str text);
/* Is `true` where the path leads, a list of names and positions as JSON?  A
 * name has to be spelled alike in both. */
bool json_true_at(struct str text, struct str path);

#endif
