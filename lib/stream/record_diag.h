/* record_diag.h - diagnostics and sources as records */
#ifndef TFPIPE_STREAM_RECORD_DIAG_H
#define TFPIPE_STREAM_RECORD_DIAG_H

#include "json/write.h"
#include "lang/syntax/snippet.h"
#include "stream/stream.h"

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

#endif
