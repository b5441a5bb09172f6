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

/* Printable ASCII throughout? Then no string needs to be checked. */
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
	const char *skip;
	int depth;
};

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
		if (str_is(s.name, t->skip))
			continue;
		if (n == room) { /* once: then for all of them */
			room = count_members(text);
			m = arena_alloc(t->arena, room * sizeof(*m));
			memcpy(m, first, sizeof(first));
		}
		m[n].name = s.name;
		if (memchr(s.name.p, '\\', s.name.n) ||
		    !tree_value(t, s.value, &m[n].value))
			return false;
		n++;
	}
	t->depth--;
	*out = (struct json){ .kind = JSON_OBJECT, .len = (uint32_t)n };
	out->members = m == first ? arena_dup(t->arena, m, n * sizeof(*m)) : m;
	return !s.bad && s.p + 1 == s.end;
}

static bool tree_value(struct tree *t, struct str text, struct json *out)
{
	struct json_error err;
	const struct json *j;

	if (text.p[0] == '{')
		return tree_object(t, text, out);
	if (text.p[0] == '"') {
		*out = (struct json){ .kind = JSON_STRING };
		out->text = json_slice_str(t->arena, text);
		return out->text.p != NULL;
	}
	if (str_is(text, "[]")) {
		*out = (struct json){ .kind = JSON_ARRAY };
		return true;
	}
	j = json_parse(t->arena, text, &err);
	if (j)
		*out = *j;
	return j != NULL;
}

const struct json *json_slice_tree(struct arena *a, struct str text,
				   const char *skip)
{
	struct tree t = { a, skip, 0 };
	struct json *out;

	if (!plain_text(text) || !text.n || text.p[0] != '{')
		return NULL;
	out = arena_alloc(a, sizeof(*out));
	return tree_object(&t, text, out) ? out : NULL;
}
