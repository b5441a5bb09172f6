/*
 * body_schema.h - which names a body may hold: what its syntax is read by
 *
 * A schema_block (schema.h) has one of these for each of its bodies, made once;
 * other readers of bodies write theirs as constants.
 */
#ifndef TFPIPE_SCHEMA_BODY_SCHEMA_H
#define TFPIPE_SCHEMA_BODY_SCHEMA_H

#include <stdbool.h>

struct attr_schema {
	const char *name;
	bool required;
};

struct block_schema {
	const char *type;
	const char *labels[4]; /* label names, NULL-terminated */
};

struct body_schema {
	const struct attr_schema *attrs;   /* NULL name ends */
	const struct block_schema *blocks; /* NULL type ends */
	/* Arguments and blocks that Terraform has here and this language does
	 * not, for messages; NULL ends, NULL: none. */
	const char *const *terraforms;
};

struct type;

/* How the bodies of a schema_block are decoded: for lang/spec, made by
 * schema_block_finish. */
struct schema_plan {
	struct body_schema raw;         /* with the "dynamic" block */
	const struct type **attr_types; /* optional attributes included */
	const struct type *spec;        /* the type of a body, the same way */
	/* Lists and sets of objects may be written as blocks (the whole tree
	 * decides whether that is so at all). */
	bool as_blocks;
	bool ambiguous; /* such an attribute is in this block */
};

/* A dynamic block, whose label is the type of those it makes. */
extern const struct block_schema schema_dynamic_block;

#endif
