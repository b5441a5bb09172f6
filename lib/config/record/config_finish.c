/*
 * config_finish.c - a configuration whose records were all read: what refers
 * to what
 */
#include "config/record/records.h"
#include "config/record/record_int.h"

/* "module.a.module.b" -> "module.a" and "b" */
static bool split_path(struct str path, struct str *outer, struct str *name)
{
	size_t i = path.n;

	while (i && path.p[i - 1] != '.')
		i--;
	*name = str_sub(path, i, path.n);
	if (i < 7 || memcmp(path.p + i - 7, "module.", 7) != 0)
		return false;
	i -= 7;
	*outer = str_sub(path, 0, i ? i - 1 : 0);
	return true;
}

static int link_module(struct config *c, struct cfg_module *m, struct diags *ds)
{
	struct str outer, name;

	if (!m->path.n)
		return 0;
	if (m->declared && split_path(m->path, &outer, &name)) {
		m->parent = map_get(&c->modules, outer);
		m->call = m->parent ? map_get(&m->parent->calls, name) : NULL;
	}
	if (!m->call)
		return diag_error(ds, NULL, "Invalid input stream",
				  "The input has records of %.*s, but no "
				  "record of the module itself or of its "
				  "call.",
				  STR_ARG(m->path));
	m->call->child = m;
	return 0;
}

static void link_checks(struct cfg_module *m)
{
	for (size_t i = 0; i < m->data.len; i++) {
		struct cfg_resource *r = m->data.entries[i].value;

		if (!r->check) /* else it is only a name so far */
			continue;
		r->check = map_get(&m->checks, r->check->name);
		if (r->check)
			r->check->data = r;
	}
}

static size_t depth_of(struct str path)
{
	size_t dots = 0;

	for (size_t i = 0; i < path.n; i++)
		dots += path.p[i] == '.';
	return path.n ? dots / 2 + 1 : 0;
}

/* The root first, parents before children, else as they came. */
static void order_modules(struct config *c)
{
	struct map out = { 0 };

	for (size_t depth = 0; out.len < c->modules.len; depth++)
		for (size_t i = 0; i < c->modules.len; i++) {
			struct map_entry *e = &c->modules.entries[i];

			if (depth_of(e->key) == depth)
				map_put(c->arena, &out, e->key, e->value);
		}
	c->modules = out;
}

int config_finish(struct config *c, struct diags *ds)
{
	int rc = config_read_early(c, ds);

	arena_release(&c->scratch);
	c->root = config_module_at(c, STR(""));
	order_modules(c);
	for (size_t i = 0; i < c->modules.len; i++) {
		struct cfg_module *m = c->modules.entries[i].value;

		rc |= link_module(c, m, ds);
		link_checks(m);
	}
	return rc;
}
