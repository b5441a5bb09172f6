/*
 * late.c - what is destroyed late: when all is done that needs it
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

static struct family *seen(struct agb *b, const struct family *user,
			   struct str address)
{
	struct family *f = map_get(&b->families, address);

	return f ? agb_seen_from(b, user, f) : NULL;
}

void agb_each_dependency(struct agb *b, const struct family *user,
			 struct dependencies on, agb_family_fn *visit,
			 void *data)
{
	for (size_t i = 0; i < on.len; i++) {
		const struct str_vec *now = map_get(&b->moved, on.items[i]);
		struct family *f = seen(b, user, on.items[i]);

		if (f)
			visit(data, f);
		for (size_t k = 0; now && k < now->len; k++) {
			f = seen(b, user, now->items[k]);
			/* It may have moved in other instances alone. */
			if (f && str_vec_has(&f->came_from, on.items[i]))
				visit(data, f);
		}
	}
}

static void note_move(struct agb *b, const struct change *c)
{
	const struct family_vec *all;
	struct str from, to;
	struct map_entry *e;

	if (!c->prev_addr.resource.type.n ||
	    instance_addr_equal(&c->addr, &c->prev_addr))
		return;
	from = agb_config_family(b, &c->prev_addr)->address;
	to = agb_config_family(b, &c->addr)->address;
	if (str_eq(from, to))
		return;
	e = map_slot(b->a, &b->moved, from);
	if (!e->value) {
		e->key = from;
		e->value = ARENA_NEW(b->a, struct str_vec);
	}
	if (!str_vec_has(e->value, to))
		vec_push(b->a, (struct str_vec *)e->value, to);
	all = agb_families(b, &c->addr);
	for (size_t i = 0; i < all->len; i++)
		if (!str_vec_has(&all->items[i]->came_from, from))
			vec_push(b->a, &all->items[i]->came_from, from);
}

struct forced {
	struct agb *b;
	VEC(struct family *) found; /* late, their dependencies not yet */
};

static void force(void *data, struct family *f)
{
	struct forced *fs = data;

	if (f->late)
		return;
	f->late = true;
	if (f->gone.len)
		vec_push(&fs->b->scratch, &fs->found, f);
}

static void force_dependencies(struct forced *fs, const struct change *c,
			       const struct state_instance *si)
{
	agb_each_dependency(fs->b, agb_local_family(fs->b, &c->addr),
			    dependencies_of(si), force, fs);
}

static bool destroys(const struct change *c)
{
	return c->action == ACTION_DELETE || action_replaces(c->action);
}

/* The families that may have to go late, and those that are made again. */
static void note_families(struct agb *b, struct change *c)
{
	bool remade = c->action == ACTION_DELETE_CREATE &&
		      (b->yields & ORDER_LATE_YIELDS);
	const struct family_vec *all;

	if (c->action != ACTION_DELETE && !remade)
		return;
	all = agb_families(b, &c->addr);
	for (size_t i = 0; i < all->len; i++) {
		all->items[i]->remade |= remade;
		if (!remade)
			vec_push(b->a, &all->items[i]->gone, c);
	}
}

/* What goes late for the sake of another may have depended on what that, made
 * again since, did not. */
void agb_note_late(struct agb *b, const struct change_vec *changes)
{
	struct forced fs = { .b = b };

	for (size_t i = 0; i < changes->len; i++) {
		note_move(b, changes->items[i]);
		note_families(b, changes->items[i]);
	}
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

bool agb_forced_late(struct agb *b, const struct change *c)
{
	const struct family_vec *all;

	if (c->action != ACTION_DELETE || !b->any_late)
		return false;
	all = agb_families(b, &c->addr);
	for (size_t i = 0; i < all->len; i++)
		if (all->items[i]->late)
			return true;
	return false;
}

static void look(void *data, struct family *f)
{
	bool *early = data;

	*early |= f->remade;
}

bool agb_goes_early(struct agb *b, uint32_t node, const struct change *c,
		    const struct state_instance *si)
{
	bool early = false;

	if ((b->yields & ORDER_LATE_YIELDS) && c->action == ACTION_DELETE &&
	    b->members[b->without_users[node]] > 1)
		agb_each_dependency(b, agb_local_family(b, &c->addr),
				    dependencies_of(si), look, &early);
	return early;
}
