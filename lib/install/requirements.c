/* requirements.c - see requirements.h */
#include "install/requirements.h"

#include <stdlib.h>

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
	for (size_t i = 0; i < c.len; i++)
		vec_push(a, &r->all, c.items[i]);
}

static void need_of_resources(struct arena *a, const struct map *resources,
			      struct requirement_vec *out)
{
	for (size_t i = 0; i < resources->len; i++) {
		const struct cfg_resource *r = resources->entries[i].value;

		if (r->provider.type.n)
			need(a, out, r->provider);
	}
}

static void collect_module(struct arena *a, const struct cfg_module *m,
			   struct requirement_vec *out)
{
	for (size_t i = 0; i < m->required_providers.len; i++) {
		const struct cfg_required_provider *rp =
			m->required_providers.entries[i].value;

		constrain(a, need(a, out, rp->addr), rp->version);
	}
	for (size_t i = 0; i < m->providers.len; i++) {
		const struct cfg_provider *p = m->providers.entries[i].value;

		constrain(a, need(a, out, p->provider), p->version);
	}
	need_of_resources(a, &m->managed, out);
	need_of_resources(a, &m->data, out);
	need_of_resources(a, &m->ephemeral, out);
	for (size_t i = 0; i < m->imports.len; i++)
		if (m->imports.items[i].provider.type.n)
			need(a, out, m->imports.items[i].provider);
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

void requirements_add(struct arena *a, struct requirement_vec *v,
		      struct provider_addr p)
{
	need(a, v, p);
	qsort(v->items, v->len, sizeof(*v->items), by_provider);
}

static int by_text(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

struct str requirement_text(struct arena *a, const struct requirement *r)
{
	struct str_vec parts = { 0 };
	struct buf b = BUF_INIT;
	struct str text;

	for (size_t i = 0; i < r->all.len; i++) {
		struct str s = version_constraint_text(a, &r->all.items[i]);
		bool twice = false;

		for (size_t k = 0; k < parts.len; k++)
			twice |= str_eq(parts.items[k], s);
		if (!twice)
			vec_push(a, &parts, s);
	}
	if (parts.len)
		qsort(parts.items, parts.len, sizeof(*parts.items), by_text);
	for (size_t i = 0; i < parts.len; i++) {
		if (i)
			buf_puts(&b, ", ");
		buf_str(&b, parts.items[i]);
	}
	text = buf_dup(a, &b);
	buf_release(&b);
	return text;
}
