/* entries.c - what a plan says, object by object; see form_int.h */
#include <stdlib.h>

#include "addr/walk.h"
#include "base/visible.h"
#include "ui/show/form/form_int.h"

static void push(struct arena *a, struct form_entry_vec *to,
		 enum form_entry_kind kind, const struct shown_change *c)
{
	struct arena scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&scratch);
	struct form_entry e = { .kind = kind, .change = *c };

	e.addressed = kind != ENTRY_OUTPUT &&
		      (instance_addr_plain(c->address, &e.addr) ||
		       !instance_addr_parse(a, c->address, &e.addr, &quiet));
	vec_push(a, to, e);
	arena_release(&scratch);
}

static int in_order(const void *x, const void *y)
{
	const struct form_entry *a = x, *b = y;
	int c = (int)b->addressed - (int)a->addressed;

	if (!c && a->addressed)
		c = instance_addr_cmp(&a->addr, &b->addr);
	if (!c)
		c = str_cmp(a->change.address, b->change.address);
	return c ? c : str_cmp(a->change.deposed, b->change.deposed);
}

static void sort(struct form_entry_vec *v)
{
	if (v->len)
		qsort(v->items, v->len, sizeof(*v->items), in_order);
}

static void read_changes(struct arena *a, struct entries *out)
{
	const struct kept_change_vec *kept = &out->shown->changes;
	struct shown_change c;

	for (size_t i = 0; i < kept->len; i++) {
		const struct published *p = &kept->items[i].json;

		/* Most of a plan, often, and never shown. */
		if (str_is(p->actions, "[\"no-op\"]") &&
		    !p->previous_address.p && !p->importing.p)
			continue;
		shown_change_from(a, p, &c);
		if (plan_count(&out->counts, &c))
			push(a, &out->changes, ENTRY_CHANGE, &c);
	}
	sort(&out->changes);
}

/* Drift and outputs, of which the records do not say whether they are shown. */
static void read_lines(struct arena *a, const struct line_vec *lines,
		       enum form_entry_kind kind, struct entries *out)
{
	struct form_entry_vec *to =
		kind == ENTRY_DRIFT ? &out->drift : &out->outputs;
	struct arena scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(a);

	for (size_t i = 0; i < lines->len; i++) {
		struct form_entry e = { .kind = kind };
		const struct diff *d;

		if (shown_change_read(a, lines->items[i], &e.change, &quiet))
			continue;
		d = form_entry_diff(&scratch, out->shown, &e);
		if (d && kind == ENTRY_OUTPUT)
			e.change.action = d->action;
		if (d && (kind == ENTRY_DRIFT || d->action != DIFF_NOOP))
			push(a, to, kind, &e.change);
		arena_reset(&scratch);
	}
	arena_release(&scratch);
	sort(to);
}

static void read_notes(struct arena *a, struct entries *out)
{
	const struct shown *s = out->shown;
	struct str unread;

	for (size_t i = 0; i < s->parts.len; i++)
		vec_push(a, &out->notes, shown_part_said(a, s, i, "changes"));
	unread = plan_unread_said(a, s);
	if (unread.n)
		vec_push(a, &out->notes, unread);
}

void entries_read(struct arena *a, struct shown *s,
		  const struct diag_display *how, struct entries *out)
{
	*out = (struct entries){ .shown = s, .diags = s->diags };
	read_changes(a, out);
	read_notes(a, out);
	if (plan_tells_drift(s, &out->counts))
		read_lines(a, &s->drift, ENTRY_DRIFT, out);
	read_lines(a, &s->outputs, ENTRY_OUTPUT, out);
	for (size_t i = 0; i < out->drift.len; i++)
		map_put(a, &out->drifted, out->drift.items[i].change.address,
			out);
	if (!s->diags.len)
		return;
	shown_diags_sort(a, &out->diags);
	shown_diags_once(&out->diags);
	shown_diags_deprecated(a, how->deprecation, &out->diags);
	if (!how->each_warning)
		shown_diags_consolidate(a, &out->diags, SEV_WARNING);
}

const struct diff *form_entry_diff(struct arena *a, const struct shown *s,
				   const struct form_entry *e)
{
	struct diff_input in;

	if (e->kind == ENTRY_DRIFT)
		return plan_drift_diff(a, s, &e->change);
	in = shown_change_values(a, &e->change);
	return e->kind == ENTRY_OUTPUT
		       ? diff_json(a, &in)
		       : plan_resource_diff(a, s, &e->change, &in);
}

struct str form_entry_action(const struct form_entry *e)
{
	static const char *const words[] = {
		[DIFF_NOOP] = "no-op",
		[DIFF_CREATE] = "create",
		[DIFF_UPDATE] = "update",
		[DIFF_DELETE] = "delete",
		[DIFF_READ] = "read",
		[DIFF_REPLACE_DESTROY_FIRST] = "delete,create",
		[DIFF_REPLACE_CREATE_FIRST] = "create,delete",
		[DIFF_FORGET] = "forget",
		[DIFF_FORGET_CREATE] = "forget,create",
	};

	return str_c(words[e->change.action]);
}

struct str form_entry_name(struct arena *a, const struct form_entry *e)
{
	struct str name = visible_word(a, e->change.address);

	if (!e->change.deposed.n)
		return name;
	return str_printf(a, "%.*s (deposed object %.*s)", STR_ARG(name),
			  STR_ARG(visible_word(a, e->change.deposed)));
}

struct view form_for_others(const struct view *v)
{
	struct view out = *v;

	out.style.color = true;
	out.show_sensitive = false;
	return out;
}

void form_visible(struct buf *out, struct str text)
{
	while (text.n) {
		const ptrdiff_t mark = str_chr(text, PAINT_MARK);
		const size_t n = mark < 0 ? text.n : (size_t)mark;
		const size_t paint = n + 2 <= text.n ? 2 : text.n - n;

		visible_put(out, str_sub(text, 0, n), false);
		buf_str(out, str_sub(text, n, n + paint));
		text = str_sub(text, n + paint, text.n);
	}
}

static void put_output(struct buf *b, struct arena *a, const struct view *v,
		       const struct form_entry *e, const struct diff *d)
{
	const struct diff_style st = { .color = v->style.color,
				       .show_sensitive = v->show_sensitive };
	const struct str name =
		diff_escaped_name(a, shown_change_output(&e->change), false);

	diff_symbol(b, e->change.action, st.color);
	buf_putc(b, ' ');
	diff_name(b, name, name.n);
	diff_render(b, d, 0, st);
	buf_putc(b, '\n');
}

void form_entry_text(struct buf *out, const struct view *v,
		     const struct shown *s, const struct form_entry *e)
{
	struct arena a = ARENA_INIT;
	struct buf raw = BUF_INIT;
	const struct diff *d = form_entry_diff(&a, s, e);

	if (e->kind == ENTRY_OUTPUT)
		put_output(&raw, &a, v, e, d);
	else
		plan_resource_text(&raw, v, &e->change, &a, d,
				   e->kind == ENTRY_DRIFT);
	form_visible(out, buf_view(&raw));
	buf_release(&raw);
	arena_release(&a);
}

void entries_headline(struct buf *b, const struct entries *all)
{
	const struct shown *s = all->shown;

	if (s->errored || s->info.failed || s->plan->errored)
		buf_puts(b, "Planning failed. ");
	if (all->counts.shown || s->plan->errored)
		plan_counts_text(b, &all->counts);
	else if (s->parts.len)
		buf_puts(
			b,
			"None of the changes that are selected does anything.");
	else if (all->outputs.len)
		buf_puts(b, "No changes but of outputs.");
	else if (all->drift.len && shown_applyable(s))
		buf_puts(b, "No changes but what was changed outside.");
	else
		buf_puts(b, "No changes.");
}
