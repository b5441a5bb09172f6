/*
 * yaml_text.h - the items of a YAML text, one after another; wraps libyaml
 *
 * Few runs read YAML, so libyaml is linked to codec.so, which the first text
 * loads (base/dso.h).  YAML 1.1, https://yaml.org/spec/1.1/.
 */
#ifndef TFPIPE_CODEC_YAML_TEXT_H
#define TFPIPE_CODEC_YAML_TEXT_H

#include <stdbool.h>

#include "base/str.h"

/* A place in the text: line and column from 0; index, the characters (not
 * bytes) before it, without a byte order mark. */
struct yaml_place {
	size_t line, column, index;
};

enum yaml_kind {
	YAML_NOTHING, /* the beginning of the text, and what has no meaning */
	YAML_DOCUMENT,
	YAML_DOCUMENT_END,
	YAML_SCALAR,
	YAML_ALIAS,
	YAML_SEQUENCE,
	YAML_SEQUENCE_END,
	YAML_MAPPING,
	YAML_MAPPING_END,
	YAML_TEXT_END,
};

/* Pointers and strings belong to the yaml_text and are valid until its next
 * item. */
struct yaml_item {
	enum yaml_kind kind;
	struct yaml_place at;
	const char *anchor; /* of a node, or what an alias names; or NULL */
	const char *tag;    /* of a node; NULL: none */
	struct str scalar;
	bool plain;       /* a scalar without quotes, not a block */
	bool quoted;      /* a scalar within ' or " */
	bool like_plain;  /* a scalar: if untagged, its text decides the type */
	bool flow;        /* within [ ] or { } */
	int major, minor; /* of a document's %YAML; 0: has none */
};

/* Why there is no next item. */
struct yaml_error {
	bool is_lexical;     /* found among characters, not among tokens */
	const char *problem; /* the text's, like an item; never NULL */
	struct yaml_place problem_at, context_at;
};

struct yaml_text;

/* s stays until yaml_close().  NULL: codec.so cannot be loaded, or there is no
 * memory. */
struct yaml_text *yaml_open(struct str s);
/* False: the text is invalid; yaml_error() has the reason. */
bool yaml_next(struct yaml_text *y, struct yaml_item *out);
struct yaml_error yaml_error(const struct yaml_text *y);
void yaml_close(struct yaml_text *y);

#endif
