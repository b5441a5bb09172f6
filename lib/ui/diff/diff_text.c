/*
 * diff_text.c - rendering a difference as text
 *
 * Four columns an indent; the third and fourth hold the symbol of a line's
 * action.  The layout is OpenTofu's to the character.
 */
#include <stdio.h>

#include "ui/diff/diff.h"
#include "base/visible.h"
#include "lang/syntax/ident.h"
#include "ui/diff/diff_int.h"
#include "value/string.h"

void diff_paint(struct buf *b, const char *paint, const char *text, bool color)
{
	if (color)
		buf_addf(b, "%s%s" PAINT_PLAIN, paint, text);
	else
		buf_puts(b, text);
}

void diff_symbol(struct buf *b, enum diff_action a, bool color)
{
	switch (a) {
	case DIFF_CREATE:
		buf_puts(b, "  ");
		diff_paint(b, PAINT_GREEN, "+", color);
		break;
	case DIFF_DELETE:
		buf_puts(b, "  ");
		diff_paint(b, PAINT_RED, "-", color);
		break;
	case DIFF_UPDATE:
		buf_puts(b, "  ");
		diff_paint(b, PAINT_YELLOW, "~", color);
		break;
	case DIFF_READ:
		buf_puts(b, " ");
		diff_paint(b, PAINT_CYAN, "<=", color);
		break;
	case DIFF_REPLACE_DESTROY_FIRST:
		diff_paint(b, PAINT_RED, "-", color);
		buf_putc(b, '/');
		diff_paint(b, PAINT_GREEN, "+", color);
		break;
	case DIFF_REPLACE_CREATE_FIRST:
		diff_paint(b, PAINT_GREEN, "+", color);
		buf_putc(b, '/');
		diff_paint(b, PAINT_RED, "-", color);
		break;
	case DIFF_FORGET:
		buf_puts(b, "  ");
		diff_paint(b, PAINT_RED, ".", color);
		break;
	case DIFF_FORGET_CREATE:
		buf_puts(b, "  ");
		diff_paint(b, PAINT_RED, ".", color);
		buf_putc(b, '/');
		diff_paint(b, PAINT_GREEN, "+", color);
		break;
	case DIFF_NOOP:
		buf_puts(b, "   ");
	}
}

static void put_indent(struct buf *b, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		buf_puts(b, "    ");
}

static void put_symbol(struct buf *b, enum diff_action a, struct diff_style st)
{
	if (st.no_symbols)
		return;
	diff_symbol(b, a, st.color);
	buf_putc(b, ' ');
}

/* The beginning of a line: indent and symbol. */
void diff_put_lead(struct buf *b, unsigned indent, enum diff_action a,
		   struct diff_style st)
{
	put_indent(b, indent);
	put_symbol(b, a, st);
}

void diff_put_null_suffix(struct buf *b, enum diff_action a,
			  struct diff_style st)
{
	if (st.no_null_suffix || a != DIFF_DELETE)
		return;
	buf_putc(b, ' ');
	diff_paint(b, PAINT_GREY, "-> null", st.color);
}

void diff_put_replace(struct buf *b, bool replace, struct diff_style st)
{
	if (!replace && !st.force_replace)
		return;
	buf_putc(b, ' ');
	diff_paint(b, PAINT_RED, "# forces replacement", st.color);
}

void diff_put_arrow(struct buf *b, struct diff_style st)
{
	buf_putc(b, ' ');
	diff_paint(b, PAINT_YELLOW, "->", st.color);
	buf_putc(b, ' ');
}

/* "# (3 unchanged attributes hidden)" */
static void diff_put_hidden(struct buf *b, unsigned indent, const char *what,
			    size_t n, struct diff_style st)
{
	char text[80];

	diff_put_lead(b, indent, DIFF_NOOP, st);
	snprintf(text, sizeof(text), "# (%zu unchanged %s%s hidden)", n, what,
		 n == 1 ? "" : "s");
	diff_paint(b, PAINT_GREY, text, st.color);
	buf_putc(b, '\n');
}

struct str diff_escaped_name(struct arena *a, struct str name, bool always)
{
	struct buf b = BUF_INIT;
	struct str out = name;

	if (always || !ident_valid(name)) {
		str_quote(&b, name);
		out = buf_dup(a, &b);
		buf_release(&b);
	}
	return out;
}

static size_t code_points(struct str s)
{
	size_t n = 0;

	for (size_t i = 0; i < s.n; i++)
		n += (s.p[i] & 0xc0) != 0x80;
	return n;
}

void diff_name(struct buf *b, struct str name, size_t width)
{
	buf_str(b, name);
	for (size_t n = code_points(name); n < width; n++)
		buf_putc(b, ' ');
	buf_puts(b, " = ");
}

/* --- containers --- */

static bool important(struct str name)
{
	return str_is(name, "id") || str_is(name, "name") ||
	       str_is(name, "tags");
}

/* The comments above what becomes, or is no longer, sensitive. */
static void diff_put_warnings(struct buf *b, const struct diff *d,
			      unsigned indent, struct diff_style st)
{
	bool block = d->kind == DIFF_SENSITIVE_BLOCK;

	if ((d->kind != DIFF_SENSITIVE && !block) ||
	    d->before_sensitive == d->after_sensitive ||
	    d->inner->action == DIFF_CREATE || d->inner->action == DIFF_DELETE)
		return;
	put_indent(b, indent);
	buf_puts(b, "  # ");
	diff_paint(b, PAINT_YELLOW, "Warning", st.color);
	buf_addf(b, ": this %s will %s\n", block ? "block" : "attribute value",
		 d->before_sensitive ? "no longer be marked as sensitive"
				     : "be marked as sensitive and will not");
	put_indent(b, indent);
	buf_addf(b, "  # %safter applying this change.%s\n",
		 d->before_sensitive ? "" : "display in UI output ",
		 !block && d->inner->action == DIFF_NOOP
			 ? " The value is unchanged."
			 : "");
}

static bool is_object(const struct diff *d)
{
	return d->kind == DIFF_OBJECT;
}

static size_t widest(const struct diff *d, const struct str *names)
{
	size_t width = 0;

	for (size_t i = 0; i < d->nchildren; i++)
		if (names[i].n > width)
			width = names[i].n;
	return width;
}

/* Members of objects, maps and blocks. Returns how many were left out. */
static size_t diff_put_members(struct buf *b, const struct diff *d,
			       unsigned indent, struct diff_style st,
			       struct diff_style child)
{
	struct arena a = ARENA_INIT;
	bool map = d->kind == DIFF_MAP;
	struct str *names = ARENA_ARRAY(&a, struct str, d->nchildren);
	size_t hidden = 0, width;

	for (size_t i = 0; i < d->nchildren; i++)
		names[i] = diff_escaped_name(&a, d->children[i].key, map);
	width = map && d->nested ? 0 : widest(d, names);
	for (size_t i = 0; i < d->nchildren; i++) {
		const struct diff *k = d->children[i].diff;
		struct diff_style ks = child;

		if (!map && important(d->children[i].key)) {
			ks.show_unchanged = true;
		} else if (k->action == DIFF_NOOP && !st.show_unchanged) {
			hidden++;
			continue;
		}
		diff_put_warnings(b, k, indent + 1, st);
		diff_put_lead(b, indent + 1, k->action, ks);
		diff_name(b, names[i], width);
		diff_render(b, k, indent + 1, ks);
		buf_puts(b, map && is_object(k) ? ",\n" : "\n");
	}
	arena_release(&a);
	return hidden;
}

static void put_object(struct buf *b, const struct diff *d, unsigned indent,
		       struct diff_style st)
{
	struct diff_style child = diff_style_within(st);
	bool map = d->kind == DIFF_MAP;
	bool self = d->replace && !(map && d->nested);
	size_t hidden;

	if (d->nchildren == 0) {
		buf_puts(b, "{}");
		diff_put_null_suffix(b, d->action, st);
		diff_put_replace(b, self, st);
		return;
	}
	if (map) {
		child.no_null_suffix = d->action == DIFF_DELETE || d->nested;
		child.force_replace = d->replace && d->nested;
	} else {
		child.no_null_suffix = !d->nested;
	}
	buf_putc(b, '{');
	diff_put_replace(b, self, st);
	buf_putc(b, '\n');
	hidden = diff_put_members(b, d, indent, st, child);
	if (hidden)
		diff_put_hidden(b, indent + 1, map ? "element" : "attribute",
				hidden, st);
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_putc(b, '}');
	diff_put_null_suffix(b, d->action, st);
}

static void put_element(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st)
{
	diff_put_warnings(b, d, indent, st);
	diff_put_lead(b, indent, d->action, st);
	diff_render(b, d, indent, st);
	buf_puts(b, ",\n");
}

/* Lists show the unchanged element before and after a change, for context. */
static size_t put_list_elements(struct buf *b, const struct diff *d,
				unsigned indent, struct diff_style st)
{
	struct diff_style changed = diff_style_within(st), unchanged = changed;
	const struct diff *last = NULL;
	size_t hidden = 0;
	bool next = false;

	changed.no_null_suffix = true;
	unchanged.show_unchanged = true;
	for (size_t i = 0; i < d->nchildren; i++) {
		const struct diff *k = d->children[i].diff;

		if (k->action == DIFF_NOOP && !next && !st.show_unchanged) {
			hidden++;
			last = k;
			continue;
		}
		next = false;
		if (!d->nested) {
			if (hidden > 1)
				diff_put_hidden(b, indent + 1, "element",
						hidden - 1, changed);
			if (hidden > 0)
				put_element(b, last, indent + 1, unchanged);
			hidden = 0;
			next = k->action != DIFF_NOOP;
		}
		put_element(b, k, indent + 1,
			    !d->nested && k->action == DIFF_NOOP ? unchanged
								 : changed);
	}
	return hidden;
}

static size_t put_set_elements(struct buf *b, const struct diff *d,
			       unsigned indent, struct diff_style st)
{
	struct diff_style child = diff_style_within(st);
	size_t hidden = 0;

	child.no_null_suffix = true;
	child.force_replace = d->replace && d->nested;
	for (size_t i = 0; i < d->nchildren; i++) {
		const struct diff *k = d->children[i].diff;

		if (k->action == DIFF_NOOP && !st.show_unchanged)
			hidden++;
		else
			put_element(b, k, indent + 1, child);
	}
	return hidden;
}

static void put_sequence(struct buf *b, const struct diff *d, unsigned indent,
			 struct diff_style st)
{
	bool set = d->kind == DIFF_SET;
	bool self = d->replace && !(set && d->nested);
	size_t hidden;

	if (d->nchildren == 0) {
		buf_puts(b, "[]");
		diff_put_null_suffix(b, d->action, st);
		diff_put_replace(b, self, st);
		return;
	}
	buf_putc(b, '[');
	diff_put_replace(b, self, st);
	buf_putc(b, '\n');
	hidden = set ? put_set_elements(b, d, indent, st)
		     : put_list_elements(b, d, indent, st);
	if (hidden)
		diff_put_hidden(b, indent + 1, "element", hidden, st);
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_putc(b, ']');
	diff_put_null_suffix(b, d->action, st);
}

/* --- the rest --- */

static void put_unknown(struct buf *b, const struct diff *d, unsigned indent,
			struct diff_style st)
{
	struct diff_style before = st;

	if (d->action != DIFF_CREATE && d->inner) {
		before.no_null_suffix = true;
		diff_render(b, d->inner, indent, before);
		buf_puts(b, " -> ");
	}
	buf_puts(b, "(known after apply)");
	diff_put_replace(b, d->replace, st);
}

static void diff_put_sensitive_block(struct buf *b, const struct diff *d,
				     unsigned indent, struct diff_style st);

static void diff_put_block(struct buf *b, const struct diff *d, unsigned indent,
			   struct diff_style st);

void diff_render(struct buf *b, const struct diff *d, unsigned indent,
		 struct diff_style st)
{
	struct diff_style plain = st;

	switch (d->kind) {
	case DIFF_PRIMITIVE:
		diff_put_primitive(b, d, indent, st);
		break;
	case DIFF_OBJECT:
	case DIFF_MAP:
		put_object(b, d, indent, st);
		break;
	case DIFF_LIST:
	case DIFF_SET:
		put_sequence(b, d, indent, st);
		break;
	case DIFF_BLOCK:
		diff_put_block(b, d, indent, st);
		break;
	case DIFF_UNKNOWN:
		put_unknown(b, d, indent, st);
		break;
	case DIFF_SENSITIVE:
		if (st.show_sensitive) {
			diff_render(b, d->inner, indent, st);
			break;
		}
		buf_puts(b, "(sensitive value)");
		diff_put_null_suffix(b, d->action, st);
		diff_put_replace(b, d->replace, st);
		break;
	case DIFF_SENSITIVE_BLOCK:
		diff_put_sensitive_block(b, d, indent, st);
		break;
	case DIFF_TYPE_CHANGE:
		plain.no_null_suffix = true;
		diff_render(b, d->inner, indent, plain);
		diff_put_arrow(b, st);
		diff_render(b, d->inner_after, indent, plain);
		break;
	case DIFF_WRITE_ONLY:
		buf_puts(b, "(write-only attribute)");
		diff_put_replace(b, d->replace, st);
		diff_put_null_suffix(b, d->action, st);
	}
}

/* --- blocks --- */

static bool hides(const struct diff_blocks *g, const struct diff *d)
{
	switch (d->action) {
	case DIFF_CREATE:
		return g->after_sensitive;
	case DIFF_DELETE:
		return g->before_sensitive;
	default:
		return g->after_sensitive || g->before_sensitive;
	}
}

static size_t put_block_group(struct buf *b, const struct diff *d,
			      const struct diff_blocks *g, unsigned indent,
			      struct diff_style st)
{
	struct diff_style bs = st;
	struct arena a = ARENA_INIT;
	struct str name = diff_escaped_name(&a, g->type, false);
	size_t hidden = 0;
	bool blank = false;

	bs.force_replace = g->replace;
	for (size_t i = 0; i < g->n; i++) {
		const struct diff *k = g->items[i].diff;
		struct diff cover = { .kind = DIFF_SENSITIVE_BLOCK,
				      .action = k->action,
				      .replace = k->replace,
				      .inner = k,
				      .before_sensitive = g->before_sensitive,
				      .after_sensitive = g->after_sensitive };

		if (hides(g, k)) {
			if (k->action == DIFF_NOOP &&
			    g->before_sensitive != g->after_sensitive)
				cover.action = DIFF_UPDATE;
			k = &cover;
		}
		if (k->action == DIFF_NOOP && !st.show_unchanged) {
			hidden++;
			continue;
		}
		if (!blank && d->nchildren)
			buf_putc(b, '\n');
		blank = true;
		diff_put_warnings(b, k, indent + 1, bs);
		diff_put_lead(b, indent + 1, k->action, bs);
		buf_str(b, name);
		if (g->nesting == NESTING_MAP) {
			buf_putc(b, ' ');
			str_quote(b, g->items[i].key);
		}
		buf_putc(b, ' ');
		diff_render(b, k, indent + 1, bs);
		buf_putc(b, '\n');
	}
	arena_release(&a);
	return hidden;
}

static void diff_put_block(struct buf *b, const struct diff *d, unsigned indent,
			   struct diff_style st)
{
	size_t hidden;

	if (d->nchildren == 0 && d->nblocks == 0) {
		buf_puts(b, "{}");
		diff_put_replace(b, d->replace, st);
		return;
	}
	buf_putc(b, '{');
	diff_put_replace(b, d->replace, st);
	buf_putc(b, '\n');
	hidden = diff_put_members(b, d, indent, st, diff_style_within(st));
	if (hidden)
		diff_put_hidden(b, indent + 1, "attribute", hidden, st);
	hidden = 0;
	for (size_t i = 0; i < d->nblocks; i++)
		hidden += put_block_group(b, d, &d->blocks[i], indent, st);
	if (hidden) {
		buf_putc(b, '\n');
		diff_put_hidden(b, indent + 1, "block", hidden, st);
	}
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_putc(b, '}');
}

static void diff_put_sensitive_block(struct buf *b, const struct diff *d,
				     unsigned indent, struct diff_style st)
{
	buf_putc(b, '{');
	diff_put_replace(b, d->replace, st);
	buf_putc(b, '\n');
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_puts(
		b,
		"  # At least one attribute in this block is (or was) sensitive,\n");
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_puts(b, "  # so its contents will not be displayed.\n");
	diff_put_lead(b, indent, DIFF_NOOP, st);
	buf_putc(b, '}');
}
