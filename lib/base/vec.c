/* vec.c - room for a vector that is full; see vec.h */
#include <stdbool.h>
#include <string.h>

#include "base/vec.h"

/* Extends the last allocation of the arena in place. */
static bool grow_in_place(struct arena *a, const void *items, size_t from,
			  size_t to)
{
	from = (from + 7) & ~(size_t)7;
	to = (to + 7) & ~(size_t)7;
	if (!items || (const char *)items + from != a->cur ||
	    (size_t)(a->end - a->cur) < to - from)
		return false;
	a->cur += to - from;
	return true;
}

/* Most are short, and large items are few. */
void *vec_grow_(struct arena *a, const void *items, size_t len, size_t *cap,
		size_t size)
{
	size_t n = *cap ? *cap * 2 : size > 64 ? 1 : size > 32 ? 2 : 4;
	void *p;

	if (grow_in_place(a, items, *cap * size, n * size)) {
		*cap = n;
		return (void *)items;
	}
	p = arena_alloc(a, n * size);
	if (len)
		memcpy(p, items, len * size);
	*cap = n;
	return p;
}
