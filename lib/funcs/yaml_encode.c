/*
 * yaml_encode.c - yamlencode
 *
 * Block style; strings are double-quoted, or literal blocks if they have line
 * breaks; lines are folded at 80 columns within quotes.  People compare the
 * texts, so every choice is as OpenTofu's emitter (libyaml's, at an age) makes
 * it: libyaml itself ends documents otherwise.
 */
#include <stdio.h>

#include "funcs/funcs_int.h"
#include "value/number.h"

struct yaml_out {
	struct buf b;
	int column;
	bool space;     /* the last thing written was white space or [ { */
	bool indention; /* only indentation and - ? : so far in this line */
	bool open;      /* ends with a plain scalar, which could go on */
};

enum context { ROOT, ITEM, VALUE, KEY };
enum { INDENT = 2, WIDTH = 80, SIMPLE_KEY_MAX = 128 };

/* --- characters --- */

static size_t char_len(struct str s, size_t i)
{
	size_t n = i < s.n ? utf8_len(s.p + i, s.n - i) : 1;

	return n ? n : 1;
}

static bool at(struct str s, size_t i, const char *what)
{
	size_t n = strlen(what);

	return i + n <= s.n && memcmp(s.p + i, what, n) == 0;
}

static bool is_break(struct str s, size_t i)
{
	return at(s, i, "\r") || at(s, i, "\n") || at(s, i, "\xc2\x85") ||
	       at(s, i, "\xe2\x80\xa8") || at(s, i, "\xe2\x80\xa9");
}

static bool is_space(struct str s, size_t i)
{
	return at(s, i, " ");
}

/* Printable by the emitter's rules: nothing beyond U+FFFD. */
static bool is_printable(struct str s, size_t i)
{
	unsigned char c = (unsigned char)s.p[i];

	if (c < 0x80)
		return c == '\n' || (c >= 0x20 && c <= 0x7e);
	if (c == 0xc2)
		return i + 1 < s.n && (unsigned char)s.p[i + 1] >= 0xa0;
	return c > 0xc2 && c <= 0xef && utf8_len(s.p + i, s.n - i) &&
	       !at(s, i, "\xef\xbb\xbf") && !at(s, i, "\xef\xbf\xbe") &&
	       !at(s, i, "\xef\xbf\xbf");
}

/* --- writing --- */

static void put(struct yaml_out *y, char ch)
{
	buf_putc(&y->b, ch);
	y->column++;
}

static void put_break(struct yaml_out *y)
{
	buf_putc(&y->b, '\n');
	y->column = 0;
}

static void put_char(struct yaml_out *y, struct str s, size_t *i)
{
	size_t n = char_len(s, *i);

	buf_add(&y->b, s.p + *i, n);
	y->column++;
	*i += n;
}

static void put_indent(struct yaml_out *y, int indent)
{
	if (indent < 0)
		indent = 0;
	if (!y->indention || y->column > indent ||
	    (y->column == indent && !y->space))
		put_break(y);
	while (y->column < indent)
		put(y, ' ');
	y->space = true;
	y->indention = true;
}

static void put_indicator(struct yaml_out *y, const char *text, bool need_space,
			  bool is_blank, bool is_indention)
{
	if (need_space && !y->space)
		put(y, ' ');
	for (; *text; text++)
		put(y, *text);
	y->space = is_blank;
	y->indention = y->indention && is_indention;
	y->open = false;
}

static void put_plain(struct yaml_out *y, struct str s, enum context ctx)
{
	if (!y->space)
		put(y, ' ');
	for (size_t i = 0; i < s.n;)
		put_char(y, s, &i);
	y->space = false;
	y->indention = false;
	if (ctx == ROOT)
		y->open = true;
}

static void put_escape(struct yaml_out *y, struct str s, size_t *i)
{
	static const struct {
		uint32_t ch;
		char letter;
	} names[] = {
		{ 0, '0' },    { 7, 'a' },      { 8, 'b' },      { 9, 't' },
		{ 10, 'n' },   { 11, 'v' },     { 12, 'f' },     { 13, 'r' },
		{ 27, 'e' },   { '"', '"' },    { '\\', '\\' },  { 0x85, 'N' },
		{ 0xa0, '_' }, { 0x2028, 'L' }, { 0x2029, 'P' },
	};
	size_t n = char_len(s, *i);
	uint32_t ch = (unsigned char)s.p[*i];
	char text[16];

	if (n > 1)
		ch &= 0x7fu >> n;
	for (size_t k = 1; k < n; k++)
		ch = ch << 6 | ((unsigned char)s.p[*i + k] & 0x3f);
	*i += n;
	put(y, '\\');
	for (size_t k = 0; k < sizeof(names) / sizeof(names[0]); k++) {
		if (names[k].ch == ch) {
			put(y, names[k].letter);
			return;
		}
	}
	snprintf(text, sizeof(text),
		 ch <= 0xff     ? "x%02X"
		 : ch <= 0xffff ? "u%04X"
				: "U%08X",
		 ch);
	for (const char *p = text; *p; p++)
		put(y, *p);
}

/* Spaces beyond the width become line breaks, except in keys. */
static void put_quoted(struct yaml_out *y, struct str s, int indent, bool fold)
{
	bool bom = at(s, 0, "\xef\xbb\xbf"), spaces = false;

	put_indicator(y, "\"", true, false, false);
	for (size_t i = 0; i < s.n;) {
		/* The emitter escapes all that follows a byte order mark. */
		if (bom || !is_printable(s, i) || is_break(s, i) ||
		    s.p[i] == '"' || s.p[i] == '\\') {
			put_escape(y, s, &i);
			spaces = false;
			continue;
		}
		if (!is_space(s, i)) {
			put_char(y, s, &i);
			spaces = false;
			continue;
		}
		if (fold && !spaces && y->column > WIDTH && i > 0 &&
		    i < s.n - 1) {
			put_indent(y, indent);
			if (is_space(s, i + 1))
				put(y, '\\');
			i++;
		} else {
			put_char(y, s, &i);
		}
		spaces = true;
	}
	put_indicator(y, "\"", false, false, false);
	y->space = false;
	y->indention = false;
}

static size_t last_char(struct str s, size_t end)
{
	size_t i = end - 1;

	while (i > 0 && ((unsigned char)s.p[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* The indicator after "|": whether the last line break is part of the text. */
static const char *chomping(struct str s)
{
	size_t last = last_char(s, s.n);

	if (!is_break(s, last))
		return "-";
	if (last == 0 || is_break(s, last_char(s, last)))
		return "+";
	return "";
}

static void put_literal(struct yaml_out *y, struct str s, int indent)
{
	const char *chomp = chomping(s);
	bool breaks = true;

	put_indicator(y, "|", true, false, false);
	if (is_space(s, 0) || is_break(s, 0))
		put_indicator(y, "2", false, false, false);
	if (*chomp)
		put_indicator(y, chomp, false, false, false);
	put_break(y);
	y->indention = true;
	y->space = true;
	for (size_t i = 0; i < s.n;) {
		if (at(s, i, "\n")) {
			put_break(y);
			i++;
			y->indention = true;
			breaks = true;
		} else if (is_break(s, i)) {
			put_char(y, s, &i);
			y->column = 0;
			y->indention = true;
			breaks = true;
		} else {
			if (breaks)
				put_indent(y, indent);
			put_char(y, s, &i);
			y->indention = false;
			breaks = false;
		}
	}
}

/* --- values --- */

static bool has_break(struct str s)
{
	for (size_t i = 0; i < s.n; i += char_len(s, i)) {
		if (is_break(s, i))
			return true;
	}
	return false;
}

/* Can it be a block: does it read back as it is? */
static bool literal_allowed(struct str s)
{
	for (size_t i = 0; i < s.n; i += char_len(s, i)) {
		if (!is_printable(s, i))
			return false;
		if (is_space(s, i) && (i + 1 == s.n || is_break(s, i + 1)))
			return false;
	}
	return true;
}

static void put_string(struct yaml_out *y, struct str s, int indent,
		       enum context ctx)
{
	indent = indent < 0 ? INDENT : indent + INDENT;
	if (str_chr(s, '\n') >= 0 && ctx != KEY && literal_allowed(s))
		put_literal(y, s, indent);
	else
		put_quoted(y, s, indent, ctx != KEY);
}

static void put_value(struct yaml_out *y, struct arena *a,
		      const struct value *v, int indent, enum context ctx);

static void put_sequence(struct yaml_out *y, struct arena *a,
			 const struct value *v, int indent, enum context ctx)
{
	if (v->len == 0) {
		put_indicator(y, "[", true, true, false);
		put_indicator(y, "]", false, false, false);
		return;
	}
	if (indent < 0)
		indent = 0;
	else if (!(ctx == VALUE && !y->indention))
		indent += INDENT; /* below a key it is not indented */
	for (uint32_t i = 0; i < v->len; i++) {
		put_indent(y, indent);
		put_indicator(y, "-", true, false, true);
		put_value(y, a, v->elems[i], indent, ITEM);
	}
}

static void put_key(struct yaml_out *y, struct str key, int indent)
{
	if (!has_break(key) && key.n <= SIMPLE_KEY_MAX) {
		put_string(y, key, indent, KEY);
		put_indicator(y, ":", false, false, false);
		return;
	}
	put_indicator(y, "?", true, false, true);
	put_string(y, key, indent, VALUE);
	put_indent(y, indent);
	put_indicator(y, ":", true, false, true);
}

static void put_mapping(struct yaml_out *y, struct arena *a,
			const struct value *v, int indent)
{
	if (v->len == 0) {
		put_indicator(y, "{", true, true, false);
		put_indicator(y, "}", false, false, false);
		return;
	}
	indent = indent < 0 ? 0 : indent + INDENT;
	for (uint32_t i = 0; i < v->len; i++) {
		put_indent(y, indent);
		put_key(y,
			v->type->kind == TYPE_MAP ? v->keys[i]
						  : v->type->attrs[i].name,
			indent);
		put_value(y, a, v->elems[i], indent, VALUE);
	}
}

/* Values nest no deeper than the parsers that made them allow. */
static void put_value(struct yaml_out *y, struct arena *a,
		      const struct value *v, int indent, enum context ctx)
{
	if (value_is_null(v)) {
		put_plain(y, STR("null"), ctx);
		return;
	}
	switch (v->type->kind) {
	case TYPE_STRING:
		put_string(y, v->string, indent, ctx);
		break;
	case TYPE_NUMBER:
		put_plain(y, value_number_text(a, v), ctx);
		break;
	case TYPE_BOOL:
		put_plain(y, v->boolean ? STR("true") : STR("false"), ctx);
		break;
	case TYPE_MAP:
	case TYPE_OBJECT:
		put_mapping(y, a, v, indent);
		break;
	default:
		put_sequence(y, a, v, indent, ctx);
		break;
	}
}

static const struct value *do_yamlencode(struct func_call *c)
{
	struct yaml_out y = { .b = BUF_INIT, .space = true, .indention = true };

	if (!value_wholly_known(c->args[0]))
		return value_unknown(c->arena, &type_string);
	put_value(&y, c->arena, c->args[0], -1, ROOT);
	put_indent(&y, -1);
	if (y.open) {
		put_indicator(&y, "...", true, false, false);
		put_indent(&y, -1);
	}
	return buf_value(c->arena, &y.b);
}

const struct func func_yamlencode = {
	.name = "yamlencode",
	.description = "The value in YAML block syntax.",
	.params = PARAMS(
		{ "value", &type_dynamic, PARAM_NULL | PARAM_DYNAMIC, NULL }),
	.result = &type_string,
	.impl = do_yamlencode,
	.flags = FUNC_NULLABLE, /* OpenTofu does not refine it */
};
