/*
 * diff.h - what changes between two JSON values, as a tree to be displayed
 *
 * diff_block compares the before and after of a published change (with what
 * is unknown, sensitive and replaced) guided by a schema; diff_render writes
 * the tree the way plans are read.  Texts and layout are OpenTofu's, because
 * people know them and scripts match them.
 */
#ifndef TFPIPE_UI_DIFF_DIFF_H
#define TFPIPE_UI_DIFF_DIFF_H

#include "json/json.h"
#include "schema/schema.h"

enum diff_action {
	DIFF_NOOP,
	DIFF_CREATE,
	DIFF_UPDATE,
	DIFF_DELETE,
	DIFF_READ,
	DIFF_REPLACE_DESTROY_FIRST,
	DIFF_REPLACE_CREATE_FIRST,
	DIFF_FORGET,
	DIFF_FORGET_CREATE,
};

enum diff_kind {
	DIFF_PRIMITIVE,
	DIFF_OBJECT,
	DIFF_MAP,
	DIFF_LIST,
	DIFF_SET,
	DIFF_BLOCK,
	DIFF_UNKNOWN,
	DIFF_SENSITIVE,
	DIFF_SENSITIVE_BLOCK,
	DIFF_TYPE_CHANGE,
	DIFF_WRITE_ONLY,
};

struct diff_child {
	struct str key;
	const struct diff *diff;
};

/* The blocks of one type in a block. */
struct diff_blocks {
	struct str type;
	enum nesting nesting;
	const struct diff_child *items; /* key: for NESTING_MAP */
	size_t n;
	bool replace, before_sensitive, after_sensitive;
};

struct diff {
	enum diff_kind kind;
	enum diff_action action;
	bool replace;
	/* OBJECT, MAP, LIST, SET: a nested attribute rather than a value, which
	 * differs in where suffixes go */
	bool nested;
	const struct json *before, *after; /* PRIMITIVE */
	const struct diff_child *children; /* OBJECT, MAP, BLOCK: by key */
	size_t nchildren;                  /* LIST, SET: in order */
	const struct diff_blocks *blocks;  /* BLOCK */
	size_t nblocks;
	const struct diff *inner, *inner_after; /* UNKNOWN (may be NULL),
	                                           SENSITIVE, TYPE_CHANGE */
	bool before_sensitive, after_sensitive;
};

/* Paths, such as those that force replacement; a view that narrows on the way
 * down. */
struct diff_paths {
	const struct json *const *paths; /* each an array of steps */
	size_t n;
	size_t depth; /* steps already taken */
};

struct diff_input {
	const struct json *before, *after; /* NULL: absent */
	bool before_explicit, after_explicit;
	const struct json *unknown, *before_sensitive, *after_sensitive;
	struct diff_paths replace;
	/* What these lead to is compared, and what it is in; the rest is as it
	 * was. */
	bool partly;
	struct diff_paths relevant; /* if partly */
};

/* The `change` object of a record (change, NULL members allowed). */
struct diff_input diff_input_from(struct arena *a, const struct json *change);
/* A value as it is: before and after the same. */
struct diff_input diff_input_same(const struct json *value,
				  const struct json *sensitive);

/* The longest common subsequence walk over two sequences; process(before,
 * after) gets indices, or the length where there is no counterpart. Shared by
 * lists and by the lines of strings. */
struct diff_sequence {
	size_t nbefore, nafter;
	bool (*equal)(void *data, size_t b, size_t a);
	/* Would a pair be shown as one changed element? */
	bool (*pair)(void *data, size_t b, size_t a);
	void (*process)(void *data, size_t b, size_t a);
	void *data;
};

bool diff_json_equal(const struct json *x, const struct json *y);

struct diff_style {
	bool color;
	bool show_sensitive;
	bool show_unchanged; /* unchanged children are shown, too */
	bool no_symbols;
	bool no_null_suffix;
	bool force_replace; /* "# forces replacement" from above */
};

/* diff_schema.c: differences of what has a schema: nested attributes, blocks */

/* A resource, by its schema. */
const struct diff *diff_block(struct arena *a, const struct diff_input *in,
			      const struct schema_block *schema);

/* diff_text.c: rendering a difference as text */

void diff_render(struct buf *b, const struct diff *d, unsigned indent,
		 struct diff_style st);
/* "  + ", "-/+ " …: three columns. */
void diff_symbol(struct buf *b, enum diff_action a, bool color);
/* name, in quotes where it is no identifier, or always */
struct str diff_escaped_name(struct arena *a, struct str name, bool always);
/* "NAME = ": as many columns as the longest name beside it has bytes, as
 * OpenTofu counts. */
void diff_name(struct buf *b, struct str name, size_t width);

/* diff_value.c: differences of values: by their type, or by the JSON alone */

/* Anything of a type; NULL or dynamic: by the JSON alone (outputs). */
const struct diff *diff_typed(struct arena *a, const struct diff_input *in,
			      const struct type *t);
/* A string that holds JSON, as jsonencode(…) shows it. */
const struct diff *diff_json(struct arena *a, const struct diff_input *in);

#endif
