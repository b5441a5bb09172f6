/* record_diag.h - diagnostics and sources as records */
#ifndef TFPIPE_STREAM_RECORD_DIAG_H
#define TFPIPE_STREAM_RECORD_DIAG_H

#include "json/write.h"
#include "lang/syntax/snippet.h"
#include "stream/stream.h"

/* `diagnostic`, as validate -json has it, snippet included.  told: who has been
 * told by other means (told.h), or empty. */
void record_diag_members(struct jw *w, const struct diag *d,
			 struct snippets *ss);
void record_diags(struct stream_out *o, const struct diags *ds,
		  const struct sources *ss, struct str told);
int record_diag_read(struct arena *a, const struct json *j, struct diag *out);
/* `source`.  A text that is not UTF-8 cannot travel and is left out. */
void record_source(struct stream_out *o, const struct source *s);
int record_source_read(struct arena *a, struct str line, struct sources *ss);

#endif
