/*
 * json_syntax.c - reads JSON text into nodes; see json_syntax_int.h
 *
 * Columns are counted as OpenTofu counts them in JSON: a tab takes two, a
 * carriage return none (source.h, json_columns).  After an error reading goes
 * on behind the object or array it is in.
 */
#include "lang/json_syntax_int.h"

#include "lang/text_int.h"

enum json_tok {
	J_EOF = 'E',
	J_STRING = 's',
	J_NUMBER = 'n',
	J_WORD = 'w',
	J_INVALID = '?', /* the punctuation stands for itself */
};

struct json_node_list VEC_OF(struct json_node);
struct json_prop_list VEC_OF(struct json_prop);

struct json_reader {
	struct arena *a;
	struct arena scratch;
	const struct source *src;
	struct diags *ds;
	uint32_t pos, end; /* nothing is read beyond end */
	int tok; /* the next token */
	struct span span;
	int depth, errors;
	struct json_node_list items; /* under construction */
	struct json_prop_list props;
};

/* --- tokens --- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static uint32_t string_end(struct str s, uint32_t p)
{
	bool escaping = false;

	for (p++; p < s.n; p++) {
		unsigned char c = (unsigned char)s.p[p];

		if (c == '"' && !escaping)
			return p + 1;
		if (c < 0x20)
			break; /* never ends: decoding tells */
		escaping = c == '\\' && !escaping;
	}
	return p;
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

static void next(struct json_reader *r)
{
	struct str s = r->src->text;
	uint32_t p = r->pos;
	char c;

	while (p < r->end && memchr(" \t\r\n", s.p[p], 4))
		p++;
	r->span.start = p;
	c = p < r->end ? s.p[p] : '\0';
	if (p >= r->end) {
		r->tok = J_EOF;
	} else if (memchr("{}[],:=", c, 7)) {
		r->tok = c;
		p++;
	} else if (c == '"') {
		r->tok = J_STRING;
		p = string_end(s, p);
	} else if (memchr("-+.0123456789", c, 13)) {
		r->tok = J_NUMBER;
		while (p < s.n && memchr("-+.eE0123456789", s.p[p], 15))
			p++;
	} else if (is_letter(c)) {
		r->tok = J_WORD;
		while (p < s.n && (is_letter(s.p[p]) || s.p[p] == '_'))
			p++;
	} else {
		r->tok = J_INVALID;
		p++;
	}
	r->span.end = p;
	r->pos = p;
	if (r->tok == J_INVALID)
		r->end = p;
}

static struct span take(struct json_reader *r)
{
	struct span s = r->span;

	if (r->tok != J_EOF)
		next(r);
	return s;
}

static struct json_node fail(struct json_reader *r, struct span at,
			     const char *summary, const char *detail)
{
	struct range range = source_range(r->src, at);

	if (r->errors++ < LANG_MAX_ERRORS)
		diag_error(r->ds, &range, summary, "%s", detail);
	else /* nothing more is read */
		r->pos = r->end = 0;
	return (struct json_node){ .kind = JSON_NODE_INVALID, .span = at };
}

/* --- scalars --- */

/* Four digits; negative: how many were read up to and including a wrong one,
 * or what ends the text. */
static int hex4(struct str s)
{
	int v = 0;

	for (int i = 0; i < 4; i++) {
		char c = (size_t)i < s.n ? s.p[i] : '\0';

		if (c >= '0' && c <= '9')
			v = v << 4 | (c - '0');
		else if ((c | 0x20) >= 'a' && (c | 0x20) <= 'f')
			v = v << 4 | ((c | 0x20) - 'a' + 10);
		else
			return -1 - i;
	}
	return v;
}

/* The \u escape (or pair of them) at s; *len gets its length.  A lone half of
 * a pair is U+FFFD.  Negative: wrong, at that many bytes from the start. */
static long unicode_escape(struct str s, size_t *len)
{
	long c, low;

	*len = 6;
	c = hex4(str_sub(s, 2, s.n));
	if (c < 0)
		return c - 2;
	if (c < 0xd800 || c > 0xdfff)
		return c;
	if (c < 0xdc00 && s.n >= 12 && s.p[6] == '\\' && s.p[7] == 'u') {
		low = hex4(str_sub(s, 8, s.n));
		if (low >= 0xdc00 && low <= 0xdfff) {
			*len = 12;
			return 0x10000 + ((c - 0xd800) << 10) + (low - 0xdc00);
		}
	}
	return 0xfffd;
}

/* One escape at s into out; its length in *len. Returns 0, or how many bytes
 * from the start of it reading failed. */
static size_t escape(struct str s, char **out, size_t *len)
{
	static const char from[] = "\"\\/bfnrt", to[] = "\"\\/\b\f\n\r\t";
	const char *hit;
	long c;

	*len = 2;
	if (s.n < 2)
		return 1;
	if (s.p[1] == 'u') {
		c = unicode_escape(s, len);
		if (c < 0)
			return (size_t)-c;
		*out = text_put_utf8(*out, (uint32_t)c);
		return 0;
	}
	hit = memchr(from, s.p[1], sizeof(from) - 1);
	if (!hit)
		return 2;
	*(*out)++ = to[hit - from];
	return 0;
}

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
	diag_error(r->ds, &range, "Invalid JSON string",
		   "The string is not closed, or an escape in it is not one "
		   "of JSON's.");
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
		size_t n = utf8_len(s.p + i, s.n - i), wrong;

		if (s.p[i] == '\\') {
			wrong = escape(str_sub(s, i, s.n), &out, &n);
			if (wrong)
				return i + wrong;
		} else if (n) {
			memcpy(out, s.p + i, n);
			out += n;
		} else {
			n = 1;
			out = text_put_utf8(out, 0xfffd);
		}
		i += n;
	}
	*text = (struct str){ buf, (size_t)(out - buf) };
	return 0;
}

static struct json_node read_string(struct json_reader *r)
{
	struct span at = take(r);
	struct str s = str_sub(r->src->text, at.start, at.end);
	struct json_node node = { .kind = JSON_NODE_STRING, .span = at };
	size_t wrong;
	bool closed = string_closed(s);

	wrong = decode_string(r, str_sub(s, 1, s.n - closed), &node.text);
	if (wrong || !closed)
		return bad_string(r, at, wrong && wrong < s.n ? wrong + 1 :
								s.n);
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

static struct json_node read_number(struct json_reader *r)
{
	struct span at = take(r);
	struct str s = str_sub(r->src->text, at.start, at.end);
	const struct value *v = valid_number(s) ?
					value_number_parse(r->a, s) : NULL;

	if (!v)
		return fail(r, at, "Invalid JSON number",
			    "This is not a number as JSON writes them.");
	return (struct json_node){ .kind = JSON_NODE_NUMBER, .span = at,
				   .value = v };
}

static struct json_node read_word(struct json_reader *r)
{
	static const char *const words[] = { "true", "false", "null", NULL };
	struct span at = take(r);
	struct str s = str_sub(r->src->text, at.start, at.end);
	const char *near, *detail;

	if (str_is(s, "true") || str_is(s, "false"))
		return (struct json_node){ .kind = JSON_NODE_BOOL, .span = at,
					   .value = value_bool(s.n == 4) };
	if (str_is(s, "null"))
		return (struct json_node){ .kind = JSON_NODE_NULL, .span = at,
					   .value = &value_null_dynamic };
	near = text_suggest(s, words);
	detail = arena_printf(r->ds->arena,
			      "\"%.*s\" is not a word of JSON.%s%s%s",
			      STR_ARG(s), near ? " Did you mean \"" : "",
			      near ? near : "", near ? "\"?" : "");
	return fail(r, at, "Invalid JSON keyword", detail);
}

/* --- objects and arrays --- */

static struct json_node read_value(struct json_reader *r);

/* From the token just taken to what seems to be the end of the value. */
static void recover(struct json_reader *r, int tok, int open, int close)
{
	int depth = 1;

	for (;;) {
		if (tok == open)
			depth++;
		else if (tok == close && --depth <= 1)
			return;
		else if (tok == J_EOF)
			return;
		tok = r->tok;
		take(r);
	}
}

static struct json_node no_colon(struct json_reader *r)
{
	int tok = r->tok;
	struct span at = take(r);

	recover(r, tok, '{', '}');
	if (tok == '}' || tok == ',')
		return fail(r, at, "Missing object value",
			    "A property needs a value, introduced by a "
			    "colon.");
	return fail(r, at, "Missing property value colon",
		    tok == '=' ? "JSON separates a name from its value with a "
				 "colon, not with \"=\"." :
				 "A colon is expected between a property's "
				 "name and its value.");
}

/* What follows a member must separate it from the next or end the list: true
 * to go on.  Otherwise *bad tells whether an error was reported. */
static bool object_goes_on(struct json_reader *r, struct span open, bool *bad)
{
	struct span at;
	int tok = r->tok;

	*bad = true;
	switch (tok) {
	case ',':
		at = take(r);
		if (r->tok != '}')
			return true;
		fail(r, at, "Trailing comma in object",
		     "No comma may follow the last property.");
		return false;
	case '}':
		*bad = false;
		return false;
	case J_EOF:
		fail(r, open, "Unclosed object",
		     "The \"}\" of this object is missing.");
		return false;
	case ']':
		take(r);
		fail(r, r->span, "Mismatched braces",
		     "An object ends with a brace, not with a bracket.");
		return false;
	default:
		take(r);
		recover(r, tok, '{', '}');
		fail(r, r->span, "Missing attribute seperator comma",
		     "Properties are separated by commas.");
		return false;
	}
}

static struct json_node read_object(struct json_reader *r)
{
	struct json_node node = { .kind = JSON_NODE_OBJECT, .span = r->span };
	struct json_node invalid = { .kind = JSON_NODE_INVALID,
				     .span = r->span };
	size_t base = r->props.len;
	struct span open = take(r);
	bool bad = false;

	while (r->tok != '}') {
		struct json_node name = read_value(r), value;

		if (name.kind != JSON_NODE_STRING) {
			fail(r, json_node_start(&name),
			     "Invalid object property name",
			     "The name of a property is a string.");
			goto failed;
		}
		if (r->tok != ':') {
			no_colon(r);
			goto failed;
		}
		take(r);
		value = read_value(r);
		vec_push(&r->scratch, &r->props,
			 (struct json_prop){ name, value });
		if (!object_goes_on(r, open, &bad))
			break;
	}
	if (bad)
		goto failed;
	node.span.end = take(r).end;
	node.len = (uint32_t)(r->props.len - base);
	node.props = arena_dup(r->a, r->props.items + base,
			       node.len * sizeof(*node.props));
	r->props.len = base;
	return node;
failed:
	r->props.len = base;
	return invalid;
}

static bool array_goes_on(struct json_reader *r, struct span open, bool *bad)
{
	struct span at;
	int tok = r->tok;

	*bad = tok != ']';
	if (tok == ']')
		return false;
	at = take(r);
	if (tok == ',') {
		if (r->tok != ']')
			return true;
		fail(r, at, "Trailing comma in array",
		     "No comma may follow the last value.");
		return false;
	}
	recover(r, tok, '[', ']');
	switch (tok) {
	case ':':
		fail(r, r->span, "Invalid array value",
		     "Values of an array have no names: a colon makes no "
		     "sense here.");
		break;
	case J_EOF:
		fail(r, open, "Unclosed object",
		     "The \"]\" of this array is missing.");
		break;
	case '}':
		fail(r, r->span, "Mismatched brackets",
		     "An array ends with a bracket, not with a brace.");
		break;
	default:
		fail(r, r->span, "Missing attribute seperator comma",
		     "Values are separated by commas.");
		break;
	}
	return false;
}

static struct json_node read_array(struct json_reader *r)
{
	struct json_node node = { .kind = JSON_NODE_ARRAY, .span = r->span };
	struct json_node invalid = { .kind = JSON_NODE_INVALID,
				     .span = r->span };
	size_t base = r->items.len;
	struct span open = take(r);
	bool bad = false;

	while (r->tok != ']') {
		struct json_node item = read_value(r);

		vec_push(&r->scratch, &r->items, item);
		if (!array_goes_on(r, open, &bad))
			break;
	}
	if (bad) {
		r->items.len = base;
		return invalid;
	}
	node.span.end = take(r).end;
	node.len = (uint32_t)(r->items.len - base);
	node.items = arena_dup(r->a, r->items.items + base,
			       node.len * sizeof(*node.items));
	r->items.len = base;
	return node;
}

static struct json_node read_nested(struct json_reader *r)
{
	struct json_node node;

	if (r->depth >= LANG_MAX_DEPTH) {
		node = fail(r, r->span, "Nesting too deep",
			    "Objects and arrays may be nested at most 1000 "
			    "levels deep.");
		r->pos = r->end;
		r->tok = J_EOF;
		r->depth = INT32_MAX; /* say it once */
		return node;
	}
	r->depth++;
	node = r->tok == '{' ? read_object(r) : read_array(r);
	if (r->depth != INT32_MAX)
		r->depth--;
	return node;
}

static struct json_node read_value(struct json_reader *r)
{
	static const char start[] = "A value starts with a brace, a bracket, a "
				    "quote, a digit or a letter.";

	switch (r->tok) {
	case '{':
	case '[':
		return read_nested(r);
	case J_NUMBER:
		return read_number(r);
	case J_STRING:
		return read_string(r);
	case J_WORD:
		return read_word(r);
	case '}':
		return fail(r, r->span, "Missing JSON value", start);
	case ']':
		return fail(r, r->span, "Missing array element value", start);
	case J_EOF:
		return fail(r, r->span, "Missing value",
			    "The JSON text ends too early.");
	default:
		return fail(r, r->span, "Invalid start of value", start);
	}
}

static struct json_node *read_all(struct arena *a, const struct source *src,
				  struct diags *ds)
{
	struct json_reader r = { .a = a, .scratch = ARENA_INIT, .src = src,
				 .ds = ds };
	struct json_node *node = ARENA_NEW(a, struct json_node);
	size_t before = ds->len;

	((struct source *)src)->json_columns = true;
	r.end = (uint32_t)src->text.n;
	if (src->text.n >= UINT32_MAX) {
		diag_error(ds, NULL, "Source too large",
			   "%.*s is larger than 4 GiB.", STR_ARG(src->name));
		node->kind = JSON_NODE_INVALID;
		return node;
	}
	next(&r);
	*node = read_value(&r);
	if (ds->len == before && r.tok != J_EOF)
		fail(&r, r.span, "Extraneous data after value",
		     "The JSON value ends before this.");
	arena_release(&r.scratch);
	return node;
}

struct body *parse_json_body(struct arena *a, const struct source *src,
			     struct diags *ds)
{
	struct json_node *node = read_all(a, src, ds);

	if (node->kind != JSON_NODE_OBJECT && node->kind != JSON_NODE_ARRAY) {
		struct range at = source_range(src, node->span);

		diag_error(ds, &at, "Root value must be object",
			   "A configuration in JSON is an object, or an array "
			   "of objects.");
		*node = (struct json_node){ .kind = JSON_NODE_OBJECT };
	}
	return json_body(a, src, node);
}

struct expression parse_json_expression(struct arena *a,
					const struct source *src,
					struct diags *ds)
{
	size_t before = ds->errors;
	struct json_node *node = read_all(a, src, ds);

	if (ds->errors > before)
		return (struct expression){ src, NULL };
	return json_expression(a, src, node);
}
