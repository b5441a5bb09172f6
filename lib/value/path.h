/*
 * path.h - paths into values: .attr and [index] steps
 *
 * Used for marks (sensitive paths), requires_replace, consistency errors and
 * after_unknown.  Set elements are indexed by the element value itself.
 */
#ifndef TFPIPE_VALUE_PATH_H
#define TFPIPE_VALUE_PATH_H

#include "value/value.h"
#include "json/write.h"

struct path_step {
	struct str attr;           /* attribute name, if index is NULL */
	const struct value *index; /* a number, string or set element */
};

struct path {
	const struct path_step *steps;
	size_t len;
};

struct path_vec VEC_OF(struct path);

struct path path_attr(struct arena *a, struct path p, struct str name);
struct path path_index(struct arena *a, struct path p,
		       const struct value *index);

/* The step that leads from v to its i-th element. */
struct path_step value_step(struct arena *a, const struct value *v, uint32_t i);

/* The value at p, or NULL when there is none (missing, null on the way). An
 * unknown on the way yields an unknown of the right type.  Marks met on the
 * way are on the result. */
const struct value *path_get(struct arena *a, const struct value *v,
			     struct path p);

bool path_equal(struct path x, struct path y);
bool path_has_prefix(struct path p, struct path prefix);

/* .a[0]["k"] : how messages show it. Set steps of composite elements are shown
 * as [...]. */
struct str path_text(struct arena *a, struct path p);

/* All paths at which values carry a mark in `bits`, also inside of other marked
 * values; or the outermost only. */
void value_marked_paths(struct arena *a, const struct value *v, unsigned bits,
			struct path_vec *out);
void value_marked_outermost(struct arena *a, const struct value *v,
			    unsigned bits, struct path_vec *out);
/* v with marks m added at each path that exists; paths into sets mark the
 * set. */
const struct value *value_mark_paths(struct arena *a, const struct value *v,
				     const struct path_vec *paths,
				     const struct marks *m);

/* path_json.c: paths in state files and published plans */

/* The state file's form: [{"type":"get_attr","value":"a"},
 * {"type":"index","value":{"value":0,"type":"number"}}] */
void path_to_state_json(struct jw *w, struct path p);
int path_from_state_json(struct arena *a, const struct json *j,
			 struct path *out);
/* The plan JSON's form (replace_paths): ["a",0,"k"]; a set step is the element.
 * -1, and null written in its place, when that is not known. */
int path_to_plan_json(struct jw *w, struct path p);

/* Each once, in the order in which published plans list paths: that of cty's
 * sets, by the CRC-64 (ISO) of the attributes' names, "##" for an index, as a
 * signed number.  Those that differ in an index only stay as they come. */
void paths_in_plan_order(struct path_vec *v);

#endif
