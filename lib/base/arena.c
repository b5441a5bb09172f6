/* arena.c - region allocation; see arena.h */
#include <stdalign.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/arena.h"

enum {
	POPULATE_WRITE = 23, /* MADV_POPULATE_WRITE, which musl lacks */
	FIRST_CHUNK = 4096,
	PAGE = 4096,
	LARGE_CHUNK = 1 << 20, /* opened in steps of BATCH */
	BATCH = 256 << 10,
	/* Untouched parts of a chunk cost nothing.  Huge pages are not
	 * requested: with memory that comes cold from the host they cost more
	 * than they save, and they made a third more of it resident. */
	LARGEST_CHUNK = 32 << 20,
};

struct arena_chunk {
	struct arena_chunk *older;
	size_t size; /* payload bytes */
	alignas(max_align_t) char data[];
};

/* The one place where running out of memory is decided. */
static void oom(void)
{
	static const char msg[] = "error: out of memory\n";

	if (write(STDERR_FILENO, msg, sizeof(msg) - 1) < 0)
		_exit(1);
	_exit(1);
}

void *xmalloc(size_t n)
{
	void *p = malloc(n ? n : 1);

	if (!p)
		oom();
	return p;
}

void *xcalloc(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size ? size : 1);

	if (!p)
		oom();
	return p;
}

void *xrealloc(void *p, size_t n)
{
	p = realloc(p, n ? n : 1);
	if (!p)
		oom();
	return p;
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}

void arena_release(struct arena *a)
{
	struct arena_chunk *c = a->chunk;

	while (c) {
		struct arena_chunk *older = c->older;

		free(c);
		c = older;
	}
	*a = (struct arena)ARENA_INIT;
}

void arena_reset(struct arena *a)
{
	struct arena_chunk *keep = a->chunk, *c;

	if (!keep)
		return;
	for (c = keep->older; c;) {
		struct arena_chunk *older = c->older;

		a->total -= c->size;
		free(c);
		c = older;
	}
	keep->older = NULL;
	a->cur = keep->data;
	a->end = keep->data + keep->size;
}

size_t arena_used(const struct arena *a)
{
	const struct arena_chunk *c = a->chunk;

	return c ? a->total - (size_t)(c->data + c->size - a->cur) : 0;
}

bool arena_holds(const struct arena *a, const void *p)
{
	for (const struct arena_chunk *c = a->chunk; c; c = c->older)
		if ((uintptr_t)p - (uintptr_t)c->data < c->size)
			return true;
	return false;
}

void arena_give(struct arena *from, struct arena *to)
{
	struct arena_chunk *oldest = from->chunk;

	if (!oldest)
		return;
	while (oldest->older)
		oldest = oldest->older;
	if (to->chunk) {
		oldest->older = to->chunk->older;
		to->chunk->older = from->chunk;
	} else {
		to->chunk = from->chunk;
		to->cur = from->cur;
		to->end = from->end;
	}
	to->total += from->total;
	*from = (struct arena)ARENA_INIT;
}

/* Opens the next part of a large chunk, n bytes at least if it has so many.
 * Requests its memory from the kernel: many pages at once cost half as much as
 * one by one on first access. */
static void open_more(struct arena *a, size_t n)
{
	char *last = a->chunk->data + a->chunk->size;
	size_t room = (size_t)(last - a->end), more = n > BATCH ? n : BATCH;
	uintptr_t from = (uintptr_t)a->end & ~(uintptr_t)(PAGE - 1), to;

	a->end += more < room ? more : room;
	to = (uintptr_t)a->end & ~(uintptr_t)(PAGE - 1);
	if (from < to) /* only advice: failure does not matter */
		madvise((void *)from, to - from, POPULATE_WRITE);
}

/* Makes room for n bytes in the unopened part of the newest chunk, if it has so
 * many. */
static bool extend(struct arena *a, size_t n)
{
	struct arena_chunk *c = a->chunk;

	if (!c || (size_t)(c->data + c->size - a->cur) < n + 16)
		return false;
	open_more(a, n + 16);
	a->cur += -(uintptr_t)a->cur & 15;
	return true;
}

static void grow(struct arena *a, size_t n)
{
	size_t size = a->next_size ? a->next_size : FIRST_CHUNK;
	struct arena_chunk *c;

	if (size < n)
		size = n;
	if (size > SIZE_MAX - sizeof(*c))
		oom();
	c = xmalloc(sizeof(*c) + size);
	c->size = size;
	c->older = a->chunk;
	a->chunk = c;
	a->cur = c->data;
	a->end = c->data + size;
	if (size >= LARGE_CHUNK) {
		a->end = c->data;
		open_more(a, n);
	}
	a->total += size;
	a->next_size = size * 2 < LARGEST_CHUNK ? size * 2 : LARGEST_CHUNK;
}

/* Slow path of arena_alloc: the current chunk is full. */
void *arena_alloc_more_(struct arena *a, size_t n)
{
	char *p;

	if (n > SIZE_MAX - 32)
		oom();
	n = (n + 7) & ~(size_t)7;
	if (!extend(a, n))
		grow(a, n);
	p = a->cur;
	a->cur += n;
	return p;
}

void *arena_dup(struct arena *a, const void *p, size_t n)
{
	void *q = arena_alloc(a, n);

	return n ? memcpy(q, p, n) : q;
}

char *arena_strndup(struct arena *a, const char *s, size_t n)
{
	char *p = arena_alloc(a, n + 1);

	if (n)
		memcpy(p, s, n);
	p[n] = '\0';
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
{
	va_list again;
	char small[256], *p;
	int n;

	va_copy(again, ap);
	n = vsnprintf(small, sizeof(small), fmt, again);
	va_end(again);
	if (n < 0)
		return arena_strdup(a, "");
	if ((size_t)n < sizeof(small))
		return arena_strndup(a, small, (size_t)n);
	p = arena_alloc(a, (size_t)n + 1);
	vsnprintf(p, (size_t)n + 1, fmt, ap);
	return p;
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return p;
}
