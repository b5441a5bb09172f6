/*
 * body.h - bodies: attributes and blocks, in native or JSON syntax
 *
 * A native body knows its attributes and blocks.  A JSON body is decided only
 * by a schema, so readers ask: body_content with what they expect.  Both
 * answer in the same terms; diagnostics are HCL's ("Unsupported argument",
 * "Missing required argument", "Unsupported block type", …).
 */
#ifndef TFPIPE_LANG_BODY_H
#define TFPIPE_LANG_BODY_H

#include "lang/ast.h"

struct attribute {
	struct str name;
	struct span name_span;
	struct span span; /* name = value */
	struct expression expr;
};

struct label {
	struct str text;
	struct span span;
};

struct block {
	struct str type;
	struct span type_span;
	const struct label *labels;
	size_t nlabels;
	struct span header; /* type and labels: "the definition range" */
	struct body *body;
	const struct source *src;
};

struct attribute_vec VEC_OF(struct attribute);
struct block_vec VEC_OF(struct block);

struct body {
	const struct source *src;
	struct span span;    /* inside the braces, or the whole file */
	struct span end;     /* where "missing argument" is reported */
	bool json;
	struct attribute_vec attrs; /* native: in order */
	struct block_vec blocks;    /* native: in order */
	struct json_node *node;     /* JSON; lang-internal */
	const struct body_hidden *hidden; /* remaining-body filter; internal */
};

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
};

struct body_content {
	struct attribute_vec attrs;
	struct block_vec blocks; /* in source order */
	struct span missing;     /* where a missing item is reported */
};

/* Exactly what the schema says; anything else is a diagnostic. Returns -1 when
 * errors were added; out holds what could be read in any case. */
int body_content(struct arena *a, const struct body *b,
		 const struct body_schema *schema, struct body_content *out,
		 struct diags *ds);
/* What the schema says; *rest (may be NULL) is a body of what remains. */
int body_partial(struct arena *a, const struct body *b,
		 const struct body_schema *schema, struct body_content *out,
		 struct body **rest, struct diags *ds);
/* All as attributes; blocks are an error. */
int body_attributes(struct arena *a, const struct body *b,
		    struct attribute_vec *out, struct diags *ds);

const struct attribute *content_attr(const struct body_content *c,
				     const char *name);

#endif
