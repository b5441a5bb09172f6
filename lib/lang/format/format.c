/*
 * format.c - canonical layout; see format.h
 *
 * A line is cut into cells: what comes first, an assignment (from "=" on, if
 * its brackets balance), a comment at the end.  Lines are indented by counting
 * brackets; assignments of neighbouring lines are aligned, then comments.
 * Lines are held back only as long as a neighbour may still move their cells.
 */
#include "lang/format/format_int.h"
#include "lang/syntax/lexer.h"
#include "lang/syntax/syntax_int.h"

enum { NONE = UINT32_MAX };

struct fmt_line {                             /* indexes of tokens */
	uint32_t start, assign, comment, end; /* assign, comment: or NONE */
};

struct formatter {
	struct arena scratch;
	struct str text;
	struct lexer lx;
	uint32_t lexed; /* end of the last token */
	struct fmt_edits edits;
	size_t edit;              /* the next */
	struct fmt_tokens tokens; /* of the lines held back */
	VEC(struct fmt_line) lines;
	uint32_t line_start;   /* of the line being read */
	VEC(uint32_t) indents; /* brackets opened at each level */
	struct buf *out;
};

/* --- tokens --- */

static struct fmt_token next_token(struct formatter *f)
{
	struct fmt_token ft = { 0 };
	struct span inside;
	struct token t;

	lexer_next(&f->lx, &t);
	ft.p = f->text.p + t.span.start;
	ft.n = t.span.end - t.span.start;
	ft.spaces = t.span.start - f->lexed;
	ft.first = ft.last = (uint8_t)t.type;
	f->lexed = t.span.end;
	if (t.type == T_OQUOTE && lexer_plain_string(&f->lx, &inside)) {
		ft.last = T_CQUOTE;
		f->lexed = inside.end + 1;
		ft.n = f->lexed - t.span.start;
	}
	return ft;
}

/* --- lines --- */

static void cut_line(struct formatter *f, struct fmt_line *l)
{
	const struct fmt_token *t = f->tokens.items;
	uint32_t end = l->end;
	int nesting = 0;

	l->assign = l->comment = NONE;
	if (end - l->start > 1 && t[end - 1].first == T_COMMENT)
		l->comment = --end;
	for (uint32_t i = l->start + 1; i < end; i++) {
		if (t[i].first != T_EQUAL)
			continue;
		for (uint32_t k = i; k < end; k++)
			nesting += format_nesting(&t[k]);
		if (nesting == 0)
			l->assign = i;
		break;
	}
}

static uint32_t lead_end(const struct fmt_line *l)
{
	return l->assign != NONE    ? l->assign
	       : l->comment != NONE ? l->comment
				    : l->end;
}

static uint32_t assign_end(const struct fmt_line *l)
{
	return l->comment != NONE ? l->comment : l->end;
}

/* Takes `closed` brackets off the levels. */
static void close_levels(struct formatter *f, uint32_t closed)
{
	while (closed && f->indents.len) {
		uint32_t *top = &f->indents.items[f->indents.len - 1];

		if (closed < *top) {
			*top -= closed;
			return;
		}
		closed -= *top;
		f->indents.len--;
	}
}

static void indent_line(struct formatter *f, const struct fmt_line *l)
{
	struct fmt_token *t = f->tokens.items;
	long nesting = 0;

	if (t[l->start].first == T_NEWLINE) {
		t[l->start].spaces = 0;
		return;
	}
	for (uint32_t i = l->start; i < lead_end(l); i++) {
		nesting += format_nesting(&t[i]);
		if (t[i].first == T_OHEREDOC)
			break;
	}
	for (uint32_t i = l->assign; l->assign != NONE && i < assign_end(l);
	     i++)
		nesting += format_nesting(&t[i]);
	if (nesting < 0)
		close_levels(f, (uint32_t)-nesting);
	t[l->start].spaces = 2 * (uint32_t)f->indents.len;
	if (nesting > 0)
		vec_push(&f->scratch, &f->indents, (uint32_t)nesting);
}

static void space_cell(struct fmt_token *t, uint32_t from, uint32_t to)
{
	for (uint32_t i = from; i + 1 < to; i++)
		t[i + 1].spaces =
			format_space_after(i > from ? (enum tok)t[i - 1].last
						    : T_EOF,
					   &t[i], &t[i + 1]);
}

/* --- alignment --- */

static uint32_t columns(const struct fmt_token *t, uint32_t from, uint32_t to)
{
	uint32_t n = 0;

	for (uint32_t i = from; i < to; i++)
		n += t[i].spaces +
		     (uint32_t)text_columns((struct str){ t[i].p, t[i].n });
	return n;
}

static uint32_t cell_of(const struct fmt_line *l, bool comments)
{
	return comments ? l->comment : l->assign;
}

/* Aligns one kind of cell in each run of lines that have it. */
static void align(struct formatter *f, bool comments)
{
	struct fmt_token *t = f->tokens.items;
	const struct fmt_line *l = f->lines.items, *end = l + f->lines.len;

	while (l < end) {
		const struct fmt_line *run = l;
		uint32_t most = 0, n;

		for (; l < end && cell_of(l, comments) != NONE; l++) {
			n = columns(t, l->start, cell_of(l, comments));
			t[cell_of(l, comments)].spaces = n;
			if (n > most)
				most = n;
		}
		for (; run < l; run++) {
			n = t[cell_of(run, comments)].spaces;
			t[cell_of(run, comments)].spaces = most - n + 1;
		}
		while (l < end && cell_of(l, comments) == NONE)
			l++;
	}
}

static void write_token(struct buf *out, const struct fmt_token *t)
{
	buf_grow(out, t->spaces + (size_t)t->n);
	memset(out->p + out->len, ' ', t->spaces);
	out->len += t->spaces;
	if (t->n)
		memcpy(out->p + out->len, t->p, t->n);
	out->len += t->n;
	out->p[out->len] = '\0';
}

static void flush_lines(struct formatter *f)
{
	if (f->lines.len) {
		align(f, false);
		align(f, true);
	}
	for (size_t i = 0; i < f->tokens.len; i++)
		write_token(f->out, &f->tokens.items[i]);
	f->tokens.len = f->lines.len = 0;
	f->line_start = 0;
}

/* The tokens since line_start are a line. */
static void end_line(struct formatter *f)
{
	struct fmt_line l = { .start = f->line_start,
			      .end = (uint32_t)f->tokens.len };

	if (l.start == l.end)
		return;
	cut_line(f, &l);
	indent_line(f, &l);
	space_cell(f->tokens.items, l.start, lead_end(&l));
	if (l.assign != NONE)
		space_cell(f->tokens.items, l.assign, assign_end(&l));
	vec_push(&f->scratch, &f->lines, l);
	f->line_start = l.end;
	if (l.assign == NONE && l.comment == NONE)
		flush_lines(f);
}

/* --- the whole --- */

static bool ends_line(const struct fmt_token *t)
{
	return t->first == T_NEWLINE ||
	       (t->first == T_COMMENT && t->p[t->n - 1] == '\n');
}

static void add(struct formatter *f, struct fmt_token t)
{
	vec_push(&f->scratch, &f->tokens, t);
	if (ends_line(&t))
		end_line(f);
}

/* Reads the tokens of an edit, the first of which is t. */
static void apply_edit(struct formatter *f, const struct fmt_edit *e,
		       struct fmt_token t)
{
	struct fmt_tokens old = { 0 }, new = { 0 };

	vec_push(&f->scratch, &old, t);
	while (f->lexed < e->span.end) {
		t = next_token(f);
		vec_push(&f->scratch, &old, t);
	}
	if (e->kind == EDIT_UNWRAP) {
		if (!format_unwrap(&f->scratch, old.items, old.len, &new))
			new = old;
		for (size_t i = 0; i < new.len; i++)
			add(f, new.items[i]);
	}
	for (size_t i = 0; i < e->ntokens; i++)
		add(f, e->tokens[i]);
}

static void format_tokens(struct formatter *f)
{
	for (;;) {
		struct fmt_token t = next_token(f);
		const struct fmt_edit *e = f->edit < f->edits.len
						   ? &f->edits.items[f->edit]
						   : NULL;

		if (t.first == T_EOF) {
			end_line(f);
			flush_lines(f);
			write_token(f->out, &t); /* spaces at the very end */
			return;
		}
		if (e && f->lexed > e->span.start) {
			apply_edit(f, e, t);
			f->edit++;
		} else {
			add(f, t);
		}
	}
}

int format_source(const struct source *src, struct buf *out, struct diags *ds)
{
	struct formatter f = { .scratch = ARENA_INIT,
			       .text = src->text,
			       .out = out };
	size_t before = ds->errors;
	const struct body *b = parse_native(&f.scratch, src, ds);

	if (ds->errors == before) {
		format_edits(&f.scratch, b, &f.edits);
		lexer_init(&f.lx, &f.scratch, src->text, source_whole(src),
			   LEX_MAIN);
		buf_grow(out, src->text.n + src->text.n / 8);
		format_tokens(&f);
	}
	arena_release(&f.scratch);
	return ds->errors > before ? -1 : 0;
}
