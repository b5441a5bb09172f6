/*
 * vec.h - growing arrays in an arena
 *
 *	VEC(struct diag) list = { 0 };
 *	vec_push(arena, &list, d);
 *	for (size_t i = 0; i < list.len; i++) use(&list.items[i]);
 *
 * Growing copies into fresh arena memory, so pointers into items are valid
 * only until the next push.  A function that takes a vec needs a named type:
 * struct str_vec VEC_OF(struct str);
 */
#ifndef TFPIPE_BASE_VEC_H
#define TFPIPE_BASE_VEC_H

#include <stddef.h>

#include "base/arena.h"

#define VEC_OF(T) \
	{ \
		T *items; \
		size_t len; \
		size_t cap; \
	}
#define VEC(T) struct VEC_OF(T)

#define vec_push(arena, v, ...) \
	((v)->len == (v)->cap \
		 ? (void)((v)->items = \
				  vec_grow_((arena), (v)->items, (v)->len, \
					    &(v)->cap, sizeof(*(v)->items))) \
		 : (void)0, \
	 (v)->items[(v)->len++] = (__VA_ARGS__))

/* A copy of the items from `from` on; NULL if there are none. */
#define vec_tail(arena, v, from) \
	((v)->len > (from) \
		 ? arena_dup((arena), &(v)->items[from], \
			     ((v)->len - (from)) * sizeof(*(v)->items)) \
		 : NULL)

/* Used by vec_push only: at least one more slot than len. */
void *vec_grow_(struct arena *a, const void *items, size_t len, size_t *cap,
		size_t size);

#endif
