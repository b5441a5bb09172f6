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

#endif
