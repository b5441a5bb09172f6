/* run.c - see run.h: making and releasing a run */
#include <limits.h>

#include "addr/provider.h"
#include "engine/run/run_int.h"
#include "provider/open.h"
#include "provider/source.h"

struct run_module *run_module_new(struct run *r, struct cfg_module *c,
				  struct run_module *parent,
				  struct run_call *call, struct inst_key key,
				  const struct repetition *rep)
{
	struct run_module *m = ARENA_NEW(r->arena, struct run_module);
	struct buf b = BUF_INIT;

	m->run = r;
	m->config = c;
	m->parent = parent;
	m->call = call;
	if (parent)
		m->addr = module_addr_child(r->arena, parent->addr,
					    c->call->name, key);
	if (rep)
		m->rep = *rep;
	module_addr_print(&b, m->addr);
	m->path = buf_dup(r->arena, &b);
	buf_release(&b);
	m->variables = ARENA_ARRAY(r->arena, struct run_memo, c->variables.len);
	m->locals = ARENA_ARRAY(r->arena, struct run_memo, c->locals.len);
	m->outputs = ARENA_ARRAY(r->arena, struct run_memo, c->outputs.len);
	m->calls = ARENA_ARRAY(r->arena, struct run_call *, c->calls.len);
	m->managed =
		ARENA_ARRAY(r->arena, struct run_resource *, c->managed.len);
	m->data = ARENA_ARRAY(r->arena, struct run_resource *, c->data.len);
	m->ephemeral =
		ARENA_ARRAY(r->arena, struct run_resource *, c->ephemeral.len);
	return m;
}

int run_parallelism(long given, unsigned *n, struct diags *ds)
{
	if (given < 0 || given > INT_MAX)
		return diag_error(ds, NULL, "Invalid parallelism value",
				  "-parallelism is how many operations there "
				  "may be at a time; %ld is no such number.",
				  given);
	*n = (unsigned)given;
	return 0;
}

struct run *run_new(struct arena *a, struct loop *l, struct config *c,
		    struct state *previous, const struct run_options *o,
		    struct diags *ds)
{
	struct run *r = ARENA_NEW(a, struct run);

	r->arena = a;
	r->loop = l;
	r->config = c;
	r->opts = *o;
	if (!r->opts.parallelism)
		r->opts.parallelism = 10;
	if (!r->opts.workspace.n)
		r->opts.workspace = STR("default");
	r->diags = ds;
	r->base_dir = o->dir.n ? arena_strndup(a, o->dir.p, o->dir.n) : ".";
	r->previous = previous ? previous : state_new(a);
	r->prior = r->previous;
	r->state = r->previous;
	r->slot_waiters_tail = &r->slot_waiters;
	r->root = run_module_new(r, c->root, NULL, NULL, KEY_ABSENT, NULL);
	checks_init(&r->checks, a, c);
	if (r->opts.providers)
		r->opts.providers->work_waits = 0;
	return r;
}

void run_forget_values(struct run *r)
{
	r->root = run_module_new(r, r->config->root, NULL, NULL, KEY_ABSENT,
				 NULL);
	r->module_lists = r->provider_configs = (struct map){ 0 };
	r->last_provider_set = NULL;
}

struct provider provider_failed;

static void close_provider(struct provider *p)
{
	if (p && p != &provider_failed)
		p->ops->close(p);
}

/* A process that only validates is shared; it is closed as the one that was
 * opened first. */
static bool is_shared(const struct run *r, const struct run_provider *p)
{
	return r->opts.phase == RUN_VALIDATE && p->provider &&
	       p->provider ==
		       map_get(&r->provider_processes,
			       provider_addr_text(r->arena, p->addr.provider));
}

void run_free(struct run *r)
{
	for (size_t i = 0; i < r->providers.len; i++) {
		struct run_provider *p = r->providers.entries[i].value;

		if (p->provider && p->provider != &provider_failed)
			p->provider->ops->end(p->provider);
	}
	for (size_t i = 0; i < r->providers.len; i++) {
		struct run_provider *p = r->providers.entries[i].value;

		if (!is_shared(r, p))
			close_provider(p->provider);
		p->provider = NULL;
	}
	for (size_t i = 0; i < r->provider_processes.len; i++) {
		const struct map_entry *e = &r->provider_processes.entries[i];

		if (!map_has(&r->provider_taken, e->key))
			close_provider(e->value);
	}
	provider_source_settle(r->opts.providers);
	run_calls_free(r);
	for (size_t i = 0; i < r->slots.len; i++)
		arena_release(&r->slots.items[i]->arena);
}
