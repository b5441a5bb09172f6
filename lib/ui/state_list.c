/* state_list.c - see state_list.h */
#include "ui/state_list.h"

#include <stdlib.h>

static int in_order(const void *x, const void *y)
{
	const struct state_entry *a = x, *b = y;
	int c = module_addr_tree_cmp(a->r->module, b->r->module);

	if (!c) {
		struct instance_addr p = { a->r->module, a->r->addr,
					   a->i->key };
		struct instance_addr q = { b->r->module, b->r->addr,
					   b->i->key };

		c = instance_addr_cmp(&p, &q);
	}
	return c ? c : str_cmp(a->i->deposed, b->i->deposed);
}

void state_entries(struct arena *a, const struct state *st,
		   struct state_entry_vec *out)
{
	for (size_t r = 0; r < st->resources.len; r++) {
		const struct state_resource *res = st->resources.items[r];

		for (size_t i = 0; i < res->instances.len; i++) {
			struct state_entry e = { res,
						 res->instances.items[i] };

			vec_push(a, out, e);
		}
	}
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), in_order);
}
