/*
 * walk.h - walks over a schema and values of it
 *
 * Values have the schema's implied type, or (under attributes of dynamic type)
 * another object type with the same names.
 */
#ifndef TFPIPE_SCHEMA_WALK_H
#define TFPIPE_SCHEMA_WALK_H

#include "schema/schema.h"
#include "value/path.h"

/* A path as it grows down the stack; made real only when it is needed. */
struct at {
	const struct at *up;
	struct str attr;
	const struct value *index; /* NULL: an attribute step */
};

struct path at_path(struct arena *a, const struct at *at);
/* The step to the i-th element of v. */
struct at at_element(struct arena *a, const struct at *up,
		     const struct value *v, uint32_t i);

/* v with another value for each attribute that is wanted, in blocks and nested
 * attributes, too; not inside of what was changed. */
struct schema_walk {
	struct arena *a;
	bool (*wanted)(const struct schema_attr *attr);
	const struct value *(*change)(struct schema_walk *w,
				      const struct schema_attr *attr,
				      const struct value *v,
				      const struct at *at);
	void *data;
};
const struct value *schema_walk(struct schema_walk *w,
				const struct schema_block *b,
				const struct value *v);
/* Is there any such attribute? */
bool schema_walk_wanted(const struct schema_walk *w,
			const struct schema_block *b);

#endif
