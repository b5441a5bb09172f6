/* records_prior.c - what refreshing and moving made of the previous state */
#include <stdlib.h>

#include "engine/plan/plan_int.h"
#include "json/write.h"
#include "state/file/file.h"
#include "stream/stream.h"
#include "value/marks.h"

struct prior_line {
	struct instance_addr addr;
	struct str deposed;
	const struct state_resource *resource;
	const struct state_instance *now; /* NULL: gone */
};

struct prior_lines {
	struct plan *p;
	struct map index; /* address and deposed key -> position + 1 */
	VEC(struct prior_line) all;
};

static void prior_add(struct prior_lines *x, const struct prior_line *l)
{
	struct arena *a = x->p->arena;
	struct str key = str_printf(a, "%.*s %.*s",
				    STR_ARG(instance_addr_text(a, &l->addr)),
				    STR_ARG(l->deposed));
	struct map_entry *e = map_slot(a, &x->index, key);

	if (e->value) {
		x->all.items[(uintptr_t)e->value - 1] = *l;
		return;
	}
	vec_push(a, &x->all, *l);
	e->value = (void *)(uintptr_t)x->all.len;
}

/* Objects that moved: gone from where they were, unless something else is
 * there now. */
static void prior_moves(struct prior_lines *x)
{
	const struct moves *m = &x->p->moves;
	const struct state *s = x->p->state;

	for (size_t i = 0; i < m->results.len; i++) {
		const struct moved_instance *r = m->results.entries[i].value;
		const struct state_resource *at =
			state_resource(s, r->to.module, &r->to.resource);
		const struct state_resource *was =
			state_resource(s, r->from.module, &r->from.resource);
		const struct state_instance *si;
		size_t next = 0;

		if (r->superseded)
			continue;
		while (at && (si = state_next_object(at, r->to.key, &next))) {
			struct prior_line to = { r->to, si->deposed, at, si };
			struct prior_line from = { r->from, si->deposed, at,
						   NULL };

			if (!was ||
			    !state_deposed(was, r->from.key, si->deposed))
				prior_add(x, &from);
			prior_add(x, &to);
		}
	}
}

static int line_order(const void *x, const void *y)
{
	const struct prior_line *a = x, *b = y;
	int c = instance_addr_cmp(&a->addr, &b->addr);

	return c ? c : str_cmp(a->deposed, b->deposed);
}

static void write_objects(struct stream_out *o, struct plan *p)
{
	struct prior_lines x = { .p = p };

	prior_moves(&x);
	for (size_t i = 0; i < p->prior.len; i++) {
		const struct prior_change *c = &p->prior.items[i];
		const struct state_instance *si = c->now ? c->now : c->old;
		struct prior_line l = {
			{ c->resource->module, c->resource->addr, si->key },
			si->deposed,
			c->resource,
			c->now,
		};

		prior_add(&x, &l);
	}
	if (x.all.len)
		qsort(x.all.items, x.all.len, sizeof(*x.all.items), line_order);
	for (size_t i = 0; i < x.all.len; i++) {
		const struct prior_line *l = &x.all.items[i];
		struct jw w;

		if (l->now) {
			state_instance_record(o, "prior_state", l->resource,
					      l->now);
			continue;
		}
		w = stream_record(o, "prior_state",
				  instance_addr_text(p->arena, &l->addr));
		if (l->deposed.n)
			jw_member_str(&w, "deposed", l->deposed);
		jw_member_bool(&w, "gone", true);
		stream_record_end(o, &w);
	}
}

static bool in_previous(const struct plan *p, struct str name)
{
	return state_output(p->state, name) != NULL;
}

/* Destroying looked first at what the outputs are now. */
static void write_refreshed_outputs(struct stream_out *o, struct plan *p)
{
	const struct state_output_list outs = state_outputs_sorted(p->state);

	for (size_t i = 0; i < outs.len; i++)
		state_output_record(o, "prior_output", &outs.items[i]);
	for (size_t i = 0; i < p->gone_outputs.len; i++) {
		const struct state_output gone = {
			.name = p->gone_outputs.items[i],
		};

		state_output_record(o, "prior_output", &gone);
	}
}

/* Outputs whose values are known already count as evaluated. */
static void write_outputs(struct stream_out *o, struct plan *p)
{
	if (p->mode == RUN_DESTROY) {
		write_refreshed_outputs(o, p);
		return;
	}
	for (size_t i = 0; i < p->outputs.len; i++) {
		struct state_output now;

		if (plan_output_now(p, &p->outputs.items[i], &now) &&
		    (now.value || in_previous(p, now.name)))
			state_output_record(o, "prior_output", &now);
	}
}

void plan_write_prior(struct stream_out *o, struct plan *p)
{
	write_objects(o, p);
	write_outputs(o, p);
}
