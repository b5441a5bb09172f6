/* changes.c - the table of planned changes */
#include "engine/run/run.h"

static void key_of(struct buf *b, const struct instance_addr *i,
		   struct str deposed)
{
	instance_addr_print(b, i);
	if (deposed.n)
		buf_addf(b, " (deposed %.*s)", STR_ARG(deposed));
}

void run_change_add(struct run *r, struct change *c)
{
	struct buf b = BUF_INIT;

	key_of(&b, &c->addr, c->deposed);
	vec_push(r->arena, &r->changes, c);
	map_put(r->arena, &r->change_index, buf_dup(r->arena, &b), c);
	buf_release(&b);
}

struct change *run_change(const struct run *r, const struct instance_addr *i)
{
	struct buf b = BUF_INIT;
	struct change *c;

	key_of(&b, i, STR_NONE);
	c = map_get(&r->change_index, buf_view(&b));
	buf_release(&b);
	return c;
}
