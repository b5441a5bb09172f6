/*
 * strlit.c - the text of literal tokens: escapes, and strings that may not
 * hold template sequences (block labels, index keys)
 *
 *	escape = "\n" | "\r" | "\t" | "\"" | "\\" | "\u" 4 hex | "\U" 8 hex
 *	       | "$${" | "%%{"
 */
#include "lang/syntax/syntax_int.h"

static bool is_hex(char c)
{
	return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') ||
	       (c >= 'A' && c <= 'F');
}

static uint32_t hex_value(struct str s)
{
	uint32_t v = 0;

	for (size_t i = 0; i < s.n; i++) {
		char c = s.p[i];

		v = v << 4 |
		    (uint32_t)(c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10);
	}
	return v;
}

static void escape_error(struct parser *p, struct span at, const char *detail)
{
	syntax_error(p, at, NULL, "Invalid escape sequence", "%s", detail);
}

/* \u or \U at s; returns the escape's length.  An invalid one is kept. */
static size_t unicode_escape(struct parser *p, struct str s, uint32_t at,
			     char **out)
{
	size_t want = s.p[1] == 'u' ? 4 : 8, n = 2;
	struct span span;
	uint32_t c;

	while (n < s.n && n < want + 2 && is_hex(s.p[n]))
		n++;
	span = (struct span){ at, at + (uint32_t)n };
	c = hex_value(str_sub(s, 2, n));
	if (n != want + 2) {
		escape_error(p, span,
			     want == 4 ? "\\u needs four hexadecimal digits."
				       : "\\U needs eight hexadecimal digits.");
	} else if (c > 0x10ffff || (c >= 0xd800 && c <= 0xdfff)) {
		escape_error(p, span, "There is no such character.");
	} else {
		*out = utf8_put(*out, c);
		return n;
	}
	memcpy(*out, s.p, n);
	*out += n;
	return n;
}

/* Decodes the escape at s, whose offset is `at`; returns its length. */
static size_t escape(struct parser *p, struct str s, uint32_t at, char **out)
{
	size_t n;

	switch (s.n > 1 ? s.p[1] : '\0') {
	case 'n':
		*(*out)++ = '\n';
		return 2;
	case 'r':
		*(*out)++ = '\r';
		return 2;
	case 't':
		*(*out)++ = '\t';
		return 2;
	case '"':
	case '\\':
		*(*out)++ = s.p[1];
		return 2;
	case 'u':
	case 'U':
		return unicode_escape(p, s, at, out);
	}
	n = 1 + utf8_len(s.p + 1, s.n - 1);
	escape_error(p, (struct span){ at, at + (uint32_t)n },
		     "What follows the backslash is not an escape sequence.");
	memcpy(*out, s.p + 1, n - 1);
	*out += n - 1;
	return n;
}

struct str parser_literal_text(struct parser *p, struct token t)
{
	struct str s = span_text(p, t.span);
	const char *slash;
	char *buf, *out;
	size_t i;

	/* A doubled marker is always at the start of its token. */
	if (s.n >= 3 && (s.p[0] == '$' || s.p[0] == '%') && s.p[1] == s.p[0] &&
	    s.p[2] == '{')
		return str_sub(s, 1, s.n);
	slash = t.type == T_QUOTED_LIT ? memchr(s.p, '\\', s.n) : NULL;
	if (!slash)
		return s;
	/* No escape is shorter than its result. */
	i = (size_t)(slash - s.p);
	buf = arena_alloc(p->a, s.n + 1);
	memcpy(buf, s.p, i);
	out = buf + i;
	while (i < s.n) {
		if (s.p[i] == '\\')
			i += escape(p, str_sub(s, i, s.n),
				    t.span.start + (uint32_t)i, &out);
		else
			*out++ = s.p[i++];
	}
	*out = '\0';
	return (struct str){ buf, (size_t)(out - buf) };
}

/* --- literals without sequences --- */

static void sequence_error(struct parser *p, struct token open, struct token t)
{
	char c = t.type == T_CONTROL ? '%' : '$';
	struct span ctx = span_between(open.span, t.span);

	syntax_error(p, t.span, &ctx, "Invalid string literal",
		     "No template sequence may stand in this string. Write "
		     "\"%c%c{\" for a literal \"%c{\".",
		     c, c, c);
	parser_recover(p, T_SEQ_END);
}

struct str parse_plain_literal(struct parser *p, struct span *span)
{
	struct buf b = BUF_INIT;
	struct span inside, ctx;
	struct token open, t;

	if (parser_take_plain_string(p, &inside)) {
		*span = (struct span){ inside.start - 1, inside.end + 1 };
		return span_text(p, inside);
	}
	open = parser_take(p);
	for (;;) {
		t = parser_take(p);
		ctx = span_between(open.span, t.span);
		if (t.type == T_QUOTED_LIT) {
			buf_str(&b, parser_literal_text(p, t));
		} else if (t.type == T_INTERP || t.type == T_CONTROL) {
			buf_puts(&b,
				 t.type == T_INTERP ? "${ ... }" : "%{ ... }");
			sequence_error(p, open, t);
		} else {
			break;
		}
	}
	if (t.type == T_EOF)
		syntax_error(p, t.span, &ctx, "Unterminated string literal",
			     "The source ends before the closing quote.");
	else if (t.type != T_CQUOTE) {
		syntax_error(p, t.span, &ctx, "Invalid string literal",
			     "This cannot stand in a string.");
		parser_recover(p, T_CQUOTE);
	}
	*span = ctx;
	return buf_take(p->a, &b);
}
