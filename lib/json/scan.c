/* scan.c - the cursor over JSON text; see json_int.h */
#include "json/json_int.h"

static int fail(struct json_scan *s, const char *what)
{
	s->error = what;
	return -1;
}

static inline void skip_space(struct json_scan *s)
{
	const uint64_t spaces = UINT64_C(0x2020202020202020);
	uint64_t word;

	if (s->p<s->end && * s->p> ' ')
		return;
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

char json_scan_peek(struct json_scan *s)
{
	skip_space(s);
	return s->p < s->end ? *s->p : '\0';
}

int json_scan_end(struct json_scan *s)
{
	skip_space(s);
	return s->p == s->end ? 0 : fail(s, "text after the value");
}

/* An escape by \u at p, or one that is wrong. */
static int skip_escape(struct json_scan *s)
{
	struct str rest = { s->p, (size_t)(s->end - s->p) };
	size_t len;

	if (json_unescape_one(rest, &len) < 0) {
		s->p++;
		return fail(s, s->p == s->end ? "unterminated string"
					      : "invalid escape in string");
	}
	s->p += len;
	return 0;
}

/* Skips anything but the closing quote and escapes by a letter. */
static int skip_odd(struct json_scan *s, unsigned *holds)
{
	if (s->p == s->end)
		return fail(s, "unterminated string");
	if (*s->p == '\\') {
		*holds |= JSON_HOLDS_ESCAPES;
		return skip_escape(s);
	}
	if ((signed char)*s->p >= 0)
		return fail(s, "control character in string");
	*holds |= JSON_HOLDS_WIDE;
	while (s->p < s->end && (signed char)*s->p < 0)
		s->p++;
	return 0;
}

/* Escapes by letters are often adjacent. */
static inline const char *after_letters(const char *p, const char *end)
{
	while (end - p >= 2 && *p == '\\' && json_escape_letter(p, end))
		p += 2;
	return p;
}

/* The rest of a string, from p on, where its end was not found at once. */
static int skip_rest(struct json_scan *s, const char *p, unsigned *holds)
{
	const char *end = s->end;

	while (p == end || *p != '"') {
		const char *next = after_letters(p, end);

		if (next == p) {
			s->p = p;
			if (skip_odd(s, holds))
				return -1;
			next = s->p;
		} else {
			*holds |= JSON_HOLDS_ESCAPES;
		}
		p = json_plain_end(next, end, false);
	}
	s->p = p + 1;
	return 0;
}

static inline int skip_string(struct json_scan *s, unsigned *holds)
{
	const char *p = json_plain_end(s->p + 1, s->end, false);

	if (p == s->end || *p != '"')
		return skip_rest(s, p, holds);
	s->p = p + 1;
	return 0;
}

int json_scan_inside(struct json_scan *s, struct str *out, unsigned *holds)
{
	const char *from = s->p + 1;

	*holds = 0;
	if (skip_string(s, holds))
		return -1;
	*out = (struct str){ from, (size_t)(s->p - 1 - from) };
	return 0;
}

int json_scan_string(struct json_scan *s, struct str *out)
{
	unsigned holds;

	if (json_scan_peek(s) != '"')
		return fail(s, "expected a string");
	if (json_scan_inside(s, out, &holds))
		return -1;
	if (holds & JSON_HOLDS_ESCAPES)
		*out = json_unescape(s->arena, *out);
	return 0;
}

static bool digit(const struct json_scan *s)
{
	return s->p < s->end && *s->p >= '0' && *s->p <= '9';
}

static int skip_digits(struct json_scan *s)
{
	if (!digit(s))
		return fail(s, "invalid number");
	while (digit(s))
		s->p++;
	return 0;
}

static int skip_number(struct json_scan *s)
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

/* true, false or null */
static int skip_word(struct json_scan *s)
{
	const ptrdiff_t left = s->end - s->p;

	if (left >= 4 &&
	    (memcmp(s->p, "null", 4) == 0 || memcmp(s->p, "true", 4) == 0))
		s->p += 4;
	else if (left >= 5 && memcmp(s->p, "false", 5) == 0)
		s->p += 5;
	else
		return fail(s, "expected a value");
	return 0;
}

static inline int skip_scalar(struct json_scan *s)
{
	unsigned holds;

	if (s->p == s->end)
		return fail(s, "unexpected end of text");
	if (*s->p == '"')
		return skip_string(s, &holds);
	if (*s->p == '-' || digit(s))
		return skip_number(s);
	return skip_word(s);
}

int json_scan_scalar(struct json_scan *s, struct str *out)
{
	const char *from = s->p;

	if (skip_scalar(s))
		return -1;
	*out = (struct str){ from, (size_t)(s->p - from) };
	return 0;
}

static int skip_key(struct json_scan *s)
{
	unsigned holds;

	if (json_scan_peek(s) != '"')
		return fail(s, "expected a member name");
	if (skip_string(s, &holds))
		return -1;
	if (json_scan_peek(s) != ':')
		return fail(s, "expected ':'");
	s->p++;
	return 0;
}

/* After a complete value at this depth: closes what ends here and reads the
 * comma.  Returns 1 when the outermost value is complete. */
static int close_brackets(struct json_scan *s, const char *stack, size_t *depth)
{
	while (*depth) {
		char c = json_scan_peek(s);

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

static int skip_value(struct json_scan *s)
{
	char stack[JSON_DEPTH]; /* the closing brackets awaited */
	size_t depth = 0;

	for (;;) {
		char c = json_scan_peek(s);
		int rc;

		if (c == '{' || c == '[') {
			if (depth == JSON_DEPTH)
				return fail(s, "nested too deeply");
			stack[depth++] = c == '{' ? '}' : ']';
			s->p++;
			if (json_scan_peek(s) != stack[depth - 1]) {
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

int json_scan_value(struct json_scan *s, struct str *out)
{
	const char *from;

	skip_space(s);
	from = s->p;
	if (s->p < s->end && (*s->p == '{' || *s->p == '[') ? skip_value(s)
							    : skip_scalar(s))
		return -1;
	if (out)
		*out = (struct str){ from, (size_t)(s->p - from) };
	return 0;
}

int json_scan_like(struct json_scan *s, struct str like, struct str *out)
{
	const char *p = s->p;

	if (!like.n || (size_t)(s->end - p) <= like.n ||
	    memcmp(p, like.p, like.n) != 0 ||
	    (p[like.n] != ',' && p[like.n] != '}' && p[like.n] != ']'))
		return json_scan_value(s, out);
	s->p += like.n;
	*out = (struct str){ p, like.n };
	return 0;
}

int json_scan_open(struct json_scan *s, char bracket)
{
	if (json_scan_peek(s) != bracket)
		return fail(s, bracket == '{' ? "expected an object"
					      : "expected a list");
	s->p++;
	return 0;
}

/* The comma or closing bracket between items: 1 when an item follows. */
static int next_item(struct json_scan *s, bool *first, char closing)
{
	char c = json_scan_peek(s);

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

/* A name as most are written: right behind the comma, and before the colon. */
static inline bool plain_name(struct json_scan *s, bool *first, struct str *out)
{
	const char *p = s->p, *end = s->end, *q;

	if (end - p < 5 || (!*first && *p++ != ',') || *p != '"')
		return false;
	q = json_plain_end(p + 1, end, false);
	if (end - q < 2 || q[0] != '"' || q[1] != ':')
		return false;
	*out = (struct str){ p + 1, (size_t)(q - p - 1) };
	*first = false;
	s->p = q + 2;
	return true;
}

int json_scan_name(struct json_scan *s, bool *first, struct str *out,
		   unsigned *holds)
{
	int rc;

	*holds = 0;
	if (plain_name(s, first, out))
		return 1;
	rc = next_item(s, first, '}');

	if (rc != 1)
		return rc;
	if (json_scan_peek(s) != '"')
		return fail(s, "expected a member name");
	if (json_scan_inside(s, out, holds))
		return -1;
	if (json_scan_peek(s) != ':')
		return fail(s, "expected ':'");
	s->p++;
	return 1;
}

int json_scan_member(struct json_scan *s, bool *first, struct str *name)
{
	unsigned holds;
	int rc;

	if (plain_name(s, first, name))
		return 1;
	rc = json_scan_name(s, first, name, &holds);
	if (rc == 1 && holds & JSON_HOLDS_ESCAPES)
		*name = json_unescape(s->arena, *name);
	return rc;
}

int json_scan_element(struct json_scan *s, bool *first)
{
	return next_item(s, first, ']');
}
