/*
 * tree.c - trees that borrow the text (json_slice_tree), and a look into trees
 *
 * The scanner goes from value to value; nothing recurses.
 */
#include "json/tree.h"
#include "json/json_int.h"

/* --- by the scanner --- */

struct tree {
	struct json_build b;
	struct json_scan s;
	const char *const *skip; /* names of members */
	bool first;              /* nothing of the container was read yet */
};

static bool skipped(const struct tree *t, struct str name)
{
	for (const char *const *s = t->skip; s && *s; s++)
		if (str_is(name, *s))
			return true;
	return false;
}

/* Validates and decodes a string; the rest of the text can only be ASCII. */
static int decoded(struct tree *t, struct str *s, unsigned holds)
{
	if (holds & JSON_HOLDS_WIDE && !str_utf8_valid(*s))
		return -1;
	if (holds & JSON_HOLDS_ESCAPES)
		*s = json_unescape(t->b.arena, *s);
	return 0;
}

static int tree_string(struct tree *t)
{
	struct json *j = json_build_value(&t->b, JSON_STRING);
	unsigned holds;

	if (json_scan_inside(&t->s, &j->text, &holds))
		return -1;
	return decoded(t, &j->text, holds);
}

static int tree_scalar(struct tree *t)
{
	struct str text;

	if (json_scan_scalar(&t->s, &text))
		return -1;
	if (text.p[0] == 'n')
		json_build_value(&t->b, JSON_NULL);
	else if (text.p[0] == 't' || text.p[0] == 'f')
		json_build_value(&t->b, JSON_BOOL)->boolean = text.p[0] == 't';
	else
		json_build_value(&t->b, JSON_NUMBER)->text = text;
	return 0;
}

/* Reads a value; of a container only its beginning. */
static int tree_value(struct tree *t)
{
	char c = json_scan_peek(&t->s);

	if (c == '"')
		return tree_string(t);
	if (c != '{' && c != '[')
		return tree_scalar(t);
	t->s.p++;
	t->first = true;
	return json_build_open(&t->b, c == '{' ? JSON_OBJECT : JSON_ARRAY) ? 0
									   : -1;
}

/* The next name that is not left out: 1; 0 behind the closing bracket. */
static int tree_name(struct tree *t)
{
	unsigned holds;
	int rc;

	while ((rc = json_scan_name(&t->s, &t->first, &t->b.name, &holds)) == 1)
		if (decoded(t, &t->b.name, holds))
			return -1;
		else if (!skipped(t, t->b.name))
			return 1;
		else if (json_scan_value(&t->s, NULL))
			return -1;
	return rc;
}

/* To the next value: 1; 0 when the outermost is complete. */
static int tree_next(struct tree *t)
{
	while (t->b.depth) {
		int rc = json_build_in_object(&t->b)
				 ? tree_name(t)
				 : json_scan_element(&t->s, &t->first);

		if (rc)
			return rc;
		json_build_close(&t->b);
		t->first = false;
	}
	return 0;
}

const struct json *json_slice_tree(struct arena *a, struct str text,
				   const char *const *skip)
{
	struct tree t = { .b = { .arena = a },
			  .skip = skip,
			  .s = json_scan_start(a, text) };
	const struct json *root;
	int rc = json_scan_peek(&t.s) == '{' ? 1 : -1;

	while (rc == 1)
		rc = tree_value(&t) ? -1 : tree_next(&t);
	if (!rc)
		rc = json_scan_end(&t.s);
	root = json_build_end(&t.b);
	return rc ? NULL : root;
}

/* --- looking --- */

const struct json *json_get(const struct json *j, const char *name)
{
	size_t n = strlen(name);

	if (!j || j->kind != JSON_OBJECT)
		return NULL;
	for (uint32_t i = j->len; i-- > 0;) {
		const struct json_member *m = &j->members[i];

		if (m->name.n == n && memcmp(m->name.p, name, n) == 0)
			return &m->value;
	}
	return NULL;
}

struct str json_get_str(const struct json *j, const char *name)
{
	const struct json *m = json_get(j, name);

	return m && m->kind == JSON_STRING ? m->text : STR_NONE;
}

int json_texts(struct arena *a, const struct json *list, struct str_vec *out)
{
	if (list && list->kind != JSON_ARRAY)
		return -1;
	for (uint32_t i = 0; list && i < list->len; i++) {
		if (list->items[i].kind != JSON_STRING)
			return -1;
		vec_push(a, out, list->items[i].text);
	}
	return 0;
}

bool json_get_bool(const struct json *j, const char *name, bool otherwise)
{
	const struct json *m = json_get(j, name);

	return m && m->kind == JSON_BOOL ? m->boolean : otherwise;
}

int64_t json_get_int(const struct json *j, const char *name, int64_t otherwise)
{
	const struct json *m = json_get(j, name);
	int64_t n = 0;
	bool negative;
	size_t i;

	if (!m || m->kind != JSON_NUMBER)
		return otherwise;
	negative = m->text.n && m->text.p[0] == '-';
	for (i = negative; i < m->text.n; i++) {
		int digit = m->text.p[i] - '0';

		if (digit < 0 || digit > 9 ||
		    __builtin_mul_overflow(n, 10, &n) ||
		    __builtin_sub_overflow(n, digit, &n))
			return otherwise;
	}
	if (negative)
		return n;
	return n == INT64_MIN ? otherwise : -n;
}

struct str json_peek_record(struct str line)
{
	static const char head[] = "{\"record\":\"";
	size_t from = sizeof(head) - 1, i;
	const char *end;

	if (line.n < from || memcmp(line.p, head, from) != 0)
		return STR_NONE;
	end = json_plain_end(line.p + from, line.p + line.n, false);
	i = (size_t)(end - line.p);
	return i < line.n && *end == '"' ? str_sub(line, from, i) : STR_NONE;
}
