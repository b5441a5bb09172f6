/*
 * providers.c - which object gets which provider instance
 *
 * A configuration is expanded once (for_each); its instances are made when
 * first asked for and configured by provider_start.c.
 */
#include "engine/run/providers.h"
#include "engine/run/expand.h"
#include "engine/run/overrides.h"
#include "engine/run/run_int.h"
#include "engine/run/values.h"
#include "addr/provider.h"
#include "config/module.h"
#include "value/convert.h"

struct provider_set { /* one configuration */
	struct provider_config_addr addr;
	const struct cfg_provider *config;
	struct run_module *module; /* it is evaluated in */
	struct expansion exp;
	struct run_provider **instances;
};

static bool same_str(struct str x, struct str y)
{
	return x.p == y.p && x.n == y.n;
}

/* Made of the same text: the instances of a resource ask one after another. */
static bool same_text(const struct provider_config_addr *x,
		      const struct provider_config_addr *y)
{
	return x->module.steps == y->module.steps &&
	       x->module.len == y->module.len &&
	       same_str(x->provider.host, y->provider.host) &&
	       same_str(x->provider.namespace, y->provider.namespace) &&
	       same_str(x->provider.type, y->provider.type) &&
	       same_str(x->alias, y->alias);
}

/* Configurations are in modules without repetition. */
static struct run_module *home(struct run *r, const struct cfg_provider *p)
{
	struct run_module_vec all = { 0 };
	bool failed = false;

	if (p)
		run_modules(r, p->module, &all, &failed, r->diags);
	return all.len ? all.items[0] : r->root;
}

/* A key is an alias where the block has none: two must not be the same. */
static void check_aliases(struct run *r, const struct provider_set *s,
			  struct diags *ds)
{
	const struct cfg_provider *p = s->config;

	if (p->alias.n || s->exp.kind != EXPAND_EACH)
		return;
	for (size_t i = 0; i < s->exp.n; i++) {
		struct inst_key key = expansion_key(&s->exp, i);
		const struct cfg_provider *other =
			map_get(&p->module->providers,
				STR_CAT(r->arena, p->name, STR("."), key.s));
		struct range at = expression_range(p->for_each);

		if (other)
			diag_error(ds, &at, "Duplicate provider configuration",
				   "The key \"%.*s\" makes the configuration "
				   "\"%.*s.%.*s\", which stands at %.*s:%u "
				   "already.",
				   STR_ARG(key.s), STR_ARG(p->name),
				   STR_ARG(key.s), STR_ARG(other->at.file),
				   other->at.start.line);
	}
}

static struct provider_set *provider_set(struct run *r,
					 const struct provider_config_addr *at,
					 const struct cfg_provider *config,
					 struct diags *ds);

/* The alias may be a key of the block without one, which nobody else may
 * use. */
static void look_for_key(struct run *r, const struct provider_set *s,
			 struct diags *ds)
{
	struct provider_config_addr addr = s->addr;
	const struct cfg_provider *p =
		s->config && addr.alias.n
			? map_get(&s->config->module->providers,
				  s->config->name)
			: NULL;

	addr.alias = STR_NONE;
	if (cfg_provider_repeated(p))
		provider_set(r, &addr, p, ds);
}

static void expand(struct provider_set *s, struct diags *ds)
{
	const struct cfg_provider *c = s->config;
	struct provider_config_addr in_module = s->addr;
	const struct json *edited;

	in_module.module = (struct module_addr){ 0 };
	edited = override_instances(s->module, "",
				    provider_config_text(s->module->run->arena,
							 &in_module));
	if (edited)
		override_expansion(s->module, edited, c->count, c->for_each,
				   EXPRESSION_NONE, &s->exp, ds);
	else
		expansion_compute(s->module, c->count, c->for_each,
				  EXPRESSION_NONE, &s->exp, ds);
}

static struct provider_set *provider_set(struct run *r,
					 const struct provider_config_addr *at,
					 const struct cfg_provider *config,
					 struct diags *ds)
{
	struct provider_config_addr addr = *at;
	struct provider_set *s = r->last_provider_set;
	struct str text;

	if (s && same_text(&s->addr, at))
		return s;
	addr.key = KEY_ABSENT;
	text = provider_config_text(r->arena, &addr);
	s = map_get(&r->provider_configs, text);
	if (s)
		return r->last_provider_set = s;
	s = ARENA_NEW(r->arena, struct provider_set);
	s->addr = addr;
	s->config = config;
	map_put(r->arena, &r->provider_configs, text, s);
	s->module = home(r, config);
	if (cfg_provider_repeated(config)) {
		/* static: known, as far as variables are, when validating */
		expand(s, ds);
		check_aliases(r, s, ds);
	} else {
		s->exp.kind = EXPAND_SINGLE;
		s->exp.n = 1;
		look_for_key(r, s, ds);
	}
	s->instances = ARENA_ARRAY(r->arena, struct run_provider *, s->exp.n);
	return s;
}

const struct expansion *run_provider_expansion(struct run_module *m,
					       const struct cfg_provider *p,
					       struct diags *ds)
{
	const struct provider_config_addr addr = { .module = m->addr,
						   .provider = p->provider,
						   .alias = p->alias };

	return &provider_set(m->run, &addr, p, ds)->exp;
}

int run_provider_keys(struct run *r, struct diags *ds)
{
	const struct map *modules = &r->config->modules;
	const size_t errors = ds->errors;

	for (size_t i = 0; i < modules->len; i++) {
		const struct cfg_module *m = modules->entries[i].value;

		for (size_t k = 0; k < m->providers.len; k++) {
			const struct cfg_provider *p =
				m->providers.entries[k].value;

			if (cfg_provider_repeated(p))
				run_provider_expansion(home(r, p), p, ds);
		}
	}
	return ds->errors == errors ? 0 : -1;
}

static struct run_provider *set_instance(struct run *r, struct provider_set *s,
					 size_t i)
{
	struct run_provider *p = s->instances[i];

	if (p)
		return p;
	p = ARENA_NEW(r->arena, struct run_provider);
	s->instances[i] = p;
	p->addr = s->addr;
	p->addr.key = expansion_key(&s->exp, i);
	p->config = s->config;
	p->module = s->module;
	p->rep = s->exp.kind == EXPAND_UNKNOWN
			 ? repetition_unknown(r, false, true)
			 : expansion_repetition(r->arena, &s->exp, i);
	p->text = provider_config_text(r->arena, &p->addr);
	map_put(r->arena, &r->providers, p->text, p);
	return p;
}

void run_provider_instances(struct run *r,
			    const struct provider_config_addr *addr,
			    const struct cfg_provider *config,
			    struct run_provider_vec *out, bool *failed,
			    struct diags *ds)
{
	struct provider_set *s = provider_set(r, addr, config, ds);

	if (s->exp.kind == EXPAND_FAILED)
		*failed = true;
	for (size_t i = 0; i < s->exp.n; i++)
		vec_push(r->arena, out, set_instance(r, s, i));
}

static void not_present(struct run *r, const struct provider_set *s,
			struct inst_key key, struct str user,
			struct str deposed, struct diags *ds)
{
	struct provider_config_addr addr = s->addr;
	struct str text;
	const char *of = deposed.n ? "'s deposed object " : "";

	addr.key = key;
	text = provider_config_text(r->arena, &addr);
	if (key.kind != KEY_NONE)
		diag_error(ds, NULL, "Provider instance not present",
			   "%.*s%s%.*s needs the provider instance %.*s, "
			   "which made it and is no longer there: its key is "
			   "not in the provider's for_each. Put the key back "
			   "until the object is destroyed. A resource and "
			   "its provider should not use the same collection "
			   "for for_each, or both lose a key at once.",
			   STR_ARG(user), of, STR_ARG(deposed), STR_ARG(text));
	else
		diag_error(ds, NULL, "Provider instance not present",
			   "%.*s%s%.*s needs the provider configuration %.*s "
			   "without a key, which made it; now the "
			   "configuration has for_each. Destroy or forget the "
			   "object with the former configuration first.",
			   STR_ARG(user), of, STR_ARG(deposed), STR_ARG(text));
}

struct run_provider *run_provider_at(struct run *r,
				     const struct provider_config_addr *addr,
				     const struct cfg_provider *config,
				     struct inst_key key, struct str user,
				     struct str deposed, struct diags *ds)
{
	struct provider_set *s = provider_set(r, addr, config, ds);
	ptrdiff_t i;

	if (s->exp.kind == EXPAND_COUNT && key.kind == KEY_STRING)
		key = inst_key_other(r->arena, key); /* aws["0"] is aws[0] */
	i = expansion_index(&s->exp, key);

	/* The validate walk does not ask which instance it is. */
	if (i < 0 && r->opts.phase == RUN_VALIDATE && s->exp.n)
		i = 0;
	if (i >= 0)
		return set_instance(r, s, (size_t)i);
	if (s->exp.kind != EXPAND_FAILED)
		not_present(r, s, key, user, deposed, ds);
	return NULL;
}

static void bad_key(struct diags *ds, struct expression e, const char *fmt,
		    struct str arg)
{
	struct range at = expression_range(e);

	diag_error(ds, &at, "Invalid provider instance key",
		   "The key of a provider instance %s%.*s.", fmt, STR_ARG(arg));
}

/* The value of provider = aws[KEY]. */
static int evaluate_key(struct run_module *m, const struct repetition *rep,
			struct expression e, struct inst_key *out,
			struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	const size_t errors = ds->errors;
	const struct value *v, *s;
	struct run_scope scope;
	struct verror err;
	int rc = -1;

	run_scope_init(&scope, m, rep);
	v = eval_expression(&scratch, &scope.scope, e, ds);
	if (ds->errors != errors || scope.failed)
		goto out;
	if (value_has_mark(v, MARK_SENSITIVE))
		bad_key(ds, e, "must not be sensitive", STR_NONE);
	else if (value_has_mark(v, MARK_EPHEMERAL))
		bad_key(ds, e, "must not be ephemeral", STR_NONE);
	else if (value_is_null(v))
		bad_key(ds, e, "must not be null", STR_NONE);
	else if (!value_is_known(v))
		bad_key(ds, e,
			"must be known when planning, and this one is known only after apply",
			STR_NONE);
	else if (!(s = convert(&scratch, v, &type_string, &err)))
		bad_key(ds, e, "is unsuitable: ", verror_text(&scratch, &err));
	else {
		*out = (struct inst_key){ KEY_STRING, 0,
					  str_dup(m->run->arena, s->string) };
		rc = 0;
	}
out:
	arena_release(&scratch);
	return rc;
}

/* The module in which a provider's key expression is evaluated: that of the
 * object itself, or of the module call, on the way up, that passed the provider
 * on. */
static struct run_module *key_scope(struct run_module *m,
				    const struct cfg_provider_choice *c,
				    const struct repetition **rep)
{
	if (!c->key_module)
		return m;
	while (m->parent && m->parent->config != c->key_module)
		m = m->parent;
	if (!m->parent)
		return m;
	*rep = &m->rep;
	return m->parent;
}

static struct run_provider *chosen(struct run_module *m,
				   const struct cfg_provider_choice *c,
				   const struct repetition *rep,
				   struct str user, struct diags *ds)
{
	struct inst_key key = KEY_ABSENT;

	if (c->key.root && m->run->opts.phase != RUN_VALIDATE) {
		struct run_module *at = key_scope(m, c, &rep);

		if (evaluate_key(at, rep, c->key, &key, ds))
			return NULL;
	}
	return run_provider_at(m->run, &c->addr, c->provider, key, user,
			       STR_NONE, ds);
}

struct run_provider *run_provider_for(struct run_module *m,
				      const struct cfg_resource *c,
				      const struct repetition *rep,
				      struct diags *ds)
{
	struct cfg_provider_choice choice = { .provider = NULL };
	struct buf b = BUF_INIT;
	struct run_provider *found;

	config_provider_choose(c->module, c->provider_ref, c->provider,
			       &choice);
	state_resource_text(&b, m->addr, &c->addr);
	found = chosen(m, &choice, rep, buf_view(&b), ds);
	buf_release(&b);
	return found;
}

struct run_provider *run_provider_of_call(struct run_module *m,
					  const struct func_of_provider *f,
					  struct provider_addr provider)
{
	const struct cfg_provider_ref ref = { .given = true,
					      .name = f->local,
					      .alias = f->alias };
	struct cfg_provider_choice choice = { .provider = NULL };
	const enum run_phase phase = m->run->opts.phase;
	struct diags quiet = DIAGS_INIT(m->run->arena);

	if (phase != RUN_PLAN && phase != RUN_APPLY)
		return NULL;
	config_provider_choose(m->config, &ref, provider, &choice);
	if (!choice.provider || choice.provider->implied)
		return NULL;
	return chosen(m, &choice, NULL, f->local, &quiet);
}
