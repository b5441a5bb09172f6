/*
 * canon.h - a stream or a state without what differs from run to run, as lines
 * for git
 *
 * A line is a kind of record, an address, a path in the record and a value,
 * with tabs between them (tf-canon(1)).  A plan is told by what it will make,
 * another stream by all that is in it.  What is left out is in the table of
 * canon_kinds.c.
 */
#ifndef TFPIPE_COMPARE_CANON_H
#define TFPIPE_COMPARE_CANON_H

#include "base/diag.h"
#include "base/io.h"
#include "base/map.h"
#include "base/vec.h"
#include "encrypt/encrypt.h"
#include "stream/stream.h"

struct canon_block { /* the lines of a record */
	size_t rank; /* of its kind, among those that are listed */
	bool planned;
	struct str kind, address, lines;
};

struct canon {
	struct arena *arena;
	bool show_sensitive;
	/* internal */
	struct arena scratch;
	struct stream_info info;
	int memory; /* for the records of a state */
	bool plan;
	struct map secrets; /* texts as JSON, line by line */
	VEC(struct canon_block) blocks;
};

/* Before the program is confined; canon_release in any case. */
int canon_begin(struct canon *c, struct arena *a, const struct saved *in,
		struct diags *ds);
/* Reads a stream, or a state file, which has the lines of its records.  name:
 * for messages.  -1: diagnosed; also where the run that wrote the stream has
 * failed, and where it was cut. */
int canon_read(struct canon *c, const struct saved *in, struct str name,
	       struct diags *ds);
void canon_write(struct canon *c, struct out *out);
void canon_release(struct canon *c);

#endif
