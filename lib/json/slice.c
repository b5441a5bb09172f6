/* slice.c - see slice.h */
#include "json/slice.h"

enum { TREE_DEPTH = 16 };

static void skip_space(struct json_slice *s)
{
	while (s->p < s->end &&
	       (*s->p == ' ' || *s->p == '\t' || *s->p == '\n' || *s->p == '\r'))
		s->p++;
}

static bool fail(struct json_slice *s)
{
	s->bad = true;
	s->p = s->end;
	return false;
}

/* From the opening quote to after the closing one. */
static bool skip_string(struct json_slice *s)
{
	s->p++;
	for (;;) {
		const char *q = memchr(s->p, '"', (size_t)(s->end - s->p));
		size_t slashes = 0;

		if (!q)
			return fail(s);
		s->p = q + 1;
		while (q[-1 - (ptrdiff_t)slashes] == '\\')
			slashes++; /* ends at the opening quote at the latest */
		if (slashes % 2 == 0)
			return true;
	}
}

static bool skip_nested(struct json_slice *s)
{
	size_t depth = 0;

	while (s->p < s->end) {
		char c = *s->p;

		if (c == '"') {
			if (!skip_string(s))
				return false;
			continue;
		}
		s->p++;
		if (c == '{' || c == '[')
			depth++;
		else if ((c == '}' || c == ']') && --depth == 0)
			return true;
	}
	return fail(s);
}

static bool skip_value(struct json_slice *s)
{
	const char *from = s->p;

	if (s->p == s->end)
		return fail(s);
	if (*s->p == '"')
		return skip_string(s);
	if (*s->p == '{' || *s->p == '[')
		return skip_nested(s);
	while (s->p < s->end && !strchr(",]} \t\r\n", *s->p))
		s->p++;
	return s->p > from ? true : fail(s);
}

static bool expect(struct json_slice *s, char c)
{
	skip_space(s);
	if (s->p == s->end || *s->p != c)
		return fail(s);
	s->p++;
	skip_space(s);
	return true;
}

bool json_slice_next(struct json_slice *s)
{
	const char *from;

	if (s->bad)
		return false;
	skip_space(s);
	if (s->started && s->p < s->end && *s->p == '}')
		return false;
	if (!expect(s, s->started ? ',' : '{'))
		return false;
	if (!s->started && s->p < s->end && *s->p == '}')
		return false;
	s->started = true;
	from = s->p;
	if (s->p == s->end || *s->p != '"' || !skip_string(s))
		return fail(s);
	s->name = (struct str){ from + 1, (size_t)(s->p - from) - 2 };
	if (!expect(s, ':'))
		return false;
	from = s->p;
	if (!skip_value(s))
		return false;
	s->value = (struct str){ from, (size_t)(s->p - from) };
	return true;
}

/* Undoes the escapes of one letter; false where there is another. */
static bool unescape(struct arena *a, struct str v, struct str *out)
{
	static const char letters[] = "\"\\/bfnrt", values[] = "\"\\/\b\f\n\r\t";
	char *text = arena_alloc(a, v.n + 1), *to = text;

	while (v.n) {
		const char *slash = memchr(v.p, '\\', v.n), *known;
		size_t n = slash ? (size_t)(slash - v.p) : v.n;

		memcpy(to, v.p, n);
		to += n;
		v = str_sub(v, n, v.n);
		if (!v.n)
			break;
		known = v.n > 1 && v.p[1] ? strchr(letters, v.p[1]) : NULL;
		if (!known)
			return false;
		*to++ = values[known - letters];
		v = str_sub(v, 2, v.n);
	}
	*to = '\0';
	*out = (struct str){ text, (size_t)(to - text) };
	return true;
}

struct str json_slice_str(struct arena *a, struct str v)
{
	struct json_error err;
	const struct json *j;
	struct str s;

	if (v.n < 2 || v.p[0] != '"')
		return STR_NONE;
	s = str_sub(v, 1, v.n - 1);
	if (!str_utf8_valid(s))
		return STR_NONE;
	if (!memchr(s.p, '\\', s.n) || unescape(a, s, &s))
		return s;
	j = json_parse(a, v, &err);
	return j && j->kind == JSON_STRING ? j->text : STR_NONE;
}

/* --- trees --- */

/* Printable ASCII throughout? */
static bool plain_text(struct str s)
{
	const uint64_t ones = 0x0101010101010101u, high = ones * 0x80;
	size_t i = 0;

	for (; i + 8 <= s.n; i += 8) {
		uint64_t word;

		memcpy(&word, s.p + i, sizeof(word));
		if (((word - ones * 0x20) | word) & high)
			return false;
	}
	for (; i < s.n; i++)
		if ((signed char)s.p[i] < 0x20)
			return false;
	return true;
}

struct tree {
	struct arena *arena;
	const char *const *skip;
	int depth;
};

static bool skipped(const struct tree *t, struct str name)
{
	for (const char *const *s = t->skip; s && *s; s++)
		if (str_is(name, *s))
			return true;
	return false;
}

static bool tree_value(struct tree *t, struct str text, struct json *out);

static size_t count_members(struct str text)
{
	struct json_slice s = JSON_SLICE_INIT(text);
	size_t n = 0;

	while (json_slice_next(&s))
		n++;
	return n;
}

/* Bounded by TREE_DEPTH. */
static bool tree_object(struct tree *t, struct str text, struct json *out)
{
	struct json_slice s = JSON_SLICE_INIT(text);
	struct json_member first[16], *m = first;
	size_t n = 0, room = 16;

	if (++t->depth > TREE_DEPTH)
		return false;
	while (json_slice_next(&s)) {
		if (skipped(t, s.name))
			continue;
		if (n == room) { /* once: then for all of them */
			room = count_members(text);
			m = arena_alloc(t->arena, room * sizeof(*m));
			memcpy(m, first, sizeof(first));
		}
		m[n].name = s.name;
		if (!plain_text(s.name) ||
		    memchr(s.name.p, '\\', s.name.n) ||
		    !tree_value(t, s.value, &m[n].value))
			return false;
		n++;
	}
	t->depth--;
	*out = (struct json){ .kind = JSON_OBJECT, .len = (uint32_t)n };
	out->members = m == first ? arena_dup(t->arena, m, n * sizeof(*m)) : m;
	return !s.bad && s.p + 1 == s.end;
}

static size_t count_elements(struct json_slice s)
{
	size_t n = 1;

	while (skip_value(&s)) {
		skip_space(&s);
		if (s.p == s.end || *s.p != ',')
			break;
		s.p++;
		skip_space(&s);
		n++;
	}
	return n;
}

static bool tree_array(struct tree *t, struct str text, struct json *out)
{
	struct json_slice s = JSON_SLICE_INIT(text);
	struct json *items;
	size_t n = 0;

	*out = (struct json){ .kind = JSON_ARRAY };
	if (++t->depth > TREE_DEPTH)
		return false;
	s.p++;
	skip_space(&s);
	if (s.p < s.end && *s.p != ']') {
		out->len = (uint32_t)count_elements(s);
		items = arena_alloc(t->arena, out->len * sizeof(*items));
		for (; n < out->len; n++) {
			struct str item;

			if (n && !expect(&s, ','))
				return false;
			item.p = s.p;
			if (!skip_value(&s))
				return false;
			item.n = (size_t)(s.p - item.p);
			if (!tree_value(t, item, &items[n]))
				return false;
		}
		out->items = items;
		skip_space(&s);
	}
	t->depth--;
	return s.p + 1 == s.end && *s.p == ']';
}

/* Digits that JSON takes for a number, no fraction and no exponent. */
static bool plain_integer(struct str s)
{
	size_t i = s.n && s.p[0] == '-';

	if (s.n == i || (s.p[i] == '0' && s.n > i + 1))
		return false;
	for (; i < s.n; i++)
		if (s.p[i] < '0' || s.p[i] > '9')
			return false;
	return true;
}

static bool tree_scalar(struct tree *t, struct str text, struct json *out)
{
	struct json_error err;
	const struct json *j;

	if (plain_integer(text)) {
		*out = (struct json){ .kind = JSON_NUMBER, .text = text };
		return true;
	}
	if (str_is(text, "null")) {
		*out = (struct json){ .kind = JSON_NULL };
		return true;
	}
	if (str_is(text, "true") || str_is(text, "false")) {
		*out = (struct json){ .kind = JSON_BOOL };
		out->boolean = text.n == 4;
		return true;
	}
	j = json_parse(t->arena, text, &err);
	if (j)
		*out = *j;
	return j != NULL;
}

static bool has_control(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20)
			return true;
	return false;
}

static bool tree_string(struct tree *t, struct str text, struct json *out)
{
	*out = (struct json){ .kind = JSON_STRING };
	if (!plain_text(text) && has_control(text))
		return false;
	out->text = json_slice_str(t->arena, text);
	return out->text.p != NULL;
}

static bool tree_value(struct tree *t, struct str text, struct json *out)
{
	if (text.p[0] == '{')
		return tree_object(t, text, out);
	if (text.p[0] == '[')
		return tree_array(t, text, out);
	if (text.p[0] == '"')
		return tree_string(t, text, out);
	return tree_scalar(t, text, out);
}

const struct json *json_slice_tree(struct arena *a, struct str text,
				   const char *const *skip)
{
	struct tree t = { a, skip, 0 };
	struct json *out;

	if (!text.n || text.p[0] != '{')
		return NULL;
	out = arena_alloc(a, sizeof(*out));
	return tree_object(&t, text, out) ? out : NULL;
}
