/*
 * arena.h - region allocation
 *
 * Everything that lives as long as a document, a stage or one walked node is
 * allocated from an arena and freed with it; nothing in an arena is freed
 * singly.  Tools are short-lived: most hold one arena for the whole run and
 * one scratch arena that is reset for each node.
 *
 * No function here fails: out of memory ends the process with exit code 1 and
 * a line on stderr (see oom() in arena.c, the only place that does so).
 */
#ifndef TFPIPE_BASE_ARENA_H
#define TFPIPE_BASE_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct arena_chunk;

struct arena {
	struct arena_chunk *chunk; /* newest chunk; chunks form a list */
	char *cur;                 /* next free byte in it */
	char *end;                 /* one past its last byte */
	size_t next_size;          /* payload size of the next chunk, bytes */
	size_t total;              /* bytes obtained from malloc so far */
};

#define ARENA_INIT \
	{ \
		NULL, NULL, NULL, 0, 0 \
	}
/* Begins in a local array, for what is usually small: alignas(16) char x[N],
 * N a multiple of 16. */
#define ARENA_IN(array) \
	{ \
		NULL, (array), (array) + sizeof(array), 0, 0 \
	}

/* Frees everything; the arena is empty and usable again. */
void arena_release(struct arena *a);

/* Forgets everything but keeps one chunk, for scratch arenas. */
void arena_reset(struct arena *a);

/* How many bytes are taken, what chunks have at their ends included. */
size_t arena_used(const struct arena *a);

/* Is p within memory that a obtained?  (Not what it began in.) */
bool arena_holds(const struct arena *a, const void *p);

/* All that is in `from` becomes a part of `to`; `from` is empty. */
void arena_give(struct arena *from, struct arena *to);

void *arena_alloc_more_(struct arena *a, size_t n);

/* Memory aligned for any object; arena_alloc0 clears it. n may be 0. */
static inline void *arena_alloc(struct arena *a, size_t n)
{
	size_t room = (uintptr_t)a->end - (uintptr_t)a->cur;
	/* An object's size is a multiple of its alignment: one that is no
	 * multiple of 16 does not need more than 8. */
	size_t pad = (n + 7) & 8 ? 0 : -(uintptr_t)a->cur & 15;
	void *p;

	if (room < pad || room - pad <= n)
		return arena_alloc_more_(a, n);
	p = a->cur + pad;
	a->cur += pad + ((n + 7) & ~(size_t)7);
	return p;
}

static inline void *arena_alloc0(struct arena *a, size_t n)
{
	return memset(arena_alloc(a, n), 0, n);
}

/* n elements of so many bytes, cleared; a product too large ends the process as
 * out of memory does. */
static inline void *arena_array(struct arena *a, size_t n, size_t size)
{
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes))
		return arena_alloc_more_(a, SIZE_MAX);
	return arena_alloc0(a, bytes);
}

/* A copy of n bytes at p. */
void *arena_dup(struct arena *a, const void *p, size_t n);

/* NUL-terminated copies. */
char *arena_strdup(struct arena *a, const char *s);
char *arena_strndup(struct arena *a, const char *s, size_t n);
char *arena_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
char *arena_vprintf(struct arena *a, const char *fmt, va_list ap)
	__attribute__((format(printf, 2, 0)));

/* Typed helpers: ARENA_NEW(a, struct x) is cleared. */
#define ARENA_NEW(a, T) ((T *)arena_alloc0((a), sizeof(T)))
#define ARENA_ARRAY(a, T, n) ((T *)arena_array((a), (n), sizeof(T)))

/* The malloc family for memory outside of arenas; these never return NULL. */
void *xmalloc(size_t n);
void *xcalloc(size_t n, size_t size);
void *xrealloc(void *p, size_t n);
char *xstrdup(const char *s);

/* scratch.c: a private directory for the time of a command, with FIFOs in it */

/* Makes a directory of a name that cannot be guessed, mode 0700, in TMPDIR or
 * /tmp.  names: of the FIFOs, ends with NULL.  *dir is what errors are about,
 * too. Returns 0, or -1 with errno. */
int scratch_make(struct arena *a, const char *const *names, const char **dir);
/* With all files in it. */
void scratch_remove(struct arena *a, const char *dir);

#endif
