/* value_int.h - shared inside lib/value only */
#ifndef TFPIPE_VALUE_VALUE_INT_H
#define TFPIPE_VALUE_VALUE_INT_H

#include "value/convert.h"
#include "value/value.h"
#include "value/path.h"
#include "base/str.h"

/* What the plain and the stream encoding share */

/* A stream's notes on places in a value, beside its JSON: a tree of steps. */
struct overlay {
	const struct json *unknown; /* entry of the list; NULL: it is known */
	bool sensitive;
	bool used;        /* the place was reached */
	struct map below; /* step as text -> struct overlay * */
};

/* codec_json_read.c: values from JSON */

/* The value of type t that j writes.  o may be NULL. */
const struct value *codec_read(struct arena *a, const struct json *j,
			       const struct type *t, struct overlay *o,
			       struct verror *err);

/* codec_stream_read.c: values from the stream's encoding */

/* The unknown that an entry of a stream's list describes; NULL if it makes no
 * sense. */
const struct value *codec_read_unknown(struct arena *a,
				       const struct json *entry,
				       const struct type *t);

/* v, which has elements, with others in their place: of the same types, in
 * the same order, differing in marks only. */
const struct value *value_with_elems(struct arena *a, const struct value *v,
				     const struct value *const *elems);

/* A known list, tuple or object of type t from elements that are in the arena
 * and stay there. */
const struct value *value_of_elems(struct arena *a, const struct type *t,
				   const struct value *const *elems, size_t n);

/* Index of the attribute of a known object or the key of a known map, or -1. */
int64_t value_find(const struct value *v, struct str name);

/* Known, or null, with a type that leaves nothing open at any depth. */
bool value_type_wholly_known(const struct value *v);

/*
 * convert.c: shared by the parts of conversion
 *
 * conversion_exists decides by types alone; convert_at then converts a value,
 * which can still fail where that depends on values.  Both recurse once a
 * level of the types.  "Unsafe" conversions are those that fail for some
 * values (string to number); the language allows them everywhere but inside
 * some unifications.
 */

/* The current place of a conversion or a reader: a step below the frame above
 * it.  Frames live on the stack; a path is made of them only when something
 * fails. */
struct frame {
	const struct frame *up;
	struct str attr;    /* of an object, if index.type is NULL */
	struct value index; /* of anything else */
};

static inline struct frame frame_attr(const struct frame *up, struct str name)
{
	return (struct frame){ .up = up, .attr = name };
}

static inline struct frame frame_index(const struct frame *up, uint32_t i)
{
	return (struct frame){
		.up = up,
		.index = { .type = &type_number, .len = 64, .integer = i }
	};
}

static inline struct frame frame_key(const struct frame *up, struct str key)
{
	return (struct frame){
		.up = up, .index = { .type = &type_string, .string = key }
	};
}

struct conversion {
	struct arena *arena;
	struct verror *err;
};

bool conversion_exists(const struct type *in, const struct type *out,
		       bool unsafe);

/* v, whose type converts to out, as out; NULL with c->err filled. */
const struct value *convert_at(struct conversion *c, const struct frame *at,
			       const struct value *v, const struct type *out);

/* Converts an attribute of an object, or an element of a set or list: there
 * OpenTofu's type system forgets the marks of a null (that it is null is no
 * secret), and so must we, or "no change" would differ. */
const struct value *convert_part(struct conversion *c, const struct frame *at,
				 const struct value *v, const struct type *out);

/* Fills c->err; always NULL. */
const struct value *convert_fail(struct conversion *c, const struct frame *at,
				 struct str message);

/* convert_coll.c: conversions that make collections; see convert.c */

/* The kinds of convert_coll.c; v is known. */
const struct value *convert_collection(struct conversion *c,
				       const struct frame *at,
				       const struct value *v,
				       const struct type *out);
/* Collections of elements whose types may only differ in that some are not
 * known yet; these take the type of the others.  NULL when they differ. */
const struct value *value_make_list(struct arena *a,
				    const struct value *const *elems, size_t n);
const struct value *value_make_set(struct arena *a,
				   const struct value *const *elems, size_t n);
const struct value *value_make_map(struct arena *a, const struct str *keys,
				   const struct value *const *elems, size_t n);

/* convert.c: null and unknown values */

/* out, which in converts to, with what is dynamic in it taken from in (NULL:
 * left dynamic). */
const struct type *convert_open_type(struct arena *a, const struct type *in,
				     const struct type *out);

/* mismatch.c: why one type does not convert to another; see convert.h */

/* Why a value of one type does not convert to another, by the types alone:
 * "attribute \"x\": number required". */
struct str type_mismatch(struct arena *a, const struct type *got,
			 const struct type *want);

/* Why v does not fit want; keys of confidential values are not named. */
struct str value_mismatch(struct arena *a, const struct value *v,
			  const struct type *want);

/*
 * Items of msgpack, taken and put one by one
 *
 * Of https://github.com/msgpack/msgpack/blob/master/spec.md all but timestamps,
 * which are extensions like others.
 */

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

/* msgpack_item.c: takes items of msgpack */

/* The next item: scalars whole, containers their head.  False at the end, on
 * what is not msgpack, and when a length cannot be true: an item takes a byte
 * at least. */
bool msgpack_take(struct msgpack_input *in, struct msgpack_item *it);
/* Skips the content of an item whose head was taken. */
bool msgpack_skip_rest(struct msgpack_input *in,
		       const struct msgpack_item *head);

/* msgpack_put.c: writes items of msgpack */

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

/* refine.c: refinements: what is known of unknown values; see value.h */

/* Is it certain that the unknown u (unmarked) will not be the known v? */
bool value_range_excludes(const struct value *u, const struct value *v);

/* unify.c: finding one type that several convert to; see convert.h */

/* The unified type or NULL; safe as well as unsafe. */
const struct type *unify_types(const struct type *const *types, size_t n,
			       bool unsafe);
/* Types of the attributes of an object or the elements of a tuple. */
const struct type *unify_parts(const struct type *t, bool unsafe);

#endif
