/* slice.c - see slice.h */
#include "json/slice.h"
#include "json/string.h"

#include <stdlib.h>

enum { TREE_DEPTH = 16 };

/* What ends a number or a word, and what counts outside of strings. */
enum { OTHER, SPACE, COMMA, QUOTE, OPENS, CLOSES };
static const unsigned char classes[256] = {
	[' '] = SPACE,	['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE,
	[','] = COMMA,	['"'] = QUOTE,
	['{'] = OPENS,	['['] = OPENS,	['}'] = CLOSES, [']'] = CLOSES,
};

static inline unsigned char class_of(char c)
{
	return classes[(unsigned char)c];
}

static inline void skip_space(struct json_slice *s)
{
	while (s->p < s->end && class_of(*s->p) == SPACE)
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
		unsigned char class = class_of(*s->p);

		if (class == QUOTE) {
			if (!skip_string(s))
				return false;
			continue;
		}
		s->p++;
		if (class == OPENS)
			depth++;
		else if (class == CLOSES && --depth == 0)
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
	while (s->p < s->end && (class_of(*s->p) == OTHER ||
				 class_of(*s->p) == QUOTE ||
				 class_of(*s->p) == OPENS))
		s->p++;
	return s->p > from ? true : fail(s);
}

static inline bool expect(struct json_slice *s, char c)
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

struct str json_slice_str(struct arena *a, struct str v)
{
	struct str s;

	if (v.n < 2 || v.p[0] != '"')
		return STR_NONE;
	s = str_sub(v, 1, v.n - 1);
	if (!str_utf8_valid(s))
		return STR_NONE;
	return memchr(s.p, '\\', s.n) ? json_unescape(a, s) : s;
}

/* --- trees --- */

struct tree {
	struct arena *arena;
	const char *const *skip;
	struct json_slice s;       /* where the text is read */
	struct json_member *stack; /* members of all open containers */
	size_t len, cap;
	int depth;
};

static bool tree_value(struct tree *t, struct json *out);

static bool skipped(const struct tree *t, struct str name)
{
	for (const char *const *s = t->skip; s && *s; s++)
		if (str_is(name, *s))
			return true;
	return false;
}

static bool has_control(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < 0x20)
			return true;
	return false;
}

static bool tree_string(struct tree *t, struct str *out)
{
	const char *from = t->s.p, *to = str_plain_end(from + 1, t->s.end);
	struct str text;

	if (to < t->s.end && *to == '"') {
		t->s.p = to + 1;
		*out = (struct str){ from + 1, (size_t)(to - from) - 1 };
		return true;
	}
	if (!skip_string(&t->s))
		return false;
	text = (struct str){ from, (size_t)(t->s.p - from) };
	*out = has_control(text) ? STR_NONE : json_slice_str(t->arena, text);
	return out->p != NULL;
}

static void push(struct tree *t, const struct json_member *m)
{
	if (t->len == t->cap) {
		t->cap = t->cap ? t->cap * 2 : 64;
		t->stack = xrealloc(t->stack, t->cap * sizeof(*t->stack));
	}
	t->stack[t->len++] = *m;
}

/* After a member or element: is there another one?  Neither a comma nor the
 * closing bracket is an error, which leaves .bad set. */
static bool another(struct tree *t, char close)
{
	skip_space(&t->s);
	if (t->s.p < t->s.end && *t->s.p == close) {
		t->s.p++;
		return false;
	}
	return expect(&t->s, ',');
}

/* Behind the opening bracket: true when the container is empty. */
static bool opened(struct tree *t, char close)
{
	t->s.p++;
	skip_space(&t->s);
	if (t->s.p == t->s.end || *t->s.p != close)
		return false;
	t->s.p++;
	return true;
}

static bool tree_member(struct tree *t)
{
	struct json_member m;

	if (t->s.p == t->s.end || *t->s.p != '"' || !tree_string(t, &m.name) ||
	    !expect(&t->s, ':'))
		return false;
	if (skipped(t, m.name))
		return skip_value(&t->s);
	if (!tree_value(t, &m.value))
		return false;
	push(t, &m);
	return true;
}

static bool tree_object(struct tree *t, struct json *out)
{
	size_t from = t->len;

	*out = (struct json){ .kind = JSON_OBJECT };
	if (opened(t, '}'))
		return true;
	do {
		if (!tree_member(t))
			return false;
	} while (another(t, '}'));
	out->len = (uint32_t)(t->len - from);
	out->members = arena_dup(t->arena, t->stack + from,
				 out->len * sizeof(*out->members));
	t->len = from;
	return !t->s.bad;
}

static bool tree_array(struct tree *t, struct json *out)
{
	struct json_member m = { .name = STR_NONE };
	struct json *items;
	size_t from = t->len;

	*out = (struct json){ .kind = JSON_ARRAY };
	if (opened(t, ']'))
		return true;
	do {
		if (!tree_value(t, &m.value))
			return false;
		push(t, &m);
	} while (another(t, ']'));
	out->len = (uint32_t)(t->len - from);
	out->items = items = arena_alloc(t->arena, out->len * sizeof(*items));
	for (size_t i = 0; i < out->len; i++)
		items[i] = t->stack[from + i].value;
	t->len = from;
	return !t->s.bad;
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

static bool tree_scalar(struct tree *t, struct json *out)
{
	struct str text = { t->s.p, 0 };
	struct json_error err;
	const struct json *j;

	if (!skip_value(&t->s))
		return false;
	text.n = (size_t)(t->s.p - text.p);
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

/* Bounded by TREE_DEPTH. */
static bool tree_value(struct tree *t, struct json *out)
{
	bool ok;

	if (t->s.p == t->s.end)
		return false;
	if (*t->s.p == '"') {
		*out = (struct json){ .kind = JSON_STRING };
		return tree_string(t, &out->text);
	}
	if (*t->s.p != '{' && *t->s.p != '[')
		return tree_scalar(t, out);
	if (++t->depth > TREE_DEPTH)
		return false;
	ok = *t->s.p == '{' ? tree_object(t, out) : tree_array(t, out);
	t->depth--;
	return ok;
}

const struct json *json_slice_tree(struct arena *a, struct str text,
				   const char *const *skip)
{
	struct tree t = { .arena = a, .skip = skip };
	struct json *out;
	bool ok;

	if (!text.n || text.p[0] != '{')
		return NULL;
	t.s = (struct json_slice)JSON_SLICE_INIT(text);
	out = arena_alloc(a, sizeof(*out));
	ok = tree_value(&t, out) && t.s.p == t.s.end && !t.s.bad;
	free(t.stack);
	return ok ? out : NULL;
}
