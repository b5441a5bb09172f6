/* moves.c - see plan_int.h: the statements, and what addresses they match */
#include "addr/target.h"
#include "engine/plan/plan_int.h"
#include "config/module.h"

/* --- matching --- */

static bool any_key(const struct move_endpoint *e, size_t i)
{
	return i < e->base ||
	       (e->whole && e->kind == MOVE_MODULE && i == e->nsteps - 1);
}

static bool step_matches(const struct move_endpoint *e, size_t i,
			 const struct module_step *s)
{
	return str_eq(e->steps[i].name, s->name) &&
	       (any_key(e, i) || inst_key_equal(e->steps[i].key, s->key));
}

static bool move_endpoint_selects(const struct move_endpoint *e,
				  struct module_addr m)
{
	if (m.len != e->nsteps)
		return false;
	for (size_t i = 0; i < m.len; i++)
		if (!step_matches(e, i, &m.steps[i]))
			return false;
	return true;
}

/* `at` with its first from->nsteps steps replaced by those of `to`; keys of
 * the base, and of a whole module call, stay. */
static struct module_addr substitute(struct arena *a, const struct move *m,
				     struct module_addr at)
{
	const struct move_endpoint *f = &m->from, *t = &m->to;
	size_t suffix = at.len - f->nsteps, n = t->nsteps + suffix;
	struct module_step *steps = ARENA_ARRAY(a, struct module_step, n);

	for (size_t i = 0; i < t->nsteps; i++) {
		steps[i] = t->steps[i];
		if (i < t->base)
			steps[i].key = at.steps[i].key;
	}
	if (t->whole && t->kind == MOVE_MODULE)
		steps[t->nsteps - 1].key = at.steps[f->nsteps - 1].key;
	for (size_t i = 0; i < suffix; i++)
		steps[t->nsteps + i] = at.steps[f->nsteps + i];
	return (struct module_addr){ steps, n };
}

bool move_module(struct arena *a, const struct move *m, struct module_addr at,
		 struct module_addr *out)
{
	if (m->from.kind != MOVE_MODULE || at.len < m->from.nsteps)
		return false;
	for (size_t i = 0; i < m->from.nsteps; i++)
		if (!step_matches(&m->from, i, &at.steps[i]))
			return false;
	*out = substitute(a, m, at);
	return true;
}

bool move_instance(struct arena *a, const struct move *m,
		   const struct instance_addr *at, bool whole,
		   struct instance_addr *out)
{
	const struct move_endpoint *f = &m->from;

	if (f->kind != MOVE_RESOURCE || f->whole != whole ||
	    !resource_addr_equal(f->resource, at->resource) ||
	    !move_endpoint_selects(f, at->module) ||
	    (!whole && !inst_key_equal(f->key, at->key)))
		return false;
	out->module = substitute(a, m, at->module);
	out->resource = m->to.resource;
	out->key = whole ? at->key : m->to.key;
	return true;
}

void move_endpoint_print(struct buf *b, const struct move_endpoint *e)
{
	for (size_t i = 0; i < e->nsteps; i++) {
		if (i)
			buf_putc(b, '.');
		buf_addf(b, "module.%.*s", STR_ARG(e->steps[i].name));
		if (any_key(e, i))
			buf_puts(b, "[*]");
		else
			inst_key_print(b, e->steps[i].key);
	}
	if (e->kind == MOVE_MODULE)
		return;
	if (e->nsteps)
		buf_putc(b, '.');
	resource_addr_print(b, e->resource);
	if (e->whole)
		buf_puts(b, "[*]");
	else
		inst_key_print(b, e->key);
}

/* --- statements of the configuration --- */

static struct module_addr module_base(struct arena *a,
				      const struct cfg_module *m)
{
	struct module_step *steps;
	size_t depth = 0, i;

	for (const struct cfg_module *c = m; c->parent; c = c->parent)
		depth++;
	steps = ARENA_ARRAY(a, struct module_step, depth);
	i = depth;
	for (const struct cfg_module *c = m; c->parent; c = c->parent)
		steps[--i].name = c->call->name;
	return (struct module_addr){ steps, depth };
}

static struct module_addr join(struct arena *a, struct module_addr base,
			       struct module_addr rel)
{
	struct module_step *steps =
		ARENA_ARRAY(a, struct module_step, base.len + rel.len);

	for (size_t i = 0; i < base.len; i++)
		steps[i] = base.steps[i];
	for (size_t i = 0; i < rel.len; i++)
		steps[base.len + i] = rel.steps[i];
	return (struct module_addr){ steps, base.len + rel.len };
}

static int read_target(struct arena *a, const struct traversal_ref *t,
		       struct target *out)
{
	struct diags ignored = DIAGS_INIT(a);
	struct str text = str_sub(t->src->text, t->span.start, t->span.end);

	return target_parse(a, text, "address", out, &ignored);
}

static bool has_key(const struct target *t)
{
	if (t->kind == TARGET_MODULE)
		return t->addr.module.steps[t->addr.module.len - 1].key.kind !=
		       KEY_NONE;
	return t->kind == TARGET_INSTANCE;
}

static void endpoint(struct arena *a, const struct target *t,
		     struct module_addr base, bool whole,
		     struct move_endpoint *out)
{
	struct module_addr all = join(a, base, t->addr.module);

	*out = (struct move_endpoint){
		.kind = t->kind == TARGET_MODULE ? MOVE_MODULE : MOVE_RESOURCE,
		.steps = all.steps,
		.nsteps = all.len,
		.base = base.len,
		.whole = whole,
		.resource = t->addr.resource,
		.key = t->addr.key,
	};
}

static void collect_moved(struct arena *a, const struct cfg_moved *c,
			  struct moves *m)
{
	struct module_addr base = module_base(a, c->module);
	struct move move = { .at = c->at };
	struct target from, to;
	bool whole;

	/* Parsing has reported invalid addresses. */
	if (read_target(a, &c->from, &from) || read_target(a, &c->to, &to) ||
	    (from.kind == TARGET_MODULE) != (to.kind == TARGET_MODULE))
		return;
	whole = !has_key(&from) && !has_key(&to);
	endpoint(a, &from, base, whole, &move.from);
	endpoint(a, &to, base, whole, &move.to);
	vec_push(a, &m->moves, move);
}

static void collect_removed(struct arena *a, const struct cfg_removed *c,
			    struct moves *m)
{
	struct removal r = { .destroy = c->destroy, .config = c };
	struct target t;

	if (read_target(a, &c->from, &t))
		return;
	r.from = t;
	r.from.addr.module = join(a, module_base(a, c->module), t.addr.module);
	vec_push(a, &m->removals, r);
}

/* --- implied statements --- */

static bool selects_resource(const struct move_endpoint *e,
			     const struct state_resource *r)
{
	return e->kind == MOVE_RESOURCE &&
	       resource_addr_equal(e->resource, r->addr) &&
	       move_endpoint_selects(e, r->module);
}

/* The ends of explicit statements, by the names of their modules, and by these
 * and their resource. */
struct mentions {
	struct arena *a;
	struct map modules, resources; /* -> struct endpoints * */
};
struct endpoints VEC_OF(const struct move_endpoint *);

static struct str names_of(struct arena *a, const struct module_step *steps,
			   size_t n, const struct resource_addr *r)
{
	struct buf b = BUF_INIT;

	module_addr_print_path(&b, (struct module_addr){ steps, n });
	if (r) {
		buf_putc(&b, ' ');
		resource_addr_print(&b, *r);
	}
	return buf_take(a, &b);
}

static void mention_in(struct arena *a, struct map *m, struct str name,
		       const struct move_endpoint *e)
{
	struct endpoints *all = map_get(m, name);

	if (!all) {
		all = ARENA_NEW(a, struct endpoints);
		map_put(a, m, name, all);
	}
	vec_push(a, all, e);
}

static void mention(struct mentions *x, const struct move_endpoint *e)
{
	mention_in(x->a, &x->modules, names_of(x->a, e->steps, e->nsteps, NULL),
		   e);
	if (e->kind == MOVE_RESOURCE)
		mention_in(x->a, &x->resources,
			   names_of(x->a, e->steps, e->nsteps, &e->resource),
			   e);
}

static bool mentioned(const struct mentions *x, const struct state_resource *r)
{
	const struct endpoints *all =
		map_get(&x->resources, names_of(x->a, r->module.steps,
						r->module.len, &r->addr));

	for (size_t i = 0; all && i < all->len; i++)
		if (selects_resource(all->items[i], r))
			return true;
	return false;
}

static bool module_mentioned(const struct mentions *x, struct module_addr at)
{
	const struct endpoints *all =
		map_get(&x->modules, names_of(x->a, at.steps, at.len, NULL));

	for (size_t i = 0; all && i < all->len; i++)
		if (move_endpoint_selects(all->items[i], at))
			return true;
	return false;
}

static const struct inst_key key_zero = { KEY_INT, 0, { NULL, 0 } };

static void imply(struct arena *a, struct moves *m, const struct target *from,
		  const struct target *to, struct range at)
{
	static const struct module_addr root = { NULL, 0 };
	struct move move = { .at = at, .implied = true };

	endpoint(a, from, root, false, &move.from);
	endpoint(a, to, root, false, &move.to);
	vec_push(a, &m->moves, move);
}

static void imply_resource(struct arena *a, const struct config *c,
			   const struct state_resource *sr, struct moves *m,
			   const struct mentions *explicit)
{
	const struct cfg_resource *r =
		config_resource_at(c, sr->module, &sr->addr);
	struct target from = { .kind = TARGET_INSTANCE }, to;
	struct range at;

	if (!r || r->for_each.root)
		return;
	from.addr = (struct instance_addr){ sr->module, sr->addr, KEY_ABSENT };
	to = from;
	at = r->at;
	if (r->count.root) {
		to.addr.key = key_zero;
		at = expression_range(r->count);
	} else {
		from.addr.key = key_zero;
	}
	if (state_instance(sr, from.addr.key) && !mentioned(explicit, sr))
		imply(a, m, &from, &to, at);
}

static void imply_module(struct arena *a, const struct config *c,
			 struct module_addr at, struct moves *m,
			 const struct mentions *explicit)
{
	const struct cfg_module *cm = config_module(c, at);
	const struct module_step *last = &at.steps[at.len - 1];
	struct target from = { .kind = TARGET_MODULE }, to;
	struct module_step *steps;
	struct inst_key key = KEY_ABSENT;
	struct range where;

	if (!cm || cm->call->for_each.root)
		return;
	where = cm->call->at;
	if (cm->call->count.root) {
		key = key_zero;
		where = expression_range(cm->call->count);
	}
	if ((last->key.kind != KEY_NONE &&
	     !inst_key_equal(last->key, key_zero)) ||
	    inst_key_equal(last->key, key) || module_mentioned(explicit, at))
		return;
	from.addr.module = at;
	steps = arena_dup(a, at.steps, at.len * sizeof(*steps));
	steps[at.len - 1].key = key;
	to = from;
	to.addr.module = (struct module_addr){ steps, at.len };
	imply(a, m, &from, &to, where);
}

static void collect_implied(struct arena *a, const struct config *c,
			    const struct state *s, struct moves *m)
{
	/* The given moves stay where they are when implied ones come after
	 * them. */
	const struct move *given = m->moves.items;
	const size_t ngiven = m->moves.len;
	struct mentions explicit = { .a = a };
	struct map seen = { 0 };

	for (size_t i = 0; i < ngiven; i++) {
		mention(&explicit, &given[i].from);
		mention(&explicit, &given[i].to);
	}
	for (size_t i = 0; i < s->resources.len; i++) {
		const struct state_resource *sr = s->resources.items[i];
		struct module_addr at = sr->module;
		struct buf b = BUF_INIT;
		bool new;

		module_addr_print(&b, at);
		new = at.len && !map_has(&seen, buf_view(&b));
		if (new)
			map_put(a, &seen, buf_dup(a, &b), &seen);
		buf_release(&b);
		if (new)
			imply_module(a, c, at, m, &explicit);
	}
	for (size_t i = 0; i < s->resources.len; i++)
		imply_resource(a, c, s->resources.items[i], m, &explicit);
}

int moves_collect(struct arena *a, const struct config *c,
		  const struct state *s, struct moves *m, struct diags *ds)
{
	(void)ds;
	for (size_t i = 0; i < c->modules.len; i++) {
		const struct cfg_module *cm = c->modules.entries[i].value;

		for (size_t k = 0; k < cm->moved.len; k++)
			collect_moved(a, &cm->moved.items[k], m);
		for (size_t k = 0; k < cm->removed.len; k++)
			collect_removed(a, &cm->removed.items[k], m);
	}
	collect_implied(a, c, s, m);
	return 0;
}

/* --- results --- */

static struct moved_instance *result(const struct moves *m,
				     const struct instance_addr *i)
{
	struct moved_instance *r;
	struct buf b = BUF_INIT;

	if (!m->results.len)
		return NULL;
	instance_addr_print(&b, i);
	r = map_get(&m->results, buf_view(&b));
	buf_release(&b);
	return r;
}

const struct instance_addr *moves_origin(const struct moves *m,
					 const struct instance_addr *i)
{
	const struct moved_instance *r = result(m, i);

	return r && !r->superseded ? &r->from : i;
}

bool moves_explicit(const struct moves *m, const struct instance_addr *i)
{
	const struct moved_instance *r = result(m, i);

	return r && !r->superseded && !r->implied;
}

/* Keys do not count: a removed block names objects of the configuration. */
static bool removal_covers(const struct target *t,
			   const struct instance_addr *i)
{
	const struct module_addr *m = &t->addr.module;

	if (i->module.len < m->len ||
	    (t->kind != TARGET_MODULE && i->module.len != m->len))
		return false;
	for (size_t k = 0; k < m->len; k++)
		if (!str_eq(m->steps[k].name, i->module.steps[k].name))
			return false;
	return t->kind == TARGET_MODULE ||
	       resource_addr_equal(t->addr.resource, i->resource);
}

const struct removal *moves_removal(const struct moves *m,
				    const struct instance_addr *i)
{
	const struct removal *found = NULL;

	for (size_t k = 0; k < m->removals.len; k++)
		if (removal_covers(&m->removals.items[k].from, i))
			found = &m->removals.items[k];
	return found;
}
