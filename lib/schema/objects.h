/*
 * objects.h - objects of a schema: made from nothing, and with what the schema
 * says of their attributes
 */
#ifndef TFPIPE_SCHEMA_OBJECTS_H
#define TFPIPE_SCHEMA_OBJECTS_H

#include "schema/schema.h"
#include "value/path.h"

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

/*
 * schema_walk.c: walks over a schema and values of it
 *
 * Two of them: schema_walk visits the wanted attributes of one value;
 * members_next takes objects side by side (prior, configured, planned) one
 * level down, for rules that compare them.
 */

/* A path as it grows down the stack; made real only when it is needed. */
struct at {
	const struct at *up;
	struct str attr;
	const struct value *in; /* not NULL: the step is to its i-th element */
	uint32_t i;
};

struct path at_path(struct arena *a, const struct at *at);
static inline struct at at_element(const struct at *up, const struct value *v,
				   uint32_t i)
{
	return (struct at){ .up = up, .in = v, .i = i };
}

/* The attribute at the path, or the nearest above it, but not inside of one
 * that is write-only; *len is how many steps lead there.  NULL: there is none.
 */
const struct schema_attr *schema_attr_on_path(const struct schema_block *b,
					      struct path p, size_t *len);

/* `change` is called for each attribute that `wanted` accepts and returns its
 * new value; the same one to leave it as it is. */
struct schema_walk {
	struct arena *a;
	schema_attr_test *wanted;
	const struct value *(*change)(struct schema_walk *w,
				      const struct schema_attr *attr,
				      const struct value *v,
				      const struct at *at);
	void *data;
	bool loose; /* value_rebuild_loose */
};
/* v, an object of b, with `change` applied to all wanted attributes, in blocks
 * and nested attributes, too, but not inside of wanted ones.  v itself if
 * nothing changes.  Values that do not match the schema stay. */
const struct value *schema_walk(struct schema_walk *w,
				const struct schema_block *b,
				const struct value *v);
/* Walks what is in a nested attribute, or in the blocks of one type. */
const struct value *schema_walk_nested(struct schema_walk *w,
				       const struct schema_nested *n,
				       const struct value *v,
				       const struct at *at);

enum { MEMBERS_MOST = 3 };

/* The members of up to three objects of one schema, side by side:
 *
 *	struct members m = { .a = a, .block = b, .of = { prior, config },
 *			     .at.up = at };
 *
 *	while (members_next(&m))
 *		elems[m.i] = merged(m.attr, m.nested, m.v[0], m.v[1], &m.at);
 */
struct members {
	struct arena *a;
	const struct schema_block *block;
	const struct value *of[MEMBERS_MOST]; /* NULL from the first unused */
	/* The rest but at.up is set by members_next: */
	struct at at;
	uint32_t i;                         /* in the implied type */
	const struct schema_attr *attr;     /* NULL: blocks */
	const struct schema_nested *nested; /* of these, or of attr */
	/* The values; null in null objects, unknown in unknown ones. */
	const struct value *v[MEMBERS_MOST];
	uint32_t next;
};
bool members_next(struct members *m);

#endif
