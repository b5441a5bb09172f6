/*
 * json_scalar.c - strings, numbers and words of JSON; see json_syntax.c
 */
#include "json/write.h"
#include "lang/syntax/syntax_int.h"
#include "value/number.h"

static struct json_node bad_string(struct json_reader *r, struct span at,
				   size_t offset)
{
	/* One byte beyond the offending one is marked, as OpenTofu does. */
	struct range range = source_range(r->src, at);
	struct diag *d;

	range.start.byte += (uint32_t)offset;
	range.start.column += (uint32_t)offset;
	range.end = range.start;
	range.end.byte++;
	range.end.column++;
	diag_error(
		r->ds, &range, "Invalid JSON string",
		"The string is not closed, or an escape in it is not one of JSON's.");
	d = &r->ds->items[r->ds->len - 1];
	d->context = source_range(r->src, at);
	return (struct json_node){ .kind = JSON_NODE_INVALID, .span = at };
}

/* Resolves the escapes of s, a token without its quotes; bytes that are not
 * UTF-8 become U+FFFD.  Returns 0, or where reading failed. */
static size_t decode_string(struct json_reader *r, struct str s,
			    struct str *text)
{
	char *buf, *out;
	size_t i = 0;

	*text = s;
	if (!memchr(s.p, '\\', s.n) && str_utf8_valid(s))
		return 0;
	buf = out = arena_alloc(r->a, 3 * s.n);
	while (i < s.n) {
		size_t n = utf8_len(s.p + i, s.n - i);

		if (s.p[i] == '\\') {
			long c = json_unescape_one(str_sub(s, i, s.n), &n);

			if (c < 0)
				return i + (size_t)-c;
			out = utf8_put(out, (uint32_t)c);
		} else if (n) {
			memcpy(out, s.p + i, n);
			out += n;
		} else {
			n = 1;
			out = utf8_put(out, 0xfffd);
		}
		i += n;
	}
	*text = (struct str){ buf, (size_t)(out - buf) };
	return 0;
}

/* Does the string token end with its quote? */
static bool string_closed(struct str s)
{
	size_t slashes = 0;

	if (s.n < 2 || s.p[s.n - 1] != '"')
		return false;
	while (s.p[s.n - 2 - slashes] == '\\')
		slashes++;
	return slashes % 2 == 0;
}

struct json_node json_read_string(struct json_reader *r)
{
	struct span at = json_take(r);
	struct str s = str_sub(r->src->text, at.start, at.end);
	struct json_node node = { .kind = JSON_NODE_STRING, .span = at };
	size_t wrong;
	bool closed = string_closed(s);

	wrong = decode_string(r, str_sub(s, 1, s.n - closed), &node.text);
	if (wrong || !closed)
		return bad_string(r, at,
				  wrong && wrong < s.n ? wrong + 1 : s.n);
	return node;
}

static size_t digits(struct str s, size_t i)
{
	while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9')
		i++;
	return i;
}

static bool valid_number(struct str s)
{
	size_t i = s.n && s.p[0] == '-', from = i;

	i = digits(s, i);
	if (i == from || (s.p[from] == '0' && i > from + 1))
		return false;
	if (i < s.n && s.p[i] == '.') {
		from = ++i;
		i = digits(s, i);
		if (i == from)
			return false;
	}
	if (i < s.n && (s.p[i] == 'e' || s.p[i] == 'E')) {
		i++;
		if (i < s.n && (s.p[i] == '+' || s.p[i] == '-'))
			i++;
		from = i;
		i = digits(s, i);
		if (i == from)
			return false;
	}
	return i == s.n;
}

struct json_node json_read_number(struct json_reader *r)
{
	struct span at = json_take(r);
	struct str s = str_sub(r->src->text, at.start, at.end);
	const struct value *v =
		valid_number(s) ? value_number_parse(r->a, s) : NULL;

	if (!v)
		return json_fail(r, at, "Invalid JSON number",
				 "This is not a number as JSON writes them.");
	return (struct json_node){ .kind = JSON_NODE_NUMBER,
				   .span = at,
				   .value = v };
}

struct json_node json_read_word(struct json_reader *r)
{
	static const char *const words[] = { "true", "false", "null", NULL };
	struct span at = json_take(r);
	struct str s = str_sub(r->src->text, at.start, at.end);
	const char *near, *detail;

	if (str_is(s, "true") || str_is(s, "false"))
		return (struct json_node){ .kind = JSON_NODE_BOOL,
					   .span = at,
					   .value = value_bool(s.n == 4) };
	if (str_is(s, "null"))
		return (struct json_node){ .kind = JSON_NODE_NULL,
					   .span = at,
					   .value = &value_null_dynamic };
	near = text_suggest(s, words);
	detail = arena_printf(r->ds->arena,
			      "\"%.*s\" is not a word of JSON.%s%s%s",
			      STR_ARG(s), near ? " Did you mean \"" : "",
			      near ? near : "", near ? "\"?" : "");
	return json_fail(r, at, "Invalid JSON keyword", detail);
}
