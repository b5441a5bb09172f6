/*
 * suite_providers.c - processes of mocked providers, one for all runs
 *
 * A mocked provider makes no values, but its process tells schemas, validates
 * what is configured and upgrades what is stored, for each run.  It is never
 * configured, so one serves all runs in which nothing but mocks is of its
 * provider.
 */
#include <stdlib.h>

#include "addr/provider.h"
#include "provider/open.h"
#include "provider/source.h"
#include "suite/suite_int.h"

enum use { MOCKED, MOCKED_BY_DEFAULT, ASKED };

static void note_use(struct arena *a, struct map *uses,
		     const struct cfg_provider *p)
{
	static const enum use values[] = { MOCKED, MOCKED_BY_DEFAULT, ASKED };
	const struct str name = provider_addr_text(a, p->provider);
	struct map_entry *e = map_slot(a, uses, name);
	const enum use *was = e->value;
	enum use is = !p->mocked    ? ASKED
		      : !p->alias.n ? MOCKED_BY_DEFAULT
				    : MOCKED;

	if (!was || *was < is)
		e->value = (void *)&values[is];
}

/* How the run uses each provider: address -> enum use. */
static void find_uses(struct test_run *r, struct map *uses)
{
	const struct map *modules = &r->config->modules;

	for (size_t i = 0; i < modules->len; i++) {
		const struct cfg_module *m = modules->entries[i].value;

		for (size_t k = 0; k < m->providers.len; k++)
			note_use(&r->arena, uses,
				 m->providers.entries[k].value);
	}
}

static struct suite_provider *shared_of(struct suite *s, struct str name)
{
	struct suite_provider *p = map_get(&s->providers, name);
	struct provider_addr addr;
	struct str why;

	if (p)
		return p;
	p = ARENA_NEW(s->arena, struct suite_provider);
	name = str_dup(s->arena, name);
	map_put(s->arena, &s->providers, name, p);
	if (!provider_addr_parse(s->arena, name, s->source->default_host, &addr,
				 &why) &&
	    !provider_addr_equal(addr, provider_builtin))
		p->process = shared_provider_start(s->arena, s->loop, s->source,
						   addr);
	return p;
}

const char *suite_shared_providers(struct test_run *r)
{
	struct map uses = { 0 };
	struct buf b = BUF_INIT;
	const char *text;

	find_uses(r, &uses);
	for (size_t i = 0; i < uses.len; i++)
		if (*(const enum use *)uses.entries[i].value ==
		    MOCKED_BY_DEFAULT)
			shared_of(r->suite, uses.entries[i].key);
	for (size_t i = 0; i < uses.len; i++) {
		struct suite_provider *p =
			map_get(&r->suite->providers, uses.entries[i].key);

		if (*(const enum use *)uses.entries[i].value !=
			    MOCKED_BY_DEFAULT ||
		    !p->process)
			continue;
		if (!p->entry.n)
			p->entry = shared_provider_entry(p->process);
		if (p->entry.n)
			buf_addf(&b, "%s%.*s", b.len ? "," : "",
				 STR_ARG(p->entry));
	}
	text = b.len ? arena_printf(&r->arena, "TFPIPE_SHARED_PROVIDERS={%.*s}",
				    STR_ARG(buf_view(&b)))
		     : NULL;
	buf_release(&b);
	return text;
}

void suite_end_providers(struct suite *s)
{
	for (size_t i = 0; i < s->providers.len; i++) {
		struct suite_provider *p = s->providers.entries[i].value;

		shared_provider_end(p->process);
	}
}
