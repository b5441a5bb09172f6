/*
 * schema.h - what an object is made of: attributes and nested blocks
 *
 * A schema is what a provider publishes for a resource type (attributes with
 * types and the flags optional, required, computed; nested attributes; nested
 * blocks with their nesting).  Bodies are decoded by it (lang/spec), and every
 * rule about an object goes by it: what is common to those is in walk.h.
 */
#ifndef TFPIPE_SCHEMA_SCHEMA_H
#define TFPIPE_SCHEMA_SCHEMA_H

#include "value/value.h"

enum nesting {
	NESTING_SINGLE,
	NESTING_GROUP, /* blocks only */
	NESTING_LIST,
	NESTING_SET,
	NESTING_MAP,
};

struct schema_object;

struct schema_attr {
	struct str name;
	const struct type *type;           /* also set when nested is */
	const struct schema_object *nested; /* protocol 6 nested attributes */
	struct str description;
	bool description_markdown;
	bool required, optional, computed;
	bool sensitive, write_only, deprecated;
	struct str deprecation_message;
};

struct schema_object { /* structural attribute */
	enum nesting nesting;
	const struct schema_attr *attrs;
	size_t nattrs;
};

struct schema_block {
	const struct schema_attr *attrs; /* sorted by name */
	size_t nattrs;
	const struct schema_nested *blocks; /* sorted by type name */
	size_t nblocks;
	struct str description;
	bool description_markdown;
	bool deprecated;
	struct str deprecation_message;
	const struct type *implied; /* object type of a value of it */
	const struct schema_plan *plan; /* how bodies are decoded; internal,
	                                   made by schema_block_finish */
};

struct schema_nested {
	struct str type_name;
	enum nesting nesting;
	const struct schema_block *block;
	uint64_t min_items, max_items; /* 0: no limit */
};

/* Sorts, computes `implied` at every level, and the types of attributes that
 * have only `nested`. To be called once, before anything else, on the
 * outermost block. */
void schema_block_finish(struct arena *a, struct schema_block *b);

/* The type that a nested attribute's values are converted to: as its implied
 * type, with optional and computed attributes as optional ones. */
const struct type *schema_object_type(struct arena *a,
				      const struct schema_object *o);

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
/* Of the inside of the blocks of a type, attributes that may be given as blocks
 * included; NULL: there are none. */
const struct schema_block *schema_of_block(struct arena *a,
					   const struct schema_block *s,
					   struct str type);
const struct schema_attr *schema_attr_find(const struct schema_block *b,
					   struct str name);
const struct schema_nested *schema_nested_find(const struct schema_block *b,
					       struct str type_name);
/* The attribute of that name of a nested one; NULL: there is none. */
const struct schema_attr *object_attr(const struct schema_object *o,
				      struct str name);

#endif
