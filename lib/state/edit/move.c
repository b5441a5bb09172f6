/*
 * move.c - `state mv`: modules, resources and instances to other addresses
 *
 * A source without a key means the instance without a key if the resource has
 * one, else the whole resource.  Dependencies that named what was moved are
 * dropped: the next apply records them anew.
 */
#include <stdlib.h>

#include "state/edit/edit.h"
#include "addr/target.h"

#define BAD_SOURCE "Invalid source address"
#define BAD_TARGET "Invalid target address"
#define BAD_REQUEST "Invalid state move request"

struct state_move {
	struct arena *arena;
	struct state *from, *to;
	struct target source, dest;
	struct str dest_text;
	bool dry_run;
	struct state_moved_vec *out;
	struct diags *ds;
};

static struct str resource_text(struct arena *a, struct module_addr m,
				const struct resource_addr *r)
{
	struct buf b = BUF_INIT;

	state_resource_text(&b, m, r);
	return buf_take(a, &b);
}

static struct str target_text(struct arena *a, const struct target *t)
{
	struct buf b = BUF_INIT;

	target_print(&b, t);
	return buf_take(a, &b);
}

static void note(struct state_move *m, struct str from, struct str to)
{
	struct state_moved moved = { from, to };

	vec_push(m->arena, m->out, moved);
}

/* Drops the dependencies of those current instances that depend on what the
 * text (a resource without keys) or the keyless module names. */
static void drop_dependencies(struct state_move *m, struct str text,
			      bool module)
{
	struct str prefix =
		module ? str_printf(m->arena, "%.*s.", STR_ARG(text)) : text;

	for (size_t n = 0; n < m->to->resources.len; n++) {
		struct state_resource *r = m->to->resources.items[n];

		for (size_t k = 0; k < r->instances.len; k++) {
			struct state_instance *i = r->instances.items[k];
			bool hit = false;

			for (size_t d = 0; d < i->ndependencies; d++)
				hit |= module ? str_starts(i->dependencies[d],
							   prefix.p)
					      : str_eq(i->dependencies[d],
						       text);
			if (hit && !i->deposed.n)
				i->ndependencies = 0;
		}
	}
}

static void drop_resource_dependencies(struct state_move *m,
				       struct module_addr module,
				       const struct resource_addr *r)
{
	struct buf b = BUF_INIT;

	module_addr_print_path(&b, module);
	if (b.len)
		buf_putc(&b, '.');
	resource_addr_print(&b, *r);
	drop_dependencies(m, buf_dup(m->arena, &b), false);
	buf_release(&b);
}

static void drop_module_dependencies(struct state_move *m,
				     struct module_addr module)
{
	for (size_t n = 0; n < module.len; n++)
		if (module.steps[n].key.kind != KEY_NONE)
			return;
	drop_dependencies(m, module_addr_text(m->arena, module), true);
}

static int check_kinds(struct state_move *m, struct str from, struct str to,
		       const struct resource_addr *a,
		       const struct resource_addr *b)
{
	int rc = 0;

	if (a->mode != b->mode)
		rc = diag_error(
			m->ds, NULL, BAD_REQUEST,
			"Cannot move %.*s to %.*s: a %s resource can be "
			"moved only to another one.",
			STR_ARG(from), STR_ARG(to),
			resource_mode_name(a->mode));
	if (!str_eq(a->type, b->type))
		rc = diag_error(
			m->ds, NULL, BAD_REQUEST,
			"Cannot move %.*s to %.*s: resource types do not match.",
			STR_ARG(from), STR_ARG(to));
	return rc;
}

static int occupied(struct state_move *m, const char *what, struct str to)
{
	return diag_error(
		m->ds, NULL, BAD_TARGET,
		"Cannot move to %.*s: the state has a %s of that address already.",
		STR_ARG(to), what);
}

/* --- whole resources --- */

static int move_resource(struct state_move *m, struct state_resource *r)
{
	struct arena *a = m->arena;
	const struct instance_addr *to = &m->dest.addr;
	struct str from = resource_text(a, r->module, &r->addr);
	struct module_addr old_module = r->module;
	struct resource_addr old = r->addr;
	int rc;

	if (m->dest.kind != TARGET_RESOURCE)
		return diag_error(m->ds, NULL, BAD_TARGET,
				  "Cannot move %.*s to %.*s: the source is a "
				  "whole resource, so the target must be one "
				  "too.",
				  STR_ARG(from), STR_ARG(m->dest_text));
	rc = check_kinds(m, from, m->dest_text, &r->addr, &to->resource);
	if (state_resource(m->to, to->module, &to->resource))
		rc = occupied(m, "resource", m->dest_text);
	if (rc)
		return rc;
	note(m, from, target_text(a, &m->dest));
	if (m->dry_run)
		return 0;
	state_drop_resource(m->from, r);
	r->module = to->module;
	r->addr = to->resource;
	state_add_resource(m->to, r);
	drop_resource_dependencies(m, old_module, &old);
	return 0;
}

/* --- instances --- */

static void transfer(struct state_move *m, struct state_resource *from,
		     struct inst_key key, struct state_resource *to,
		     struct inst_key to_key)
{
	for (size_t n = from->instances.len; n-- > 0;) {
		struct state_instance *i = from->instances.items[n];

		if (!inst_key_equal(i->key, key))
			continue;
		state_remove(m->from, from, i->key, i->deposed);
		i->key = to_key;
		state_put(m->to, to, i);
	}
	if (!from->instances.len)
		state_drop_resource(m->from, from);
}

static int move_instance(struct state_move *m, struct state_resource *r,
			 struct inst_key key)
{
	const struct instance_addr *to = &m->dest.addr;
	struct inst_key to_key =
		m->dest.kind == TARGET_INSTANCE ? to->key : KEY_ABSENT;
	struct state_ref ref = { r, key };
	struct str from = state_ref_text(m->arena, &ref);
	struct module_addr old_module = r->module;
	struct resource_addr old = r->addr;
	struct state_resource *dest;
	struct provider_config_addr provider = r->provider;
	int rc;

	if (m->dest.kind == TARGET_MODULE)
		return diag_error(
			m->ds, NULL, BAD_TARGET,
			"Cannot move %.*s to %.*s: the target must also be a resource instance.",
			STR_ARG(from), STR_ARG(m->dest_text));
	rc = check_kinds(m, from, m->dest_text, &r->addr, &to->resource);
	dest = state_resource(m->to, to->module, &to->resource);
	if (state_has_key(dest, to_key))
		rc = occupied(m, "resource instance", m->dest_text);
	if (rc)
		return rc;
	note(m, from, m->dest_text);
	if (m->dry_run)
		return 0;
	if (!dest) {
		dest = state_resource_make(m->to, to->module, &to->resource);
		dest->provider = provider;
	}
	transfer(m, r, key, dest, to_key);
	drop_resource_dependencies(m, old_module, &old);
	return 0;
}

/* --- modules --- */

static bool below(struct module_addr m, struct module_addr top)
{
	struct module_addr head = { m.steps, top.len };

	return m.len >= top.len && module_addr_equal(head, top);
}

static bool module_exists(const struct state *s, struct module_addr m)
{
	for (size_t n = 0; n < s->resources.len; n++)
		if (module_addr_equal(s->resources.items[n]->module, m))
			return true;
	return false;
}

static struct module_addr rebase(struct arena *a, struct module_addr m,
				 size_t drop, struct module_addr onto)
{
	struct module_addr out = onto;

	for (size_t n = drop; n < m.len; n++)
		out = module_addr_child(a, out, m.steps[n].name,
					m.steps[n].key);
	return out;
}

static int module_cmp(const void *x, const void *y)
{
	const struct module_addr *a = x, *b = y;

	return module_addr_cmp(*a, *b);
}

/* The source module and those below it that have resources, each once. */
static size_t source_modules(struct state_move *m, struct module_addr **out)
{
	struct state *s = m->from;
	struct module_addr *list =
		ARENA_ARRAY(m->arena, struct module_addr, s->resources.len);
	size_t n = 0, kept = 0;

	for (size_t i = 0; i < s->resources.len; i++)
		if (below(s->resources.items[i]->module, m->source.addr.module))
			list[n++] = s->resources.items[i]->module;
	if (n)
		qsort(list, n, sizeof(*list), module_cmp);
	for (size_t i = 0; i < n; i++)
		if (!i || !module_addr_equal(list[i], list[kept - 1]))
			list[kept++] = list[i];
	*out = list;
	return kept;
}

static void move_module_resources(struct state_move *m, struct module_addr from,
				  struct module_addr to)
{
	VEC(struct state_resource *) moving = { 0 };

	for (size_t n = 0; n < m->from->resources.len; n++)
		if (module_addr_equal(m->from->resources.items[n]->module,
				      from))
			vec_push(m->arena, &moving,
				 m->from->resources.items[n]);
	for (size_t n = 0; n < moving.len; n++) {
		state_drop_resource(m->from, moving.items[n]);
		moving.items[n]->module = to;
		state_add_resource(m->to, moving.items[n]);
	}
}

static int move_modules(struct state_move *m)
{
	struct module_addr *list, top = m->source.addr.module;
	size_t n = source_modules(m, &list);

	if (n && m->dest.kind != TARGET_MODULE)
		return diag_error(
			m->ds, NULL, BAD_TARGET,
			"Cannot move %.*s to %.*s: the target must also be a module.",
			STR_ARG(module_addr_text(m->arena, list[0])),
			STR_ARG(m->dest_text));
	for (size_t i = 0; i < n; i++) {
		struct module_addr to =
			rebase(m->arena, list[i], top.len, m->dest.addr.module);

		if (module_exists(m->to, to))
			return diag_error(
				m->ds, NULL,
				"Destination module already exists",
				"The state has resources in %.*s already. Nothing was changed.",
				STR_ARG(module_addr_text(m->arena, to)));
		note(m, module_addr_text(m->arena, list[i]),
		     module_addr_text(m->arena, to));
		if (m->dry_run)
			continue;
		move_module_resources(m, list[i], to);
		drop_module_dependencies(m, list[i]);
	}
	return 0;
}

static int move_named(struct state_move *m)
{
	const struct instance_addr *a = &m->source.addr;
	struct state_resource *r;

	if (m->source.kind == TARGET_MODULE)
		return move_modules(m);
	r = state_resource(m->from, a->module, &a->resource);
	if (!r)
		return 0;
	if (m->source.kind == TARGET_RESOURCE && !state_has_key(r, KEY_ABSENT))
		return move_resource(m, r);
	return state_has_key(r, a->key) ? move_instance(m, r, a->key) : 0;
}

int state_move(struct arena *a, struct state *from, struct state *to,
	       struct str source, struct str dest, bool dry_run,
	       struct state_moved_vec *out, struct diags *ds)
{
	struct state_move m = { .arena = a,
				.from = from,
				.to = to,
				.dest_text = dest,
				.dry_run = dry_run,
				.out = out,
				.ds = ds };
	size_t before = out->len;
	int rc = state_target_parse(a, source, &m.source, ds);

	rc |= state_target_parse(a, dest, &m.dest, ds);
	if (rc || move_named(&m))
		return -1;
	if (out->len == before)
		return diag_error(
			ds, NULL, BAD_SOURCE,
			"Cannot move %.*s: nothing in the state matches it.%.*s",
			STR_ARG(source), STR_ARG(state_hint(a, from, source)));
	return 0;
}
