/* registry_ahead.c - see modules_int.h */
#include "install/modules/modules_int.h"

struct asked {
	struct module_store *s;
	const struct registry_module *m;
	struct registry_question q;
};

static void on_versions(void *data, const struct fetch_answer *answer)
{
	struct asked *q = data;

	if (!answer->error.n && answer->status == 200)
		registry_take_versions(q->s, q->m, answer);
}

static void on_location(void *data, const struct fetch_answer *answer)
{
	struct asked *q = data;
	struct str why;

	if (!answer->error.n)
		registry_take_location(q->s, q->m, &q->q, answer, &why);
}

static struct asked *begin(struct module_store *s, struct registry_wish *w,
			   struct map *begun, struct str key)
{
	struct asked *q;

	if (map_get(begun, key))
		return NULL;
	q = ARENA_NEW(s->a, struct asked);
	*q = (struct asked){ .s = s, .m = &w->m };
	map_put(s->a, begun, key, q);
	return q;
}

static void ask_versions(struct module_store *s, struct registry_wish *w,
			 struct map *begun)
{
	struct asked *q;
	struct str why;

	if (w->m.version.n || map_get(&s->versions, w->m.package))
		return;
	q = begin(s, w, begun, w->m.package);
	if (q && !registry_ask_versions(s, q->m, &q->q, &why))
		registry_ask_start(s, &q->q, on_versions, q);
}

static void ask_location(struct module_store *s, struct registry_wish *w,
			 struct map *begun)
{
	struct diags quiet = DIAGS_INIT(s->a);
	struct asked *q;
	struct str why;

	if (!w->m.version.n && (!map_get(&s->versions, w->m.package) ||
				registry_choose(s, w->call, &w->m, &quiet)))
		return;
	if (registry_location(s, &w->m))
		return;
	q = begin(s, w, begun,
		  STR_CAT(s->a, w->m.package, STR(" "), w->m.version));
	if (q && !registry_ask_location(s, q->m, &q->q, &why))
		registry_ask_start(s, &q->q, on_location, q);
}

static void ask_all(struct module_store *s, struct registry_wishes *all)
{
	static void (*const steps[])(struct module_store *,
				     struct registry_wish *,
				     struct map *) = { ask_versions,
						       ask_location };

	for (size_t k = 0; k < sizeof(steps) / sizeof(*steps); k++) {
		struct map begun = { 0 };

		for (size_t i = 0; i < all->len; i++)
			steps[k](s, &all->items[i], &begun);
		if (begun.len && s->o.hosts->remote.fetch)
			fetch_run(s->o.hosts->remote.fetch);
	}
}

bool registry_coming(struct module_store *s, struct registry_wishes *all)
{
	bool any = false;

	if (all->len < 2 || vendor_place().n)
		return false;
	ask_all(s, all);
	for (size_t i = 0; i < all->len; i++) {
		const struct registry_wish *w = &all->items[i];
		const struct location *l = registry_location(s, &w->m);

		if (!l)
			continue;
		s->pinned = registry_release(s->a, &w->m);
		any |= l->direct ? registry_coming_direct(s, l, w->dir)
				 : module_store_coming(s, l->at.package,
						       STR_NONE, w->dir);
		s->pinned = STR_NONE;
	}
	return any;
}
