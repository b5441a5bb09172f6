/*
 * journal_unsettled.c - operations of earlier runs of which nobody knows how
 * they ended
 *
 * They stay in the journal, which is not removed then, whoever reads it and
 * writes the state, until they are settled: by an outcome for the same object,
 * or by who looked.  Neither tells how a creation ended: its object has an id
 * that no state has.
 */
#include "state/backend/backend.h"
#include "base/product.h"
#include "json/write.h"
#include "state/backend/backend_int.h"

static bool is_creation(const struct unsettled *u)
{
	return str_is(u->action, "create");
}

void journal_unsettled_add(struct backend *b, const struct unsettled *u)
{
	struct unsettled_vec *all = &b->journal.unsettled;

	for (size_t i = 0; i < all->len; i++)
		if (str_eq(all->items[i].address, u->address) &&
		    str_eq(all->items[i].deposed, u->deposed) &&
		    str_eq(all->items[i].action, u->action))
			return;
	vec_push(b->arena, all,
		 (struct unsettled){ str_dup(b->arena, u->address),
				     str_dup(b->arena, u->deposed),
				     str_dup(b->arena, u->action) });
}

/* Which of them: with NULL all that a refresh settles. */
static bool settles(const struct unsettled *u, const struct str *address,
		    const struct str *deposed, bool creations)
{
	return (creations || !is_creation(u)) &&
	       (!address || str_eq(u->address, *address)) &&
	       (!deposed || str_eq(u->deposed, *deposed));
}

size_t journal_unsettled_drop(struct backend *b, const struct str *address,
			      const struct str *deposed, bool creations)
{
	struct unsettled_vec *all = &b->journal.unsettled;
	const size_t before = all->len;

	all->len = 0;
	for (size_t i = 0; i < before; i++)
		if (!settles(&all->items[i], address, deposed, creations))
			all->items[all->len++] = all->items[i];
	return before - all->len;
}

void journal_put_unsettled(struct buf *out, struct backend *b)
{
	const struct unsettled_vec *all = &b->journal.unsettled;

	for (size_t i = 0; i < all->len; i++) {
		const size_t from = out->len;
		struct jw w = JW_INIT(out);

		jw_object(&w);
		jw_member_str(&w, "record", STR("unknown"));
		jw_member_str(&w, "address", all->items[i].address);
		if (all->items[i].deposed.n)
			jw_member_str(&w, "deposed", all->items[i].deposed);
		jw_member_str(&w, "action", all->items[i].action);
		journal_seal(&b->journal, out, from);
	}
}

int journal_settle(struct backend *b, const struct str *address, bool creations,
		   size_t *n)
{
	struct buf line = BUF_INIT;
	struct jw w = JW_INIT(&line);
	uint64_t before;
	int rc;

	*n = journal_unsettled_drop(b, address, NULL, creations);
	if (!*n)
		return 0;
	if (b->rows)
		return rows_settle(b, address, creations);
	if (journal_open(b))
		return -1;
	before = b->journal.n;
	jw_object(&w);
	jw_member_str(&w, "record", STR("settled"));
	if (address)
		jw_member_str(&w, "address", *address);
	jw_member_bool(&w, "creations", creations);
	journal_seal(&b->journal, &line, 0);
	rc = journal_append(b, buf_view(&line), before);
	buf_release(&line);
	return rc;
}

void journal_warn_unsettled(struct backend *b, struct diags *ds)
{
	const struct unsettled_vec *all = &b->journal.unsettled;

	for (size_t i = 0; i < all->len; i++) {
		const struct unsettled *u = &all->items[i];

		diag_warning(
			ds, NULL, "Operation of unknown outcome",
			"An earlier run was interrupted during the operation \"%.*s\" of "
			"%.*s%s%.*s. Whether it took effect is not known, and the state "
			"does not show it: look at the real object before going on, and "
			"%s\n\n"
			"This is told until \"%s state settle '%.*s'\" says that it is known, or %s the object.",
			STR_ARG(u->action), STR_ARG(u->address),
			u->deposed.n ? ", deposed object " : "",
			STR_ARG(u->deposed),
			is_creation(u) ? "import it if it was created."
				       : "refresh the state.",
			product_command(), STR_ARG(u->address),
			is_creation(u) ? "an import has brought"
				       : "an apply has refreshed");
		ds->items[ds->len - 1].address = str_dup(ds->arena, u->address);
	}
}
