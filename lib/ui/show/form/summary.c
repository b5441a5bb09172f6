/* summary.c - a plan in a screen: a line a change, like changes as one */
#include "base/visible.h"
#include "ui/show/form/form_int.h"

struct summary {
	struct view *v;
	struct arena a;
	struct entries all;
	struct buf b;
};

static void put_bold(struct summary *s, struct str text)
{
	const bool color = s->v->style.color;

	buf_addf(&s->b, "%s%.*s%s", color ? PAINT_BOLD : "", STR_ARG(text),
		 color ? PAINT_PLAIN : "");
}

/* "  ~ aws_x.a[0..9]: 10 alike; changes tags" */
static void put_line(struct summary *s, const struct fold *f)
{
	buf_puts(&s->b, "  ");
	diff_symbol(&s->b, f->members[0]->change.action, s->v->style.color);
	buf_addf(&s->b, " %.*s%s%.*s\n", STR_ARG(f->address),
		 f->said.n ? ": " : "", STR_ARG(f->said));
}

static bool same_type(const struct fold *x, const struct fold *y)
{
	const struct shown_change *a = &x->members[0]->change;
	const struct shown_change *b = &y->members[0]->change;

	return str_eq(x->place, y->place) && str_eq(a->mode, b->mode) &&
	       str_eq(a->type, b->type);
}

/* The head of a type: "aws_x: 3 to change, 1 to destroy". */
static void put_type_head(struct summary *s, const struct fold *f, size_t n)
{
	const struct shown_change *c = &f->members[0]->change;
	size_t counts[RANKS] = { 0 };

	for (size_t i = 0; i < n && same_type(f, &f[i]); i++)
		counts[form_entry_rank(f[i].members[0])] += f[i].n;
	buf_addf(&s->b, "  %s%.*s: ", str_is(c->mode, "data") ? "data " : "",
		 STR_ARG(visible_word(&s->a, c->type)));
	fold_ranks_text(&s->b, counts);
	buf_putc(&s->b, '\n');
}

static void put_changes(struct summary *s, const struct form_entry_vec *entries)
{
	struct fold_vec folds = { 0 };

	folds_of(&s->a, s->all.shown, entries, s->v->show_sensitive, &folds);
	for (size_t i = 0; i < folds.len; i++) {
		const struct fold *f = &folds.items[i];

		if (!i || !str_eq(f->place, f[-1].place)) {
			buf_putc(&s->b, '\n');
			put_bold(s, f->place.n ? f->place : STR("root module"));
			buf_putc(&s->b, '\n');
		}
		if (!i || !same_type(f, f - 1))
			put_type_head(s, f, folds.len - i);
		put_line(s, f);
	}
}

static void put_notes(struct summary *s)
{
	for (size_t i = 0; i < s->all.notes.len; i++) {
		visible_line(&s->b, s->all.notes.items[i]);
		buf_putc(&s->b, '\n');
	}
}

static void put_drift(struct summary *s)
{
	struct fold_vec folds = { 0 };

	folds_of(&s->a, s->all.shown, &s->all.drift, s->v->show_sensitive,
		 &folds);
	if (!folds.len)
		return;
	buf_putc(&s->b, '\n');
	put_bold(s, STR("Changed outside"));
	buf_putc(&s->b, '\n');
	for (size_t i = 0; i < folds.len; i++)
		put_line(s, &folds.items[i]);
}

static void put_outputs(struct summary *s)
{
	const struct form_entry_vec *all = &s->all.outputs;

	if (!all->len)
		return;
	buf_putc(&s->b, '\n');
	put_bold(s, STR("Outputs"));
	buf_putc(&s->b, '\n');
	for (size_t i = 0; i < all->len; i++) {
		buf_puts(&s->b, "  ");
		diff_symbol(&s->b, all->items[i].change.action,
			    s->v->style.color);
		buf_putc(&s->b, ' ');
		visible_line(&s->b, shown_change_output(&all->items[i].change));
		buf_putc(&s->b, '\n');
	}
}

static void put_found(struct summary *s)
{
	struct buf found = BUF_INIT;

	plan_found_text(&found, s->all.shown, &s->all.drifted);
	if (found.len) {
		buf_putc(&s->b, '\n');
		put_bold(s, STR("Stored otherwise than the state has it"));
		buf_putc(&s->b, '\n');
		buf_str(&s->b, buf_view(&found));
	}
	buf_release(&found);
}

static void put_diags(struct summary *s)
{
	for (size_t i = 0; i < s->all.diags.len; i++) {
		const struct shown_diag *d = &s->all.diags.items[i];
		const struct range *at = &d->diag.subject;

		if (!i)
			buf_putc(&s->b, '\n');
		buf_puts(&s->b, d->diag.severity == SEV_ERROR ? "Error: "
							      : "Warning: ");
		visible_line(&s->b, d->diag.summary);
		if (range_present(at)) {
			buf_puts(&s->b, " on ");
			visible_line(&s->b, at->file);
			buf_addf(&s->b, " line %u", at->start.line);
		}
		if (d->more)
			buf_addf(&s->b, " (and %zu alike)", d->more);
		buf_putc(&s->b, '\n');
	}
}

/* What -detailed-exitcode makes of the plan. */
static void put_status(struct summary *s)
{
	const struct shown *shown = s->all.shown;
	const bool failed = shown->info.failed || shown->errored;

	buf_addf(&s->b, "\nExit status with -detailed-exitcode: %s\n",
		 failed                   ? "1, planning failed"
		 : shown_applyable(shown) ? "2, there is something to apply"
					  : "0, there is nothing to apply");
}

static int summary_put(struct view *v, struct shown *shown, size_t max_size,
		       struct diags *ds)
{
	struct summary s = { .v = v, .a = ARENA_INIT, .b = BUF_INIT };
	struct buf head = BUF_INIT;

	(void)max_size;
	(void)ds;
	entries_read(&s.a, shown, &v->display, &s.all);
	entries_headline(&head, &s.all);
	put_bold(&s, buf_view(&head));
	buf_putc(&s.b, '\n');
	put_notes(&s);
	put_changes(&s, &s.all.changes);
	put_drift(&s);
	put_outputs(&s);
	put_found(&s);
	if (!v->diags_apart)
		put_diags(&s);
	put_status(&s);
	out_str(v->out, buf_view(&s.b));
	buf_release(&head);
	buf_release(&s.b);
	arena_release(&s.a);
	return 0;
}

const struct plan_form form_summary = { .name = "summary", .put = summary_put };
