/*
 * msgpack_int.h - items of msgpack, taken and put one by one
 *
 * Of https://github.com/msgpack/msgpack/blob/master/spec.md all but timestamps,
 * which are extensions like others.
 */
#ifndef TFPIPE_VALUE_MSGPACK_INT_H
#define TFPIPE_VALUE_MSGPACK_INT_H

#include "base/str.h"

enum { REFINEMENTS_EXT = 12 };

enum refinement_key {
	REFINED_NULL = 1,   /* bool: is it null? */
	REFINED_PREFIX = 2, /* string */
	REFINED_MIN = 3,    /* [number, inclusive] */
	REFINED_MAX = 4,
	REFINED_LEN_MIN = 5, /* integer */
	REFINED_LEN_MAX = 6,
};

struct msgpack_input {
	const unsigned char *p, *end;
};

/* The head of an item. */
struct msgpack_item {
	enum {
		ITEM_NIL,
		ITEM_BOOL,
		ITEM_INT,    /* .n */
		ITEM_UINT,   /* .u: too large for ITEM_INT */
		ITEM_DOUBLE, /* .d */
		ITEM_BYTES,  /* str or bin; .body */
		ITEM_ARRAY,  /* .len items follow */
		ITEM_MAP,    /* .len pairs follow */
		ITEM_EXT,    /* .code, .body */
	} kind;
	union {
		int64_t n;
		uint64_t u;
		double d;
		bool boolean;
		uint32_t len;
		struct str body;
	};
	int code;
};

static inline struct msgpack_input msgpack_input(struct str bytes)
{
	const unsigned char *p = (const unsigned char *)bytes.p;

	return (struct msgpack_input){ p, bytes.n ? p + bytes.n : p };
}

#endif
