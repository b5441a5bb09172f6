/*
 * value_int.h - shared inside lib/value only
 */
#ifndef TFPIPE_VALUE_VALUE_INT_H
#define TFPIPE_VALUE_VALUE_INT_H

#include "value/value.h"

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

#endif
