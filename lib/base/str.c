/* str.c - slices and buffers; see str.h */
#include <endian.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>

#include "base/str.h"

int str_cmp(struct str a, struct str b)
{
	size_t n = a.n < b.n ? a.n : b.n;
	int c = n ? memcmp(a.p, b.p, n) : 0;

	if (c)
		return c;
	return (a.n > b.n) - (a.n < b.n);
}

static int order(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

void str_sort(struct str *items, size_t n)
{
	if (n)
		qsort(items, n, sizeof(*items), order);
}

bool str_starts(struct str s, const char *prefix)
{
	size_t n = strlen(prefix);

	return s.n >= n && (n == 0 || memcmp(s.p, prefix, n) == 0);
}

bool str_ends(struct str s, const char *suffix)
{
	size_t n = strlen(suffix);

	return s.n >= n && (n == 0 || memcmp(s.p + s.n - n, suffix, n) == 0);
}

static bool is_space(char c)
{
	return c == ' ' || (c >= '\t' && c <= '\r');
}

struct str str_trim(struct str s)
{
	while (s.n && is_space(s.p[0]))
		s = str_sub(s, 1, s.n);
	while (s.n && is_space(s.p[s.n - 1]))
		s.n--;
	return s;
}

bool str_take(struct str *rest, struct str text)
{
	if (rest->n < text.n || !str_eq(str_sub(*rest, 0, text.n), text))
		return false;
	*rest = str_sub(*rest, text.n, rest->n);
	return true;
}

ptrdiff_t str_find(struct str s, struct str what)
{
	const char *hit;

	if (what.n == 0)
		return 0;
	if (s.n < what.n)
		return -1;
	hit = memmem(s.p, s.n, what.p, what.n);
	return hit ? hit - s.p : -1;
}

ptrdiff_t str_chr(struct str s, char c)
{
	const char *hit = s.n ? memchr(s.p, c, s.n) : NULL;

	return hit ? hit - s.p : -1;
}

struct str str_env(const char *name)
{
	return str_c(getenv(name));
}

struct str str_hex(struct arena *a, const unsigned char *bytes, size_t n)
{
	static const char digits[] = "0123456789abcdef";
	char *text = arena_alloc(a, n * 2 + 1);

	for (size_t i = 0; i < n; i++) {
		text[i * 2] = digits[bytes[i] >> 4];
		text[i * 2 + 1] = digits[bytes[i] & 15];
	}
	text[n * 2] = '\0';
	return (struct str){ text, n * 2 };
}

struct str str_dup(struct arena *a, struct str s)
{
	return (struct str){ arena_strndup(a, s.p, s.n), s.n };
}

struct str str_lower(struct arena *a, struct str s)
{
	char *p = arena_strndup(a, s.p, s.n);

	for (size_t i = 0; i < s.n; i++)
		if (p[i] >= 'A' && p[i] <= 'Z')
			p[i] = (char)(p[i] - 'A' + 'a');
	return (struct str){ p, s.n };
}

struct str str_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap;
	char *p;

	va_start(ap, fmt);
	p = arena_vprintf(a, fmt, ap);
	va_end(ap);
	return str_c(p);
}

struct str str_concat(struct arena *a, const struct str *parts, size_t n)
{
	size_t len = 0, at = 0;
	char *p;

	for (size_t i = 0; i < n; i++)
		len += parts[i].n;
	p = arena_alloc(a, len + 1);
	for (size_t i = 0; i < n; i++) {
		if (parts[i].n)
			memcpy(p + at, parts[i].p, parts[i].n);
		at += parts[i].n;
	}
	p[len] = '\0';
	return (struct str){ p, len };
}

static uint64_t load(const char *p, size_t n)
{
	uint64_t word = 0;

	memcpy(&word, p, n);
	return word;
}

/* Set before main(), and read after. */
static struct {
	uint64_t begin, factor;
} seed = { 0xcbf29ce484222325u, 0xd6e8feb86659fd93u };

__attribute__((constructor)) static void set_seed(void)
{
#ifndef FUZZING_BUILD_MODE_UNSAFE_FOR_PRODUCTION /* the same inputs each time */
	uint64_t random[2];

	if (getrandom(random, sizeof(random), GRND_NONBLOCK) !=
	    (ssize_t)sizeof(random))
		return;
	seed.begin = random[0];
	seed.factor = random[1] | 1;
#endif
}

/* Both halves of the product count: differences in the lower one alone could be
 * made up for by the next word, whatever the seed is. */
static uint64_t mix(uint64_t h, uint64_t word)
{
	const unsigned __int128 product =
		(unsigned __int128)(h ^ word) * seed.factor;

	return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/* Eight bytes at a time; the last words may overlap. */
uint64_t str_hash(struct str s)
{
	uint64_t h = seed.begin ^ s.n;
	size_t i = 0;

	if (s.n >= 8) {
		for (; i + 8 < s.n; i += 8)
			h = mix(h, load(s.p + i, 8));
		return mix(mix(h, load(s.p + s.n - 8, 8)), 1);
	}
	if (s.n >= 4)
		return mix(mix(h, load(s.p, 4) << 32 | load(s.p + s.n - 4, 4)),
			   1);
	for (; i < s.n; i++)
		h = h << 8 ^ (unsigned char)s.p[i];
	return mix(mix(h, 0), 1);
}

/* FNV-1a */
uint64_t str_lasting_hash(struct str s)
{
	uint64_t h = 0xcbf29ce484222325u;

	for (size_t i = 0; i < s.n; i++)
		h = (h ^ (unsigned char)s.p[i]) * 0x100000001b3u;
	return h;
}

size_t utf8_len(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;

	if (n == 0)
		return 0;
	if (p[0] < 0x80)
		return 1;
	if (p[0] >= 0xc2 && p[0] <= 0xdf)
		return n >= 2 && (p[1] & 0xc0) == 0x80 ? 2 : 0;
	if ((p[0] & 0xf0) == 0xe0) {
		if (n < 3 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80)
			return 0;
		if (p[0] == 0xe0 && p[1] < 0xa0)
			return 0;
		if (p[0] == 0xed && p[1] > 0x9f)
			return 0;
		return 3;
	}
	if (p[0] >= 0xf0 && p[0] <= 0xf4) {
		if (n < 4 || (p[1] & 0xc0) != 0x80 || (p[2] & 0xc0) != 0x80 ||
		    (p[3] & 0xc0) != 0x80)
			return 0;
		if (p[0] == 0xf0 && p[1] < 0x90)
			return 0;
		if (p[0] == 0xf4 && p[1] > 0x8f)
			return 0;
		return 4;
	}
	return 0;
}

static const uint64_t no_ascii = 0x8080808080808080u;

static bool ascii8(const char *p)
{
	uint64_t word;

	memcpy(&word, p, sizeof(word));
	return !(word & no_ascii);
}

/* Compilers map these to the machine's vector instructions: state files and
 * streams are megabytes of ASCII. */
typedef uint64_t words16 __attribute__((vector_size(16)));

static inline bool ascii64(const char *p)
{
	words16 all[4], any;

	memcpy(all, p, sizeof(all));
	any = (all[0] | all[1]) | (all[2] | all[3]);
	return !((any[0] | any[1]) & no_ascii);
}

/* Fewer than 64 bytes, the last of them twice. */
static inline bool ascii_few(const char *p, size_t n)
{
	size_t i = 0;

	if (n < 8) {
		while (i < n && (signed char)p[i] >= 0)
			i++;
		return i == n;
	}
	while (i + 8 < n && ascii8(p + i))
		i += 8;
	return i + 8 >= n && ascii8(p + n - 8);
}

/* The end of the ASCII from i on, as far as it is seen at once. */
static inline size_t ascii_upto(struct str s, size_t i)
{
	while (s.n - i >= 64 && ascii64(s.p + i))
		i += 64;
	if (s.n - i >= 64)
		return i;
	/* with what was looked at before it */
	if (s.n >= 64 ? ascii64(s.p + s.n - 64) : ascii_few(s.p, s.n))
		return s.n;
	return i;
}

size_t str_utf8_upto(struct str s)
{
	size_t i = ascii_upto(s, 0);

	while (i < s.n) {
		size_t to = s.n - i > 64 ? i + 64 : s.n;

		while (i < to) {
			size_t len = s.n - i >= 8 && ascii8(s.p + i)
					     ? 8
					     : utf8_len(s.p + i, s.n - i);

			if (!len)
				return i;
			i += len;
		}
		i = ascii_upto(s, i);
	}
	return s.n;
}

bool str_utf8_valid(struct str s)
{
	return str_utf8_upto(s) == s.n;
}

uint32_t utf8_rune(const char *s, size_t n)
{
	const unsigned char *p = (const unsigned char *)s;

	switch (n) {
	case 1:
		return p[0];
	case 2:
		return (p[0] & 0x1fu) << 6 | (p[1] & 0x3fu);
	case 3:
		return (p[0] & 0x0fu) << 12 | (p[1] & 0x3fu) << 6 |
		       (p[2] & 0x3fu);
	default:
		return (p[0] & 0x07u) << 18 | (p[1] & 0x3fu) << 12 |
		       (p[2] & 0x3fu) << 6 | (p[3] & 0x3fu);
	}
}

char *utf8_put(char *out, uint32_t c)
{
	if (c < 0x80) {
		*out++ = (char)c;
		return out;
	}
	if (c < 0x800) {
		*out++ = (char)(0xc0 | c >> 6);
	} else {
		if (c < 0x10000) {
			*out++ = (char)(0xe0 | c >> 12);
		} else {
			*out++ = (char)(0xf0 | c >> 18);
			*out++ = (char)(0x80 | (c >> 12 & 0x3f));
		}
		*out++ = (char)(0x80 | (c >> 6 & 0x3f));
	}
	*out++ = (char)(0x80 | (c & 0x3f));
	return out;
}

void buf_release(struct buf *b)
{
	free(b->p);
	*b = (struct buf)BUF_INIT;
}

void buf_enlarge_(struct buf *b, size_t extra)
{
	size_t need = b->len + extra + 1;
	size_t cap = b->cap ? b->cap : 64;

	while (cap < need)
		cap += cap / 2 + 64;
	b->p = xrealloc(b->p, cap);
	b->cap = cap;
}

void buf_add(struct buf *b, const void *p, size_t n)
{
	buf_grow(b, n);
	if (n)
		memcpy(b->p + b->len, p, n);
	b->len += n;
	b->p[b->len] = '\0';
}

void buf_addf(struct buf *b, const char *fmt, ...)
{
	va_list ap, again;
	int n;

	buf_grow(b, 64);
	va_start(ap, fmt);
	va_copy(again, ap);
	n = vsnprintf(b->p + b->len, b->cap - b->len, fmt, ap);
	va_end(ap);
	if (n > 0 && (size_t)n >= b->cap - b->len) {
		buf_grow(b, (size_t)n);
		vsnprintf(b->p + b->len, b->cap - b->len, fmt, again);
	}
	va_end(again);
	if (n > 0)
		b->len += (size_t)n;
}

enum { INT_ROOM = 20 };

/* The text of n, at the end of room. */
static struct str int_text(char room[INT_ROOM], int64_t n)
{
	uint64_t u = n < 0 ? -(uint64_t)n : (uint64_t)n;
	size_t i = INT_ROOM;

	do {
		room[--i] = (char)('0' + u % 10);
		u /= 10;
	} while (u);
	if (n < 0)
		room[--i] = '-';
	return (struct str){ room + i, INT_ROOM - i };
}

void buf_int(struct buf *b, int64_t n)
{
	char room[INT_ROOM];

	buf_str(b, int_text(room, n));
}

void buf_seconds(struct buf *b, int64_t n)
{
	long long s = n > 0 ? (long long)n : 0;

	if (s >= 3600)
		buf_addf(b, "%lldh", s / 3600);
	if (s >= 60)
		buf_addf(b, "%lldm", s / 60 % 60);
	buf_addf(b, "%llds", s % 60);
}

struct str str_int(struct arena *a, int64_t n)
{
	char room[INT_ROOM];

	return str_dup(a, int_text(room, n));
}

void buf_set_len(struct buf *b, size_t len)
{
	if (len >= b->len)
		return;
	b->len = len;
	b->p[len] = '\0';
}

bool str_is_digits(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return s.n > 0;
}

int str_hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	if (c >= 'a' && c <= 'f')
		return c - 'a' + 10;
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

struct str str_percent_decode(struct arena *a, struct str s)
{
	char *out = arena_alloc(a, s.n + 1);
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++) {
		if (s.p[i] == '%' && i + 2 < s.n &&
		    str_hex_digit(s.p[i + 1]) >= 0 &&
		    str_hex_digit(s.p[i + 2]) >= 0) {
			out[n++] = (char)(str_hex_digit(s.p[i + 1]) << 4 |
					  str_hex_digit(s.p[i + 2]));
			i += 2;
		} else {
			out[n++] = s.p[i];
		}
	}
	out[n] = '\0';
	return (struct str){ out, n };
}

void str_vec_sort(struct str_vec *v, size_t first)
{
	if (v->len > first)
		str_sort(v->items + first, v->len - first);
}

bool str_vec_has(const struct str_vec *v, struct str s)
{
	for (size_t i = 0; i < v->len; i++)
		if (str_eq(v->items[i], s))
			return true;
	return false;
}
