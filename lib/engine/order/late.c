/*
 * late.c - objects destroyed late: when all that needs them is done
 *
 * destroying.md, Forced Create Before Destroy: what an object with
 * create_before_destroy depends on must be handled in the same manner.
 * Planning sees to that by the configuration.  Here it is the dependencies that
 * the state recorded, of which the configuration may know nothing any more.
 */
#include "engine/order/apply_graph_int.h"
#include "engine/order/family_int.h"
#include "engine/order/late_int.h"
#include "engine/order/planned_int.h"

bool agb_is_late(const struct change *c, const struct state_instance *si)
{
	return c->deposed.n || c->action == ACTION_CREATE_DELETE ||
	       (si && si->create_before_destroy);
}

void agb_each_dependency(struct agb *b, const struct family *user,
			 const struct family *was, struct dependencies on,
			 agb_family_fn *visit, void *data)
{
	for (size_t i = 0; i < on.len; i++) {
		struct family *f = map_get(&b->families, on.items[i]);
		struct family *before = NULL;

		if (f)
			f = agb_seen_from(b, user, f);
		if (was && b->places.len)
			before = agb_place_seen_from(b, was, on.items[i]);
		if (f)
			visit(data, f, false);
		if (before && before != f)
			visit(data, before, true);
	}
}

struct forced {
	struct agb *b;
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
		vec_push(&fs->b->scratch, &fs->found, f);
}

static void force_dependencies(struct forced *fs, const struct change *c,
			       const struct state_instance *si)
{
	struct family *local = agb_local_family(fs->b, &c->addr);

	agb_each_dependency(fs->b, local, agb_local_place(fs->b, c, local),
			    dependencies_of(si), force, fs);
}

static bool destroys(const struct change *c)
{
	return c->action == ACTION_DELETE || action_replaces(c->action);
}

static void note(struct agb *b, const struct family_vec *all, struct change *c,
		 bool remade)
{
	for (size_t i = 0; i < all->len; i++) {
		all->items[i]->remade |= remade;
		if (!remade)
			vec_push(b->a, &all->items[i]->gone, c);
	}
}

/* The families that may have to go late, and those that are made again. */
static void note_families(struct agb *b, struct change *c)
{
	bool remade = c->action == ACTION_DELETE_CREATE &&
		      (b->yields & ORDER_LATE_YIELDS);

	if (c->action != ACTION_DELETE && !remade)
		return;
	note(b, agb_families(b, &c->addr), c, remade);
	note(b, agb_places(b, c), c, remade);
}

/* An object that is destroyed late because of another may have depended on
 * objects on which the other, created again since, did not. */
void agb_note_late(struct agb *b, const struct change_vec *changes)
{
	struct forced fs = { .b = b };

	for (size_t i = 0; i < changes->len; i++)
		agb_note_move(b, changes->items[i]);
	for (size_t i = 0; i < changes->len; i++)
		note_families(b, changes->items[i]);
	for (size_t i = 0; i < changes->len; i++) {
		const struct change *c = changes->items[i];
		const struct state_instance *si =
			destroys(c) ? agb_prior(b, c) : NULL;

		if (!si || !agb_is_late(c, si))
			continue;
		b->any_late = true;
		force_dependencies(&fs, c, si);
	}
	while (fs.found.len) {
		const struct family *f = fs.found.items[--fs.found.len];

		for (size_t i = 0; i < f->gone.len; i++)
			force_dependencies(&fs, f->gone.items[i],
					   agb_prior(b, f->gone.items[i]));
	}
	arena_reset(&b->scratch);
}

static bool any_late(const struct family_vec *all)
{
	for (size_t i = 0; i < all->len; i++)
		if (all->items[i]->late)
			return true;
	return false;
}

bool agb_forced_late(struct agb *b, const struct change *c)
{
	return c->action == ACTION_DELETE && b->any_late &&
	       (any_late(agb_families(b, &c->addr)) ||
		any_late(agb_places(b, c)));
}

static void look(void *data, struct family *f, bool moved)
{
	bool *early = data;

	(void)moved;
	*early |= f->remade;
}

bool agb_goes_early(struct agb *b, uint32_t node, const struct change *c,
		    const struct state_instance *si)
{
	struct family *local;
	bool early = false;

	if (!(b->yields & ORDER_LATE_YIELDS) || c->action != ACTION_DELETE ||
	    b->members[b->without_users[node]] <= 1)
		return false;
	local = agb_local_family(b, &c->addr);
	agb_each_dependency(b, local, agb_local_place(b, c, local),
			    dependencies_of(si), look, &early);
	return early;
}
