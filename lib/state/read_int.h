/*
 * read_int.h - what the parts of the state reader share (read.c, read_fields.c,
 * read_root.c)
 */
#ifndef TFPIPE_STATE_READ_INT_H
#define TFPIPE_STATE_READ_INT_H

#include "state/scan_int.h"
#include "state/state.h"

struct reader {
	struct scan scan;
	struct state *state;
	struct diags *ds;
	const char *name;    /* of the file, for messages */
	struct arena scratch; /* lists that end with the reading */
	/* Texts that recur, each parsed once. */
	struct map modules;      /* text -> struct module_addr * */
	struct map providers;    /* text -> struct provider_config_addr * */
	struct map dependencies; /* text -> struct str *, keys dropped */
};

/* A table of members: what is not in it is skipped, as OpenTofu does. null
 * leaves the field as it was. */
enum field_kind {
	FIELD_STRING, /* struct str, decoded */
	FIELD_TEXT,   /* struct str, the JSON text (null included) */
	FIELD_UINT,   /* uint64_t */
	FIELD_BOOL,   /* bool */
	FIELD_FN,     /* read by fn; not called for null */
};

struct field {
	const char *name;
	enum field_kind kind;
	size_t offset;
	int (*fn)(struct reader *rd, void *into);
};

/* Reads an object into the struct at `into`; the table ends with a NULL name.
 * Returns -1 after a syntax error (scan.error) or a diagnostic. */
int read_fields(struct reader *rd, const struct field *fields, void *into);
int read_wrong(struct reader *rd, const char *field, const char *wanted);

int read_outputs(struct reader *rd, void *into);
int read_checks(struct reader *rd, void *into);
int read_resources(struct reader *rd, void *into);

/* The decoded forms of texts; NULL after a diagnostic. */
const struct module_addr *read_module(struct reader *rd, struct str text);
const struct provider_config_addr *read_provider(struct reader *rd,
						 struct str text);
const struct str *read_dependency(struct reader *rd, struct str text);

/* The index_key member's text to a key; -1 if it is none. */
int read_index_key(struct arena *a, struct str json, struct inst_key *out);
/* Is it the list of paths that sensitive_attributes holds? */
bool read_sensitive_ok(struct str json);
bool read_base64_ok(struct str s);

#endif
