/*
 * read_fields_int.h - members by table, and the small texts inside a state file
 */
#ifndef TFPIPE_STATE_READ_FIELDS_INT_H
#define TFPIPE_STATE_READ_FIELDS_INT_H

#include "state/file/read_int.h"

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

#endif
