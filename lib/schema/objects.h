/*
 * objects.h - objects of a schema: made from nothing, and with what the schema
 * says of their attributes
 */
#ifndef TFPIPE_SCHEMA_OBJECTS_H
#define TFPIPE_SCHEMA_OBJECTS_H

#include "schema/schema.h"

/* The value of an empty block, requirements ignored: null attributes, empty
 * collections of blocks. */
const struct value *schema_empty_value(struct arena *a,
				       const struct schema_block *b);
/* The value of all blocks of one kind: of a map with their keys, which are NULL
 * for others; of a single one the object, or null. */
const struct value *schema_nested_value(struct arena *a,
					const struct schema_nested *n,
					const struct str *keys,
					const struct value *const *objects,
					size_t len);
/* An object of unknown attributes with the marks that they will have: what a
 * validation can know. */
const struct value *schema_unknown_object(struct arena *a,
					  const struct schema_block *b);

/* v with a sensitive mark on every attribute that the schema marks so. */
const struct value *schema_mark_sensitive(struct arena *a,
					  const struct value *v,
					  const struct schema_block *schema);
/* v as it is published: with a sensitive mark on every attribute that the
 * schema marks so.  Within a set without a mark the marks stay at its
 * elements, and collections are tuples and objects. */
const struct value *schema_mark_published(struct arena *a,
					  const struct value *v,
					  const struct schema_block *schema);
/* v with null for all write-only attributes. */
const struct value *value_without_write_only(struct arena *a,
					     const struct schema_block *b,
					     const struct value *v);

#endif
