/*
 * read_int.h - what the parts of the state reader share (read.c, read_fields.c,
 * read_root.c)
 */
#ifndef TFPIPE_STATE_READ_INT_H
#define TFPIPE_STATE_READ_INT_H

#include "json/scan.h"
#include "state/state.h"

struct state_reader {
	struct json_scan scan;
	struct state *state;
	struct diags *ds;
	const char *name;     /* of the file, for messages */
	struct arena scratch; /* lists that end with the reading */
};

/* A table of members: others are skipped, as OpenTofu does. null leaves the
 * field as it was. */
enum state_field_kind {
	FIELD_STRING, /* struct str, decoded */
	FIELD_TEXT,   /* struct str, the JSON text (null included) */
	FIELD_UINT,   /* uint64_t */
	FIELD_BOOL,   /* bool */
	FIELD_FN,     /* read by fn; not called for null */
};

struct state_field {
	const char *name;
	enum state_field_kind kind;
	size_t offset;
	int (*fn)(struct state_reader *rd, void *into);
};

#endif
