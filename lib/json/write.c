/*
 * write.c - JSON text out; see json.h
 *
 * A struct jw keeps only where commas go.  Output is compact unless
 * jw.indent is set, when each member and element stands on its own line.
 */
#include "json/json.h"

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
	static const char letters[0x20] = {
		['\b'] = 'b', ['\f'] = 'f', ['\n'] = 'n',
		['\r'] = 'r', ['\t'] = 't',
	};
	char two[2] = { '\\', (char)c };

	if (c < 0x20 && letters[c])
		two[1] = letters[c];
	if (two[1] != (char)c || c == '"' || c == '\\')
		buf_add(b, two, 2);
	else
		buf_addf(b, "\\u%04x", c);
}

/* One multi-byte sequence at the front of s; returns its length. */
static size_t sequence(struct buf *b, struct str s)
{
	size_t len = utf8_len(s.p, s.n);

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

#define BYTES(c) (UINT64_C(0x0101010101010101) * (c))

/* The high bit of each byte that is zero (and of some that follow one). */
static uint64_t zeros(uint64_t v)
{
	return (v - BYTES(1)) & ~v & BYTES(0x80);
}

/* Do eight bytes stand as they are? */
static bool plain_eight(const char *p, bool html)
{
	uint64_t v, odd;

	memcpy(&v, p, 8);
	odd = (v | ((v - BYTES(0x20)) & ~v)) & BYTES(0x80);
	odd |= zeros(v ^ BYTES('"')) | zeros(v ^ BYTES('\\'));
	if (html) /* < and > differ in one bit */
		odd |= zeros((v & BYTES(0xfd)) ^ BYTES('<')) |
		       zeros(v ^ BYTES('&'));
	return !odd;
}

/* Bytes at the front of s that stand as they are. */
static size_t plain_len(struct str s, bool html)
{
	size_t i = 0;

	while (i + 8 <= s.n && plain_eight(s.p + i, html))
		i += 8;
	if (i && s.n - i < 8 && plain_eight(s.p + s.n - 8, html))
		return s.n;
	while (i < s.n && (classes[(unsigned char)s.p[i]] == 0 ||
			   (classes[(unsigned char)s.p[i]] == 3 && !html)))
		i++;
	return i;
}

static void quoted(struct jw *w, struct str s)
{
	struct buf *b = w->out;

	buf_grow(b, s.n + 2);
	buf_putc(b, '"');
	while (s.n) {
		size_t n = plain_len(s, w->html);

		buf_add(b, s.p, n);
		if (n < s.n && classes[(unsigned char)s.p[n]] == 2)
			n += sequence(b, str_sub(s, n, s.n));
		else if (n < s.n)
			escape(b, (unsigned char)s.p[n++]);
		s = str_sub(s, n, s.n);
	}
	buf_putc(b, '"');
}

void jw_key_str(struct jw *w, struct str name)
{
	before(w);
	quoted(w, name);
	buf_puts(w->out, w->indent ? ": " : ":");
	w->keyed = true;
}

void jw_key(struct jw *w, const char *name)
{
	struct buf *b = w->out;
	size_t n = strlen(name);

	before(w);
	buf_grow(b, n + 4);
	b->p[b->len++] = '"';
	memcpy(b->p + b->len, name, n);
	b->len += n;
	buf_puts(b, w->indent ? "\": " : "\":");
	w->keyed = true;
}

void jw_str(struct jw *w, struct str s)
{
	before(w);
	quoted(w, s);
}

void jw_cstr(struct jw *w, const char *s)
{
	jw_str(w, str_c(s));
}

void jw_bool(struct jw *w, bool b)
{
	before(w);
	buf_puts(w->out, b ? "true" : "false");
}

void jw_int(struct jw *w, int64_t n)
{
	before(w);
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
	buf_str(w->out, json);
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
		jw_raw(w, j->text);
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

void jw_member_str(struct jw *w, const char *name, struct str s)
{
	jw_key(w, name);
	jw_str(w, s);
}

void jw_member_bool(struct jw *w, const char *name, bool b)
{
	jw_key(w, name);
	jw_bool(w, b);
}

void jw_member_int(struct jw *w, const char *name, int64_t n)
{
	jw_key(w, name);
	jw_int(w, n);
}
