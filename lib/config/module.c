/* module.c - looks up the contents of a module */
#include "config/module.h"
#include "config/module_int.h"
#include "value/marks.h"

struct map *module_resources(struct cfg_module *m, enum resource_mode mode)
{
	switch (mode) {
	case MODE_DATA:
		return &m->data;
	case MODE_EPHEMERAL:
		return &m->ephemeral;
	default:
		return &m->managed;
	}
}

struct str cfg_resource_key(struct arena *a, const struct resource_addr *r)
{
	struct buf b = BUF_INIT;

	resource_addr_print(&b, *r);
	return buf_take(a, &b);
}

const struct cfg_provider_ref cfg_no_provider_ref = { .given = false };
static const struct cfg_lifecycle no_lifecycle = { .ignore_all = false };

struct cfg_resource *cfg_resource_new(struct arena *a)
{
	struct cfg_resource *r = ARENA_NEW(a, struct cfg_resource);

	r->provider_ref = &cfg_no_provider_ref;
	r->lifecycle = &no_lifecycle;
	return r;
}

struct str cfg_resource_map_key(struct arena *a, const struct resource_addr *r)
{
	return str_printf(a, "%.*s.%.*s", STR_ARG(r->type), STR_ARG(r->name));
}

const struct map *config_resources(const struct cfg_module *m,
				   enum resource_mode mode)
{
	return module_resources((struct cfg_module *)m, mode);
}

ptrdiff_t config_resource_place(const struct cfg_module *m,
				const struct resource_addr *r)
{
	struct arena a = ARENA_INIT;
	char few[256];
	ptrdiff_t found;
	struct str key = { few, r->type.n + 1 + r->name.n };

	if (!r->type.n || !r->name.n) /* as a broken state may say */
		return -1;
	if (key.n <= sizeof(few)) {
		memcpy(few, r->type.p, r->type.n);
		few[r->type.n] = '.';
		memcpy(few + r->type.n + 1, r->name.p, r->name.n);
	} else {
		key = cfg_resource_map_key(&a, r);
	}
	found = map_index(config_resources(m, r->mode), key);
	arena_release(&a);
	return found;
}

struct cfg_resource *config_resource(const struct cfg_module *m,
				     const struct resource_addr *r)
{
	ptrdiff_t i = config_resource_place(m, r);

	return i < 0 ? NULL : config_resources(m, r->mode)->entries[i].value;
}

struct provider_addr provider_implied(const struct config *c, struct str name)
{
	if (str_is(name, "terraform"))
		return provider_builtin;
	return (struct provider_addr){ c->default_host, STR("hashicorp"),
				       name };
}

struct provider_addr module_provider(const struct cfg_module *m,
				     struct str local_name)
{
	const struct cfg_required_provider *rp =
		map_get(&m->required_providers, local_name);

	return rp ? rp->addr : provider_implied(m->config, local_name);
}

const struct value *cfg_variable_marked(struct arena *a,
					const struct cfg_variable *v,
					const struct value *value)
{
	if (v->sensitive)
		value = value_with_marks(a, value, &marks_sensitive);
	if (v->ephemeral)
		value = value_with_marks(a, value, &marks_ephemeral);
	return value;
}
