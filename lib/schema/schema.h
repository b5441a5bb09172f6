/*
 * schema.h - what an object is made of: attributes and nested blocks
 *
 * A schema is what a provider publishes for a resource type (attributes with
 * types and the flags optional, required, computed; nested attributes; nested
 * blocks with their nesting).  Bodies are decoded by it (lang/spec), and every
 * rule about an object goes by it: what is common to those is in schema_walk.c.
 */
#ifndef TFPIPE_SCHEMA_SCHEMA_H
#define TFPIPE_SCHEMA_SCHEMA_H

#include <stdbool.h>

#include "value/value.h"

struct type;

enum nesting {
	NESTING_SINGLE,
	NESTING_GROUP, /* blocks only: never null */
	NESTING_LIST,
	NESTING_SET,
	NESTING_MAP,
};

/* Is what has this nesting one object, rather than several? */
static inline bool nesting_single(enum nesting n)
{
	return n == NESTING_SINGLE || n == NESTING_GROUP;
}

struct schema_attr {
	struct str name;
	const struct type *type;            /* also set when nested is */
	const struct schema_nested *nested; /* of protocol 6: objects in it */
	struct str description;
	bool description_markdown;
	bool required, optional, computed;
	bool sensitive, write_only, deprecated;
	struct str deprecation_message;
};

/* A named member of an object: an attribute (attr, and nested if that is
 * nested) or blocks of one type (nested alone). */
struct schema_member {
	const struct schema_attr *attr;
	const struct schema_nested *nested;
};

/* One object: the inside of a block, or of a nested attribute, in which are no
 * blocks. */
struct schema_block {
	const struct schema_attr *attrs; /* sorted by name */
	size_t nattrs;
	const struct schema_nested *blocks; /* sorted by type name */
	size_t nblocks;
	struct str description;
	bool description_markdown;
	bool deprecated;
	struct str deprecation_message;
	/* The rest is made by schema_block_finish. */
	const struct type *implied;          /* object type of a value of it */
	const struct schema_member *members; /* of the attributes of that */
	const struct schema_plan *plan; /* how bodies are decoded; internal,
	                                   not in nested attributes */
};

/* Objects in an object: the blocks of one type, or a nested attribute, which
 * has no name here and no limits. */
struct schema_nested {
	struct str type_name;
	enum nesting nesting;
	const struct schema_block *block;
	uint64_t min_items, max_items; /* 0: no limit */
};

/* Sorts, computes `implied` and `members` at every level, and the types of
 * attributes that are nested.  To be called once, before anything else, on the
 * outermost block. */
void schema_block_finish(struct arena *a, struct schema_block *b);

/* The type that a written object is converted to: as `implied`, with blocks and
 * optional and computed attributes as optional ones. */
const struct type *schema_written_type(struct arena *a,
				       const struct schema_block *b);
/* The type of all blocks of one kind together.  If they contain dynamically
 * typed attributes it is only known from the values. */
const struct type *schema_nested_type(const struct schema_nested *n);

/* Is t a list or set of objects?  Providers from before protocol 6 take such
 * an attribute as blocks, too. */
static inline bool may_be_blocks(const struct type *t)
{
	return (t->kind == TYPE_LIST || t->kind == TYPE_SET) &&
	       t->elem->kind == TYPE_OBJECT;
}

/* The schema for the elements of a list or set of objects. */
const struct schema_block *schema_of_elements(struct arena *a,
					      const struct type *elem);
/* The schema inside the blocks of a type, which may be attributes given as
 * blocks; NULL: there are none. */
const struct schema_block *schema_of_block(struct arena *a,
					   const struct schema_block *s,
					   struct str type);
/* By name, as schema_attr_find needs them. */
void schema_sort_attrs(struct schema_attr *attrs, size_t n);
const struct schema_attr *schema_attr_find(const struct schema_block *b,
					   struct str name);
const struct schema_nested *schema_nested_find(const struct schema_block *b,
					       struct str type_name);

bool schema_attr_is_sensitive(const struct schema_attr *attr);
bool schema_attr_is_write_only(const struct schema_attr *attr);
bool schema_attr_is_deprecated(const struct schema_attr *attr);

/* Does `is` hold of the attribute, or one in it; of any attribute of b, in
 * nested ones and blocks, too? */
typedef bool schema_attr_test(const struct schema_attr *attr);
bool schema_attr_any(const struct schema_attr *attr, schema_attr_test *is);
bool schema_any(const struct schema_block *b, schema_attr_test *is);

/*
 * Which names a body may hold: what its syntax is read by
 *
 * A schema_block (schema.h) has one of these for each of its bodies, made once;
 * other readers of bodies write theirs as constants.
 */

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
