/*
 * wire.h - protobuf messages field by field, without unpacking them
 *
 * For large messages of which only parts are wanted: the schemas of all types.
 * Any bytes are safe.
 */
#ifndef TFPIPE_PROVIDER_WIRE_H
#define TFPIPE_PROVIDER_WIRE_H

#include "base/str.h"

struct wire_field {
	uint32_t number;
	bool is_bytes;    /* length-delimited: a message, string, bytes */
	uint64_t value;   /* otherwise */
	struct str bytes; /* borrowed from the message */
};

/* Takes the next field off the front of *rest: 1, 0 at the end, -1 when it is
 * no message. */
int wire_next(struct str *rest, struct wire_field *f);
/* A map's entry. -1: it is none. */
int wire_entry(struct str entry, struct str *key, struct str *value);
/* The last field of that number among the length-delimited ones; empty when
 * there is none. */
struct str wire_get(struct str message, uint32_t number);

#endif
