/*
 * providers_keys.c - references to instances of provider configurations:
 * for_each of provider blocks
 */
#include "config/check/check_int.h"
#include "base/product.h"
#include "config/module_int.h"
#include "lang/syntax/walk.h"

static const struct cfg_provider *block_of(const struct check_view *v,
					   struct str name)
{
	return map_get(&v->m->providers, name);
}

static const char *summary_of(struct check_view *v, const char *type)
{
	return arena_printf(v->a, "Invalid %s provider configuration", type);
}

static void no_key(struct check_view *v, const struct range *at,
		   const char *type, struct str name)
{
	diag_error(
		v->ds, at, summary_of(v, type),
		"\"%.*s\" has instances, so one must be chosen with a key in brackets.",
		STR_ARG(name));
}

void check_provider_key(struct check_view *v,
			const struct cfg_provider_ref *ref, const char *type)
{
	struct str name = provider_pair_name(v->a, ref->name, ref->alias);
	const struct cfg_provider *p = block_of(v, name);
	bool repeated = cfg_provider_repeated(p);
	struct range at;

	if (!ref->key.root) {
		if (repeated)
			no_key(v, &ref->name_at, type, name);
		return;
	}
	at = expression_range(ref->key);
	if (!repeated && !map_has(&v->configured, name))
		diag_error(
			v->ds, &ref->name_at, summary_of(v, type),
			"This module has no block provider \"%.*s\" with %s%.*s%sfor_each.",
			STR_ARG(ref->name), ref->alias.n ? "the alias \"" : "",
			STR_ARG(ref->alias), ref->alias.n ? "\" and " : "");
	else if (!repeated)
		diag_error(v->ds, &at, summary_of(v, type),
			   "\"%.*s\" has no for_each, so it has no instances.",
			   STR_ARG(name));
}

void check_same_for_each(struct check_view *v, struct expression of,
			 const struct cfg_provider_ref *ref, const char *type,
			 struct str target)
{
	const struct cfg_provider *p =
		block_of(v, provider_pair_name(v->a, ref->name, ref->alias));
	struct traversal_vec vars = { 0 };
	struct range at;

	if (!ref->key.root || !of.root || !p || !p->for_each.root)
		return;
	expression_variables(v->a, of, &vars);
	if (!vars.len || !same_expressions(of, p->for_each))
		return;
	at = expression_range(of);
	diag_warning(
		v->ds, &at,
		arena_printf(v->a, "Provider configuration for_each matches %s",
			     type),
		"The provider and the %s use the same for_each: when an element "
		"goes, the provider instance that should destroy its objects goes "
		"with it. Let the provider keep it one apply longer, or destroy "
		"the objects first:\n    %s apply -destroy -target=%.*s",
		type, product_command(), STR_ARG(target));
}

static struct str resource_text(const struct check_view *v,
				const struct cfg_resource *r)
{
	return str_printf(v->a, "%.*s%s%.*s", STR_ARG(v->m->path),
			  v->m->path.n ? "." : "",
			  STR_ARG(cfg_resource_key(v->a, &r->addr)));
}

/* The implied configuration of a resource must not have instances. */
static void check_implied_key(struct check_view *v,
			      const struct cfg_resource *r)
{
	struct str name = addr_implied_provider(r->addr.type);

	if (cfg_provider_repeated(block_of(v, name)))
		no_key(v, &r->type_at, "resource", name);
}

void check_provider_keys(struct check_view *v, const struct map *resources)
{
	for (size_t i = 0; i < resources->len; i++) {
		struct cfg_resource *r = resources->entries[i].value;

		if (!r->provider_ref->given) {
			check_implied_key(v, r);
			continue;
		}
		check_provider_key(v, r->provider_ref, "resource");
		if (r->addr.mode == MODE_MANAGED)
			check_same_for_each(v, r->for_each, r->provider_ref,
					    "resource", resource_text(v, r));
	}
}
