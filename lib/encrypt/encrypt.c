/* encrypt.c - see encrypt.h: what was asked for, and targets by their names */
#include "encrypt/encrypt_int.h"
#include "config/module.h"
#include "lang/eval/eval.h"

static const struct cfg_encryption_block *find_method(
	const struct encryption *e, const struct traversal *t)
{
	for (size_t i = 0; i < e->cfg.methods.len; i++) {
		const struct cfg_encryption_block *m = &e->cfg.methods.items[i];

		if (str_eq(m->type, t->steps[0].name) &&
		    str_eq(m->name, t->steps[1].name))
			return m;
	}
	return NULL;
}

/* method.TYPE.NAME; of JSON the same in a string. */
static const struct cfg_encryption_block *named_method(
	struct encryption *e, const struct cfg_encryption_target *t,
	struct diags *ds)
{
	const struct cfg_encryption_block *m;
	struct traversal_ref r;
	struct range at = t->at;

	if (!t->method.root) {
		diag_error(ds, &at, "Invalid expression",
			   "This block names no method: it needs an argument "
			   "\"method\", as in method = method.aes_gcm.main.");
		return NULL;
	}
	if (expression_traversal(e->a, t->method, &r, ds))
		return NULL;
	at = expression_range(t->method);
	if (!str_is(r.traversal.root, "method") || r.traversal.nsteps != 2 ||
	    r.traversal.steps[0].kind != STEP_ATTR ||
	    r.traversal.steps[1].kind != STEP_ATTR) {
		diag_error(ds, &at, "Invalid encryption method identifier",
			   "A method is named as in method.aes_gcm.main.");
		return NULL;
	}
	m = find_method(e, &r.traversal);
	if (!m)
		diag_error(
			ds, &at, "Reference to undeclared encryption method",
			"The encryption block has no method \"%.*s\" \"%.*s\".",
			STR_ARG(r.traversal.steps[0].name),
			STR_ARG(r.traversal.steps[1].name));
	return m;
}

/* A target and what it falls back to; -1 after a diagnostic. */
static int read_target(struct encryption *e, struct str name,
		       const struct cfg_encryption_target *t, struct diags *ds)
{
	struct envelope *env = ARENA_NEW(e->a, struct envelope);
	const bool enforced = t->enforced;
	const size_t errors = ds->errors;
	bool plain = false;

	env->e = e;
	env->name = name;
	for (; t; t = t->fallback) {
		const struct cfg_encryption_block *m = named_method(e, t, ds);

		if (!m)
			continue;
		plain |= method_is_unencrypted(m);
		vec_push(e->a, &env->methods, m);
	}
	if (enforced && plain)
		diag_error(ds, &e->cfg.at, "Unencrypted method is forbidden",
			   "\"enforced\" is set, so the method unencrypted "
			   "cannot be used for \"%.*s\".",
			   STR_ARG(name));
	if (ds->errors > errors)
		return -1;
	map_put(e->a, &e->envelopes, name, env);
	return 0;
}

static int read_targets(struct encryption *e, struct diags *ds)
{
	const struct cfg_encryption *c = &e->cfg;
	int rc = 0;

	if (c->state)
		rc |= read_target(e, STR("state"), c->state, ds);
	if (c->plan)
		rc |= read_target(e, STR("plan"), c->plan, ds);
	if (c->remote)
		rc |= read_target(e, STR("remote.default"), c->remote, ds);
	for (size_t i = 0; i < c->named.len; i++)
		rc |= read_target(
			e,
			STR_CAT(e->a, STR("remote.remote_state_datasource."),
				c->named.items[i].name),
			c->named.items[i].target, ds);
	return rc;
}

static void warn_unencrypted(struct encryption *e, struct diags *ds)
{
	for (size_t i = 0; i < e->cfg.methods.len; i++)
		if (method_is_unencrypted(&e->cfg.methods.items[i]))
			diag_warning(ds, &e->cfg.at,
				     "Unencrypted method configured",
				     "With the method unencrypted states and "
				     "plans can be stored as plain text. It is "
				     "meant for the time in which encryption "
				     "is switched on or off.");
}

struct encryption *encryption_new(struct arena *a, struct config *c,
				  const struct config_options *o,
				  struct remote *rem, struct diags *ds)
{
	struct encryption *e = ARENA_NEW(a, struct encryption);
	struct config_options *own = arena_dup(a, o, sizeof(*o));

	e->a = a;
	e->c = c && c->root ? c : config_new(a);
	if (!e->c->root) {
		e->c->root = ARENA_NEW(a, struct cfg_module);
		e->c->root->dir = STR(".");
	}
	e->o = own;
	e->remote = rem;
	key_ring_take(e);
	if (encrypt_settings(e, ds))
		return NULL;
	warn_unencrypted(e, ds);
	return read_targets(e, ds) ? NULL : e;
}

void encryption_end(struct encryption *e)
{
	if (e && !e->hands_on)
		key_derived_end(e);
}

void encryption_hand_on(struct encryption *e)
{
	struct envelope *env = encryption_state(e);

	if (e && e->ring_applies && envelope_seals(env))
		e->hands_on = method_begin(e, env->methods.items[0]);
}

void encryption_handed_on(struct encryption *e)
{
	struct diags unused;

	if (!e || !e->hands_on)
		return;
	unused = (struct diags)DIAGS_INIT(e->a);
	envelope_finish(encryption_state(e), &unused);
	e->hands_on = false;
	key_derived_end(e);
}

struct envelope *encryption_state(struct encryption *e)
{
	return e ? map_get(&e->envelopes, STR("state")) : NULL;
}

struct envelope *encryption_plan(struct encryption *e)
{
	return e ? map_get(&e->envelopes, STR("plan")) : NULL;
}

/* data.terraform_remote_state.x[0] is "x[0]" there, and
 * module.m.data.terraform_remote_state.x is "m.x". */
static struct str remote_name(struct encryption *e, struct str address)
{
	static const char type[] = "data.terraform_remote_state.";
	ptrdiff_t at = str_find(address, STR(type));

	if (at >= 0)
		address =
			STR_CAT(e->a, str_sub(address, 0, (size_t)at),
				str_sub(address, (size_t)at + sizeof(type) - 1,
					address.n));
	str_take(&address, STR("module."));
	return address;
}

struct envelope *encryption_remote(struct encryption *e, struct str address)
{
	struct envelope *env;

	if (!e)
		return NULL;
	env = map_get(&e->envelopes,
		      STR_CAT(e->a, STR("remote.remote_state_datasource."),
			      remote_name(e, address)));
	return env ? env : map_get(&e->envelopes, STR("remote.default"));
}
