/*
 * body.h - bodies: attributes and blocks, in native or JSON syntax
 *
 * A native body knows its attributes and blocks.  A JSON body is decided only
 * by a schema, so readers ask: body_content with what they expect.  Both
 * answer in the same terms; diagnostics are HCL's ("Unsupported argument",
 * "Missing required argument", "Unsupported block type", …).
 */
#ifndef TFPIPE_LANG_SYNTAX_BODY_H
#define TFPIPE_LANG_SYNTAX_BODY_H

#include "lang/syntax/ast.h"
#include "schema/schema.h"

struct attribute {
	struct str name;
	struct span name_span;
	struct span span; /* name = value */
	struct expression expr;
	/* The source of name_span and span; NULL: that of expr (always, unless
	 * the attribute was read from a stream). */
	const struct source *src;
};

static inline struct range attribute_name_range(const struct attribute *at)
{
	return source_range(at->src ? at->src : at->expr.src, at->name_span);
}
static inline struct range attribute_range(const struct attribute *at)
{
	return source_range(at->src ? at->src : at->expr.src, at->span);
}

struct label {
	struct str text;
	struct span span;
};

struct block {
	struct str type;
	struct span type_span;
	const struct label *labels;
	size_t nlabels;
	struct span header;      /* type and labels: "the definition range" */
	struct span open, close; /* the braces; the type, if never opened */
	struct body *body;
	const struct source *src;
};

struct attribute_vec VEC_OF(struct attribute);
struct block_vec VEC_OF(struct block);

struct body {
	const struct source *src;
	struct span span; /* with its braces, or the whole file; the
				argument of a block on one line */
	struct span end;  /* where "missing argument" is reported: the very
				beginning (JSON: the closing brace) */
	bool json;
	struct attribute_vec attrs;       /* native: in order */
	struct block_vec blocks;          /* native: in order */
	struct json_node *node;           /* JSON; lang-internal */
	const struct body_hidden *hidden; /* remaining-body filter; internal */
	/* Two bodies as one (body_merge); then nothing else above is set but
	 * src, span and end, which are those of the first. */
	const struct body_merged *merged;
};

enum body_merge_kind {
	/* An escaping block: what both hold; an attribute in both is a
	 * "Duplicate argument". */
	BODY_UNION,
	/* An override file: an attribute of the second replaces that of the
	 * first, and blocks of the second hide all of the first that have
	 * their type (dynamic blocks by their label). */
	BODY_OVERRIDE,
};

struct body_merged {
	enum body_merge_kind kind;
	const struct body *first, *second;
};

/* b without the attributes and blocks of these names, as body_partial leaves
 * it. */
struct body *body_hide(struct arena *a, const struct body *b,
		       const struct str *names, size_t n);
/* Is that attribute, or are the blocks of that type, left out? */
bool body_hides_attr(const struct body *b, struct str name);
bool body_hides_block(const struct body *b, struct str type);

struct attribute_list VEC_OF(const struct attribute *);

struct body_content {
	struct attribute_list attrs;
	struct block_vec blocks; /* in source order */
	struct span missing;     /* where a missing item is reported */
};

/* Reads the items in the schema; anything else is a diagnostic. Returns -1 when
 * errors were added; out holds what could be read in any case. */
int body_content(struct arena *a, const struct body *b,
		 const struct body_schema *schema, struct body_content *out,
		 struct diags *ds);
/* Reads the items in the schema; *rest (may be NULL) becomes a body of the
 * others, which needs the arrays of the schema. */
int body_partial(struct arena *a, const struct body *b,
		 const struct body_schema *schema, struct body_content *out,
		 struct body **rest, struct diags *ds);
/* All as attributes; blocks are an error. */
int body_attributes(struct arena *a, const struct body *b,
		    struct attribute_vec *out, struct diags *ds);

const struct attribute *content_attr(const struct body_content *c,
				     const char *name);

/* body_json.c: JSON bodies: a schema says what the properties are */

/* Lists the names left out of a JSON body so far; nothing for other bodies. */
void body_hidden_names(struct arena *a, const struct body *b,
		       struct str_vec *out);

/* body_merge.c: two bodies that answer as one */

/* Answers body_content, body_partial and body_attributes as one body. */
struct body *body_merge(struct arena *a, enum body_merge_kind kind,
			const struct body *first, const struct body *second);

/* json_syntax.c: reads JSON text into nodes; see json_syntax.c */

/* A whole JSON-syntax file. */
struct body *parse_json_body(struct arena *a, const struct source *src,
			     struct diags *ds);
/* A part of such a file, in the place of blocks: may be null. */
struct body *parse_json_part(struct arena *a, const struct source *src,
			     struct diags *ds);
/* One JSON value of a JSON-syntax file, as an expression (EXPR_JSON). */
struct expression parse_json_expression(struct arena *a,
					const struct source *src,
					struct diags *ds);

#endif
