/* explain_put.c - an explanation as text and as JSON (show_int.h) */
#include "base/visible.h"
#include "json/write.h"
#include "ui/diag_text.h"
#include "ui/show/show_int.h"

enum {
	LINE = 80,
	VALUE = 40,  /* columns of a value at most */
	INDENT = 44, /* what is deeper still stands there */
};

/* At most so many columns of the text. */
static void put_cut(struct buf *b, struct str s, size_t most)
{
	size_t i = 0;

	if (text_wrap_columns(s) <= most) {
		buf_str(b, s);
		return;
	}
	for (size_t n = 0; n + 3 < most; n++)
		i += grapheme_len(str_sub(s, i, s.n));
	buf_str(b, str_sub(s, 0, i));
	buf_puts(b, "...");
}

static void put_value(struct buf *b, struct arena *a, const struct json *j,
		      size_t indent)
{
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	if (j)
		jw_json(&w, j);
	else
		jw_null(&w);
	put_cut(b, visible_word(a, buf_view(&text)),
		indent + 8 + VALUE > LINE ? LINE - 8 - indent : VALUE);
	buf_release(&text);
}

static void put_values(struct buf *b, struct arena *a, const struct why *w,
		       size_t indent)
{
	if (!w->changes && !w->after && !w->unknown)
		return;
	buf_puts(b, w->changes ? ": " : " = ");
	if (w->secret) {
		buf_puts(b, "(sensitive value)");
		return;
	}
	if (w->changes) {
		put_value(b, a, w->before, indent);
		buf_puts(b, " -> ");
	}
	if (w->unknown)
		buf_puts(b, "(known after apply)");
	else
		put_value(b, a, w->after, indent);
}

/* Words, wrapped; lines after the first stand deeper. */
static void put_wrapped(struct buf *b, struct str text, size_t indent)
{
	size_t at = indent;

	buf_addf(b, "%*s", (int)indent, "");
	for (size_t i = 0; i < text.n;) {
		struct str rest = str_sub(text, i, text.n);
		ptrdiff_t space = str_chr(rest, ' ');
		struct str word =
			space < 0 ? rest : str_sub(rest, 0, (size_t)space);
		const size_t wide = text_wrap_columns(word);

		if (i && at + 1 + wide > LINE) {
			buf_addf(b, "\n%*s", (int)indent + 4, "");
			at = indent + 4;
		} else if (i) {
			buf_putc(b, ' ');
			at++;
		}
		buf_str(b, word);
		at += wide;
		i += word.n + (space >= 0);
	}
	buf_putc(b, '\n');
}

static void put_source(struct buf *b, struct arena *a, const struct why *w,
		       size_t indent)
{
	struct str at = visible_word(a, w->at);
	const size_t taken = indent + text_wrap_columns(at) + 2;

	if (!at.n)
		return;
	buf_addf(b, "%*s%.*s", (int)indent, "", STR_ARG(at));
	if (w->expr_secret)
		buf_puts(b, "  (sensitive value)");
	else if (w->expr.n) {
		buf_puts(b, "  ");
		put_cut(b, visible_word(a, w->expr),
			taken + 12 < LINE ? LINE - taken : 12);
	}
	buf_putc(b, '\n');
}

static void put_all(struct buf *b, struct arena *a, const struct why_vec *v,
		    size_t indent);

static void put_node(struct buf *b, struct arena *a, const struct why *w,
		     size_t indent)
{
	struct buf line = BUF_INIT;

	indent = indent > INDENT ? INDENT : indent;
	buf_str(&line, visible_word(a, w->name));
	put_values(&line, a, w, indent);
	if (w->says.n)
		buf_addf(&line, "%s%.*s", line.len ? ", " : "",
			 STR_ARG(visible_word(a, w->says)));
	put_wrapped(b, buf_view(&line), indent);
	buf_release(&line);
	put_source(b, a, w, indent + 2);
	put_all(b, a, &w->from, indent + 2);
	if (w->more)
		buf_addf(b, "%*sand %zu more\n", (int)indent + 2, "", w->more);
}

static void put_all(struct buf *b, struct arena *a, const struct why_vec *v,
		    size_t indent)
{
	for (size_t i = 0; i < v->len; i++)
		put_node(b, a, v->items[i], indent);
}

void explain_text(struct view *v, struct str head, const struct why_vec *why)
{
	struct buf b = BUF_INIT;

	for (struct str rest = head; rest.n;) {
		ptrdiff_t end = str_chr(rest, '\n');
		struct str line =
			end < 0 ? rest : str_sub(rest, 0, (size_t)end);

		put_wrapped(&b, line, 0);
		rest = str_sub(rest, line.n + (end >= 0), rest.n);
	}
	for (size_t i = 0; i < why->len; i++) {
		buf_putc(&b, '\n');
		put_node(&b, v->arena, why->items[i], 0);
	}
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

static void member(struct jw *w, const char *name, struct str s)
{
	if (s.n)
		jw_member_str(w, name, s);
}

static void values_json(struct jw *w, const struct why *y)
{
	if (y->secret)
		jw_member_bool(w, "sensitive", true);
	if (y->unknown)
		jw_member_bool(w, "after_unknown", true);
	if (y->secret)
		return;
	if (y->changes && y->before) {
		jw_key(w, "before");
		jw_json(w, y->before);
	}
	if (!y->unknown && y->after) {
		jw_key(w, y->changes ? "after" : "value");
		jw_json(w, y->after);
	}
}

void explain_json(struct jw *w, const struct why_vec *why)
{
	jw_array(w);
	for (size_t i = 0; i < why->len; i++) {
		const struct why *y = why->items[i];

		jw_object(w);
		jw_member_str(w, "kind", str_c(y->kind));
		member(w, "name", y->name);
		member(w, "says", y->says);
		values_json(w, y);
		if (!y->expr_secret)
			member(w, "expression", y->expr);
		member(w, "at", y->at);
		if (y->more)
			jw_member_int(w, "more", (int64_t)y->more);
		if (y->from.len) {
			jw_key(w, "from");
			explain_json(w, &y->from);
		}
		jw_object_end(w);
	}
	jw_array_end(w);
}
