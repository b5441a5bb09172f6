/*
 * provider_for.c - which provider configuration serves an object
 *
 * Compares the provider's address and the alias, not the local name.  The keys
 * of a block without an alias are aliases, too.  A block in the module comes
 * first (an empty block in a child module is only a placeholder for what the
 * call passes), then what the call passes, then, for the configuration without
 * an alias, the same in the calling module.
 */
#include "config/module.h"
#include "addr/provider.h"

static struct module_addr module_of(const struct cfg_module *m)
{
	size_t n = 0, i;
	struct module_step *steps;

	for (const struct cfg_module *p = m; p->call; p = p->parent)
		n++;
	steps = ARENA_ARRAY(m->config->arena, struct module_step, n);
	i = n;
	for (const struct cfg_module *p = m; p->call; p = p->parent)
		steps[--i].name = p->call->name;
	return (struct module_addr){ steps, n };
}

static const struct cfg_provider *own_block(const struct cfg_module *m,
					    struct provider_addr provider,
					    struct str alias)
{
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *p = m->providers.entries[i].value;

		if (str_eq(p->alias, alias) &&
		    provider_addr_equal(p->provider, provider))
			return p;
	}
	return NULL;
}

static const struct cfg_provider_pass *find_pass(const struct cfg_module *m,
						 struct provider_addr provider,
						 struct str alias)
{
	for (size_t i = 0; m->call && i < m->call->providers.len; i++) {
		const struct cfg_provider_pass *p =
			&m->call->providers.items[i];

		if (str_eq(p->child_alias, alias) &&
		    provider_addr_equal(module_provider(m, p->child_name),
					provider))
			return p;
	}
	return NULL;
}

static struct expression literal(const struct cfg_module *m,
				 const struct cfg_provider *p, struct str key)
{
	struct arena *a = m->config->arena;
	struct expr *x = ARENA_NEW(a, struct expr);

	x->kind = EXPR_LITERAL;
	x->literal = value_string(a, key);
	return (struct expression){ p->for_each.root ? p->for_each.src
						     : p->count.src,
				    x };
}

const struct cfg_provider *config_provider_keyed(const struct cfg_module *m,
						 struct provider_addr provider,
						 struct str alias)
{
	const struct cfg_provider *p;

	if (!alias.n || own_block(m, provider, alias))
		return NULL;
	p = own_block(m, provider, STR_NONE);
	return cfg_provider_repeated(p) ? p : NULL;
}

static bool is_placeholder(const struct cfg_provider *p)
{
	static const struct attr_schema attrs[] = { { NULL, false } };
	static const struct block_schema blocks[] = { { NULL, { NULL } } };
	static const struct body_schema nothing = { attrs, blocks };
	struct arena a = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&a);
	struct body_content c;
	bool empty;

	empty = !body_content(&a, p->body, &nothing, &c, &ignored);
	arena_release(&a);
	return empty;
}

void config_provider_choose(const struct cfg_module *m,
			    const struct cfg_provider_ref *ref,
			    struct provider_addr provider,
			    struct cfg_provider_choice *out)
{
	struct str alias = ref && ref->given ? ref->alias : STR_NONE;

	*out = (struct cfg_provider_choice){ .provider = NULL };
	if (ref && ref->given)
		out->key = ref->key;
	for (;;) {
		const struct cfg_provider *p = own_block(m, provider, alias);
		const struct cfg_provider_pass *pass =
			find_pass(m, provider, alias);

		if (!p && !pass &&
		    (p = config_provider_keyed(m, provider, alias))) {
			out->key = literal(m, p, alias);
			out->key_module = NULL;
			alias = STR_NONE;
		}
		out->provider = p;
		if (p && (!pass || !is_placeholder(p)))
			break;
		out->provider = NULL;
		if (!m->call || (!pass && alias.n))
			break;
		m = m->parent;
		if (!pass)
			continue;
		alias = pass->parent.alias;
		if (pass->parent.key.root) {
			out->key = pass->parent.key;
			out->key_module = m;
		}
	}
	out->addr = (struct provider_config_addr){ .module = module_of(m),
						   .provider = provider,
						   .alias = alias };
}

const struct cfg_provider *config_provider_for(
	const struct cfg_module *m, const struct cfg_provider_ref *ref,
	struct provider_addr provider, struct provider_config_addr *addr)
{
	struct cfg_provider_choice choice;

	config_provider_choose(m, ref, provider, &choice);
	*addr = choice.addr;
	return choice.provider;
}

static bool has_alias(const struct cfg_required_provider *q, struct str alias)
{
	for (size_t i = 0; i < q->aliases.len; i++) {
		struct str s = q->aliases.items[i]; /* NAME.ALIAS */

		if (s.n == q->name.n + 1 + alias.n &&
		    str_eq(str_sub(s, q->name.n + 1, s.n), alias))
			return true;
	}
	return false;
}

bool config_provider_expected(const struct config *c,
			      const struct provider_config_addr *addr)
{
	const struct map *all = &c->root->required_providers;
	const struct cfg_provider *own;

	for (size_t i = 0; i < all->len && !addr->module.len; i++) {
		const struct cfg_required_provider *q = all->entries[i].value;

		if (!provider_addr_equal(q->addr, addr->provider) ||
		    !has_alias(q, addr->alias))
			continue;
		own = own_block(c->root, q->addr, STR_NONE);
		return !own || own->implied;
	}
	return false;
}
