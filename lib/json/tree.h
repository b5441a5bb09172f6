/*
 * tree.h - trees that borrow the text (json_slice_tree), and a look into trees
 */
#ifndef TFPIPE_JSON_TREE_H
#define TFPIPE_JSON_TREE_H

#include "json/json.h"

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

#endif
