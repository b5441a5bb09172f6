/* open.c - finding and starting the provider for an address */
#include <stdlib.h>

#include "provider/open.h"
#include "addr/provider.h"
#include "provider/provider_int.h"

bool remote_wants_tls(void)
{
	const char *s = getenv("TFPIPE_PLUGIN_TLS");

	return s && *s && strcmp(s, "0") != 0;
}

struct wanted {
	struct arena *arena;
	struct provider_addr addr;
	struct str default_host;
};

static int same_address(void *data, struct str key)
{
	const struct wanted *w = data;
	struct provider_addr got;
	struct str why;

	if (provider_addr_parse(w->arena, key, w->default_host, &got, &why))
		return -1;
	return provider_addr_equal(got, w->addr);
}

/* Does one of those that run, as a variable tells, serve the address? */
static int find_running(struct known *k, const char *variable, struct diags *ds)
{
	struct wanted w = { k->arena, k->addr, k->source->default_host };

	return reattach_find(k->arena, str_env(variable), same_address, &w,
			     &k->reattach, ds);
}

struct known *provider_find(struct provider_source *src,
			    struct provider_addr addr, struct diags *ds)
{
	struct arena *a = src->arena;
	struct str name = provider_addr_text(a, addr);
	struct known *k = map_get(&src->known, name);
	int rc;

	if (k)
		return k;
	k = ARENA_NEW(a, struct known);
	k->source = src;
	k->arena = a;
	k->addr = (struct provider_addr){ str_dup(a, addr.host),
					  str_dup(a, addr.namespace),
					  str_dup(a, addr.type) };
	k->name = name;
	rc = find_running(k, "TF_REATTACH_PROVIDERS", ds);
	if (rc < 0)
		return NULL;
	k->reattached = rc > 0;
	if (!k->reattached) {
		if (src->find(src, a, addr, &k->package, ds) < 0)
			return NULL;
		k->exe = arena_strndup(a, k->package.exe.p, k->package.exe.n);
		k->shared = find_running(k, "TFPIPE_SHARED_PROVIDERS", ds) > 0;
	}
	map_put(a, &src->known, name, k);
	return k;
}

const struct provider_package *provider_package(const struct provider *p)
{
	if (p->ops != &remote_ops)
		return NULL;
	return &((const struct remote_provider *)p)->known->package;
}

static struct provider *open_remote(struct arena *a, struct loop *loop,
				    struct provider_source *src,
				    struct provider_addr addr, struct diags *ds)
{
	struct remote_provider *p = ARENA_NEW(a, struct remote_provider);

	p->known = provider_find(src, addr, ds);
	if (!p->known)
		return NULL;
	p->base.ops = &remote_ops;
	p->base.addr = p->known->addr;
	p->base.loop = loop;
	p->base.external_effects = true;
	p->waiting_tail = &p->waiting;
	if (!p->known->schema)
		schema_cache_read(p->known);
	if ((!p->known->schema ||
	     (src->ask && p->known->from != SCHEMA_GIVEN)) &&
	    remote_schema(p, ds) < 0) {
		remote_ops.close(&p->base);
		return NULL;
	}
	p->base.schema = p->known->schema;
	return &p->base;
}

struct provider *provider_open(struct arena *a, struct loop *loop,
			       struct provider_source *src,
			       struct provider_addr addr, struct diags *ds)
{
	if (provider_addr_equal(addr, provider_builtin))
		return provider_builtin_open(a, loop,
					     src ? src->workdir : NULL);
	if (src)
		return open_remote(a, loop, src, addr, ds);
	diag_error(ds, NULL, "Missing required provider",
		   "The provider %.*s is not installed.",
		   STR_ARG(provider_addr_text(a, addr)));
	return NULL;
}

void provider_prepare(struct loop *loop, struct provider_source *src,
		      struct provider_addr addr)
{
	struct arena scratch = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&scratch); /* opening it tells */
	struct known *k = NULL;

	if (src && src->keep_idle &&
	    !provider_addr_equal(addr, provider_builtin))
		k = provider_find(src, addr, &quiet);
	if (k && !k->schema)
		schema_cache_read(k);
	if (k && !k->schema && !k->idle && !k->reattached && !limit_reached(k))
		k->idle = remote_process(k, loop, &quiet);
	arena_release(&scratch);
}

void provider_source_close(struct provider_source *src)
{
	for (size_t i = 0; i < src->known.len; i++)
		plugin_end(((struct known *)src->known.entries[i].value)->idle);
	for (size_t i = 0; i < src->known.len; i++) {
		struct known *k = src->known.entries[i].value;

		limit_close(k, k->idle);
		k->idle = NULL;
	}
	provider_source_settle(src);
}
