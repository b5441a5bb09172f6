/*
 * markdown.c - a plan for a pull request: what GitHub and its like render
 *
 * Whatever comes from the plan stands in code: in a block or between backticks,
 * of which there are more than in the text, or within <code>, where each
 * character that could mean something is a reference.  So nothing ends it, and
 * neither mentions nor links are made of it.  The size is kept by leaving out
 * whole elements: of what destroys the lines come first, then their
 * differences, then all others.
 */
#include <stdlib.h>

#include "base/visible.h"
#include "ui/show/form/form_int.h"

enum { ROWS = 20, TAIL = 600, LEAST = 60 };

enum shown_level { LEFT_OUT, LINE, WHOLE };

struct element {
	const struct fold *fold; /* NULL: the outputs */
	unsigned rank;           /* RANKS and more: drift, outputs */
	enum shown_level level;
	struct str line, whole; /* as far as they were needed */
};
struct element_vec VEC_OF(struct element);

enum { RANK_DRIFT = RANKS, RANK_OUTPUTS, MD_RANKS };

struct page {
	struct view v; /* coloured, and without secrets */
	struct arena a;
	struct entries all;
	struct element_vec elements;
	size_t left; /* bytes */
};

/* --- what nothing gets out of --- */

/* In lines that begin with a tag of HTML: nothing in them is read as Markdown,
 * and within <code> there are no mentions. */
static void put_code(struct page *p, struct buf *b, struct str text)
{
	static const char plain[] = " .,:-_/()+=;\"";

	text = visible_word(&p->a, text);
	buf_puts(b, "<code>");
	for (size_t i = 0; i < text.n; i++) {
		const unsigned char c = (unsigned char)text.p[i];

		if (c >= 0x80 || (c >= '0' && c <= '9') ||
		    ((c | 32) >= 'a' && (c | 32) <= 'z') ||
		    memchr(plain, c, sizeof(plain) - 1))
			buf_putc(b, text.p[i]);
		else
			buf_addf(b, "&#%u;", c);
	}
	buf_puts(b, "</code>");
}

static size_t longest_run(struct str text)
{
	size_t longest = 0, run = 0;

	for (size_t i = 0; i < text.n; i++) {
		run = text.p[i] == '`' ? run + 1 : 0;
		if (run > longest)
			longest = run;
	}
	return longest;
}

/* In a row of a table, where code is between backticks, and a bar ends a cell
 * all the same. */
static void put_cell(struct page *p, struct buf *b, struct str text)
{
	const size_t fence = longest_run(text) + 1;

	text = visible_word(&p->a, text);
	for (size_t i = 0; i < fence; i++)
		buf_putc(b, '`');
	buf_puts(b, fence > 1 ? " " : "");
	for (size_t i = 0; i < text.n; i++) {
		if (text.p[i] == '|')
			buf_putc(b, '\\');
		buf_putc(b, text.p[i]);
	}
	buf_puts(b, fence > 1 ? " " : "");
	for (size_t i = 0; i < fence; i++)
		buf_putc(b, '`');
}

/* A line of a difference: its sign goes to the beginning, where colours are
 * taken from.  Values have no paint, so they cannot look like one. */
static void put_diff_line(struct buf *b, struct str line)
{
	const size_t begin = b->len;
	size_t i = 0;
	char paint = 0;

	while (i < line.n && line.p[i] == ' ')
		i++;
	/* mark, colour, sign, mark, colour; then a slash, if there are two */
	if (i && i + 5 < line.n && line.p[i] == PAINT_MARK &&
	    line.p[i + 3] == PAINT_MARK && line.p[i + 5] != '/')
		paint = line.p[i + 1];
	if (line.n && line.p[0] != ' ' && line.p[0] != PAINT_MARK)
		buf_putc(b, ' ');
	for (size_t k = 0; k < line.n; k++)
		if (line.p[k] == PAINT_MARK)
			k++;
		else
			buf_putc(b, line.p[k]);
	if (paint != 'g' && paint != 'r' && paint != 'y')
		return;
	b->p[begin + i] = ' ';
	b->p[begin] = paint == 'g' ? '+' : paint == 'r' ? '-' : '!';
}

static void put_fence(struct buf *b, size_t n, const char *what)
{
	while (n--)
		buf_putc(b, '`');
	buf_addf(b, "%s\n", what);
}

static void put_block(struct buf *b, struct str text)
{
	const size_t run = longest_run(text), fence = run < 3 ? 3 : run + 1;

	while (text.n && text.p[0] == '\n')
		text = str_sub(text, 1, text.n);
	put_fence(b, fence, "diff");
	while (text.n) {
		const ptrdiff_t nl = str_chr(text, '\n');
		const size_t n = nl < 0 ? text.n : (size_t)nl;

		put_diff_line(b, str_sub(text, 0, n));
		buf_putc(b, '\n');
		text = str_sub(text, nl < 0 ? n : n + 1, text.n);
	}
	put_fence(b, fence, "");
}

/* --- elements --- */

static void put_name(struct page *p, struct buf *b, const struct element *e)
{
	struct buf sign = BUF_INIT;

	if (!e->fold) {
		buf_addf(b, "%zu output%s", p->all.outputs.len,
			 p->all.outputs.len == 1 ? "" : "s");
		return;
	}
	diff_symbol(&sign, e->fold->members[0]->change.action, false);
	buf_putc(&sign, ' ');
	put_code(p, b,
		 STR_CAT(&p->a, str_trim(buf_view(&sign)), STR(" "),
			 e->fold->address));
	buf_release(&sign);
	if (!e->fold->said.n)
		return;
	buf_puts(b, ": ");
	put_code(p, b, e->fold->said);
}

static struct str line_of(struct page *p, const struct element *e)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "<p>");
	put_name(p, &b, e);
	buf_puts(&b, "</p>\n\n");
	return buf_take(&p->a, &b);
}

static struct str whole_of(struct page *p, const struct element *e)
{
	struct buf b = BUF_INIT, text = BUF_INIT;
	struct str out;

	if (e->fold)
		form_entry_text(&text, &p->v, p->all.shown,
				e->fold->members[0]);
	else
		for (size_t i = 0; i < p->all.outputs.len; i++)
			form_entry_text(&text, &p->v, p->all.shown,
					&p->all.outputs.items[i]);
	buf_puts(&b, "<details>\n<summary>");
	put_name(p, &b, e);
	buf_puts(&b, "</summary>\n\n");
	put_block(&b, buf_view(&text));
	buf_puts(&b, "\n</details>\n\n");
	out = buf_take(&p->a, &b);
	buf_release(&text);
	return out;
}

static void push_folds(struct page *p, const struct form_entry_vec *entries,
		       bool drift)
{
	struct fold_vec folds = { 0 };

	folds_of(&p->a, p->all.shown, entries, false, &folds);
	for (size_t i = 0; i < folds.len; i++)
		vec_push(&p->a, &p->elements,
			 (struct element){
				 .fold = &folds.items[i],
				 .rank = drift ? RANK_DRIFT
					       : form_entry_rank(
							 folds.items[i]
								 .members[0]),
			 });
}

static int in_order(const void *x, const void *y)
{
	const struct element *a = x, *b = y;

	if (a->rank != b->rank)
		return a->rank < b->rank ? -1 : 1;
	return a->fold < b->fold ? -1 : a->fold > b->fold; /* of one list */
}

/* --- what fits --- */

static void take(struct page *p, struct element *e, enum shown_level level)
{
	struct str *now = level == LINE ? &e->line : &e->whole;
	const size_t had = e->level == LINE ? e->line.n : 0;

	if (p->left + had < LEAST || e->level >= level)
		return;
	*now = level == LINE ? line_of(p, e) : whole_of(p, e);
	if (now->n > p->left + had)
		return;
	p->left = p->left + had - now->n;
	e->level = level;
}

/* Only what has its line is made larger, for the others are less than that. */
static void take_all(struct page *p, unsigned from, unsigned to)
{
	for (int level = LINE; level <= WHOLE; level++)
		for (size_t i = 0; i < p->elements.len; i++) {
			struct element *e = &p->elements.items[i];

			if (e->rank >= from && e->rank < to &&
			    (int)e->level + 1 == level)
				take(p, e, (enum shown_level)level);
		}
}

/* --- the page --- */

struct row {
	struct str place, type;
	bool data;
	size_t counts[RANKS];
};
struct row_vec VEC_OF(struct row);

static void table_rows(struct page *p, struct row_vec *rows)
{
	struct map by_name = { 0 };

	for (size_t i = 0; i < p->elements.len; i++) {
		const struct element *e = &p->elements.items[i];
		const struct shown_change *c;
		struct map_entry *at;

		if (e->rank >= RANKS)
			continue;
		c = &e->fold->members[0]->change;
		at = map_slot(&p->a, &by_name,
			      STR_CAT(&p->a, e->fold->place, STR("\n"), c->mode,
				      STR("\n"), c->type));
		if (!at->value) {
			vec_push(&p->a, rows,
				 (struct row){
					 .place = e->fold->place,
					 .type = c->type,
					 .data = str_is(c->mode, "data") });
			at->value = (void *)(uintptr_t)rows->len;
		}
		rows->items[(uintptr_t)at->value - 1].counts[e->rank] +=
			e->fold->n;
	}
}

static void put_counts(struct buf *b, const size_t counts[RANKS])
{
	static const unsigned columns[] = { RANK_CREATE, RANK_UPDATE,
					    RANK_REPLACE, RANK_DELETE };
	size_t others = 0;

	for (size_t i = 0; i < 4; i++) {
		if (counts[columns[i]])
			buf_addf(b, " %zu |", counts[columns[i]]);
		else
			buf_puts(b, " |");
	}
	others = counts[RANK_FORGET] + counts[RANK_READ] + counts[RANK_OTHER];
	if (others)
		buf_addf(b, " %zu |\n", others);
	else
		buf_puts(b, " |\n");
}

static void put_row(struct page *p, struct buf *b, const struct row *r)
{
	buf_puts(b, "| ");
	if (r->place.n)
		put_cell(p, b, r->place);
	else
		buf_puts(b, "root");
	buf_puts(b, r->data ? " | data " : " | ");
	put_cell(p, b, r->type);
	buf_puts(b, " |");
	put_counts(b, r->counts);
}

/* Rows as far as they fit into a quarter of the page, then one for the rest. */
static void put_table(struct page *p, struct buf *b)
{
	const size_t most = b->len + p->left / 4;
	struct row_vec rows = { 0 };
	size_t rest[RANKS] = { 0 }, left_out = 0;

	table_rows(p, &rows);
	if (!rows.len)
		return;
	buf_puts(
		b,
		"| Module | Type | Add | Change | Replace | Destroy | Other |\n"
		"| --- | --- | --: | --: | --: | --: | --: |\n");
	for (size_t i = 0; i < rows.len; i++) {
		const size_t before = b->len;

		if (!left_out && i < ROWS)
			put_row(p, b, &rows.items[i]);
		if (b->len > before && b->len <= most)
			continue;
		buf_set_len(b, before);
		left_out++;
		for (unsigned r = 0; r < RANKS; r++)
			rest[r] += rows.items[i].counts[r];
	}
	if (left_out) {
		buf_addf(b, "| | %zu more |", left_out);
		put_counts(b, rest);
	}
	buf_putc(b, '\n');
}

/* A note has an expression of somebody's, which may be long. */
static void put_notes(struct page *p, struct buf *b)
{
	for (size_t i = 0; i < p->all.notes.len; i++) {
		const size_t before = b->len;

		buf_puts(b, "<p>");
		put_code(p, b, p->all.notes.items[i]);
		buf_puts(b, "</p>\n\n");
		if (b->len < p->left / 4)
			continue;
		buf_set_len(b, before);
		buf_puts(b, "<p>This is a part of the plan.</p>\n\n");
		return;
	}
}

static void put_diags(struct page *p, struct buf *b)
{
	const struct shown_diag_vec *all = &p->all.diags;
	const size_t most = b->len + p->left / 8;
	size_t i;

	for (i = 0; i < all->len; i++) {
		const struct shown_diag *d = &all->items[i];
		const size_t before = b->len;

		buf_puts(b, d->diag.severity == SEV_ERROR ? "<p>Error: "
							  : "<p>Warning: ");
		put_code(p, b, d->diag.summary);
		if (d->more)
			buf_addf(b, " (and %zu alike)", d->more);
		buf_puts(b, "</p>\n\n");
		if (b->len > most) {
			buf_set_len(b, before);
			break;
		}
	}
	if (i < all->len)
		buf_addf(b, "<p>%zu more warnings or errors</p>\n\n",
			 all->len - i);
}

static void put_found(struct page *p, struct buf *b)
{
	struct buf found = BUF_INIT, text = BUF_INIT, block = BUF_INIT;
	size_t n = 0;

	plan_found_text(&found, p->all.shown, &p->all.drifted);
	form_visible(&text, buf_view(&found));
	for (size_t i = 0; i < found.len; i++)
		n += found.p[i] == '\n';
	if (n) {
		buf_puts(&block, "<details>\n<summary>Stored otherwise than "
				 "the state has it</summary>\n\n");
		put_block(&block, buf_view(&text));
		buf_puts(&block, "\n</details>\n\n");
	}
	if (block.len > p->left / 4) {
		buf_set_len(&block, 0);
		buf_addf(&block,
			 "<p>%zu stored otherwise than the state has "
			 "it</p>\n\n",
			 n);
	}
	p->left -= block.len;
	buf_str(b, buf_view(&block));
	buf_release(&found);
	buf_release(&text);
	buf_release(&block);
}

/* What was left out, by the action. */
static void put_left_out(struct page *p, struct buf *b, size_t max_size)
{
	size_t gone[MD_RANKS] = { 0 }, cut = 0, any = 0;
	size_t begin;

	for (size_t i = 0; i < p->elements.len; i++) {
		const struct element *e = &p->elements.items[i];
		const size_t n = e->fold ? e->fold->n : p->all.outputs.len;

		if (e->level == LEFT_OUT)
			gone[e->rank] += n, any += n;
		cut += e->level == LINE ? n : 0;
	}
	if (!any && !cut)
		return;
	buf_addf(b, "> **Left out**, to stay below %zu bytes: ", max_size);
	begin = b->len;
	if (any) {
		fold_ranks_text(b, gone);
		if (gone[RANK_DRIFT])
			buf_addf(b, "%s%zu changed outside",
				 b->len > begin ? ", " : "", gone[RANK_DRIFT]);
		if (gone[RANK_OUTPUTS])
			buf_addf(b, "%s%zu outputs", b->len > begin ? ", " : "",
				 gone[RANK_OUTPUTS]);
	}
	if (cut)
		buf_addf(b, "%sthe differences of %zu",
			 b->len > begin ? ", " : "", cut);
	buf_puts(b, "\n");
}

static void put_body(struct page *p, struct buf *b)
{
	for (size_t i = 0; i < p->elements.len; i++) {
		const struct element *e = &p->elements.items[i];

		if (e->rank == RANK_DRIFT && e->level != LEFT_OUT &&
		    (!i || e[-1].rank != RANK_DRIFT))
			buf_puts(b, "### Changed outside\n\n");
		if (e->level != LEFT_OUT)
			buf_str(b, e->level == LINE ? e->line : e->whole);
	}
}

static void put_page(struct page *p, struct buf *b, size_t max_size)
{
	push_folds(p, &p->all.changes, false);
	push_folds(p, &p->all.drift, true);
	if (p->all.outputs.len)
		vec_push(&p->a, &p->elements,
			 (struct element){ .rank = RANK_OUTPUTS });
	if (p->elements.len)
		qsort(p->elements.items, p->elements.len,
		      sizeof(*p->elements.items), in_order);
	p->left = max_size - TAIL;
	buf_puts(b, "### ");
	entries_headline(b, &p->all);
	buf_puts(b, "\n\n");
	put_notes(p, b);
	put_table(p, b);
	put_diags(p, b);
	p->left -= b->len;
	put_found(p, b);
	take_all(p, 0, RANK_FORGET + 1);
	take_all(p, RANK_OUTPUTS, MD_RANKS);
	take_all(p, 0, MD_RANKS);
	put_body(p, b);
	put_left_out(p, b, max_size);
}

static int markdown_put(struct view *v, struct shown *s, size_t max_size,
			struct diags *ds)
{
	struct page p = { .v = form_for_others(v), .a = ARENA_INIT };
	struct buf b = BUF_INIT;

	(void)ds;
	entries_read(&p.a, s, &v->display, &p.all);
	put_page(&p, &b, max_size ? max_size : FORM_MAX_SIZE);
	out_str(v->out, buf_view(&b));
	buf_release(&b);
	arena_release(&p.a);
	return 0;
}

const struct plan_form form_markdown = {
	.name = "md", .for_others = true, .alone = true, .put = markdown_put
};
