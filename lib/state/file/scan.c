/* scan.c - the cursor over JSON text; see scan_int.h */
#include "state/file/scan_int.h"

static int fail(struct scan *s, const char *what)
{
	s->error = what;
	return -1;
}

static void skip_space(struct scan *s)
{
	const uint64_t spaces = UINT64_C(0x2020202020202020);
	uint64_t word;

	/* Indentation is half of a state file. */
	if (s->p < s->end && *s->p == '\n')
		s->p++;
	while (s->end - s->p >= (ptrdiff_t)sizeof(word) &&
	       (memcpy(&word, s->p, sizeof(word)), word == spaces))
		s->p += sizeof(word);
	while (s->p < s->end && (*s->p == ' ' || *s->p == '\n' ||
				 *s->p == '\t' || *s->p == '\r'))
		s->p++;
}

char scan_peek(struct scan *s)
{
	skip_space(s);
	return s->p < s->end ? *s->p : '\0';
}

int scan_end(struct scan *s)
{
	skip_space(s);
	return s->p == s->end ? 0 : fail(s, "text after the value");
}

static int skip_escape(struct scan *s)
{
	s->p++;
	if (s->p == s->end)
		return fail(s, "unterminated string");
	if (*s->p == 'u') {
		for (int i = 1; i <= 4; i++) {
			char c = s->end - s->p > i ? s->p[i] : '\0';

			if (!((c >= '0' && c <= '9') ||
			      (c >= 'a' && c <= 'f') ||
			      (c >= 'A' && c <= 'F')))
				return fail(s, "invalid escape in string");
		}
		s->p += 5;
		return 0;
	}
	if (!strchr("\"\\/bfnrt", *s->p) || *s->p == '\0')
		return fail(s, "invalid escape in string");
	s->p++;
	return 0;
}

/* Leaves p behind the closing quote; *escapes says whether any were seen. */
static int skip_string(struct scan *s, bool *escapes)
{
	s->p++;
	for (;;) {
		unsigned char c;

		s->p = str_plain_end(s->p, s->end);
		while (s->p < s->end &&
		       (c = (unsigned char)*s->p) >= 0x20 && c != '"' &&
		       c != '\\')
			s->p++;
		if (s->p == s->end)
			return fail(s, "unterminated string");
		if (*s->p == '"') {
			s->p++;
			return 0;
		}
		if (*s->p != '\\')
			return fail(s, "control character in string");
		*escapes = true;
		if (skip_escape(s))
			return -1;
	}
}

int scan_string(struct scan *s, struct str *out)
{
	const char *from;
	bool escapes = false;

	if (scan_peek(s) != '"')
		return fail(s, "expected a string");
	from = s->p + 1;
	if (skip_string(s, &escapes))
		return -1;
	*out = (struct str){ from, (size_t)(s->p - 1 - from) };
	if (escapes)
		*out = scan_unescape(s->arena, *out);
	return 0;
}

static bool digit(const struct scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static int skip_digits(struct scan *s)
{
	if (!digit(s))
		return fail(s, "invalid number");
	while (digit(s))
		s->p++;
	return 0;
}

static int skip_number(struct scan *s)
{
	if (*s->p == '-')
		s->p++;
	if (s->p < s->end && *s->p == '0')
		s->p++;
	else if (skip_digits(s))
		return -1;
	if (s->p < s->end && *s->p == '.') {
		s->p++;
		if (skip_digits(s))
			return -1;
	}
	if (s->p < s->end && (*s->p == 'e' || *s->p == 'E')) {
		s->p++;
		if (s->p < s->end && (*s->p == '+' || *s->p == '-'))
			s->p++;
		return skip_digits(s);
	}
	return 0;
}

static int skip_scalar(struct scan *s)
{
	static const char *const words[] = { "true", "false", "null" };
	bool escapes = false;

	if (s->p == s->end)
		return fail(s, "unexpected end of text");
	if (*s->p == '"')
		return skip_string(s, &escapes);
	if (*s->p == '-' || digit(s))
		return skip_number(s);
	for (size_t i = 0; i < 3; i++) {
		size_t n = strlen(words[i]);

		if ((size_t)(s->end - s->p) >= n &&
		    memcmp(s->p, words[i], n) == 0) {
			s->p += n;
			return 0;
		}
	}
	return fail(s, "expected a value");
}

static int skip_key(struct scan *s)
{
	bool escapes = false;

	if (scan_peek(s) != '"')
		return fail(s, "expected a member name");
	if (skip_string(s, &escapes))
		return -1;
	if (scan_peek(s) != ':')
		return fail(s, "expected ':'");
	s->p++;
	return 0;
}

/* After a complete value at this depth: closes what ends here and reads the
 * comma.  Returns 1 when the outermost value is complete. */
static int close_brackets(struct scan *s, const char *stack, size_t *depth)
{
	while (*depth) {
		char c = scan_peek(s);

		if (c == ',') {
			s->p++;
			return stack[*depth - 1] == '}' ? skip_key(s) : 0;
		}
		if (c != stack[*depth - 1])
			return fail(s, "expected ',' or a closing bracket");
		s->p++;
		--*depth;
	}
	return 1;
}

static int skip_value(struct scan *s)
{
	char stack[SCAN_DEPTH]; /* the closing brackets awaited */
	size_t depth = 0;

	for (;;) {
		char c = scan_peek(s);
		int rc;

		if (c == '{' || c == '[') {
			if (depth == SCAN_DEPTH)
				return fail(s, "nested too deeply");
			stack[depth++] = c == '{' ? '}' : ']';
			s->p++;
			if (scan_peek(s) != stack[depth - 1]) {
				if (c == '{' && skip_key(s))
					return -1;
				continue;
			}
		} else if (skip_scalar(s)) {
			return -1;
		}
		rc = close_brackets(s, stack, &depth);
		if (rc)
			return rc < 0 ? -1 : 0;
	}
}

int scan_value(struct scan *s, struct str *out)
{
	const char *from;

	skip_space(s);
	from = s->p;
	if (skip_value(s))
		return -1;
	if (out)
		*out = (struct str){ from, (size_t)(s->p - from) };
	return 0;
}

int scan_open(struct scan *s, char bracket)
{
	if (scan_peek(s) != bracket)
		return fail(s, bracket == '{' ? "expected an object" :
						"expected a list");
	s->p++;
	return 0;
}

/* The comma or closing bracket between items: 1 when an item follows. */
static int next_item(struct scan *s, bool *first, char closing)
{
	char c = scan_peek(s);

	if (c == closing) {
		s->p++;
		return 0;
	}
	if (!*first) {
		if (c != ',')
			return fail(s, "expected ',' or a closing bracket");
		s->p++;
	}
	*first = false;
	return 1;
}

int scan_member(struct scan *s, bool *first, struct str *name)
{
	int rc = next_item(s, first, '}');

	if (rc != 1)
		return rc;
	if (scan_peek(s) != '"')
		return fail(s, "expected a member name");
	if (scan_string(s, name))
		return -1;
	if (scan_peek(s) != ':')
		return fail(s, "expected ':'");
	s->p++;
	return 1;
}

int scan_element(struct scan *s, bool *first)
{
	return next_item(s, first, ']');
}

static unsigned hex4(const char *p)
{
	unsigned n = 0;

	for (int i = 0; i < 4; i++) {
		unsigned char c = (unsigned char)p[i];

		n = n << 4 | (unsigned)(c <= '9' ? c - '0' :
						   (c | 0x20) - 'a' + 10);
	}
	return n;
}

static char *put_utf8(char *q, unsigned c)
{
	if (c < 0x80) {
		*q++ = (char)c;
	} else if (c < 0x800) {
		*q++ = (char)(0xc0 | c >> 6);
		*q++ = (char)(0x80 | (c & 0x3f));
	} else if (c < 0x10000) {
		*q++ = (char)(0xe0 | c >> 12);
		*q++ = (char)(0x80 | (c >> 6 & 0x3f));
		*q++ = (char)(0x80 | (c & 0x3f));
	} else {
		*q++ = (char)(0xf0 | c >> 18);
		*q++ = (char)(0x80 | (c >> 12 & 0x3f));
		*q++ = (char)(0x80 | (c >> 6 & 0x3f));
		*q++ = (char)(0x80 | (c & 0x3f));
	}
	return q;
}

/* \uXXXX at p (p points at the u): the code point, p moved behind it. */
static unsigned unescape_u(const char **p, const char *end)
{
	unsigned c = hex4(*p + 1), low;

	*p += 5;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	if (c < 0xdc00 && end - *p >= 6 && (*p)[0] == '\\' &&
	    (*p)[1] == 'u') {
		low = hex4(*p + 2);
		if (low >= 0xdc00 && low <= 0xdfff) {
			*p += 6;
			return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return 0xfffd;
}

struct str scan_unescape(struct arena *a, struct str raw)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *p = raw.p, *end = raw.p + raw.n;
	char *out = arena_alloc(a, raw.n + 1), *q = out;

	while (p < end) {
		if (*p != '\\') {
			*q++ = *p++;
			continue;
		}
		p++;
		if (*p == 'u') {
			q = put_utf8(q, unescape_u(&p, end));
		} else {
			*q++ = to[strchr(from, *p) - from];
			p++;
		}
	}
	*q = '\0';
	return (struct str){ out, (size_t)(q - out) };
}
