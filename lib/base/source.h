/*
 * source.h - source texts and the ranges that point into them
 *
 * A struct source is a text with a name and the position of its first byte: a
 * whole file begins at line 1, column 1, byte 0; an expression that travelled
 * in a stream is a fragment that begins at its position in the file.  Syntax
 * trees hold byte offsets into the source they were parsed from (struct span, 8
 * bytes); lines and columns are worked out only when a range is needed for a
 * diagnostic or a record.
 *
 * Columns count Unicode grapheme clusters, as HCL does; bytes are 0-based.  A
 * byte order mark at the start of a file takes bytes but no column.
 */
#ifndef TFPIPE_BASE_SOURCE_H
#define TFPIPE_BASE_SOURCE_H

#include "base/map.h"
#include "base/str.h"

struct pos {
	uint32_t line;   /* 1-based; 0 in an absent range */
	uint32_t column; /* 1-based, grapheme clusters */
	uint32_t byte;   /* 0-based */
};

struct span { /* half-open byte offsets relative to a source's text */
	uint32_t start;
	uint32_t end;
};

struct range {
	struct str file; /* as shown to people: relative to the root module */
	struct pos start;
	struct pos end;
};

#define RANGE_NONE ((struct range){ STR_NONE, { 0, 0, 0 }, { 0, 0, 0 } })

static inline bool range_present(const struct range *r)
{
	return r->start.line != 0;
}

struct column_mark {
	uint32_t offset, column; /* in text; columns before it in its line */
};

struct source {
	struct str name;
	struct str text;
	struct pos base; /* position of text.p[0] */
	uint32_t *lines; /* start offsets of lines, built on first use */
	size_t nlines;
	size_t last_line;          /* where source_pos found its last answer */
	bool ascii;                /* known with lines: a byte is a column */
	struct column_mark *marks; /* columns within very long lines */
	size_t nmarks;
	struct arena *arena; /* where lines and marks go */
	struct map parts;    /* a struct span -> what record_expr.c has parsed
				there, for modules that share the file */
	/* JSON syntax: as OpenTofu counts columns there, a tab is two and a
	 * carriage return none. */
	bool json_columns;
	/* line != 0: the text is not known (source_opaque) and this is where
	 * it ends. */
	struct pos opaque_end;
	/* line != 0: where a fragment ended in its file, though spelt otherwise
	 * there. */
	struct pos text_end;
};

/* A whole file's source; text is borrowed. */
struct source *source_new(struct arena *a, struct str name, struct str text);
/* A fragment whose first byte is at base in the file `name`. */
struct source *source_fragment(struct arena *a, struct str name,
			       struct str text, struct pos base);

/* Stands for the unknown text of a range that came out of a record: offset 0
 * is its start, any other its end, so that span {0, 1} is the range. */
struct source *source_opaque(struct arena *a, const struct range *r);

static inline struct span source_whole(const struct source *s)
{
	return (struct span){ 0, (uint32_t)s->text.n };
}

struct pos source_pos(const struct source *s, uint32_t offset);
struct range source_range(const struct source *s, struct span sp);

/* The texts that snippets are cut from, by file name.  In the stage that read
 * the files these are the files; later stages fill it from `source` records. */
struct sources {
	struct map by_name; /* -> struct source * */
};

void sources_put(struct arena *a, struct sources *ss, struct source *s);
struct source *sources_get(const struct sources *ss, struct str name);

/* Is the code point a letter, mark, number, punctuation, symbol or plain space
 * (allowed unescaped in a quoted instance key)? */
bool source_rune_printable(uint32_t rune);

#endif
