/* set.h - sets: order and membership */
#ifndef TFPIPE_VALUE_SET_H
#define TFPIPE_VALUE_SET_H

#include "value/value.h"

/* Sorts, removes duplicates; marks of elements move to the set.  A set with an
 * unknown element has an unknown length: see value_length. */
const struct value *value_set(struct arena *a, const struct type *elem,
			      const struct value *const *elems, size_t n);
/* The set order of two elements of one type (0: no order between them). */
int value_set_cmp(const struct value *x, const struct value *y);
/* The bytes that the set order of composite values compares, and whose CRC-32
 * OpenTofu takes for the hash of a value. */
void value_hash_bytes(struct buf *b, const struct value *v);
/* Is v (of set s's element type, unmarked) an element? Both wholly known. */
bool value_set_has(const struct value *s, const struct value *v);

#endif
