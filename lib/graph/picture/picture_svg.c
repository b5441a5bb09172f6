/*
 * picture_svg.c - a picture as SVG: one file, nothing to fetch, nothing that
 * runs
 *
 * Texts have been made visible before, so they have no control characters;
 * what XML has no letter for is replaced here.
 */
#include "graph/picture/picture_int.h"

enum {
	MARGIN = 20,
	HEAD = 44, /* what is above the boxes: the legend, */
	LINE = 20, /* and a line of what was folded */
	ROUND = 5,
	TEXT = 17, /* from the top of a box to the line of its text */
};

static const char style[] =
	":root{color-scheme:light dark;--back:#fff;--box:#f6f7f9;"
	"--part:#fbfbfc;--text:#1c2026;--dim:#5d6672;--line:#c9ced6;"
	"--way:#a3abb6;--add:#1a7f37;--destroy:#c4322b;--change:#8f6200;"
	"--read:#22708c;--replace:#b3470c;--forget:#6e5494;"
	"--add-box:#e9f6ec;--destroy-box:#fdeeed;--change-box:#fdf6e3;"
	"--read-box:#e6f3f7;--replace-box:#fdefe6;--forget-box:#f2eef8}\n"
	"@media(prefers-color-scheme:dark){:root{--back:#14171b;--box:#1f242b;"
	"--part:#191d22;--text:#dfe4ea;--dim:#98a2ae;--line:#3a424c;"
	"--way:#5f6975;--add:#56c271;--destroy:#f47e75;--change:#dcae4a;"
	"--read:#63b8d4;--replace:#f0965a;--forget:#b79ce0;"
	"--add-box:#16291c;--destroy-box:#311c1c;--change-box:#2b2515;"
	"--read-box:#15272e;--replace-box:#33210f;--forget-box:#251e30}}\n"
	"svg{font:12px ui-monospace,SFMono-Regular,Menlo,Consolas,"
	"\"DejaVu Sans Mono\",\"Liberation Mono\",monospace}\n"
	"text{fill:var(--text);white-space:pre}\n"
	".d{fill:var(--dim)}.b{fill:var(--back)}\n"
	".m{fill:var(--part);stroke:var(--line)}\n"
	".o rect{fill:var(--box);stroke:var(--line)}\n"
	".r rect{stroke-dasharray:5 3}.x{opacity:.5}\n"
	".w{fill:none;stroke:var(--way)}.k{stroke-dasharray:4 3}\n"
	".h{fill:var(--way)}.s{font-weight:700}\n";

static void put_text(struct buf *b, struct str s)
{
	for (size_t i = 0; i < s.n;) {
		const size_t n = utf8_len(s.p + i, s.n - i);
		const uint32_t c = n ? utf8_rune(s.p + i, n) : 0xfffd;

		if (c == '&')
			buf_puts(b, "&amp;");
		else if (c == '<')
			buf_puts(b, "&lt;");
		else if (c == '>')
			buf_puts(b, "&gt;");
		else if (c == '"')
			buf_puts(b, "&quot;");
		else if (c < ' ' || (c & 0xfffe) == 0xfffe)
			buf_puts(b, "\ufffd");
		else
			buf_add(b, s.p + i, n);
		i += n ? n : 1;
	}
}

static void put_style(const struct picture *p, struct buf *b)
{
	buf_addf(b, "<style>\n%s", style);
	for (int i = PICTURE_READ; i < PICTURE_ACTIONS; i++) {
		const char *name = picture_action_class((enum picture_action)i);

		if (p->all.n[i])
			buf_addf(
				b,
				".%s rect{fill:var(--%s-box);stroke:var(--%s)}.%s .s{fill:var(--%s)}\n",
				name, name, name, name, name);
	}
	buf_puts(b, "</style>\n");
}

static int cells(size_t n)
{
	return (int)(n * PICTURE_CELL + 9) / 10;
}

static void put_rect(struct buf *b, const char *class, struct layout_rect at)
{
	buf_addf(
		b,
		"<rect%s x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" rx=\"%d\"/>",
		class, at.x, at.y, at.w, at.h, ROUND);
}

/* Returns its width. */
static int put_key(const struct picture *p, struct buf *b, int i, int x)
{
	const enum picture_action a = (enum picture_action)i;
	const struct str said =
		str_printf(p->arena, "%s%s%u %s", picture_action_sign(a),
			   i ? " " : "", p->all.n[i], picture_action_words(a));

	buf_addf(b, "<g class=\"o %s\">", picture_action_class(a));
	put_rect(b, "", (struct layout_rect){ x, MARGIN, 14, 14 });
	buf_addf(b, "<text class=\"s\" x=\"%d\" y=\"%d\">", x + 20,
		 MARGIN + 11);
	put_text(b, said);
	buf_puts(b, "</text></g>\n");
	return 20 + cells(said.n) + 24;
}

/* What the colours mean, and what was folded.  Returns the width. */
static int put_head(const struct picture *p, struct buf *b)
{
	const struct str folded = picture_folded_words(p);
	int x = MARGIN, y = MARGIN + 11, wide;

	for (int i = PICTURE_ACTIONS - 1; i >= 0 && p->planned; i--)
		if (p->all.n[i])
			x += put_key(p, b, i, x);
	buf_addf(
		b,
		"<text class=\"d\" x=\"%d\" y=\"%d\">a \u2192 b: a depends on b</text>\n",
		x, y);
	wide = x + cells(22);
	if (folded.n) {
		buf_addf(b, "<text class=\"d\" x=\"%d\" y=\"%d\">", MARGIN,
			 y + LINE);
		put_text(b, folded);
		buf_puts(b, "</text>\n");
		if (wide < MARGIN + cells(folded.n))
			wide = MARGIN + cells(folded.n);
	}
	return wide + MARGIN;
}

static void put_modules(const struct picture *p, const struct layout *l,
			struct buf *b)
{
	for (size_t i = 1; i < p->modules.len; i++) {
		const struct layout_rect *at = &l->modules[i];

		if (!p->modules.items[i].drawn)
			continue;
		put_rect(b, " class=\"m\"", *at);
		buf_addf(b, "<text class=\"d\" x=\"%d\" y=\"%d\">", at->x + 9,
			 at->y + 15);
		put_text(b, p->modules.items[i].label);
		buf_puts(b, "</text>\n");
	}
}

static void put_curve(struct buf *b, const struct layout_line *w)
{
	const int bend = w->from.x == w->to.x ? w->from.x + 28
					      : (w->from.x + w->to.x) / 2;

	buf_addf(b, "<path class=\"w%s\" d=\"M%d %d", w->back ? " k" : "",
		 w->from.x, w->from.y);
	if (w->from.y == w->to.y && w->from.x != w->to.x)
		buf_addf(b, "H%d", w->to.x);
	else
		buf_addf(b, "C%d %d %d %d %d %d", bend, w->from.y, bend,
			 w->to.y, w->to.x, w->to.y);
	if (w->width)
		buf_addf(b, "H%d", w->to.x + w->width);
	buf_addf(b, "\"%s%s/>\n", w->begins ? " marker-start=\"url(#to)\"" : "",
		 w->ends ? " marker-end=\"url(#to)\"" : "");
}

static void put_lines(const struct layout *l, struct buf *b)
{
	for (size_t i = 0; i < l->lines.len; i++)
		put_curve(b, &l->lines.items[i]);
}

static void put_box(const struct picture *p, const struct layout *l,
		    struct buf *b, uint32_t i)
{
	const struct picture_box *o = &p->boxes.items[i];
	const char *sign = picture_action_sign(o->action);
	struct layout_rect at = l->boxes[i];

	buf_addf(b, "<g class=\"o %s%s%s\"><title>",
		 picture_action_class(o->action), o->managed ? "" : " r",
		 o->selected ? "" : " x");
	put_text(b, o->title);
	if (o->more.n) {
		buf_puts(b, " ");
		put_text(b, o->more);
	}
	if (p->planned) {
		buf_puts(b, ": ");
		buf_puts(b, picture_action_words(o->action));
	}
	buf_puts(b, "</title>");
	if (o->resources > 1)
		put_rect(b, "",
			 (struct layout_rect){ at.x + 3, at.y + 3, at.w,
					       at.h });
	put_rect(b, "", at);
	buf_addf(b, "<text x=\"%d\" y=\"%d\">", at.x + 10, at.y + TEXT);
	if (*sign)
		buf_addf(b, "<tspan class=\"s\">%s </tspan>",
			 *sign == '<' ? "&lt;=" : sign);
	put_text(b, o->brief);
	if (o->more.n) {
		buf_puts(b, "<tspan class=\"d\">  ");
		put_text(b, o->more);
		buf_puts(b, "</tspan>");
	}
	buf_puts(b, "</text></g>\n");
}

void picture_svg(const struct picture *p, struct buf *b)
{
	struct buf head = BUF_INIT;
	struct layout l;
	int wide = put_head(p, &head), top = MARGIN + (p->folds ? LINE : 0);
	int w, h;

	picture_layout(p, &l);
	top += MARGIN + 14;
	w = l.width + 2 * MARGIN;
	w = w > wide ? w : wide;
	h = top + l.height + MARGIN;
	buf_addf(b,
		 "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		 "height=\"%d\" viewBox=\"0 0 %d %d\">\n"
		 "<title>Resources and what they depend on</title>\n",
		 w, h, w, h);
	put_style(p, b);
	buf_addf(b,
		 "<defs><marker id=\"to\" viewBox=\"0 0 8 8\" refX=\"8\" "
		 "refY=\"4\" markerWidth=\"7\" markerHeight=\"7\" "
		 "orient=\"auto-start-reverse\">"
		 "<path class=\"h\" d=\"M0 1L8 4L0 7Z\"/></marker></defs>\n"
		 "<rect class=\"b\" width=\"%d\" height=\"%d\"/>\n",
		 w, h);
	buf_str(b, buf_view(&head));
	buf_addf(b, "<g transform=\"translate(%d %d)\">\n", MARGIN, top);
	put_modules(p, &l, b);
	put_lines(&l, b);
	for (uint32_t i = 0; i < p->boxes.len; i++)
		put_box(p, &l, b, i);
	buf_puts(b, "</g>\n</svg>\n");
	buf_release(&head);
}
