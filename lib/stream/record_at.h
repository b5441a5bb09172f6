/* record_at.h - positions in records: "FILE:L,C,B-L,C,B" */
#ifndef TFPIPE_STREAM_RECORD_AT_H
#define TFPIPE_STREAM_RECORD_AT_H

#include "stream/record.h"

/* "FILE:L,C,B-L,C,B"; an absent range writes no member. */
void record_at(struct jw *w, const char *member, const struct range *r);
int record_at_read(struct record_reader *r, const struct json *j,
		   struct range *out);
/* The file whose text is known to hold the range; NULL: none. */
struct source *record_file(struct record_reader *r, const struct range *at);
/* Writes the place of a span. */
void record_span(struct jw *w, const char *member, const struct source *src,
		 struct span span);
/* Adds the diagnostic for a record that violates tf-stream(5). */
int record_invalid(struct diags *ds, const char *what);

#endif
