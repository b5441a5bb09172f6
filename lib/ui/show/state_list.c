/* state_list.c - see show_int.h */
#include <stdlib.h>

#include "ui/show/show_int.h"

static const struct state_instance none = { .key = KEY_ABSENT };

static int in_order(const void *x, const void *y)
{
	const struct state_entry *a = x, *b = y;
	const struct state_instance *i = a->i ? a->i : &none;
	const struct state_instance *k = b->i ? b->i : &none;
	int c = module_addr_tree_cmp(a->r->module, b->r->module);

	if (!c) {
		struct instance_addr p = { a->r->module, a->r->addr, i->key };
		struct instance_addr q = { b->r->module, b->r->addr, k->key };

		c = instance_addr_cmp(&p, &q);
	}
	return c ? c : str_cmp(i->deposed, k->deposed);
}

void state_entries(struct arena *a, const struct state *st, bool empty,
		   struct state_entry_vec *out)
{
	for (size_t r = 0; r < st->resources.len; r++) {
		const struct state_resource *res = st->resources.items[r];

		for (size_t i = 0; i < res->instances.len; i++) {
			struct state_entry e = { res, res->instances.items[i] };

			vec_push(a, out, e);
		}
		if (empty && res->kept && !res->instances.len)
			vec_push(a, out, ((struct state_entry){ res, NULL }));
	}
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), in_order);
}
