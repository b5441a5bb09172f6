/*
 * diff_string.c - rendering primitive values: strings of one line, of several,
 * and strings that hold JSON
 */
#include "base/visible.h"
#include "json/read.h"
#include "ui/diff/diff_int.h"
#include "ui/diff/diff.h"
#include "value/string.h"

static bool is_null(const struct json *j)
{
	return !j || j->kind == JSON_NULL;
}

static const struct json *json_inside(struct arena *a, const struct json *j)
{
	struct json_error err;

	if (is_null(j) || j->kind != JSON_STRING || j->text.n == 0 ||
	    (j->text.p[0] != '{' && j->text.p[0] != '['))
		return NULL;
	return json_parse(a, j->text, &err);
}

static bool many_lines(const struct json *j)
{
	return !is_null(j) && j->kind == JSON_STRING &&
	       str_chr(j->text, '\n') >= 0;
}

static void put_simple(struct buf *b, const struct json *j,
		       struct diff_style st)
{
	if (is_null(j))
		diff_paint(b, PAINT_GREY, "null", st.color);
	else if (j->kind == JSON_STRING)
		str_quote(b, j->text);
	else if (j->kind == JSON_BOOL)
		buf_puts(b, j->boolean ? "true" : "false");
	else
		buf_str(b, j->text);
}

static void put_json_string(struct buf *b, const struct diff *d,
			    unsigned indent, struct diff_style st,
			    const struct json *before, const struct json *after,
			    struct arena *a)
{
	struct diff_input in = { .before = before, .after = after };
	struct diff_style js = st;
	const char *whitespace = "";
	struct buf inner = BUF_INIT;
	const struct diff *jd;
	enum diff_action action = d->action;
	bool replace = d->replace;

	in.before_explicit = action != DIFF_CREATE;
	in.after_explicit = action != DIFF_DELETE;
	jd = diff_json(a, &in);
	js.no_null_suffix = true;
	js.force_replace = false;
	if (jd->action == DIFF_NOOP && action == DIFF_UPDATE) {
		whitespace = replace ? " # whitespace changes force replacement"
				     : " # whitespace changes";
		js.show_unchanged = true;
		action = DIFF_NOOP;
		replace = false;
		st.force_replace = false;
	}
	diff_render(&inner, jd, indent + 1, js);
	if (d->action == DIFF_CREATE || d->action == DIFF_DELETE)
		action = DIFF_NOOP;
	if (str_chr(buf_view(&inner), '\n') >= 0) {
		buf_addf(b, "jsonencode(%s\n", whitespace);
		diff_put_lead(b, indent + 1, action, st);
		buf_str(b, buf_view(&inner));
		diff_put_replace(b, replace, st);
		buf_putc(b, '\n');
		diff_put_lead(b, indent, DIFF_NOOP, st);
		buf_putc(b, ')');
		diff_put_null_suffix(b, d->action, st);
	} else {
		buf_addf(b, "jsonencode(%.*s)%s", STR_ARG(buf_view(&inner)),
			 whitespace);
		diff_put_replace(b, replace, st);
	}
	buf_release(&inner);
}

static struct str trim(struct str s)
{
	while (s.n && (unsigned char)s.p[0] <= ' ')
		s = str_sub(s, 1, s.n);
	while (s.n && (unsigned char)s.p[s.n - 1] <= ' ')
		s.n--;
	return s;
}

struct diff_lines {
	struct str *items;
	size_t n;
};

static struct diff_lines split(struct arena *a, const struct json *j)
{
	VEC(struct str) v = { 0 };
	struct str s = is_null(j)      ? STR("null")
		       : many_lines(j) ? trim(j->text)
				       : j->text;

	for (;;) {
		ptrdiff_t nl = str_chr(s, '\n');

		vec_push(a, &v, nl < 0 ? s : str_sub(s, 0, (size_t)nl));
		if (nl < 0)
			return (struct diff_lines){ v.items, v.len };
		s = str_sub(s, (size_t)nl + 1, s.n);
	}
}

struct line_walk {
	struct buf *b;
	struct diff_lines before, after;
	unsigned indent;
	struct diff_style st;
};

static bool line_equal(void *data, size_t b, size_t a)
{
	struct line_walk *w = data;

	return str_eq(w->before.items[b], w->after.items[a]);
}

static bool line_pair(void *data, size_t b, size_t a)
{
	(void)data, (void)b, (void)a;
	return false;
}

static void put_text_line(struct line_walk *w, enum diff_action a,
			  struct str line)
{
	diff_put_lead(w->b, w->indent, a, w->st);
	buf_str(w->b, line);
	buf_putc(w->b, '\n');
}

static void line_process(void *data, size_t b, size_t a)
{
	struct line_walk *w = data;

	if (b >= w->before.n)
		put_text_line(w, DIFF_CREATE, w->after.items[a]);
	else if (a >= w->after.n)
		put_text_line(w, DIFF_DELETE, w->before.items[b]);
	else
		put_text_line(w, DIFF_NOOP, w->before.items[b]);
}

static void put_heredoc(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st, struct arena *a)
{
	struct line_walk w = { b, { 0 }, { 0 }, indent + 1, st };
	struct diff_sequence s = {
		0, 0, line_equal, line_pair, line_process, &w
	};
	const struct json *one =
		d->action == DIFF_DELETE ? d->before : d->after;

	buf_puts(b, "<<-EOT");
	diff_put_replace(b, d->replace, st);
	buf_putc(b, '\n');
	if (d->action == DIFF_UPDATE) {
		w.before = split(a, d->before);
		w.after = split(a, d->after);
		s.nbefore = w.before.n;
		s.nafter = w.after.n;
		diff_walk(a, &s);
	} else {
		w.before = split(a, one);
		for (size_t i = 0; i < w.before.n; i++)
			put_text_line(&w, DIFF_NOOP, w.before.items[i]);
	}
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_puts(b, "EOT");
	diff_put_null_suffix(b, d->action, st);
}

static void put_change(struct buf *b, const struct diff *d, unsigned indent,
		       struct diff_style st, struct arena *a)
{
	const struct json *bj = json_inside(a, d->before);
	const struct json *aj = json_inside(a, d->after);
	struct diff_style plain = st;

	if (bj && aj) {
		put_json_string(b, d, indent, st, bj, aj, a);
		return;
	}
	if (bj || aj) { /* only one of them is JSON: show them one by one */
		struct diff del = { .kind = DIFF_PRIMITIVE,
				    .action = DIFF_DELETE,
				    .before = d->before };
		struct diff cre = { .kind = DIFF_PRIMITIVE,
				    .action = DIFF_CREATE,
				    .after = d->after };

		plain.no_null_suffix = true;
		diff_render(b, &del, indent, plain);
		diff_put_arrow(b, st);
		diff_render(b, &cre, indent, plain);
		return;
	}
	if (many_lines(d->before) || many_lines(d->after)) {
		put_heredoc(b, d, indent, st, a);
		return;
	}
	put_simple(b, d->before, st);
	diff_put_arrow(b, st);
	put_simple(b, d->after, st);
	diff_put_replace(b, d->replace, st);
}

void diff_put_primitive(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st)
{
	struct arena a = ARENA_INIT;
	const struct json *one =
		d->action == DIFF_DELETE ? d->before : d->after;
	const struct json *inside;

	if (d->action == DIFF_UPDATE) {
		put_change(b, d, indent, st, &a);
	} else if ((inside = json_inside(&a, one)) != NULL) {
		put_json_string(b, d, indent, st,
				d->action == DIFF_CREATE ? NULL : inside,
				d->action == DIFF_DELETE ? NULL : inside, &a);
	} else if (many_lines(one)) {
		put_heredoc(b, d, indent, st, &a);
	} else {
		put_simple(b, one, st);
		if (!is_null(one))
			diff_put_null_suffix(b, d->action, st);
		diff_put_replace(b, d->replace, st);
	}
	arena_release(&a);
}
