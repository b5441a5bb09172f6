/*
 * json_syntax.c - reads JSON text into nodes; see body.h
 *
 * Columns are counted as OpenTofu counts them in JSON: a tab takes two, a
 * carriage return none (source.h, json_columns).  After an error reading goes
 * on behind the object or array it is in.
 */
#include "lang/syntax/body.h"
#include "lang/syntax/syntax_int.h"

/* --- tokens --- */

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* End of the string token that begins at p, closed or not. */
static uint32_t json_string_end(struct str s, uint32_t p)
{
	bool escaping = false;

	for (p++; p < s.n; p++) {
		unsigned char c = (unsigned char)s.p[p];

		if (c == '\\') {
			escaping = !escaping;
			continue;
		}
		if (c == '"' && !escaping)
			return p + 1;
		if (c < 0x20)
			break; /* never ends: decoding tells */
		escaping = false;
	}
	return p;
}

static void next(struct json_reader *r)
{
	struct str s = r->src->text;
	uint32_t p = r->pos;
	char c;

	while (p < r->end && (s.p[p] == ' ' || s.p[p] == '\n' ||
			      s.p[p] == '\t' || s.p[p] == '\r'))
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
		p = json_string_end(s, p);
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

struct span json_take(struct json_reader *r)
{
	struct span s = r->span;

	if (r->tok != J_EOF)
		next(r);
	return s;
}

struct json_node json_fail(struct json_reader *r, struct span at,
			   const char *summary, const char *detail)
{
	struct range range = source_range(r->src, at);

	if (r->errors++ < LANG_MAX_ERRORS)
		diag_error(r->ds, &range, summary, "%s", detail);
	else /* nothing more is read */
		r->pos = r->end = 0;
	return (struct json_node){ .kind = JSON_NODE_INVALID, .span = at };
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
		json_take(r);
	}
}

static struct json_node no_colon(struct json_reader *r)
{
	int tok = r->tok;
	struct span at = json_take(r);

	recover(r, tok, '{', '}');
	if (tok == '}' || tok == ',')
		return json_fail(
			r, at, "Missing object value",
			"A property needs a value, introduced by a colon.");
	return json_fail(
		r, at, "Missing property value colon",
		tok == '='
			? "JSON separates a name from its value with a colon, not with \"=\"."
			: "A colon is expected between a property's name and its value.");
}

/* Reads the comma or closing brace behind a member: true if another follows.
 * Otherwise *bad is whether an error was reported. */
static bool object_goes_on(struct json_reader *r, struct span open, bool *bad)
{
	struct span at;
	int tok = r->tok;

	*bad = true;
	switch (tok) {
	case ',':
		at = json_take(r);
		if (r->tok != '}')
			return true;
		json_fail(r, at, "Trailing comma in object",
			  "No comma may follow the last property.");
		return false;
	case '}':
		*bad = false;
		return false;
	case J_EOF:
		json_fail(r, open, "Unclosed object",
			  "The \"}\" of this object is missing.");
		return false;
	case ']':
		json_take(r);
		json_fail(r, r->span, "Mismatched braces",
			  "An object ends with a brace, not with a bracket.");
		return false;
	default:
		json_take(r);
		recover(r, tok, '{', '}');
		json_fail(r, r->span, "Missing attribute seperator comma",
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
	struct span open = json_take(r);
	bool bad = false;

	while (r->tok != '}') {
		struct json_node name = read_value(r), value;

		if (name.kind != JSON_NODE_STRING) {
			json_fail(r, json_node_start(&name),
				  "Invalid object property name",
				  "The name of a property is a string.");
			goto failed;
		}
		if (r->tok != ':') {
			no_colon(r);
			goto failed;
		}
		json_take(r);
		value = read_value(r);
		vec_push(&r->scratch, &r->props,
			 (struct json_prop){ name, value });
		if (!object_goes_on(r, open, &bad))
			break;
	}
	if (bad)
		goto failed;
	node.span.end = json_take(r).end;
	node.len = (uint32_t)(r->props.len - base);
	node.props = vec_tail(r->a, &r->props, base);
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
	at = json_take(r);
	if (tok == ',') {
		if (r->tok != ']')
			return true;
		json_fail(r, at, "Trailing comma in array",
			  "No comma may follow the last value.");
		return false;
	}
	recover(r, tok, '[', ']');
	switch (tok) {
	case ':':
		json_fail(
			r, r->span, "Invalid array value",
			"Values of an array have no names: a colon makes no sense here.");
		break;
	case J_EOF:
		json_fail(r, open, "Unclosed object",
			  "The \"]\" of this array is missing.");
		break;
	case '}':
		json_fail(r, r->span, "Mismatched brackets",
			  "An array ends with a bracket, not with a brace.");
		break;
	default:
		json_fail(r, r->span, "Missing attribute seperator comma",
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
	struct span open = json_take(r);
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
	node.span.end = json_take(r).end;
	node.len = (uint32_t)(r->items.len - base);
	node.items = vec_tail(r->a, &r->items, base);
	r->items.len = base;
	return node;
}

static struct json_node read_nested(struct json_reader *r)
{
	struct json_node node;

	if (r->depth >= LANG_MAX_DEPTH) {
		node = json_fail(
			r, r->span, "Nesting too deep",
			"Objects and arrays may be nested at most 1000 levels deep.");
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
	static const char start[] =
		"A value starts with a brace, a bracket, a quote, a digit or a letter.";

	switch (r->tok) {
	case '{':
	case '[':
		return read_nested(r);
	case J_NUMBER:
		return json_read_number(r);
	case J_STRING:
		return json_read_string(r);
	case J_WORD:
		return json_read_word(r);
	case '}':
		return json_fail(r, r->span, "Missing JSON value", start);
	case ']':
		return json_fail(r, r->span, "Missing array element value",
				 start);
	case J_EOF:
		return json_fail(r, r->span, "Missing value",
				 "The JSON text ends too early.");
	default:
		return json_fail(r, r->span, "Invalid start of value", start);
	}
}

static struct json_node *read_all(struct arena *a, const struct source *src,
				  struct diags *ds)
{
	struct json_reader r = {
		.a = a, .scratch = ARENA_INIT, .src = src, .ds = ds
	};
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
		json_fail(&r, r.span, "Extraneous data after value",
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

		diag_error(
			ds, &at, "Root value must be object",
			"A configuration in JSON is an object, or an array of objects.");
		*node = (struct json_node){ .kind = JSON_NODE_OBJECT };
	}
	return json_body(a, src, node);
}

struct body *parse_json_part(struct arena *a, const struct source *src,
			     struct diags *ds)
{
	return json_body(a, src, read_all(a, src, ds));
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
