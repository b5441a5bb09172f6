/* json_int.h - what the files of this room share */
#ifndef TFPIPE_JSON_JSON_INT_H
#define TFPIPE_JSON_JSON_INT_H

#include <endian.h>

#include "json/json.h"
#include "json/read.h"
#include "json/write.h"

/*
 * build.c: a tree is made: values as they come, containers as they open
 * and close
 *
 * Used by the readers: json_parse on yajl's callbacks, json_slice_tree on the
 * scanner.  Open containers collect their members on one stack (names unused
 * in arrays); when a container closes, its members move to the arena as one
 * array.
 */

struct json_build {
	struct arena *arena;
	struct json_member *stack; /* members of all open containers */
	size_t len, cap;
	size_t open; /* where those of the innermost begin; 0: none is open */
	int depth;
	struct str name; /* of the member that comes next */
};

void json_build_grow_(struct json_build *b);

/* Adds a value, which the caller fills. */
static inline struct json *json_build_value(struct json_build *b,
					    enum json_kind kind)
{
	struct json_member *m;

	if (b->len == b->cap)
		json_build_grow_(b);
	m = &b->stack[b->len++];
	m->name = b->name;
	m->value = (struct json){ .kind = kind };
	return &m->value;
}

/* False: more than JSON_DEPTH are open. */
bool json_build_open(struct json_build *b, enum json_kind kind);
void json_build_close(struct json_build *b);

static inline bool json_build_in_object(const struct json_build *b)
{
	return b->stack[b->open - 1].value.kind == JSON_OBJECT;
}

/* Ends the building; the tree if it is complete, else NULL. */
const struct json *json_build_end(struct json_build *b);

/* scan.c: the scanner's tokens, for slices and trees (see scan.c) */

/* Bits: a string's content besides unescaped ASCII. */
enum { JSON_HOLDS_ESCAPES = 1, JSON_HOLDS_WIDE = 2 };

/* The string at p, the raw bytes between its quotes. */
int json_scan_inside(struct json_scan *s, struct str *out, unsigned *holds);
/* As json_scan_member, with the raw name. */
int json_scan_name(struct json_scan *s, bool *first, struct str *out,
		   unsigned *holds);
/* The number or word at p. */
int json_scan_scalar(struct json_scan *s, struct str *out);

/*
 * escapes.c: how far a string needs no escape, and short copies
 *
 * The one loop over the bytes of strings, for readers and writers: sixteen at a
 * time, inlined, because it runs for each token of megabytes.
 */

/* Compilers map these to the machine's vector instructions. */
typedef signed char json_bytes __attribute__((vector_size(16)));
typedef char json_chars __attribute__((vector_size(16)));
typedef uint64_t json_halves __attribute__((vector_size(16)));

/* The first of the 16 bytes that is set; 16: none is. */
static inline size_t json_first_set(json_bytes set)
{
#ifdef __SSE2__ /* which has an instruction for it */
	unsigned bits = (unsigned)__builtin_ia32_pmovmskb128((json_chars)set);

	return bits ? (size_t)__builtin_ctz(bits) : 16;
#else
	json_halves half = (json_halves)set;

	if (half[0])
		return (size_t)__builtin_ctzll(le64toh(half[0])) / 8;
	if (half[1])
		return (size_t)__builtin_ctzll(le64toh(half[1])) / 8 + 8;
	return 16;
#endif
}

/* How many of the 16 bytes at p, from the first on, need no escape. */
static inline size_t json_plain_of_16(const char *p, bool html)
{
	json_bytes v, odd;

	memcpy(&v, p, sizeof(v));
	/* as signed characters, those of longer sequences are below zero */
	odd = (v < 0x20) | (v == '"') | (v == '\\');
	if (html)
		odd |= (v == '<') | (v == '>') | (v == '&');
	return json_first_set(odd);
}

static inline bool json_plain_byte(char c, bool html)
{
	if (html && (c == '<' || c == '>' || c == '&'))
		return false;
	return (signed char)c >= 0x20 && c != '"' && c != '\\';
}

/* 4 to 15 bytes, some of them twice. */
static inline bool json_plain_few(struct str s, bool html)
{
	size_t half = s.n < 8 ? 4 : 8;
	char twice[16];

	memcpy(twice, s.p, 4);
	memcpy(twice + 4, s.p + half - 4, 4);
	memcpy(twice + 8, s.p + s.n - half, 4);
	memcpy(twice + 12, s.p + s.n - 4, 4);
	return json_plain_of_16(twice, html) == 16;
}

/* The end of the bytes from p on that need no escape: ASCII, no control
 * character, quote or backslash; with html no < > & either.  For texts that go
 * on behind the string. */
static inline const char *json_plain_end(const char *p, const char *end,
					 bool html)
{
	for (; end - p >= 16; p += 16) {
		size_t n = json_plain_of_16(p, html);

		if (n < 16)
			return p + n;
	}
	while (p < end && json_plain_byte(*p, html))
		p++;
	return p;
}

/* How many bytes at the beginning of s need no escape. */
static inline size_t json_plain(struct str s, bool html)
{
	size_t i = 0;

	for (; i + 16 <= s.n; i += 16) {
		size_t n = json_plain_of_16(s.p + i, html);

		if (n < 16)
			return i + n;
	}
	if (i)
		return s.n - 16 + json_plain_of_16(s.p + s.n - 16, html);
	if (s.n >= 4 && json_plain_few(s, html))
		return s.n;
	while (i < s.n && json_plain_byte(s.p[i], html))
		i++;
	return i;
}

/* memcpy without a call for 4 to 16 bytes, some of them twice: most names. */
static inline void json_copy(char *to, const char *from, size_t n)
{
	if (n > 16 || n < 4) {
		memcpy(to, from, n);
	} else if (n >= 8) {
		uint64_t first, last;

		memcpy(&first, from, 8);
		memcpy(&last, from + n - 8, 8);
		memcpy(to, &first, 8);
		memcpy(to + n - 8, &last, 8);
	} else {
		uint32_t first, last;

		memcpy(&first, from, 4);
		memcpy(&last, from + n - 4, 4);
		memcpy(to, &first, 4);
		memcpy(to + n - 4, &last, 4);
	}
}

/* As buf_add, but without a NUL behind it. */
static inline void json_put(struct buf *b, const char *p, size_t n)
{
	buf_grow(b, n);
	json_copy(b->p + b->len, p, n);
	b->len += n;
}

/* The character of an escape by its letter; 0: there is none. */
extern const char json_escape_values[256];
/* The character of the escape at p if it is by letter, as most are; else 0. */
static inline char json_escape_letter(const char *p, const char *end)
{
	return end - p < 2 ? 0 : json_escape_values[(unsigned char)p[1]];
}
/* Appends the first character of s, which is not a json_plain_byte, escaped if
 * it must be.  Returns its length; sets *varied if it could be written
 * otherwise. */
size_t json_escape_one(struct buf *b, struct str s, bool *varied);

/* write.c: what the files of the writer share */

/* Before any value: the comma and line break that separate it. */
void jw_before(struct jw *w);
/* Only if there is an indent. */
void jw_newline_(struct jw *w);
static inline void jw_newline(struct jw *w)
{
	if (w->indent)
		jw_newline_(w);
}

#endif
