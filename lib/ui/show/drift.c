/*
 * drift.c - changes made outside, as far as they matter to the plan
 *
 * Only attributes that the plan says were relevant to it are shown as changed
 * (`relevant_attributes`); the rest of an object is as it was.
 */
#include "ui/show/show_int.h"
#include "json/tree.h"

bool drift_relevant(struct arena *a, const struct shown *s,
		    const struct shown_change *c, struct diff_input *in)
{
	const struct json *all = s->relevant, **paths;

	in->partly = true;
	if (!all || all->kind != JSON_ARRAY)
		return false;
	paths = ARENA_ARRAY(a, const struct json *, all->len);
	for (uint32_t i = 0; i < all->len; i++) {
		const struct json *path = json_get(&all->items[i], "attribute");

		if (path && path->kind == JSON_ARRAY &&
		    str_eq(json_get_str(&all->items[i], "resource"),
			   c->address))
			paths[in->relevant.n++] = path;
	}
	in->relevant.paths = paths;
	return in->relevant.n > 0;
}
