/* map.c - see map.h */
#include <stdlib.h>

#include "base/map.h"
#include "base/vec.h"

/* A slot holds half of the hash next to the entry's number, so that entries of
 * other keys are rarely compared. */
static uint64_t slot_of(uint64_t hash, size_t entry)
{
	return (hash & ~(uint64_t)UINT32_MAX) | (entry + 1);
}

static struct map_entry *find(const struct map *m, struct str key,
			      uint64_t hash, size_t *slot)
{
	size_t i;

	if (!m->nslots)
		return NULL;
	for (i = hash & (m->nslots - 1);; i = (i + 1) & (m->nslots - 1)) {
		uint64_t s = m->slots[i];
		struct map_entry *e;

		if (slot)
			*slot = i;
		if (!s)
			return NULL;
		if ((s ^ hash) >> 32)
			continue;
		e = &m->entries[(uint32_t)s - 1];
		if (e->hash == hash && str_eq(e->key, key))
			return e;
	}
}

static void rehash(struct arena *a, struct map *m)
{
	size_t n = m->nslots ? m->nslots * 2 : 8;

	m->slots = arena_alloc0(a, n * sizeof(*m->slots));
	m->nslots = n;
	for (size_t e = 0; e < m->len; e++) {
		size_t i = m->entries[e].hash & (n - 1);

		while (m->slots[i])
			i = (i + 1) & (n - 1);
		m->slots[i] = slot_of(m->entries[e].hash, e);
	}
}

void map_reserve(struct arena *a, struct map *m, size_t n)
{
	size_t slots = 8;

	if (m->len || !n)
		return;
	while (n * 4 > slots * 3)
		slots *= 2;
	m->entries = arena_alloc(a, n * sizeof(*m->entries));
	m->cap = n;
	m->slots = arena_alloc0(a, slots * sizeof(*m->slots));
	m->nslots = slots;
}

void *map_get(const struct map *m, struct str key)
{
	struct map_entry *e = m->len ? find(m, key, str_hash(key), NULL) : NULL;

	return e ? e->value : NULL;
}

bool map_has(const struct map *m, struct str key)
{
	return m->len && find(m, key, str_hash(key), NULL);
}

struct map_entry *map_slot(struct arena *a, struct map *m, struct str key)
{
	uint64_t hash = str_hash(key);
	size_t slot = 0;
	struct map_entry *e = find(m, key, hash, &slot);

	if (e)
		return e;
	if ((m->len + 1) * 4 > m->nslots * 3) {
		rehash(a, m);
		find(m, key, hash, &slot);
	}
	if (m->len == m->cap)
		m->entries = vec_grow_(a, m->entries, m->len, &m->cap,
				       sizeof(*m->entries));
	e = &m->entries[m->len++];
	*e = (struct map_entry){ key, NULL, hash };
	m->slots[slot] = slot_of(hash, m->len - 1);
	return e;
}

ptrdiff_t map_index(const struct map *m, struct str key)
{
	struct map_entry *e = m->len ? find(m, key, str_hash(key), NULL) : NULL;

	return e ? e - m->entries : -1;
}

void *map_put(struct arena *a, struct map *m, struct str key, void *value)
{
	struct map_entry *e = map_slot(a, m, key);
	void *old = e->value;

	e->value = value;
	return old;
}

static int by_key(const void *a, const void *b)
{
	return str_cmp(((const struct map_entry *)a)->key,
		       ((const struct map_entry *)b)->key);
}

struct map_entry *map_sorted(struct arena *a, const struct map *m)
{
	struct map_entry *copy = ARENA_ARRAY(a, struct map_entry, m->len);

	if (m->len)
		memcpy(copy, m->entries, m->len * sizeof(*copy));
	qsort(copy, m->len, sizeof(*copy), by_key);
	return copy;
}
