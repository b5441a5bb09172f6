/*
 * check_providers.c - provider configurations over the whole tree: what is
 * declared, passed into modules and expected there fits together
 *
 * The rules are OpenTofu's; several are warnings, because older modules get
 * by on what is assumed for them.
 */
#include "addr/provider.h"
#include "config/check/check_int.h"
#include "config/decode/decode_int.h"
#include "config/module_int.h"
#include "base/product.h"
#include "lang/syntax/walk.h"

/* --- references to instances of provider configurations --- */

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

static struct str provider_pair_name(struct arena *a, struct str name,
				     struct str alias);

/* A key where there are instances, and only there. */
static void check_provider_key(struct check_view *v,
			       const struct cfg_provider_ref *ref,
			       const char *type)
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

/* Warns where a resource and its provider have the same for_each: an instance
 * goes when its objects still need it. */
static void check_same_for_each(struct check_view *v, struct expression of,
				const struct cfg_provider_ref *ref,
				const char *type, struct str target)
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

/* Both, of all resources of that mode. */
static void check_provider_keys(struct check_view *v,
				const struct map *resources)
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

/* --- the whole tree --- */

/* "name" or "name.alias" */
static struct str provider_pair_name(struct arena *a, struct str name,
				     struct str alias)
{
	if (!alias.n)
		return name;
	return str_printf(a, "%.*s.%.*s", STR_ARG(name), STR_ARG(alias));
}

static struct str shown(const struct check_view *v, struct provider_addr p)
{
	return provider_addr_display(v->a, p, v->host);
}

static struct provider_addr default_provider(const struct check_view *v,
					     struct str name)
{
	return (struct provider_addr){ v->host, STR("hashicorp"), name };
}

/* In this file an undeclared name always means a provider in the registry,
 * "terraform" included. */
static struct provider_addr required_or_default(const struct check_view *v,
						const struct cfg_module *m,
						struct str name)
{
	const struct cfg_required_provider *rp =
		map_get(&m->required_providers, name);

	return rp ? rp->addr : default_provider(v, name);
}

static bool is_default(const struct check_view *v, struct provider_addr p)
{
	return str_eq(p.host, v->host) && str_is(p.namespace, "hashicorp");
}

static bool has_config(const struct check_view *v, const struct cfg_provider *p)
{
	static const struct attr_schema attrs[] = { { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema nothing = { attrs, blocks };
	struct diags ignored = DIAGS_INIT(v->a);
	struct body_content c;

	return p->version.n ||
	       body_content(v->a, p->body, &nothing, &c, &ignored);
}

static struct str module_name(const struct cfg_module *m)
{
	return m->path.n ? m->path : STR("the root module");
}

static void view_init(struct check_view *v, const struct cfg_module *m,
		      struct diags *ds)
{
	*v = (struct check_view){ .m = m, .a = m->config->arena, .ds = ds };
	v->host = m->config->default_host;
	v->here = module_name(m);
	v->caller = m->parent ? module_name(m->parent) : v->here;
	for (size_t i = 0; i < m->providers.len; i++) {
		struct cfg_provider *p = m->providers.entries[i].value;

		map_put(v->a, has_config(v, p) ? &v->configured : &v->empty,
			m->providers.entries[i].key, p);
	}
	for (size_t i = 0; m->call && i < m->call->providers.len; i++) {
		struct cfg_provider_pass *p = &m->call->providers.items[i];

		map_put(v->a, &v->passed,
			provider_pair_name(v->a, p->child_name, p->child_alias),
			p);
	}
}

/* --- required_providers --- */

/* Warns where one provider has two local names. */
static void check_requirements(struct check_view *v)
{
	const struct map *reqs = &v->m->required_providers;
	struct map types = { 0 };

	for (size_t i = 0; i < reqs->len; i++) {
		struct cfg_required_provider *rp = reqs->entries[i].value;
		struct str type = provider_addr_text(v->a, rp->addr);
		struct cfg_required_provider *old = map_get(&types, type);

		for (size_t k = 0; k < rp->aliases.len; k++)
			map_put(v->a, &v->aliases, rp->aliases.items[k], rp);
		if (old)
			diag_warning(v->ds, &rp->at,
				     "Duplicate required provider",
				     "%.*s is required as \"%.*s\" and as "
				     "\"%.*s\"; each provider can be required "
				     "once.",
				     STR_ARG(shown(v, rp->addr)),
				     STR_ARG(old->name), STR_ARG(rp->name));
		map_put(v->a, &types, type, rp);
		if (old || !is_default(v, rp->addr) ||
		    str_eq(rp->name, rp->addr.type))
			continue;
		for (size_t k = 0; k < v->m->providers.len; k++) {
			struct cfg_provider *p =
				v->m->providers.entries[k].value;

			if (!str_eq(p->name, rp->addr.type))
				continue;
			diag_warning(
				v->ds, &rp->at, "Duplicate required provider",
				"%.*s is required as \"%.*s\", but "
				"configured as \"%.*s\"; the names must be "
				"the same.",
				STR_ARG(shown(v, rp->addr)), STR_ARG(rp->name),
				STR_ARG(rp->addr.type));
			break;
		}
	}
}

static void check_implied(struct check_view *v, const struct map *resources)
{
	const struct map *reqs = &v->m->required_providers;

	for (size_t i = 0; i < resources->len; i++) {
		struct cfg_resource *r = resources->entries[i].value;
		struct str name = addr_implied_provider(r->addr.type);
		struct str normal, addr;
		struct provider_addr implied;
		const char *why;

		if (r->provider_ref->given)
			continue;
		why = provider_part_check(v->a, name, &normal);
		if (why) {
			diag_error(v->ds, &r->at, "Invalid provider local name",
				   "\"%.*s\", which the resource type implies, "
				   "cannot be the local name of a provider: it "
				   "%s.",
				   STR_ARG(name), why);
			continue;
		}
		if (map_has(reqs, name))
			continue;
		implied = provider_implied(v->m->config, name);
		for (size_t k = 0; k < reqs->len; k++) {
			struct cfg_required_provider *rp =
				reqs->entries[k].value;

			if (!provider_addr_equal(rp->addr, implied))
				continue;
			addr = cfg_resource_key(v->a, &r->addr);
			diag_warning(v->ds, &r->at,
				     "Duplicate required provider",
				     "%.*s implies the provider %.*s, which "
				     "is required as \"%.*s\". Say so in the "
				     "resource, or change the local name.",
				     STR_ARG(addr), STR_ARG(shown(v, implied)),
				     STR_ARG(rp->name));
		}
	}
}

/* --- what this module passes on --- */

static void check_passed_name(struct check_view *v, const struct cfg_call *call,
			      const struct cfg_provider_pass *p)
{
	struct str name = p->parent.name;
	bool configured = map_has(&v->configured, name);
	struct str addr = shown(v, default_provider(v, name));

	(void)call;
	if (p->parent.alias.n) /* checked in the child */
		return;
	if (!configured && !map_has(&v->m->required_providers, name)) {
		diag_warning(v->ds, &p->parent.name_at,
			     "Reference to undefined provider",
			     "\"%.*s\" is not declared in %.*s, so it is taken "
			     "for the provider %.*s. An entry in "
			     "required_providers would say so.",
			     STR_ARG(name), STR_ARG(v->here), STR_ARG(addr));
		return;
	}
	if (v->m->call && !configured && !map_has(&v->passed, name))
		diag_warning(v->ds, &v->m->call->at,
			     "Missing required provider configuration",
			     "%.*s passes on a configuration of %.*s under "
			     "the name \"%.*s\", but gets none from %.*s.",
			     STR_ARG(v->here), STR_ARG(addr), STR_ARG(name),
			     STR_ARG(v->caller));
}

static void check_calls(struct check_view *v)
{
	for (size_t i = 0; i < v->m->calls.len; i++) {
		struct cfg_call *call = v->m->calls.entries[i].value;
		struct str target =
			str_printf(v->a, "%.*s%smodule.%.*s",
				   STR_ARG(v->m->path), v->m->path.n ? "." : "",
				   STR_ARG(call->name));

		for (size_t k = 0; k < call->providers.len; k++) {
			struct cfg_provider_pass *p = &call->providers.items[k];

			if (p->child_key.root) {
				struct range at =
					expression_range(p->child_key);

				diag_error(
					v->ds, &at,
					"Invalid module provider configuration",
					"Instances cannot be assigned to: no key can stand on the left.");
			}
			check_provider_key(v, &p->parent, "module");
			check_same_for_each(v, call->for_each, &p->parent,
					    "module", target);
		}
	}
	check_provider_keys(v, &v->m->managed);
	check_provider_keys(v, &v->m->data);
	check_provider_keys(v, &v->m->ephemeral);
	for (size_t i = 0; i < v->m->calls.len; i++) {
		struct cfg_call *call = v->m->calls.entries[i].value;

		for (size_t k = 0; k < call->providers.len; k++)
			check_passed_name(v, call, &call->providers.items[k]);
	}
}

/* --- what this module gets --- */

static void check_overridden(struct check_view *v)
{
	for (size_t i = 0; i < v->configured.len; i++) {
		struct str name = v->configured.entries[i].key;
		struct cfg_provider_pass *p = map_get(&v->passed, name);

		if (p)
			diag_error(
				v->ds, &p->child_at,
				"Cannot override provider configuration",
				"%.*s configures \"%.*s\" itself, so %.*s cannot pass it one.",
				STR_ARG(v->here), STR_ARG(name),
				STR_ARG(v->caller));
	}
}

static void check_expected(struct check_view *v)
{
	for (size_t i = 0; i < v->aliases.len; i++) {
		struct str name = v->aliases.entries[i].key;
		struct cfg_required_provider *rp = v->aliases.entries[i].value;

		if (map_has(&v->configured, name) || map_has(&v->passed, name))
			continue;
		diag_error(v->ds, &v->m->call->at,
			   "Missing required provider configuration",
			   "The module expects a configuration of %.*s under "
			   "the name \"%.*s\". Add it to \"providers\" in the "
			   "module block.",
			   STR_ARG(shown(v, rp->addr)), STR_ARG(name));
	}
}

static void report_undeclared(struct check_view *v,
			      const struct cfg_provider_pass *p,
			      struct str name, struct provider_addr addr)
{
	struct str source = shown(v, addr);

	if (is_default(v, addr))
		diag_warning(v->ds, &p->child_at,
			     "Reference to undefined provider",
			     "\"%.*s\" is not declared in %.*s, so it is taken "
			     "for the provider %.*s. An entry in its "
			     "required_providers would say so.",
			     STR_ARG(name), STR_ARG(v->here), STR_ARG(source));
	else
		diag_error(v->ds, &p->child_at,
			   "Reference to undefined provider",
			   "The module has no provider \"%.*s\". Its "
			   "required_providers needs an entry with the source "
			   "\"%.*s\" for this.",
			   STR_ARG(name), STR_ARG(source));
}

static void check_type(struct check_view *v, const struct cfg_provider_pass *p,
		       struct provider_addr want)
{
	const struct map *outer = &v->m->parent->required_providers;
	const struct map *reqs = &v->m->required_providers;
	struct str name =
		provider_pair_name(v->a, p->child_name, p->child_alias);
	struct provider_addr have =
		required_or_default(v, v->m->parent, p->parent.name);

	if (map_has(outer, name))
		have = required_or_default(v, v->m->parent, name);

	if (provider_addr_equal(want, have))
		return;
	for (size_t i = 0; i < reqs->len; i++) {
		struct cfg_required_provider *rp = reqs->entries[i].value;

		if (!provider_addr_equal(rp->addr, have))
			continue;
		diag_error(v->ds, &p->child_at, "Provider type mismatch",
			   "This passes a configuration of %.*s as \"%.*s\", "
			   "which is %.*s there. The name there is \"%.*s\".",
			   STR_ARG(shown(v, have)), STR_ARG(p->child_name),
			   STR_ARG(shown(v, want)), STR_ARG(rp->name));
		return;
	}
	diag_error(
		v->ds, &p->parent.name_at, "Provider type mismatch",
		"\"%.*s\" is %.*s in %.*s, but \"%.*s\" is %.*s in %.*s: one "
		"cannot be configured with the other.",
		STR_ARG(p->parent.name), STR_ARG(shown(v, have)),
		STR_ARG(v->caller), STR_ARG(p->child_name),
		STR_ARG(shown(v, want)), STR_ARG(v->here));
}

static void check_passed(struct check_view *v)
{
	for (size_t i = 0; i < v->passed.len; i++) {
		struct str name = v->passed.entries[i].key;
		struct cfg_provider_pass *p = v->passed.entries[i].value;
		struct cfg_required_provider *rp =
			map_get(&v->m->required_providers, name);
		struct cfg_required_provider *alias =
			map_get(&v->aliases, name);
		struct provider_addr want =
			required_or_default(v, v->m, p->child_name);

		if (rp)
			want = rp->addr;
		if (alias)
			want = alias->addr;
		if (!rp && !alias && !map_has(&v->empty, name))
			report_undeclared(v, p, name, want);
		check_type(v, p, want);
	}
}

/* Older modules declare the configurations they expect by empty provider
 * blocks. */
static void warn_empty(struct check_view *v)
{
	struct map told = { 0 };

	for (size_t i = 0; i < v->empty.len; i++) {
		struct cfg_provider *p = v->empty.entries[i].value, *first = p;

		if (map_has(&told, p->name))
			continue;
		map_put(v->a, &told, p->name, p);
		for (size_t k = i + 1; k < v->empty.len; k++) {
			struct cfg_provider *o = v->empty.entries[k].value;

			if (str_eq(o->name, p->name) &&
			    strcmp(range_text(v->a, &o->at),
				   range_text(v->a, &first->at)) < 0)
				first = o;
		}
		diag_warning(
			v->ds, &first->at, "Redundant empty provider block",
			"An empty provider block is an old way to say "
			"that %.*s expects a configuration of \"%.*s\". "
			"Declare it in required_providers instead, aliases "
			"in configuration_aliases.",
			STR_ARG(v->here), STR_ARG(p->name));
	}
}

static void refuse_config(struct check_view *v, const struct range *at)
{
	if (v->configured.len && range_present(at))
		diag_error(
			v->ds, at,
			"Module is incompatible with count, for_each, enabled and depends_on",
			"%.*s has provider configurations of its own, so "
			"its call cannot use count, for_each, enabled or "
			"depends_on.",
			STR_ARG(v->here));
}

/* The range of the argument of the call that forbids the module to configure
 * providers itself; outer if there is none. */
static struct range restriction(const struct cfg_call *call, struct range outer)
{
	const struct traversal_ref *t = call->depends_on.items;

	if (call->count.root)
		return expression_range(call->count);
	if (call->for_each.root)
		return expression_range(call->for_each);
	if (call->enabled.root)
		return expression_range(call->enabled);
	if (call->depends_on.len)
		return source_range(t->src, t->span);
	return outer;
}

static void check_module(const struct cfg_module *m, struct range restricted,
			 struct diags *ds)
{
	struct check_view v;

	for (size_t i = 0; i < m->calls.len; i++) {
		struct cfg_call *call = m->calls.entries[i].value;

		if (call->child)
			check_module(call->child, restriction(call, restricted),
				     ds);
	}
	view_init(&v, m, ds);
	check_requirements(&v);
	check_implied(&v, &m->managed);
	check_implied(&v, &m->data);
	check_implied(&v, &m->ephemeral);
	check_calls(&v);
	if (!m->call)
		return;
	refuse_config(&v, &restricted);
	check_overridden(&v);
	check_expected(&v);
	check_passed(&v);
	warn_empty(&v);
}

void check_providers(const struct config *c, struct diags *ds)
{
	check_module(c->root, RANGE_NONE, ds);
}
