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

/* What is read lives in the arena, or lies in the files it came from: an
 * expression, and the place of anything, is a span of its file's text where
 * that came before (as a `source`) and says the same; otherwise a fragment of
 * its own. */
struct record_reader {
	struct arena *arena;
	struct diags *ds;
	const struct sources *sources; /* NULL: no files are known */
	struct source *last;           /* of them, looked at last */
};

/* "FILE:L,C,B-L,C,B"; an absent range writes no member. */
void record_at(struct jw *w, const char *member, const struct range *r);
int record_at_read(struct record_reader *r, const struct json *j,
		   struct range *out);
/* The file whose text the range is known to lie in; NULL: none. */
const struct source *record_file(struct record_reader *r,
				 const struct range *at);
/* The same of a span. */
void record_span(struct jw *w, const char *member, const struct source *src,
		 struct span span);

/* EXPR: {"constant_value":…,"at":…} or {"expr":…,"references":[…],"at":…}, the
 * latter with "syntax":"json" in JSON syntax.  e must be present.
 * Reading parses the text again. */
void record_expression(struct jw *w, struct expression e);
/* "member": EXPR; nothing when e is absent. */
void record_expression_member(struct jw *w, const char *member,
			      struct expression e);
/* What travels as a value stands as a whole where it stood; this is the same
 * with the places of its parts, for messages, where the file still says it. */
struct expression record_expression_placed(struct arena *a,
					   struct expression e);
/* j NULL: absent, which is no error. */
int record_expression_read(struct record_reader *r, const struct json *j,
			   struct expression *out);

/* BODY; see tf-stream(5). */
void record_body(struct jw *w, const struct body *b);
/* j NULL: *out is NULL, which is no error. */
int record_body_read(struct record_reader *r, const struct json *j,
		     struct body **out);

/* Its members alone, without the braces. */
void record_expression_members(struct jw *w, struct expression e);

/* Traversals as text with their place: {"expr":…,"at":…}.  relative: the
 * result has no root, its first name is a step. */
void record_traversal(struct jw *w, const struct traversal_ref *t);
int record_traversal_read(struct record_reader *r, const struct json *j,
			  bool relative, struct traversal_ref *out);

/* A record that is not as tf-stream(5) says: adds the diagnostic. */
int record_invalid(struct diags *ds, const char *what);

/* `diagnostic`, as validate -json has it, snippet included.  told: who has been
 * told by other means (told.h), or empty. */
void record_diag_members(struct jw *w, const struct diag *d,
			 struct snippets *ss);
void record_diags(struct stream_out *o, const struct diags *ds,
		  const struct sources *ss, struct str told);
int record_diag_read(struct arena *a, const struct json *j,
		     struct diag *out);

/* `source`.  A text that is not UTF-8 cannot travel and is left out. */
void record_source(struct stream_out *o, const struct source *s);
int record_source_read(struct arena *a, struct str line, struct sources *ss);

#endif
