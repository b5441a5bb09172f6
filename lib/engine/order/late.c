/*
 * late.c - objects destroyed late: when all that needs them is done
 *
 * destroying.md, Forced Create Before Destroy: what an object with
 * create_before_destroy depends on must be handled in the same manner.
 * Planning sees to that by the configuration.  Here it is the dependencies that
 * the state recorded, of which the configuration may know nothing any more.
 */
#include "engine/order/order_int.h"

bool order_is_late(const struct change *c, const struct state_instance *si)
{
	return c->deposed.n || c->action == ACTION_CREATE_DELETE ||
	       (si && si->create_before_destroy);
}

struct forced {
	struct ordering *o;
	VEC(struct family *) found; /* late, their dependencies not yet */
};

static void force(void *data, struct family *f, bool moved)
{
	struct forced *fs = data;

	(void)moved;
	if (f->late)
		return;
	f->late = true;
	if (f->gone.len)
		vec_push(&fs->o->scratch, &fs->found, f);
}

static void force_dependencies(struct forced *fs, const struct change *c,
			       const struct state_instance *si)
{
	struct family *local = order_local_family(fs->o, &c->addr);

	if (si)
		order_each_dependency(
			fs->o, local, order_previous_family(fs->o, c, local),
			(struct dependencies){ si->dependencies,
					       si->ndependencies },
			force, fs);
}

static void note_gone(struct ordering *o, const struct family_vec *all,
		      struct change *c)
{
	for (size_t i = 0; i < all->len; i++)
		vec_push(o->a, &all->items[i]->gone, c);
}

/* An object that is destroyed late because of another may have depended on
 * objects on which the other, created again since, did not. */
void order_note_late(struct ordering *o, const struct change_vec *changes)
{
	struct forced fs = { .o = o };

	for (size_t i = 0; i < changes->len; i++)
		order_note_move(o, changes->items[i]);
	for (size_t i = 0; i < changes->len; i++) {
		struct change *c = changes->items[i];

		if (c->action != ACTION_DELETE)
			continue;
		note_gone(o, order_families(o, &c->addr), c);
		note_gone(o, order_previous_families(o, c), c);
	}
	for (size_t i = 0; i < changes->len; i++) {
		const struct change *c = changes->items[i];
		bool destroys = c->action == ACTION_DELETE ||
				action_replaces(c->action);
		const struct state_instance *si =
			destroys ? order_prior(o, c) : NULL;

		if (!si || !order_is_late(c, si))
			continue;
		o->any_late = true;
		force_dependencies(&fs, c, si);
	}
	while (fs.found.len) {
		const struct family *f = fs.found.items[--fs.found.len];

		for (size_t i = 0; i < f->gone.len; i++)
			force_dependencies(&fs, f->gone.items[i],
					   order_prior(o, f->gone.items[i]));
	}
	arena_reset(&o->scratch);
}

static bool any_late(const struct family_vec *all)
{
	for (size_t i = 0; i < all->len; i++)
		if (all->items[i]->late)
			return true;
	return false;
}

bool order_forced_late(struct ordering *o, const struct change *c)
{
	return c->action == ACTION_DELETE && o->any_late &&
	       (any_late(order_families(o, &c->addr)) ||
		any_late(order_previous_families(o, c)));
}
