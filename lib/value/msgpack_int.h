/*
 * msgpack_int.h - codes shared by the writer and the reader of msgpack
 */
#ifndef TFPIPE_VALUE_MSGPACK_INT_H
#define TFPIPE_VALUE_MSGPACK_INT_H

enum { REFINEMENTS_EXT = 12 };

enum refinement_key {
	REFINED_NULL = 1,   /* bool: is it null? */
	REFINED_PREFIX = 2, /* string */
	REFINED_MIN = 3,    /* [number, inclusive] */
	REFINED_MAX = 4,
	REFINED_LEN_MIN = 5, /* integer */
	REFINED_LEN_MAX = 6,
};

#endif
