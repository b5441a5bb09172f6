/* emit.c - JSON text written as Go's encoder formats it; see scan_int.h */
#include "state/file/scan_int.h"

/* As buf_add, inlined: these run once a token of a file of megabytes. */
static inline void put(struct buf *b, const char *p, size_t n)
{
	if (b->cap - b->len <= n)
		buf_grow(b, n);
	memcpy(b->p + b->len, p, n);
	b->len += n;
}

void emit_newline(struct buf *b, unsigned depth)
{
	size_t n = (size_t)depth * 2;

	if (b->cap - b->len <= n + 1)
		buf_grow(b, n + 1);
	b->p[b->len++] = '\n';
	memset(b->p + b->len, ' ', n);
	b->len += n;
	b->p[b->len] = '\0';
}

/* Escapes the character at p if HTML or JavaScript would trip over it; returns
 * how many bytes it was, 0 when it needs no escape. */
static size_t html_escape(struct buf *b, const char *p, const char *end)
{
	switch (*p) {
	case '<':
		put(b, "\\u003c", 6);
		return 1;
	case '>':
		put(b, "\\u003e", 6);
		return 1;
	case '&':
		put(b, "\\u0026", 6);
		return 1;
	case '\xe2':
		if (end - p >= 3 && p[1] == '\x80' &&
		    (p[2] == '\xa8' || p[2] == '\xa9')) {
			put(b, p[2] == '\xa8' ? "\\u2028" : "\\u2029", 6);
			return 3;
		}
		return 0;
	default:
		return 0;
	}
}

static void control_escape(struct buf *b, unsigned char c)
{
	static const char hex[] = "0123456789abcdef";
	static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
	const char *hit = c ? strchr(from, c) : NULL;
	char out[6] = { '\\', 'u', '0', '0', hex[c >> 4], hex[c & 15] };

	if (hit) {
		out[1] = to[hit - from];
		put(b, out, 2);
		return;
	}
	put(b, out, 6);
}

/* Nonzero if one of eight bytes is a quote, a backslash, '<', '>', '&', a
 * control character or not ASCII; some others may be taken for one. */
static uint64_t special(uint64_t w)
{
	const uint64_t ones = 0x0101010101010101u, high = ones * 0x80;
	/* '<' and '>' differ in one bit, as do '"' and '&' but for two. */
	uint64_t angle = (w | (ones * 2)) ^ (ones * '>');
	uint64_t quote = (w | (ones * 4)) ^ (ones * '&');
	uint64_t slash = w ^ (ones * '\\');

	return ((angle - ones) | (quote - ones) | (slash - ones) |
		(w - ones * 0x20) | w) & high;
}

static const char *after_plain(const char *p, const char *end)
{
	uint64_t word;

	while (end - p >= (ptrdiff_t)sizeof(word)) {
		memcpy(&word, p, sizeof(word));
		if (special(word))
			break;
		p += sizeof(word);
	}
	return p;
}

void emit_string(struct buf *b, struct str s)
{
	const char *p = s.n ? s.p : "", *run = p, *end = p + s.n;

	put(b, "\"", 1);
	p = after_plain(p, end);
	while (p < end) {
		unsigned char c = (unsigned char)*p;
		size_t n;

		if (c >= 0x20 && c != '"' && c != '\\' && c != '<' &&
		    c != '>' && c != '&' && c != 0xe2) {
			p++;
			continue;
		}
		put(b, run, (size_t)(p - run));
		if (c < 0x20 || c == '"' || c == '\\') {
			control_escape(b, c);
			n = 1;
			run = p + 1;
		} else {
			n = html_escape(b, p, end);
			run = p + n;
		}
		p = after_plain(p + (n ? n : 1), end);
	}
	if (p > run)
		put(b, run, (size_t)(p - run));
	put(b, "\"", 1);
	b->p[b->len] = '\0';
}

/* Copies the string token that starts at p; returns one past its end. */
static const char *copy_string(struct buf *b, const char *p, const char *end)
{
	const char *run = p++;

	p = after_plain(p, end);
	while (p < end && *p != '"') {
		size_t n;

		if (*p == '\\') {
			p += end - p > 1 ? 2 : 1;
			continue;
		}
		if (*p != '<' && *p != '>' && *p != '&' && *p != '\xe2') {
			p++;
			continue;
		}
		put(b, run, (size_t)(p - run));
		n = html_escape(b, p, end);
		run = p + n;
		p += n ? n : 1;
	}
	if (p < end)
		p++;
	put(b, run, (size_t)(p - run));
	return p;
}

static bool space(char c)
{
	return c == ' ' || c == '\n' || c == '\t' || c == '\r';
}

static const char *after_space(const char *p, const char *end)
{
	while (p < end && space(*p))
		p++;
	return p;
}

/* A number or word: everything up to the next punctuation. */
static const char *copy_word(struct buf *b, const char *p, const char *end)
{
	const char *from = p;

	while (p < end && !space(*p) && *p != ',' && *p != ':' && *p != '}' &&
	       *p != ']' && *p != '"' && *p != '{' && *p != '[')
		p++;
	put(b, from, (size_t)(p - from));
	return p;
}

void emit_indented(struct buf *b, struct str json, unsigned depth)
{
	const char *p = json.n ? json.p : "", *end = p + json.n;

	while ((p = after_space(p, end)) < end) {
		switch (*p) {
		case '"':
			p = copy_string(b, p, end);
			break;
		case '{':
		case '[':
			put(b, p, 1);
			p = after_space(p + 1, end);
			if (p < end && (*p == '}' || *p == ']'))
				put(b, p++, 1);
			else
				emit_newline(b, ++depth);
			break;
		case '}':
		case ']':
			emit_newline(b, depth ? --depth : 0);
			put(b, p++, 1);
			break;
		case ',':
			put(b, p++, 1);
			emit_newline(b, depth);
			break;
		case ':':
			put(b, ": ", 2);
			p++;
			break;
		default:
			p = copy_word(b, p, end);
		}
	}
	buf_add(b, NULL, 0);
}

void emit_compact(struct buf *b, struct str json)
{
	const char *p = json.n ? json.p : "", *end = p + json.n;

	while ((p = after_space(p, end)) < end) {
		if (*p == '"')
			p = copy_string(b, p, end);
		else if (strchr("{}[],:", *p))
			put(b, p++, 1);
		else
			p = copy_word(b, p, end);
	}
	buf_add(b, NULL, 0);
}
