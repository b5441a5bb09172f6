/*
 * build_int.h - a tree is made: values as they come, containers as they open
 * and close
 *
 * Used by the readers: json_parse on yajl's callbacks, json_slice_tree on the
 * scanner.  Open containers collect their members on one stack (names unused
 * in arrays); when a container closes, its members move to the arena as one
 * array.
 */
#ifndef TFPIPE_JSON_BUILD_INT_H
#define TFPIPE_JSON_BUILD_INT_H

#include "json/json.h"
#include "json/scan.h"

struct json_build {
	struct arena *arena;
	struct json_member *stack; /* members of all open containers */
	size_t len, cap;
	size_t open; /* where those of the innermost begin; 0: none is open */
	int depth;
	struct str name; /* of the member that comes next */
};

void json_build_grow_(struct json_build *b);

/* Adds a value, which the caller fills. */
static inline struct json *json_build_value(struct json_build *b,
					    enum json_kind kind)
{
	struct json_member *m;

	if (b->len == b->cap)
		json_build_grow_(b);
	m = &b->stack[b->len++];
	m->name = b->name;
	m->value = (struct json){ .kind = kind };
	return &m->value;
}

/* False: more than JSON_DEPTH are open. */
bool json_build_open(struct json_build *b, enum json_kind kind);
void json_build_close(struct json_build *b);

static inline bool json_build_in_object(const struct json_build *b)
{
	return b->stack[b->open - 1].value.kind == JSON_OBJECT;
}

/* Ends the building; the tree if it is complete, else NULL. */
const struct json *json_build_end(struct json_build *b);

#endif
