/*
 * state_equal.c - do two states have the same content? Serial, lineage and the
 * form of the text apart.
 *
 * Unchanged attributes are mostly the same bytes, or even the same memory;
 * only texts that differ are compared without their white space.
 */
#include "state/file/file.h"
#include "addr/provider.h"
#include "json/write.h"
#include "state/state.h"
#include "value/value.h"
#include "value/marks.h"

static bool same_json(struct str x, struct str y)
{
	struct buf a = BUF_INIT, b = BUF_INIT;
	struct jw to_a = { .out = &a, .html = true };
	struct jw to_b = { .out = &b, .html = true };
	bool same;

	if (str_eq(x, y))
		return true;
	jw_text(&to_a, x);
	jw_text(&to_b, y);
	same = str_eq(buf_view(&a), buf_view(&b));
	buf_release(&a);
	buf_release(&b);
	return same;
}

static struct str paths(const struct state_instance *i)
{
	return i->sensitive.n ? i->sensitive : STR("[]");
}

static bool same_dependencies(const struct state_instance *x,
			      const struct state_instance *y)
{
	if (x->ndependencies != y->ndependencies)
		return false;
	for (size_t n = 0; n < x->ndependencies; n++)
		if (!str_eq(x->dependencies[n], y->dependencies[n]))
			return false;
	return true;
}

static bool same_identity(const struct state_instance *x,
			  const struct state_instance *y)
{
	if (!x->identity.n && !y->identity.n)
		return true;
	return x->identity_unversioned == y->identity_unversioned &&
	       x->identity_schema_version == y->identity_schema_version &&
	       same_json(x->identity, y->identity);
}

static bool same_instance(const struct state_instance *x,
			  const struct state_instance *y)
{
	return inst_key_equal(x->key, y->key) &&
	       str_eq(x->deposed, y->deposed) && x->tainted == y->tainted &&
	       x->create_before_destroy == y->create_before_destroy &&
	       x->skip_destroy == y->skip_destroy &&
	       x->schema_version == y->schema_version &&
	       str_eq(x->private_data, y->private_data) &&
	       str_eq(x->provider_key, y->provider_key) &&
	       same_dependencies(x, y) && same_identity(x, y) &&
	       same_json(x->attributes, y->attributes) &&
	       same_json(x->attributes_flat, y->attributes_flat) &&
	       same_json(paths(x), paths(y));
}

static bool same_provider(const struct provider_config_addr *x,
			  const struct provider_config_addr *y)
{
	return provider_addr_equal(x->provider, y->provider) &&
	       str_eq(x->alias, y->alias) &&
	       module_addr_equal(x->module, y->module);
}

static bool same_resource(const struct state_resource *x,
			  const struct state_resource *y, struct arena *scratch)
{
	struct state_instance **i, **j;

	if (!module_addr_equal(x->module, y->module) ||
	    !resource_addr_equal(x->addr, y->addr) ||
	    !same_provider(&x->provider, &y->provider) ||
	    x->instances.len != y->instances.len)
		return false;
	i = state_instances_sorted(scratch, x);
	j = state_instances_sorted(scratch, y);
	for (size_t n = 0; n < x->instances.len; n++)
		if (!same_instance(i[n], j[n]))
			return false;
	return true;
}

/* Drops the resources that state_write would leave out. */
static size_t without_husks(struct state_resource **list, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if ((list[i]->instances.len || list[i]->kept) &&
		    list[i]->addr.mode != MODE_EPHEMERAL)
			list[kept++] = list[i];
	return kept;
}

static bool same_resources(const struct state *x, const struct state *y)
{
	struct arena scratch = ARENA_INIT;
	struct state_resource **i = state_resources_sorted(&scratch, x);
	struct state_resource **j = state_resources_sorted(&scratch, y);
	size_t len = without_husks(i, x->resources.len);
	bool same = len == without_husks(j, y->resources.len);

	for (size_t n = 0; same && n < len; n++)
		same = same_resource(i[n], j[n], &scratch);
	arena_release(&scratch);
	return same;
}

/* Only a sensitive mark is stored with an output's value. */
static bool same_output(const struct state_output *x,
			const struct state_output *y)
{
	return str_eq(x->name, y->name) &&
	       str_eq(x->deprecated, y->deprecated) &&
	       value_has_mark_deep(x->value, MARK_SENSITIVE) ==
		       value_has_mark_deep(y->value, MARK_SENSITIVE) &&
	       value_equal_unmarked(x->value, y->value);
}

static struct str objects(const struct state_check *c)
{
	return c->objects.n ? c->objects : STR("null");
}

static bool same_check(const struct state_check *x, const struct state_check *y)
{
	return str_eq(x->object_kind, y->object_kind) &&
	       str_eq(x->config_addr, y->config_addr) &&
	       str_eq(x->status, y->status) &&
	       same_json(objects(x), objects(y));
}

bool state_equal_content(const struct state *x, const struct state *y)
{
	const struct state_output_list a = state_outputs_sorted(x);
	const struct state_output_list b = state_outputs_sorted(y);

	if (a.len != b.len || x->checks.len != y->checks.len)
		return false;
	for (size_t n = 0; n < a.len; n++)
		if (!same_output(&a.items[n], &b.items[n]))
			return false;
	for (size_t n = 0; n < x->checks.len; n++)
		if (!same_check(&x->checks.items[n], &y->checks.items[n]))
			return false;
	return same_resources(x, y);
}
