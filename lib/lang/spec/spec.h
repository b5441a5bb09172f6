/*
 * spec.h - decoding a body by a block schema into an object value
 *
 * The schema is what a provider publishes for a resource type (attributes with
 * types and the flags optional, required, computed; nested attributes; nested
 * blocks with their nesting).  It lives here, not in provider/, because
 * decoding a body is the language's business (dynamic blocks included) and the
 * built-in types use it as well.
 */
#ifndef TFPIPE_LANG_SPEC_H
#define TFPIPE_LANG_SPEC_H

#include "lang/syntax/body.h"
#include "lang/eval/eval.h"

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
/* What to look for in the body: an attribute that may be given as blocks, and
 * is, counts as a type of blocks. */
const struct body_schema *body_schema_in_use(struct arena *a,
					     const struct body *b,
					     const struct schema_block *schema);

/* What an empty block gives, no requirement honoured: null attributes, empty
 * collections of blocks. */
const struct value *schema_empty_value(struct arena *a,
				       const struct schema_block *b);

const struct schema_attr *schema_attr_find(const struct schema_block *b,
					   struct str name);
const struct schema_nested *schema_nested_find(const struct schema_block *b,
					       struct str type_name);

/* Evaluates a body into a value of type schema->implied; unset attributes are
 * null, unknown dynamic blocks give unknown content (semantic-traps.md 9).
 * Always returns a value. */
const struct value *body_decode(struct arena *a, const struct body *b,
				const struct schema_block *schema,
				const struct scope *s,
				const struct eval_local *locals,
				struct diags *ds);
/* With another scope for what decides which blocks there are: for_each and
 * labels of dynamic blocks. */
const struct value *body_decode_blocks(struct arena *a, const struct body *b,
				       const struct schema_block *schema,
				       const struct scope *s,
				       const struct scope *blocks,
				       struct diags *ds);
/* The attributes that hold an ephemeral value, or are one, and are not
 * write-only. */
void body_ephemeral_paths(struct arena *a, const struct schema_block *schema,
			  const struct value *v, struct path_vec *out);
/* An error for each value that is ephemeral where only write-only attributes
 * may be. */
void body_check_ephemeral(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  const struct value *v, struct diags *ds);
/* Warns of values that are derived from something deprecated; returns v
 * without those marks. */
const struct value *body_report_deprecated(struct arena *a,
					   const struct body *b,
					   const struct value *v,
					   struct diags *ds);

/* Where a path into the decoded value stands in the body: the value of the
 * attribute, or the nearest that there is; for diagnostics that come with a
 * path. */
struct range body_path_range(struct arena *a, const struct body *b,
			     struct path p);

/* The traversals that decide which blocks there are (for_each and labels of
 * dynamic blocks); returns whether there are dynamic blocks. */
bool body_block_variables(struct arena *a, const struct body *b,
			  const struct schema_block *schema,
			  struct traversal_vec *out);
/* Those that the body uses as soon as its dynamic blocks are expanded, in the
 * given scope: none in a block whose for_each is unknown, for that is all
 * unknown. */
void body_expanded_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     const struct scope *blocks,
			     struct traversal_vec *out);
/* Every traversal a body uses, dynamic blocks understood. */
void body_variables(struct arena *a, const struct body *b,
		    const struct schema_block *schema,
		    struct traversal_vec *out);
/* With the functions it calls (calls may be NULL). */
void body_uses(struct arena *a, const struct body *b,
	       const struct schema_block *schema, struct traversal_vec *vars,
	       struct call_vec *calls);
/* Of the arguments alone, without those in blocks. */
void body_argument_variables(struct arena *a, const struct body *b,
			     const struct schema_block *schema,
			     struct traversal_vec *out);
/* Without a schema: all of them (iterators of dynamic blocks left out). */
void body_variables_unshaped(struct arena *a, const struct body *b,
			     struct traversal_vec *out);
void body_uses_unshaped(struct arena *a, const struct body *b,
			struct traversal_vec *vars, struct call_vec *calls);
/* Without what only the contents of dynamic blocks use, which count when they
 * are expanded: with no element, or as long as the elements are unknown, nobody
 * looks at them (OpenTofu: the references of ExpandBlock, then of
 * EvalBlock). */
void body_variables_unexpanded(struct arena *a, const struct body *b,
			       struct traversal_vec *out);

#endif
