/*
 * read_int.h - what the parts of the state reader share (read.c, read_fields.c,
 * read_root.c)
 */
#ifndef TFPIPE_STATE_READ_INT_H
#define TFPIPE_STATE_READ_INT_H

#include "json/scan.h"
#include "state/state.h"

struct reader {
	struct json_scan scan;
	struct state *state;
	struct diags *ds;
	const char *name;    /* of the file, for messages */
	struct arena scratch; /* lists that end with the reading */
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

/* The decoded forms of texts, kept in the state's arena; NULL after a
 * diagnostic that names the origin. A dependency is returned without keys. */
const struct module_addr *read_module(struct state *s, struct str text,
				      struct diags *ds);
const struct provider_config_addr *read_provider(struct state *s,
						 struct str text,
						 struct diags *ds);
const struct str *read_dependency(struct state *s, struct str text,
				  struct diags *ds);
/* A list of addresses, JSON text, into i->dependencies. Returns -1 when it is
 * no list of strings (without a diagnostic) or an address is wrong (with). */
int read_dependencies(struct state *s, struct str json,
		      struct state_instance *i, struct diags *ds);

/* The index_key member's text to a key; -1 if it is none. */
int read_index_key(struct arena *a, struct str json, struct inst_key *out);
/* Is it the list of paths that sensitive_attributes holds? */
bool read_sensitive_ok(struct str json);
bool read_base64_ok(struct str s);

#endif
