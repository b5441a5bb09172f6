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

/* --- taking --- */

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

/* The next item: scalars whole, containers their head.  False at the end, on
 * what is not msgpack, and when a length cannot be true: an item takes a byte
 * at least. */
bool msgpack_take(struct msgpack_input *in, struct msgpack_item *it);

/* Steps over what is in an item of which the head was taken. */
bool msgpack_skip_rest(struct msgpack_input *in,
		       const struct msgpack_item *head);

/* --- putting: in the shortest form that holds it --- */

void msgpack_put_nil(struct buf *out);
void msgpack_put_bool(struct buf *out, bool b);
void msgpack_put_int(struct buf *out, int64_t n);
void msgpack_put_uint(struct buf *out, uint64_t n);
void msgpack_put_double(struct buf *out, double d);
void msgpack_put_str(struct buf *out, struct str s);
void msgpack_put_bin(struct buf *out, struct str bytes);
void msgpack_put_ext(struct buf *out, signed char code, struct str bytes);
/* Heads: so many items, or pairs, are put next. */
void msgpack_put_array(struct buf *out, uint32_t len);
void msgpack_put_map(struct buf *out, uint32_t len);

#endif
