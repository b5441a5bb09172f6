/* file_int.h - what the files of this room share */
#ifndef TFPIPE_STATE_FILE_FILE_INT_H
#define TFPIPE_STATE_FILE_FILE_INT_H

#include "state/state.h"
#include "json/read.h"
#include "base/diag.h"

/* read_addr.c: addresses inside state files and records, each parsed once */

/* The decoded forms of texts, kept in the state's arena; NULL after a
 * diagnostic that names the origin. A dependency is returned without keys. */
const struct module_addr *read_module(struct state *s, struct str text,
				      struct diags *ds);
const struct provider_config_addr *read_provider(struct state *s,
						 struct str text,
						 struct diags *ds);
/* A list of addresses, JSON text, into i->dependencies. Returns -1 when it is
 * no list of strings (without a diagnostic) or an address is wrong (with). */
int read_dependencies(struct state *s, struct str json,
		      struct state_instance *i, struct diags *ds);

/*
 * state_read.c: what the parts of the state reader share (read_fields.c)
 */

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

/* read_fields.c: members by table, and the small texts inside a state file */

/* Reads an object into the struct at `into`; the table ends with a NULL name.
 * Returns -1 after a syntax error (scan.error) or a diagnostic. */
int read_fields(struct state_reader *rd, const struct state_field *fields,
		void *into);
int read_wrong(struct state_reader *rd, const char *field, const char *wanted);
/* The index_key member's text to a key; -1 if it is none. */
int read_index_key(struct arena *a, struct str json, struct inst_key *out);
/* Is it the list of paths that sensitive_attributes holds? */
bool read_sensitive_ok(struct str json);
bool read_base64_ok(struct str s);

/* read_resources.c: the "resources" of a state file */

int read_resources(struct state_reader *rd, void *into);

/* state_record.c: the members of an output, for records and the journal */

/* out->value NULL: the output is gone. */
void state_output_members(struct jw *w, const struct state_output *out,
			  bool redact);
struct str state_output_address(struct arena *a, struct str name);

/* state_record_read.c: the records of a state, read */

/* upgrade.c: states of before version 4 of the format */

/* The state as version 4 has it, made of one of version 1, 2 or 3, which
 * programs before Terraform 0.12 wrote.  STR_NONE: it cannot be. */
struct str state_upgrade(struct arena *a, struct str text, int version,
			 const char *name, struct diags *ds);

#endif
