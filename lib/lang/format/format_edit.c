/*
 * format_edit.c - what the formatter changes besides spaces
 *
 * "${x}" as the value of an argument becomes x; the old notations of a
 * variable's type become today's; labels are quoted, and comments between them
 * removed.
 */
#include "lang/format/format_int.h"

struct editor {
	struct arena *a;
	struct str text;
	struct fmt_edits *out;
};

static struct fmt_token token(enum tok type, struct str s)
{
	return (struct fmt_token){ s.p, (uint32_t)s.n, 0, (uint8_t)type,
				   (uint8_t)type };
}

/* --- unwrapping --- */

/* Is "${" to "}" one sequence, with no other sequence or text beside it? */
static bool is_single(const struct fmt_token *t, size_t n)
{
	long quotes = 0;

	for (size_t i = 0; i < n; i++) {
		if (t[i].first == T_OQUOTE)
			quotes++;
		if (t[i].last == T_CQUOTE)
			quotes--;
		else if (quotes <= 0 &&
			 (t[i].last == T_INTERP || t[i].last == T_SEQ_END ||
			  t[i].last == T_QUOTED_LIT))
			return false;
	}
	return true;
}

/* Over several lines an expression must be in brackets; only parentheses at
 * both ends count as such. */
static bool needs_parens(const struct fmt_token *t, size_t n)
{
	bool lines = false;

	for (size_t i = 0; i < n; i++)
		lines |= t[i].first == T_NEWLINE;
	return lines && (t[0].first != T_OPAREN || t[n - 1].last != T_CPAREN);
}

bool format_unwrap(struct arena *a, const struct fmt_token *t, size_t n,
		   struct fmt_tokens *out)
{
	bool parens;

	if (n < 5 || t[0].last != T_OQUOTE || t[1].last != T_INTERP ||
	    t[n - 2].first != T_SEQ_END || t[n - 1].first != T_CQUOTE ||
	    !is_single(t + 2, n - 4))
		return false;
	t += 2;
	n -= 4;
	while (n && t[0].first == T_NEWLINE)
		t++, n--;
	while (n && t[n - 1].first == T_NEWLINE)
		n--;
	parens = n && needs_parens(t, n);
	if (parens)
		vec_push(a, out, token(T_OPAREN, STR("(")));
	for (size_t i = 0; i < n; i++)
		vec_push(a, out, t[i]);
	if (parens)
		vec_push(a, out, token(T_CPAREN, STR(")")));
	return true;
}

/* --- types --- */

static void edit_type(struct editor *ed, const struct expr *e)
{
	struct str s = str_sub(ed->text, e->span.start, e->span.end);
	struct fmt_token *t = ARENA_ARRAY(ed->a, struct fmt_token, 4);
	struct fmt_edit edit = { EDIT_REPLACE, e->span, t, 4 };
	struct str elem = STR("any");

	if (str_is(s, "\"string\"")) {
		edit.ntokens = 1;
		s = STR("string");
	} else if (str_is(s, "\"list\"") || str_is(s, "\"map\"")) {
		s = str_sub(s, 1, s.n - 1);
		elem = STR("string");
	} else if (!str_is(s, "list") && !str_is(s, "map") &&
		   !str_is(s, "set")) {
		return;
	}
	t[0] = token(T_IDENT, s);
	t[1] = token(T_OPAREN, STR("("));
	t[2] = token(T_IDENT, elem);
	t[3] = token(T_CPAREN, STR(")"));
	vec_push(ed->a, ed->out, edit);
}

/* --- labels --- */

static void add_escaped(struct buf *b, const char *p, size_t n)
{
	uint32_t c = utf8_rune(p, n);

	switch (c) {
	case '\n':
		buf_puts(b, "\\n");
		break;
	case '\r':
		buf_puts(b, "\\r");
		break;
	case '\t':
		buf_puts(b, "\\t");
		break;
	case '"':
	case '\\':
		buf_putc(b, '\\');
		buf_putc(b, (char)c);
		break;
	default:
		if (source_rune_printable(c))
			buf_add(b, p, n);
		else
			buf_addf(b, c < 0x10000 ? "\\u%04x" : "\\U%08x", c);
		break;
	}
}

/* A label as it is usually written.  One with "$" or "%" stays as it is
 * (OpenTofu drops it). */
static struct str label_text(struct editor *ed, const struct label *l)
{
	struct str raw = str_sub(ed->text, l->span.start, l->span.end);
	struct str s = value_string(ed->a, l->text)->string;
	struct buf b = BUF_INIT;

	if (memchr(raw.p, '$', raw.n) || memchr(raw.p, '%', raw.n))
		return raw;
	buf_putc(&b, '"');
	for (size_t i = 0, n; i < s.n; i += n) {
		n = utf8_len(s.p + i, s.n - i);
		n = n ? n : 1;
		add_escaped(&b, s.p + i, n);
	}
	buf_putc(&b, '"');
	return buf_take(ed->a, &b);
}

/* Labels that are fine as they are: quoted, plain, nothing but spaces between
 * them. */
static bool usual_labels(const struct editor *ed, const struct block *bl)
{
	uint32_t at = bl->type_span.end;

	for (size_t i = 0; i < bl->nlabels; i++) {
		struct span s = bl->labels[i].span;

		for (; at < s.start; at++)
			if (ed->text.p[at] != ' ' && ed->text.p[at] != '\t')
				return false;
		if (ed->text.p[at] != '"')
			return false;
		for (at++; at + 1 < s.end; at++) {
			unsigned char c = (unsigned char)ed->text.p[at];

			if (c < ' ' || c > '~' || c == '\\' || c == '"')
				return false;
		}
		at = s.end;
	}
	return true;
}

static void edit_labels(struct editor *ed, const struct block *bl)
{
	struct fmt_token *t;

	if (bl->nlabels == 0 || usual_labels(ed, bl))
		return;
	t = ARENA_ARRAY(ed->a, struct fmt_token, bl->nlabels);
	for (size_t i = 0; i < bl->nlabels; i++) {
		t[i] = token(T_OQUOTE, label_text(ed, &bl->labels[i]));
		t[i].last = T_CQUOTE;
	}
	vec_push(ed->a, ed->out,
		 (struct fmt_edit){ EDIT_REPLACE,
				    { bl->type_span.end, bl->header.end },
				    t,
				    bl->nlabels });
}

/* --- bodies --- */

static void edit_body(struct editor *ed, const struct body *b, bool variable);

static void edit_attr(struct editor *ed, const struct attribute *at,
		      bool variable)
{
	const struct expr *e = at->expr.root;

	if (variable && str_is(at->name, "type"))
		edit_type(ed, e);
	else if (e->kind == EXPR_WRAP)
		vec_push(ed->a, ed->out,
			 (struct fmt_edit){ .kind = EDIT_UNWRAP,
					    .span = e->span });
}

/* Depth is bounded by the parser's limit. */
static void edit_block(struct editor *ed, const struct block *bl, bool top)
{
	edit_labels(ed, bl);
	edit_body(ed, bl->body, top && str_is(bl->type, "variable"));
}

static void edit_items(struct editor *ed, const struct body *b, bool top,
		       bool variable)
{
	size_t i = 0, k = 0;

	while (i < b->attrs.len || k < b->blocks.len) {
		if (k == b->blocks.len ||
		    (i < b->attrs.len &&
		     b->attrs.items[i].span.start <
			     b->blocks.items[k].type_span.start))
			edit_attr(ed, &b->attrs.items[i++], variable);
		else
			edit_block(ed, &b->blocks.items[k++], top);
	}
}

static void edit_body(struct editor *ed, const struct body *b, bool variable)
{
	edit_items(ed, b, false, variable);
}

void format_edits(struct arena *a, const struct body *b, struct fmt_edits *out)
{
	struct editor ed = { a, b->src->text, out };

	edit_items(&ed, b, true, false);
}
