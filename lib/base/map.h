/*
 * map.h - hash map from strings to pointers, in insertion order
 *
 * Keys are borrowed: the caller keeps their bytes alive as long as the map.
 * Everything else is in the arena.  A zeroed struct is an empty map.
 * Iterate with  for (size_t i = 0; i < m.len; i++) m.entries[i].key / .value
 * There is no removal.
 */
#ifndef TFPIPE_BASE_MAP_H
#define TFPIPE_BASE_MAP_H

#include <stdbool.h>
#include <stdint.h>

#include "base/str.h"

struct map_entry {
	struct str key;
	void *value;
	uint64_t hash;
};

struct map {
	struct map_entry *entries; /* in insertion order */
	size_t len;
	size_t cap;
	uint64_t *slots; /* half a hash, and index + 1 into entries; 0: free */
	size_t nslots;   /* a power of two, or 0 */
};

/* The value, or NULL. */
void *map_get(const struct map *m, struct str key);
bool map_has(const struct map *m, struct str key);
/* Its place in insertion order (entries[i]), or -1. */
ptrdiff_t map_index(const struct map *m, struct str key);

/* Sets key to value; returns the value it had before, or NULL. */
void *map_put(struct arena *a, struct map *m, struct str key, void *value);

/* Room for n entries without growing; for an empty map. */
void map_reserve(struct arena *a, struct map *m, size_t n);

/* The entry for key, made with a NULL value if absent. The pointer is valid
 * until the next insertion. */
struct map_entry *map_slot(struct arena *a, struct map *m, struct str key);

/* A copy of the entries sorted by key, for uses that must not depend on the
 * order of insertion. */
struct map_entry *map_sorted(struct arena *a, const struct map *m);

#endif
