/*
 * flat.c - a line for each attribute that changes: flat and tsv
 *
 * Both have the same lines.  What is not an attribute of the object has a name
 * in parentheses, which no attribute has: (action), (address) where it moved
 * from, (import), (reason).  Drift has (drift) before the name.
 */
#include "json/read.h"
#include "ui/show/form/form_int.h"

struct line_writer {
	struct view *v;
	const struct shown *s;
	struct arena scratch;
	struct buf b;
	bool tsv;
	const struct form_entry *e;
	struct str name; /* of e */
};

/* path: may be empty, for an output. */
static void put(struct line_writer *l, struct str path, struct str was,
		struct str is)
{
	const bool drift = l->e->kind == ENTRY_DRIFT;
	struct buf *b = &l->b;

	buf_str(b, l->name);
	if (l->tsv)
		buf_putc(b, '\t');
	else if (drift || (path.n && path.p[0] != '['))
		buf_putc(b, '.');
	if (drift)
		buf_puts(b,
			 path.n && path.p[0] != '[' ? "(drift)." : "(drift)");
	/* Its words need no more: names are checked or quoted. */
	buf_str(b, path);
	buf_puts(b, l->tsv ? "\t" : ": ");
	buf_str(b, was);
	buf_puts(b, l->tsv ? "\t" : " -> ");
	buf_str(b, is);
	buf_putc(b, '\n');
}

static struct str quoted(struct line_writer *l, struct str text)
{
	struct buf b = BUF_INIT;

	json_quote(&b, text);
	return buf_take(&l->scratch, &b);
}

/* What is said of the object itself. */
static void put_object(struct line_writer *l)
{
	const struct shown_change *c = &l->e->change;

	put(l, STR("(action)"), STR("absent"), form_entry_action(l->e));
	if (c->reason.n)
		put(l, STR("(reason)"), STR("absent"), quoted(l, c->reason));
	if (c->moved)
		put(l, STR("(address)"), quoted(l, c->previous_address),
		    quoted(l, c->address));
	if (c->importing)
		put(l, STR("(import)"), STR("absent"),
		    quoted(l, json_slice_str(&l->scratch,
					     json_slice_get(c->json.importing,
							    "id"))));
}

static void put_entry(struct line_writer *l, const struct form_entry *e)
{
	struct leaf_vec leaves = { 0 };

	l->e = e;
	l->name = form_entry_name(&l->scratch, e);
	put_object(l);
	leaf_list(&l->scratch, form_entry_diff(&l->scratch, l->s, e),
		  l->v->show_sensitive, &leaves);
	for (size_t i = 0; i < leaves.len; i++)
		put(l, leaves.items[i].path, leaves.items[i].was,
		    leaves.items[i].is);
	out_str(l->v->out, buf_view(&l->b));
	buf_set_len(&l->b, 0);
	arena_reset(&l->scratch);
}

static void put_all(struct view *v, struct shown *s, bool tsv)
{
	struct arena a = ARENA_INIT;
	struct entries all;
	struct line_writer l = { .v = v, .s = s, .tsv = tsv };

	entries_read(&a, s, &v->display, &all);
	if (tsv)
		out_str(v->out, STR("address\tattribute\told\tnew\n"));
	for (size_t i = 0; i < all.drift.len; i++)
		put_entry(&l, &all.drift.items[i]);
	for (size_t i = 0; i < all.changes.len; i++)
		put_entry(&l, &all.changes.items[i]);
	for (size_t i = 0; i < all.outputs.len; i++)
		put_entry(&l, &all.outputs.items[i]);
	buf_release(&l.b);
	arena_release(&l.scratch);
	arena_release(&a);
}

static int flat_put(struct view *v, struct shown *s, size_t max_size,
		    struct diags *ds)
{
	(void)max_size;
	(void)ds;
	put_all(v, s, false);
	return 0;
}

static int tsv_put(struct view *v, struct shown *s, size_t max_size,
		   struct diags *ds)
{
	(void)max_size;
	(void)ds;
	put_all(v, s, true);
	return 0;
}

const struct plan_form form_flat = { .name = "flat",
				     .alone = true,
				     .put = flat_put };
const struct plan_form form_tsv = { .name = "tsv",
				    .alone = true,
				    .put = tsv_put };
