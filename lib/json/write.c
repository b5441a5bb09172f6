/*
 * write.c - JSON text out; see json.h
 *
 * A struct jw keeps only where commas go.  Output is compact unless
 * jw.indent is set, when each member and element stands on its own line.
 */
#include "json/json.h"

#include <endian.h>

static void newline(struct jw *w)
{
	size_t n;

	if (!w->indent)
		return;
	buf_putc(w->out, '\n');
	n = (size_t)w->indent * (size_t)w->depth;
	for (size_t i = 0; i < n; i++)
		buf_putc(w->out, ' ');
}

/* Before any value: the comma and line break that separate it. */
static void before(struct jw *w)
{
	if (w->keyed) {
		w->keyed = false;
		return;
	}
	if (!w->depth)
		return;
	if (w->comma)
		buf_putc(w->out, ',');
	newline(w);
	w->comma = true;
}

static void open_with(struct jw *w, char c)
{
	before(w);
	buf_putc(w->out, c);
	w->depth++;
	w->comma = false;
}

static void close_with(struct jw *w, char c)
{
	w->depth--;
	if (w->comma)
		newline(w);
	buf_putc(w->out, c);
	w->comma = true;
}

void jw_object(struct jw *w)
{
	open_with(w, '{');
}

void jw_object_end(struct jw *w)
{
	close_with(w, '}');
}

void jw_array(struct jw *w)
{
	open_with(w, '[');
}

void jw_array_end(struct jw *w)
{
	close_with(w, ']');
}

/* Bytes that may stand in a string as they are: 0 yes, 1 escape, 2 first byte
 * of a longer sequence, 3 escape if jw.html. */
static const unsigned char classes[256] = {
	[0x00 ... 0x1f] = 1, ['"'] = 1,	 ['\\'] = 1,
	['<'] = 3,	     ['>'] = 3,	 ['&'] = 3,
	[0x80 ... 0xff] = 2,
};

static void escape(struct buf *b, unsigned char c)
{
	static const char letters[256] = {
		['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n', ['\r'] = 'r',
		['\t'] = 't', ['"'] = '"',	['\\'] = '\\',
	};

	if (!letters[c]) {
		buf_addf(b, "\\u%04x", c);
		return;
	}
	buf_grow(b, 2);
	b->p[b->len++] = '\\';
	b->p[b->len++] = letters[c];
}

/* One multi-byte sequence at the front of s; returns its length. */
static size_t sequence(struct jw *w, struct str s)
{
	size_t len = utf8_len(s.p, s.n);
	struct buf *b = w->out;

	w->varied |= !len || (len == 3 && s.p[0] == '\xe2');
	if (!len) {
		buf_puts(b, "\\ufffd");
		return 1;
	}
	if (len == 3 && memcmp(s.p, "\xe2\x80\xa8", 3) == 0)
		buf_puts(b, "\\u2028");
	else if (len == 3 && memcmp(s.p, "\xe2\x80\xa9", 3) == 0)
		buf_puts(b, "\\u2029");
	else
		buf_add(b, s.p, len);
	return len;
}

/* Sixteen bytes at a time; the compilers make of it what the machine has. */
typedef signed char bytes16 __attribute__((vector_size(16)));

/* How many of the 16 bytes at p, from the first on, stand as they are. */
static inline size_t plain_of_16(const char *p, bool html)
{
	bytes16 v, odd;
	uint64_t half[2];

	memcpy(&v, p, sizeof(v));
	/* as signed characters, those of longer sequences are below zero */
	odd = (v < 0x20) | (v == '"') | (v == '\\');
	if (html)
		odd |= (v == '<') | (v == '>') | (v == '&');
	memcpy(half, &odd, sizeof(half));
	if (half[0])
		return (size_t)__builtin_ctzll(le64toh(half[0])) / 8;
	if (half[1])
		return (size_t)__builtin_ctzll(le64toh(half[1])) / 8 + 8;
	return 16;
}

/* 4 to 15 bytes, some of them twice. */
static inline bool plain_few(struct str s, bool html)
{
	size_t half = s.n < 8 ? 4 : 8;
	char twice[16];

	memcpy(twice, s.p, 4);
	memcpy(twice + 4, s.p + half - 4, 4);
	memcpy(twice + 8, s.p + s.n - half, 4);
	memcpy(twice + 12, s.p + s.n - 4, 4);
	return plain_of_16(twice, html) == 16;
}

/* Bytes at the front of s that stand as they are. */
static size_t plain_len(struct str s, bool html)
{
	size_t i = 0;

	for (; i + 16 <= s.n; i += 16) {
		size_t n = plain_of_16(s.p + i, html);

		if (n < 16)
			return i + n;
	}
	if (i)
		return s.n - 16 + plain_of_16(s.p + s.n - 16, html);
	if (s.n >= 4 && plain_few(s, html))
		return s.n;
	while (i < s.n && (classes[(unsigned char)s.p[i]] == 0 ||
			   (classes[(unsigned char)s.p[i]] == 3 && !html)))
		i++;
	return i;
}

/* What follows the part of s that stands as it is. */
static void add_escaped(struct jw *w, struct str s)
{
	struct buf *b = w->out;

	while (s.n) {
		size_t n = plain_len(s, w->html);

		buf_grow(b, n);
		memcpy(b->p + b->len, s.p, n);
		b->len += n;
		if (n < s.n && classes[(unsigned char)s.p[n]] == 2)
			n += sequence(w, str_sub(s, n, s.n));
		else if (n < s.n)
			escape(b, (unsigned char)s.p[n++]);
		s = str_sub(s, n, s.n);
	}
}

/* memcpy without a call for 4 to 16 bytes, some of them twice: most names. */
static inline void copy(char *to, const char *from, size_t n)
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

/* "s + tail"; the tail needs no escapes. */
static void quoted(struct jw *w, struct str s, struct str tail)
{
	size_t n = plain_len(s, w->html);
	struct buf *b = w->out;

	buf_grow(b, s.n + tail.n + 2);
	b->p[b->len++] = '"';
	if (n)
		copy(b->p + b->len, s.p, n);
	b->len += n;
	if (n < s.n)
		add_escaped(w, str_sub(s, n, s.n));
	buf_grow(b, tail.n + 1);
	if (tail.n)
		memcpy(b->p + b->len, tail.p, tail.n);
	b->len += tail.n;
	b->p[b->len++] = '"';
	b->p[b->len] = '\0';
}

void jw_key_str(struct jw *w, struct str name)
{
	before(w);
	quoted(w, name, STR_NONE);
	buf_putc(w->out, ':');
	if (w->indent)
		buf_putc(w->out, ' ');
	w->keyed = true;
}

void jw_key_plain(struct jw *w, const char *name, size_t n)
{
	struct buf *b = w->out;

	before(w);
	buf_grow(b, n + 5);
	b->p[b->len] = '"';
	copy(b->p + b->len + 1, name, n);
	b->len += n + 1;
	memcpy(b->p + b->len, "\": ", 4);
	b->len += 2;
	if (w->indent)
		b->len++;
	else
		b->p[b->len] = '\0';
	w->keyed = true;
}

void jw_str(struct jw *w, struct str s)
{
	before(w);
	quoted(w, s, STR_NONE);
}

void jw_str_and(struct jw *w, struct str s, struct str tail)
{
	before(w);
	quoted(w, s, tail);
}

void jw_cstr(struct jw *w, const char *s)
{
	jw_str(w, str_c(s));
}

void jw_bool(struct jw *w, bool b)
{
	before(w);
	buf_str(w->out, b ? STR("true") : STR("false"));
}

void jw_int(struct jw *w, int64_t n)
{
	static const int64_t many = INT64_C(1000000000000000);

	before(w);
	w->varied |= n >= many || n <= -many;
	buf_int(w->out, n);
}

void jw_null(struct jw *w)
{
	before(w);
	buf_puts(w->out, "null");
}

void jw_raw(struct jw *w, struct str json)
{
	before(w);
	w->varied |= !json_one_form(json);
	buf_str(w->out, json);
}

static void number(struct jw *w, struct str text)
{
	if (!w->one_form) {
		jw_raw(w, text);
		return;
	}
	before(w);
	json_number_form(w->out, text);
}

/* Depth is bounded by what json_parse accepts. */
void jw_json(struct jw *w, const struct json *j)
{
	switch (j->kind) {
	case JSON_NULL:
		jw_null(w);
		break;
	case JSON_BOOL:
		jw_bool(w, j->boolean);
		break;
	case JSON_NUMBER:
		number(w, j->text);
		break;
	case JSON_STRING:
		jw_str(w, j->text);
		break;
	case JSON_ARRAY:
		jw_array(w);
		for (uint32_t i = 0; i < j->len; i++)
			jw_json(w, &j->items[i]);
		jw_array_end(w);
		break;
	case JSON_OBJECT:
		jw_object(w);
		for (uint32_t i = 0; i < j->len; i++) {
			jw_key_str(w, j->members[i].name);
			jw_json(w, &j->members[i].value);
		}
		jw_object_end(w);
		break;
	}
}
