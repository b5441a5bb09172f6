/* diag_text.c - see diag_text.h */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "ui/diag_text.h"
#include "base/str.h"
#include "base/visible.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

#define RULE "────────────────"

#define COLOR_VARIABLE "TFPIPE_COLOR"

const struct opt_group text_color_group = {
	"Incompatible options",
	"-no-color is -color=never: use only one of them."
};

/* Sets environment variables: text_style_for and child processes read them. */
void text_no_color(void)
{
	setenv(COLOR_VARIABLE, "never", 1);
	setenv("NO_COLOR", "1", 1);
}

int text_color(struct str when, struct diags *ds)
{
	if (str_is(when, "always") || str_is(when, "auto"))
		setenv(COLOR_VARIABLE, when.p, 1);
	else if (str_is(when, "never"))
		text_no_color();
	else if (when.n)
		return diag_error(
			ds, NULL, "Failed to parse command-line flags",
			"-color is always, never or auto, not \"%.*s\".",
			STR_ARG(when));
	return 0;
}

static bool color_wanted(bool terminal)
{
	struct str when = str_env(COLOR_VARIABLE);
	const char *env = getenv("NO_COLOR");

	if (str_is(when, "always"))
		return true;
	return terminal && !str_is(when, "never") && !(env && *env);
}

struct text_style text_style_for(int fd, bool no_color)
{
	struct text_style st = { false, 78, false };
	const bool terminal = isatty(fd);
	struct winsize ws;

	st.color = !no_color && color_wanted(terminal);
	if (terminal && ioctl(fd, TIOCGWINSZ, &ws) == 0 && ws.ws_col > 1)
		st.width = ws.ws_col;
	return st;
}

enum out_form text_form(struct text_style st)
{
	return st.color ? OUT_PAINTED : OUT_TEXT;
}

size_t text_wrap_columns(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; n++)
		i += grapheme_len(str_sub(s, i, s.n));
	return n;
}

static void wrap_line(struct buf *out, struct str line, unsigned width)
{
	size_t col = 0;

	while (line.n) {
		size_t gap = 0, word;

		while (gap < line.n && line.p[gap] == ' ')
			gap++;
		word = gap;
		while (word < line.n && line.p[word] != ' ')
			word++;
		if (col &&
		    col + text_wrap_columns(str_sub(line, 0, word)) > width) {
			buf_putc(out, '\n');
			col = 0;
			line = str_sub(line, gap, line.n);
			word -= gap;
		}
		buf_add(out, line.p, word);
		col += text_wrap_columns(str_sub(line, 0, word));
		line = str_sub(line, word, line.n);
	}
	buf_putc(out, '\n');
}

void text_wrap(struct buf *out, struct str text, unsigned width)
{
	for (;;) {
		ptrdiff_t nl = str_chr(text, '\n');
		struct str line = nl < 0 ? text : str_sub(text, 0, (size_t)nl);

		if (width && !(line.n && line.p[0] == ' ')) {
			wrap_line(out, line, width);
		} else {
			buf_str(out, line);
			buf_putc(out, '\n');
		}
		if (nl < 0)
			return;
		text = str_sub(text, (size_t)nl + 1, text.n);
	}
}

/* How many columns it takes when it is shown. */
static size_t shown_columns(struct str s)
{
	struct buf shown = BUF_INIT;
	size_t n;

	visible_put(&shown, s, false);
	n = text_wrap_columns(buf_view(&shown));
	buf_release(&shown);
	return n;
}

static void put_carets(struct buf *out, struct str before, struct str marked)
{
	size_t n = shown_columns(marked);
	struct buf shown = BUF_INIT;

	visible_put(&shown, before, false);
	before = buf_view(&shown);
	buf_puts(out, "      ");
	for (size_t i = 0; i < before.n;) {
		size_t len = grapheme_len(str_sub(before, i, before.n));

		buf_putc(out, before.p[i] == '\t' ? '\t' : ' ');
		i += len;
	}
	buf_release(&shown);
	for (size_t i = 0; i < (n ? n : 1); i++)
		buf_putc(out, '^');
	buf_putc(out, '\n');
}

static void put_code_line(struct buf *out, const struct snippet *s,
			  uint32_t number, size_t start, size_t end, bool color)
{
	size_t hs = s->highlight_start, he = s->highlight_end;
	bool here;

	hs = hs < start ? start : hs > end ? end : hs;
	he = he < hs ? hs : he > end ? end : he;
	here = s->highlight_start <= end && s->highlight_end >= start &&
	       (he > hs ||
		(s->highlight_start >= start && s->highlight_end <= end));
	buf_addf(out, "%4u: ", number);
	buf_str(out, str_sub(s->code, start, hs));
	if (color && here)
		buf_puts(out, PAINT_UNDERLINE);
	buf_str(out, str_sub(s->code, hs, he));
	if (color && here)
		buf_puts(out, PAINT_PLAIN);
	buf_str(out, str_sub(s->code, he, end));
	buf_putc(out, '\n');
	if (!color && here)
		put_carets(out, str_sub(s->code, start, hs),
			   str_sub(s->code, hs, he));
}

static void put_code(struct buf *out, const struct snippet *s, bool color)
{
	uint32_t number = s->start_line;
	size_t start = 0;

	for (;;) {
		struct str rest = str_sub(s->code, start, s->code.n);
		ptrdiff_t nl = str_chr(rest, '\n');
		size_t end = nl < 0 ? s->code.n : start + (size_t)nl;

		put_code_line(out, s, number++, start, end, color);
		if (nl < 0)
			return;
		start = end + 1;
	}
}

/* The box below the source text that lists the values. */
struct box_style {
	const char *dim, *bold, *off;
};

static struct box_style box_style_of(bool color)
{
	return color ? (struct box_style){ PAINT_GREY, PAINT_BOLD, PAINT_PLAIN }
		     : (struct box_style){ "", "", "" };
}

static void put_box_top(struct buf *out, struct box_style st)
{
	buf_addf(out, "    %s├" RULE "%s\n", st.dim, st.off);
}

static void put_box_side(struct buf *out, struct box_style st)
{
	buf_addf(out, "    %s│%s ", st.dim, st.off);
}

/* "while calling f(a, b...)" */
static void put_call(struct buf *out, const struct diag *d, struct box_style st,
		     struct arena *a)
{
	struct json_error err;
	const struct json *sig = json_parse(a, d->signature, &err);
	const struct json *params = json_get(sig, "params");
	const struct json *rest = json_get(sig, "variadic_param");
	size_t n = params && params->kind == JSON_ARRAY ? params->len : 0;

	put_box_side(out, st);
	buf_addf(out, "while calling %s%.*s%s(", st.bold,
		 STR_ARG(visible_word(a, d->call)), st.off);
	for (size_t i = 0; i < n; i++)
		buf_addf(out, "%s%.*s", i ? ", " : "",
			 STR_ARG(visible_word(a, json_get_str(&params->items[i],
							      "name"))));
	if (rest)
		buf_addf(out, "%s%.*s...", n ? ", " : "",
			 STR_ARG(visible_word(a, json_get_str(rest, "name"))));
	buf_puts(out, ")\n");
}

static void put_values(struct buf *out, const struct diag *d,
		       struct box_style st, struct arena *a)
{
	struct diag_value *v;

	if (!d->nvalues && !d->signature.n)
		return;
	put_box_top(out, st);
	if (d->signature.n)
		put_call(out, d, st, a);
	v = arena_dup(a, d->values, d->nvalues * sizeof(*v));
	diag_sort_values(v, d->nvalues);
	for (size_t i = 0; i < d->nvalues; i++) {
		put_box_side(out, st);
		buf_addf(out, "%s%.*s%s %.*s\n", st.bold,
			 STR_ARG(visible_word(a, v[i].traversal)), st.off,
			 STR_ARG(v[i].statement));
	}
}

static text_difference_fn *show_difference;

void text_differences(text_difference_fn *show)
{
	show_difference = show;
}

/* Shows the changes from the left to the right side of a failed ==. */
static void put_difference(struct buf *out, const struct diag *d,
			   struct box_style st, bool color)
{
	struct buf b = BUF_INIT;
	struct str rest;

	show_difference(&b, d->difference, color);
	if (!b.len)
		return;
	put_box_top(out, st);
	put_box_side(out, st);
	buf_addf(out, "%sDiff: %s\n", st.bold, st.off);
	for (rest = buf_view(&b); rest.n;) {
		ptrdiff_t nl = str_chr(rest, '\n');
		size_t n = nl < 0 ? rest.n : (size_t)nl;

		put_box_side(out, st);
		buf_add(out, rest.p, n);
		buf_putc(out, '\n');
		rest = str_sub(rest, nl < 0 ? n : n + 1, rest.n);
	}
	buf_release(&b);
}

static void put_place(struct buf *out, const struct diag *d,
		      const struct snippet *s, bool color, struct arena *a)
{
	struct str file;

	if (d->address.n)
		buf_addf(out, "  with %.*s,\n",
			 STR_ARG(visible_word(a, d->address)));
	if (!range_present(&d->subject) || !d->subject.file.n)
		return; /* a command-line argument has no file */
	file = visible_word(a, d->subject.file);
	if (!s) {
		buf_addf(out,
			 "  on %.*s line %u:\n"
			 "  (source code not available)\n\n",
			 STR_ARG(file), d->subject.start.line);
		return;
	}
	buf_addf(out, "  on %.*s line %u", STR_ARG(file),
		 d->subject.start.line);
	if (s->context.p)
		buf_addf(out, ", in %.*s",
			 STR_ARG(visible_word(a, s->context)));
	buf_puts(out, ":\n");
	put_code(out, s, color);
	put_values(out, d, box_style_of(color), a);
	if (d->difference.n && show_difference)
		put_difference(out, d, box_style_of(color), color);
	buf_putc(out, '\n');
}

/* The whole message without its frame. */
static void put_body(struct buf *out, const struct diag *d,
		     const struct snippet *s, struct text_style st,
		     unsigned width)
{
	struct arena scratch = ARENA_INIT;

	buf_addf(out, "%s%.*s%s\n\n", st.color ? PAINT_BOLD : "",
		 STR_ARG(visible_text(&scratch, d->summary)),
		 st.color ? PAINT_PLAIN : "");
	put_place(out, d, s, st.color, &scratch);
	if (d->detail.n)
		text_wrap(out, visible_text(&scratch, d->detail), width);
	arena_release(&scratch);
}

static void put_framed(struct buf *out, struct str text, const char *paint)
{
	buf_addf(out, "%s╷" PAINT_PLAIN "\n", paint);
	while (text.n) {
		ptrdiff_t nl = str_chr(text, '\n');
		size_t n = nl < 0 ? text.n : (size_t)nl;

		buf_addf(out, "%s│" PAINT_PLAIN "%s%.*s\n", paint, n ? " " : "",
			 (int)n, text.p);
		text = str_sub(text, nl < 0 ? n : n + 1, text.n);
	}
	buf_addf(out, "%s╵" PAINT_PLAIN "\n", paint);
}

void diag_text(struct buf *out, const struct diag *d, const struct snippet *s,
	       struct text_style st)
{
	bool error = d->severity == SEV_ERROR;
	const char *name = error ? "Error: " : "Warning: ";
	const char *paint = error ? PAINT_RED : PAINT_YELLOW;
	struct buf body = BUF_INIT;

	if (!st.color) {
		buf_addf(out, "\n%s", name);
		put_body(out, d, s, st, st.width > 1 ? st.width - 1 : 0);
		return;
	}
	buf_addf(&body, PAINT_BOLD "%s%s" PAINT_PLAIN, paint, name);
	put_body(&body, d, s, st, st.width > 3 ? st.width - 3 : 0);
	put_framed(out, buf_view(&body), paint);
	buf_release(&body);
}

void diags_text(struct buf *out, const struct diags *ds, struct snippets *ss,
		struct text_style st, const struct diag_display *how)
{
	static const struct diag_display usual = {
		false, false, false, { NULL, 0 }
	};
	struct shown_diag_vec all = { 0 };

	how = how ? how : &usual;

	for (size_t i = 0; i < ds->len; i++) {
		struct shown_diag d = { .diag = ds->items[i] };

		d.has_snippet =
			ss && snippet_cut(ss, &d.diag, &d.snippet, NULL);
		vec_push(ds->arena, &all, d);
	}
	shown_diags_sort(ds->arena, &all);
	if (how->deprecation.n)
		shown_diags_deprecated(ds->arena, how->deprecation, &all);
	if (!how->each_warning)
		shown_diags_consolidate(ds->arena, &all, SEV_WARNING);
	if (how->consolidate_errors)
		shown_diags_consolidate(ds->arena, &all, SEV_ERROR);
	if (how->compact_warnings && !ds->errors) {
		shown_diags_compact(out, &all, st);
		return;
	}
	for (size_t i = 0; i < all.len; i++)
		shown_diag_text(out, &all.items[i], st);
}

void diags_print(const struct diags *ds, const struct sources *sources)
{
	struct snippets ss = { .arena = ds->arena, .sources = sources };
	struct text_style st = text_style_for(STDERR_FILENO, false);
	struct out err = OUT_INIT_AS(STDERR_FILENO, text_form(st));

	if (!ds->len)
		return;
	diags_text(&err.buf, ds, &ss, st, NULL);
	out_flush(&err);
	out_release(&err);
}

int diags_written(struct arena *a, struct out *out)
{
	struct diags ds = DIAGS_INIT(a);

	if (!out_flush(out))
		return 0;
	diag_error(&ds, NULL, "Failed to write the output", "%s: %s.",
		   out->fd == STDOUT_FILENO ? "Standard output"
					    : "The file of -json-into",
		   strerror(errno));
	diags_print(&ds, NULL);
	return -1;
}
