/* diff_text_block.c - rendering the differences of blocks */
#include "ui/diff/diff.h"
#include "ui/diff/diff_int.h"
#include "value/string.h"

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

void diff_put_block(struct buf *b, const struct diff *d, unsigned indent,
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

void diff_put_sensitive_block(struct buf *b, const struct diff *d,
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
