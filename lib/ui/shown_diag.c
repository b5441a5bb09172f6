/*
 * shown_diag.c - lists of diagnostics: their order, and many as one
 */
#include <stdlib.h>

#include "ui/diag_text.h"
#include "base/diag.h"
#include "base/product.h"
#include "base/visible.h"

static size_t depth(struct str path)
{
	size_t n = 0;

	for (size_t i = 0; i < path.n; i++)
		n += path.p[i] == '/';
	return n;
}

static int compare_size(size_t a, size_t b)
{
	return a < b ? -1 : a > b;
}

static int compare_place(const struct range *a, const struct range *b)
{
	bool no_a = !range_present(a), no_b = !range_present(b);
	int c;

	if (no_a || no_b)
		return (int)no_b - (int)no_a;
	c = compare_size(depth(a->file), depth(b->file));
	if (!c)
		c = str_cmp(a->file, b->file);
	if (!c)
		c = compare_size(a->start.byte, b->start.byte);
	return c ? c : compare_size(a->end.byte, b->end.byte);
}

/* Orders warnings before errors, diagnostics without a place before those with
 * one, and less deeply nested files before others. */
static int in_order(const void *x, const void *y)
{
	const struct shown_diag *a = x, *b = y;
	int c = (a->diag.severity == SEV_ERROR) -
		(b->diag.severity == SEV_ERROR);

	if (!c)
		c = compare_place(&a->diag.subject, &b->diag.subject);
	return c ? c : compare_size(a->at, b->at);
}

void shown_diags_sort(struct arena *a, struct shown_diag_vec *ds)
{
	struct shown_diag_vec copy = { 0 };

	for (size_t i = 0; i < ds->len; i++) {
		struct shown_diag d = ds->items[i];

		d.at = i;
		vec_push(a, &copy, d);
	}
	if (copy.len)
		qsort(copy.items, copy.len, sizeof(*copy.items), in_order);
	*ds = copy;
}

void shown_diags_once(struct shown_diag_vec *ds)
{
	size_t n = 0;

	for (size_t i = 0; i < ds->len; i++)
		if (!ds->items[i].diag.again)
			ds->items[n++] = ds->items[i];
	ds->len = n;
}

/* Identifies what is deprecated, wherever and however it is used. */
static struct str deprecation_of(struct arena *a, const struct diag *d)
{
	return str_printf(a, "%s\n%.*s", diag_kind(d->code)->name,
			  STR_ARG(d->cause));
}

void shown_diags_deprecated(struct arena *a, struct str level,
			    struct shown_diag_vec *ds)
{
	bool none = str_is(level, "module:none");
	bool local = str_is(level, "module:local");
	struct map seen = { 0 };
	size_t n = 0;

	for (size_t i = 0; i < ds->len; i++) {
		const struct diag *d = &ds->items[i].diag;

		if (diag_kind(d->code)->deprecation &&
		    (none || (local && d->remote) ||
		     map_put(a, &seen, deprecation_of(a, d), &seen)))
			continue;
		ds->items[n++] = ds->items[i];
	}
	ds->len = n;
}

/* Returns the key that similar diagnostics share; STR_NONE: similar to no
 * other. */
static struct str group_of(struct arena *a, const struct diag *d)
{
	const struct diag_kind *kind = diag_kind(d->code);

	if (!range_present(&d->subject) || kind->check)
		return STR_NONE;
	return kind->deprecation ? deprecation_of(a, d) : d->summary;
}

void shown_diags_consolidate(struct arena *a, struct shown_diag_vec *ds,
			     enum severity severity)
{
	struct map first = { 0 }; /* group -> its index in ds, plus one */
	size_t n = 0;

	for (size_t i = 0; i < ds->len; i++) {
		struct shown_diag *d = &ds->items[i];
		struct str group = d->diag.severity == severity
					   ? group_of(a, &d->diag)
					   : STR_NONE;
		struct map_entry *e =
			group.p ? map_slot(a, &first, group) : NULL;

		if (e && e->value) {
			((struct shown_diag *)e->value)->more++;
			continue;
		}
		if (e)
			e->value = &ds->items[n];
		ds->items[n++] = *d;
	}
	ds->len = n;
}

void shown_diag_text(struct buf *out, const struct shown_diag *d,
		     struct text_style st)
{
	const char *kind = d->diag.severity == SEV_ERROR ? "error" : "warning";
	struct arena a = ARENA_INIT;
	struct diag told = d->diag;
	struct str tail = STR("");

	if (d->more == 1)
		tail = str_printf(&a, "(and one more similar %s elsewhere)",
				  kind);
	else if (d->more)
		tail = str_printf(&a, "(and %zu more similar %ss elsewhere)",
				  d->more, kind);
	if (tail.n)
		told.detail =
			str_printf(&a, "%.*s%s%.*s", STR_ARG(told.detail),
				   told.detail.n ? "\n\n" : "", STR_ARG(tail));
	diag_text(out, &told, d->has_snippet ? &d->snippet : NULL, st);
	if (st.spaced)
		buf_putc(out, '\n');
	arena_release(&a);
}

void shown_diags_compact(struct buf *out, const struct shown_diag_vec *ds,
			 struct text_style st)
{
	buf_addf(out, "\n%sWarnings:%s\n\n",
		 st.color ? PAINT_BOLD PAINT_YELLOW : "",
		 st.color ? PAINT_PLAIN : "");
	for (size_t i = 0; i < ds->len; i++) {
		const struct shown_diag *d = &ds->items[i];

		buf_addf(out, "- %.*s\n", STR_ARG(d->diag.summary));
		if (!range_present(&d->diag.subject))
			continue;
		buf_addf(out, "  on %.*s line %u",
			 STR_ARG(d->diag.subject.file),
			 d->diag.subject.start.line);
		if (d->more)
			buf_addf(out, " (and %zu more)", d->more);
		buf_putc(out, '\n');
	}
	buf_addf(
		out,
		"\nTo see the full warning notes, run %s without -compact-warnings.\n",
		product_name());
}
