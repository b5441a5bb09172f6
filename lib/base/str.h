/*
 * str.h - string slices and growing buffers
 *
 * A struct str is a borrowed slice: pointer and length, not necessarily
 * NUL-terminated, passed by value.  The function that returns a slice documents
 * who owns the bytes; nearly always an arena.  {NULL, 0} is "absent" where a
 * field's comment says so, else just empty.
 *
 * A struct buf is a growing heap buffer, always NUL-terminated at buf.p[len]
 * once anything was added; release with buf_release.
 */
#ifndef TFPIPE_BASE_STR_H
#define TFPIPE_BASE_STR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/arena.h"
#include "base/vec.h"

struct str {
	const char *p;
	size_t n;
};

#define STR(lit) ((struct str){ (lit), sizeof(lit) - 1 })
#define STR_INIT(lit) \
	{ \
		(lit), sizeof(lit) - 1 \
	} /* in static initialisers */
#define STR_NONE ((struct str){ NULL, 0 })
/* For printf: printf("%.*s", STR_ARG(s)) */
#define STR_ARG(s) (int)(s).n, (s).p ? (s).p : ""

static inline struct str str_c(const char *s)
{
	return s ? (struct str){ s, strlen(s) } : STR_NONE;
}

/* What a variable of the environment says; nothing if it is not set, as if it
 * were empty. */
struct str str_env(const char *name);

static inline bool str_eq(struct str a, struct str b)
{
	return a.n == b.n && (a.n == 0 || memcmp(a.p, b.p, a.n) == 0);
}

static inline bool str_is(struct str a, const char *b)
{
	if (!a.n)
		return !*b;
	/* Most that differ do so in the first byte. */
	return *a.p == *b && a.n == strlen(b) && memcmp(a.p, b, a.n) == 0;
}

/* Bytewise order, shorter first on a tie: what sorts map keys. */
int str_cmp(struct str a, struct str b);
void str_sort(struct str *items, size_t n);

bool str_starts(struct str s, const char *prefix);
bool str_ends(struct str s, const char *suffix);
/* Takes the text off the beginning of *rest, if it is there. */
bool str_take(struct str *rest, struct str text);
/* Offset of the first occurrence, or -1. */
ptrdiff_t str_find(struct str s, struct str what);
ptrdiff_t str_chr(struct str s, char c);

static inline struct str str_sub(struct str s, size_t from, size_t to)
{
	return (struct str){ from ? s.p + from : s.p, to - from };
}

/* Without the white space (of ASCII) around it. */
struct str str_trim(struct str s);
/* Is it digits of ASCII and nothing else, one at least? */
bool str_is_digits(struct str s);
/* The value of a hexadecimal digit; -1: it is none. */
int str_hex_digit(char c);
/* The bytes that %41 and the like stand for; what is none of these stays. */
struct str str_percent_decode(struct arena *a, struct str s);

/* The bytes in hexadecimal, in small letters. */
struct str str_hex(struct arena *a, const unsigned char *bytes, size_t n);
/* Copies into an arena, NUL-terminated as a service to C callers. */
struct str str_dup(struct arena *a, struct str s);
/* A copy with the letters of ASCII made small. */
struct str str_lower(struct arena *a, struct str s);
struct str str_printf(struct arena *a, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
struct str str_int(struct arena *a, int64_t n); /* as %lld */

/* The parts one after the other: STR_CAT(a, x, STR("."), y).  Several times
 * as fast as str_printf. */
struct str str_concat(struct arena *a, const struct str *parts, size_t n);
#define STR_CAT(a, ...) \
	str_concat((a), (const struct str[]){ __VA_ARGS__ }, \
		   sizeof((const struct str[]){ __VA_ARGS__ }) / \
			   sizeof(struct str))

/* Another one in each process, so that nobody can choose texts that collide:
 * nothing that is written may depend on it.  str_lasting_hash is always the
 * same. */
uint64_t str_hash(struct str s);
uint64_t str_lasting_hash(struct str s);

/* Length in bytes of the valid UTF-8 sequence at s[0..n), 0 if invalid.
 * str_utf8_valid: is the whole slice valid UTF-8? (Used everywhere text comes
 * in from outside.)  str_utf8_upto: how many bytes of it are. */
size_t utf8_len(const char *s, size_t n);
bool str_utf8_valid(struct str s);
size_t str_utf8_upto(struct str s);
/* The code point of a valid sequence of length n (1 to 4). */
uint32_t utf8_rune(const char *s, size_t n);
/* Writes the code point (1 to 4 bytes) and returns where it ends. */
char *utf8_put(char *out, uint32_t c);

struct buf {
	char *p;
	size_t len;
	size_t cap;
};

#define BUF_INIT \
	{ \
		NULL, 0, 0 \
	}

void buf_release(struct buf *b);
void buf_enlarge_(struct buf *b, size_t extra);
void buf_add(struct buf *b, const void *p, size_t n);
void buf_addf(struct buf *b, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));
void buf_int(struct buf *b, int64_t n);      /* as %lld */
void buf_seconds(struct buf *b, int64_t n);  /* 1h2m3s; 0s below zero */
void buf_set_len(struct buf *b, size_t len); /* only to shorten */

/* Makes room for extra bytes and a NUL. */
static inline void buf_grow(struct buf *b, size_t extra)
{
	if (b->cap - b->len <= extra)
		buf_enlarge_(b, extra);
}

static inline void buf_str(struct buf *b, struct str s)
{
	buf_add(b, s.p, s.n);
}

static inline void buf_puts(struct buf *b, const char *s)
{
	buf_add(b, s, strlen(s));
}

static inline void buf_putc(struct buf *b, char c)
{
	buf_grow(b, 1);
	b->p[b->len++] = c;
	b->p[b->len] = '\0';
}

static inline struct str buf_view(const struct buf *b)
{
	return (struct str){ b->p, b->len };
}

/* The contents, copied into an arena. */
static inline struct str buf_dup(struct arena *a, const struct buf *b)
{
	return str_dup(a, buf_view(b));
}

/* The contents, copied; the buffer is empty then. */
static inline struct str buf_take(struct arena *a, struct buf *b)
{
	struct str s = buf_dup(a, b);

	buf_release(b);
	return s;
}

struct str_vec VEC_OF(struct str);
bool str_vec_has(const struct str_vec *v, struct str s);
/* Sorts the texts from `first` on, as str_sort. */
void str_vec_sort(struct str_vec *v, size_t first);

/* grapheme.c: grapheme clusters; see source.h */

/* Grapheme clusters: the length in bytes of the first cluster of s (1 for an
 * invalid byte).  Wraps libunistring; ASCII is fast. */
size_t grapheme_len(struct str s);

#endif
