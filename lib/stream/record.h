/*
 * record.h - the encodings that many records share, each with its reader and
 * writer: expressions, bodies, ranges, diagnostics, sources
 */
#ifndef TFPIPE_STREAM_RECORD_H
#define TFPIPE_STREAM_RECORD_H

#include "lang/body.h"
#include "stream/stream.h"

/* "FILE:L,C,B-L,C,B" */
void record_at(struct jw *w, const char *member, const struct range *r);
int record_at_read(struct arena *a, const struct json *j, struct range *out);

/* EXPR: {"constant_value":…,"at":…} or {"expr":…,"references":[…],"at":…}.
 * Reading parses the text again; the result's source is a fragment that stands
 * where the text stood in its file. */
void record_expression(struct jw *w, struct expression e);
int record_expression_read(struct arena *a, const struct json *j,
			   struct expression *out, struct diags *ds);
void record_body(struct jw *w, const struct body *b);
int record_body_read(struct arena *a, const struct json *j,
		     struct body **out, struct diags *ds);

/* `diagnostic`, as validate -json has it, snippet included. */
void record_diag_members(struct jw *w, const struct diag *d,
			 const struct sources *ss);
void record_diags(struct stream_out *o, const struct diags *ds,
		  const struct sources *ss);
int record_diag_read(struct arena *a, const struct json *j,
		     struct diag *out);

/* `source` */
void record_source(struct stream_out *o, const struct source *s);
int record_source_read(struct arena *a, const struct json *j,
		       struct sources *ss);

#endif
