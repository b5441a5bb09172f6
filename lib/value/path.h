/*
 * path.h - paths into values: .attr and [index] steps
 *
 * Used for marks (sensitive paths), requires_replace, consistency errors and
 * after_unknown.  Set elements are indexed by the element value itself.
 */
#ifndef TFPIPE_VALUE_PATH_H
#define TFPIPE_VALUE_PATH_H

#include "value/value.h"

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

#endif
