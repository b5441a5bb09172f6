/*
 * record.h - the encodings that many records share, each with its reader and
 * writer: expressions, bodies, ranges, diagnostics, sources
 */
#ifndef TFPIPE_STREAM_RECORD_H
#define TFPIPE_STREAM_RECORD_H

#include "addr/addr.h"
#include "lang/syntax/body.h"
#include "lang/syntax/snippet.h"
#include "stream/stream.h"
#include "json/write.h"

/* Results live in the arena, or in the source files: an expression, or any
 * place, is a span of its file's text if that was read before (as a `source`)
 * and has the same text there; otherwise a fragment of its own. */
struct record_reader {
	struct arena *arena;
	struct diags *ds;
	const struct sources *sources; /* NULL: no files are known */
	struct source *last;           /* of them, looked at last */
	bool share; /* keep what is parsed: its module is called again, and its
		       expressions will most likely be, too */
};

/* record_at.c: positions in records: "FILE:L,C,B-L,C,B" */

/* "FILE:L,C,B-L,C,B"; an absent range writes no member. */
void record_at(struct jw *w, const char *member, const struct range *r);
int record_at_read(struct record_reader *r, const struct json *j,
		   struct range *out);
/* The file whose text is known to hold the range; NULL: none. */
struct source *record_file(struct record_reader *r, const struct range *at);
/* Writes the place of a span, as the member `at`. */
void record_span(struct jw *w, const struct source *src, struct span span);
/* Adds the diagnostic for a record that violates tf-stream(5). */
int record_invalid(struct diags *ds, const char *what);

/* record_body.c: bodies in records */

/* BODY; see tf-stream(5). */
void record_body(struct jw *w, const struct body *b);
/* j NULL: *out is NULL, which is no error. */
int record_body_read(struct record_reader *r, const struct json *j,
		     struct body **out);

/* record_diag.c: diagnostics and sources as records */

/* A stage writes its diagnostics into the stream, so that a saved run says why
 * it failed, and to standard error, unless it was given -json.  The program
 * that renders the stream must not repeat them to the same user: `told` names
 * the process group, which is that of a pipe, and the file that was standard
 * error.  STR_NONE: nobody reads standard error. */
struct str diag_told_here(struct arena *a);
/* `diagnostic`, as in validate -json, snippet included.  told: where it was
 * shown already (diag_told_here), or empty. */
void record_diag_members(struct jw *w, const struct diag *d,
			 struct snippets *ss);
void record_diags(struct stream_out *o, const struct diags *ds,
		  const struct sources *ss, struct str told);
int record_diag_read(struct arena *a, const struct json *j, struct diag *out);
/* The snippet of a diagnostic; false: it has none. */
bool record_snippet_read(struct arena *a, const struct json *j,
			 struct snippet *out);
/* Has the stage itself shown it, to who reads our standard error, too? */
bool record_diag_told(struct arena *a, const struct json *j);
/* `source`.  A text that is not UTF-8 cannot travel and is left out. */
void record_source(struct stream_out *o, const struct source *s);
int record_source_read(struct arena *a, struct str line, struct sources *ss);

/* record_expr.c: expressions in records */

/* EXPR: {"constant_value":…,"at":…} or {"expr":…,"references":[…],"at":…}, the
 * latter with "syntax":"json" in JSON syntax.  e must be present.
 * Reading parses the text again. */
void record_expression(struct jw *w, struct expression e);
/* "member": EXPR; nothing when e is absent. */
void record_expression_member(struct jw *w, const char *member,
			      struct expression e);
/* In an expression read as a value all parts have the range of the whole;
 * returns the same with the ranges of its parts, for messages, if the file
 * still has that text. */
struct expression record_expression_placed(struct arena *a,
					   struct expression e);
/* j NULL: absent, which is no error. */
int record_expression_read(struct record_reader *r, const struct json *j,
			   struct expression *out);
/* The members of an expression alone, without the braces. */
void record_expression_members(struct jw *w, struct expression e);
/* Traversals as text with their place: {"expr":…,"at":…}.  relative: the
 * result has no root, its first name is a step. */
void record_traversal(struct jw *w, const struct traversal_ref *t);
int record_traversal_read(struct record_reader *r, const struct json *j,
			  bool relative, struct traversal_ref *out);

#endif
