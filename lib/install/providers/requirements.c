/* requirements.c - see requirements.h */
#include <stdlib.h>

#include "addr/provider.h"
#include "install/providers/requirements.h"
#include "base/product.h"

bool provider_is_builtin(struct provider_addr p)
{
	return str_is(p.namespace, "builtin") &&
	       (str_is(p.host, "terraform.io") ||
		str_is(p.host, "builtin.opentofu.org"));
}

static struct requirement *need(struct arena *a, struct requirement_vec *v,
				struct provider_addr p)
{
	struct requirement *r;

	for (size_t i = 0; i < v->len; i++)
		if (provider_addr_equal(v->items[i]->provider, p))
			return v->items[i];
	r = ARENA_NEW(a, struct requirement);
	r->provider = p;
	vec_push(a, v, r);
	return r;
}

static void constrain(struct arena *a, struct requirement *r, struct str text)
{
	struct version_constraints c;

	if (!text.n || !version_constraints_parse(a, text, &c))
		return;
	vec_push(a, &r->texts, text);
	for (size_t i = 0; i < c.len; i++) {
		/* For providers, unlike modules, "~> 2" means "~> 2.0". */
		if (c.items[i].op == VERSION_PESSIMISTIC &&
		    c.items[i].v.given == 1)
			c.items[i].v.given = 2;
		vec_push(a, &r->all, c.items[i]);
	}
}

/* Of what is in the module at the path. */
static void infer(struct arena *a, struct requirement *r, struct str module,
		  struct resource_addr addr, struct range at)
{
	struct buf b = BUF_INIT;

	if (!r->inferred.of.n) {
		buf_addf(&b, "%.*s%s", STR_ARG(module), module.n ? "." : "");
		resource_addr_print(&b, addr);
		r->inferred.of = buf_dup(a, &b);
		r->inferred.type = addr.type;
		r->inferred.at = at;
	}
	buf_release(&b);
}

static void need_of_resources(struct arena *a, const struct map *resources,
			      struct requirement_vec *out)
{
	for (size_t i = 0; i < resources->len; i++) {
		const struct cfg_resource *r = resources->entries[i].value;

		struct requirement *needed;

		if (!r->provider.type.n)
			continue;
		needed = need(a, out, r->provider);
		if (!r->provider_ref->given)
			infer(a, needed, r->module->path, r->addr, r->at);
	}
}

static void collect_module(struct arena *a, const struct cfg_module *m,
			   struct requirement_vec *out)
{
	for (size_t i = 0; i < m->required_providers.len; i++) {
		const struct cfg_required_provider *rp =
			m->required_providers.entries[i].value;

		struct requirement *r = need(a, out, rp->addr);

		r->declared = true;
		constrain(a, r, rp->version);
	}
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *p = m->providers.entries[i].value;

		constrain(a, need(a, out, p->provider), p->version);
	}
	need_of_resources(a, &m->managed, out);
	need_of_resources(a, &m->data, out);
	need_of_resources(a, &m->ephemeral, out);
	for (size_t i = 0; i < m->imports.len; i++) {
		const struct cfg_import *im = &m->imports.items[i];
		struct requirement *needed;

		if (!im->provider.type.n)
			continue;
		needed = need(a, out, im->provider);
		if (!im->provider_ref->given)
			infer(a, needed, m->path, im->static_to.resource,
			      im->at);
	}
}

static int by_provider(const void *x, const void *y)
{
	return provider_addr_cmp((*(struct requirement *const *)x)->provider,
				 (*(struct requirement *const *)y)->provider);
}

void requirements_collect(struct arena *a, const struct config *c,
			  struct requirement_vec *out)
{
	for (size_t i = 0; i < c->modules.len; i++)
		collect_module(a, c->modules.entries[i].value, out);
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), by_provider);
}

void requirements_of_module(struct arena *a, const struct cfg_module *m,
			    struct requirement_vec *out)
{
	collect_module(a, m, out);
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), by_provider);
}

void requirements_of_state(struct arena *a, const struct state *s,
			   struct requirement_vec *v)
{
	for (size_t i = 0; i < s->resources.len; i++)
		need(a, v, s->resources.items[i]->provider.provider);
	if (v->len)
		qsort(v->items, v->len, sizeof(*v->items), by_provider);
}

static bool is_official(struct provider_addr p)
{
	return str_is(p.namespace, "hashicorp") ||
	       str_is(p.namespace, "opentofu");
}

/* The providers of the type, one behind the other; n: how many. */
static struct str same_type(struct arena *a, const struct requirement_vec *v,
			    struct str type, struct str default_host, size_t *n)
{
	struct buf b = BUF_INIT;

	*n = 0;
	for (size_t i = 0; i < v->len; i++) {
		struct provider_addr p = v->items[i]->provider;

		if (!is_official(p) || !str_eq(p.type, type))
			continue;
		buf_puts(&b, (*n)++ ? ", " : "");
		buf_str(&b, provider_addr_display(a, p, default_host));
	}
	return buf_take(a, &b);
}

int requirements_check(struct arena *a, const struct requirement_vec *v,
		       struct str default_host, struct diags *ds)
{
	const size_t errors = ds->errors;
	struct map seen = { 0 };

	for (size_t i = 0; i < v->len; i++) {
		struct provider_addr p = v->items[i]->provider;
		struct str all;
		size_t n;

		if (str_is(p.namespace, "-"))
			diag_error(
				ds, NULL, "Invalid legacy provider address",
				"The state has objects of the provider \"%.*s\" without saying "
				"whose it is, as was written before Terraform 0.13. To say it: %s "
				"state replace-provider -- -/%.*s NAMESPACE/%.*s",
				STR_ARG(p.type), product_command(),
				STR_ARG(p.type), STR_ARG(p.type));
		if (!is_official(p) || map_has(&seen, p.type))
			continue;
		map_put(a, &seen, p.type, v->items[i]);
		all = same_type(a, v, p.type, default_host, &n);
		if (n > 1)
			diag_warning(ds, NULL,
				     "Potential provider misconfiguration",
				     "Several providers are of the type %.*s: "
				     "%.*s. If all of them are meant, this is "
				     "as it should be.",
				     STR_ARG(p.type), STR_ARG(all));
	}
	return ds->errors > errors ? -1 : 0;
}

/* How constraints on the same version are ordered, in lock files and tables. */
static int op_rank(const struct version_constraint *c)
{
	static const int ranks[] = {
		[VERSION_GT] = 1, [VERSION_GE] = 2, [VERSION_EQ] = 3,
		[VERSION_LE] = 6, [VERSION_LT] = 7, [VERSION_NE] = 8,
	};

	if (c->op == VERSION_PESSIMISTIC)
		return c->v.given > 2 ? 4 : 5;
	return ranks[c->op];
}

static int by_version(const void *x, const void *y)
{
	const struct version_constraint *a = x, *b = y;
	int c = version_cmp(&a->v, &b->v);

	if (!c)
		c = str_cmp(a->v.metadata, b->v.metadata);
	return c ? c : op_rank(a) - op_rank(b);
}

struct str requirements_normal(struct arena *a,
			       const struct version_constraints *c)
{
	struct version_constraint *all =
		ARENA_ARRAY(a, struct version_constraint, c->len);
	struct str last = STR_NONE, text;
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < c->len; i++)
		all[i] = c->items[i];
	qsort(all, c->len, sizeof(*all), by_version);
	for (size_t i = 0; i < c->len; i++) {
		struct str s = version_constraint_text(a, &all[i]);

		if (last.n && str_eq(s, last))
			continue;
		if (last.n)
			buf_puts(&b, ", ");
		buf_str(&b, s);
		last = s;
	}
	text = buf_dup(a, &b);
	buf_release(&b);
	return text;
}

struct str requirement_text(struct arena *a, const struct requirement *r)
{
	return requirements_normal(a, &r->all);
}
