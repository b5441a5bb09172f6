/* provider_start.c - opening, validating and configuring provider instances,
 * once each, asynchronously; diagnostics of providers */
#include "engine/run/providers.h"
#include "addr/provider.h"
#include "engine/run/values.h"
#include "engine/run/mock.h"
#include "engine/run/run_int.h"
#include "lang/spec/decode.h"
#include "provider/open.h"
#include "value/marks.h"

static void tell(void *data)
{
	struct run_wait *w = data;

	((run_provider_fn *)w->fn)(w->data, w->provider);
}

static void settle(struct run_provider *p, enum provider_state state)
{
	struct run *r = p->module->run;
	struct run_wait *w = p->waiters;

	p->state = state;
	p->waiters = NULL;
	while (w) {
		struct run_wait *next = w->next;

		loop_defer(r->loop, tell, w);
		w = next;
	}
}

int run_provider_diags(struct diags *ds, const struct provider_request *q,
		       const struct body *body, struct str address)
{
	const size_t errors = ds->errors;

	for (size_t i = 0; i < q->diags.len; i++) {
		struct diag d = q->diags.items[i];
		struct diags one = { .arena = ds->arena,
				     .items = &d,
				     .len = 1 };
		struct diag *stored;

		diags_append(ds, &one);
		stored = &ds->items[ds->len - 1];
		if (!stored->address.n)
			stored->address = str_dup(ds->arena, address);
		if (!body || range_present(&stored->subject) ||
		    i >= q->diag_paths.len)
			continue;
		if (q->diag_paths.items[i].len)
			stored->subject =
				body_path_range(ds->arena, body,
						q->diag_paths.items[i]);
		else
			stored->subject = source_range(body->src, body->end);
	}
	return ds->errors == errors ? 0 : -1;
}

static struct str instance_text(struct run_provider *p)
{
	return provider_config_text(p->module->run->arena, &p->addr);
}

static void failed(struct run_provider *p)
{
	struct run *r = p->module->run;

	if (!p->config)
		diag_error(r->diags, NULL, "Invalid provider configuration",
			   "The provider %.*s needs a configuration: add a "
			   "provider block with its required arguments to "
			   "the root module.",
			   STR_ARG(provider_addr_text(r->arena,
						      p->addr.provider)));
	settle(p, PROVIDER_FAILED);
}

static void configured(struct provider_request *q)
{
	struct run_provider *p = q->data;
	struct run *r = p->module->run;

	if (q->not_sent)
		settle(p, PROVIDER_FAILED);
	else if (run_provider_diags(r->diags, q, p->body, instance_text(p)))
		failed(p);
	else
		settle(p, PROVIDER_READY);
}

static void request(struct run_provider *p, enum provider_call call,
		    const struct value *config,
		    void (*done)(struct provider_request *))
{
	struct run *r = p->module->run;

	p->request = (struct provider_request){
		.call = call,
		.arena = r->arena,
		.check.in.config = config,
		.done = done,
		.data = p,
		.diags = DIAGS_INIT(r->arena),
	};
	provider_start(p->provider, &p->request);
}

static void validated(struct provider_request *q)
{
	struct run_provider *p = q->data;
	struct run *r = p->module->run;

	if (q->not_sent) { /* the run is stopped, which is said elsewhere */
		settle(p, PROVIDER_FAILED);
		return;
	}
	if (run_provider_diags(r->diags, q, p->body, instance_text(p))) {
		failed(p);
		return;
	}
	if (r->opts.phase == RUN_VALIDATE)
		settle(p, PROVIDER_READY);
	else
		request(p, CALL_CONFIGURE, q->check.in.config, configured);
}

/* The body of a provider that nobody configured: its name is the file. */
static struct body *empty_body(struct run_provider *p)
{
	struct arena *a = p->module->run->arena;
	struct body *b = ARENA_NEW(a, struct body);
	const struct str provider = instance_text(p);

	b->src = source_new(a,
			    str_printf(a, "%.*s with no configuration",
				       STR_ARG(provider)),
			    STR(""));
	return b;
}

/* Evaluates the configuration; NULL on errors. */
static const struct value *evaluate(struct run_provider *p)
{
	struct run *r = p->module->run;
	struct diags *ds = r->diags;
	const size_t errors = ds->errors;
	struct run_scope s;
	const struct value *v;

	run_scope_init(&s, p->module, &p->rep);
	v = body_decode(r->arena, p->body, p->provider->schema->config,
			&s.scope, ds);
	v = body_report_deprecated(r->arena, p->body, v, ds);
	if (ds->errors != errors || s.failed)
		return NULL;
	return value_unmark_deep(r->arena, v, NULL);
}

static bool body_is_empty(const struct body *b)
{
	static const struct body_schema nothing = { NULL, NULL };
	struct arena scratch = ARENA_INIT;
	struct diags ignored = DIAGS_INIT(&scratch);
	struct body_content c = { .attrs = { NULL, 0, 0 } };
	bool empty = !body_content(&scratch, b, &nothing, &c, &ignored);

	arena_release(&scratch);
	return empty;
}

static void configure(void *data)
{
	struct run_provider *p = data;
	struct run *r = p->module->run;
	const struct run_mark mark = run_mark(r, r->diags);
	const struct value *config = evaluate(p);

	if (run_must_wait(&mark, configure, p))
		return;
	if (config)
		request(p, CALL_VALIDATE_PROVIDER, config, validated);
	else
		settle(p, PROVIDER_FAILED);
}

static void start(struct run_provider *p)
{
	struct run *r = p->module->run;

	p->state = PROVIDER_STARTING;
	p->body =
		p->config && p->config->body ? p->config->body : empty_body(p);
	p->provider = run_take_process(r, p->addr.provider, r->diags);
	if (!p->provider) {
		settle(p, PROVIDER_FAILED);
		return;
	}
	if (run_provider_mocked(p)) {
		settle(p, PROVIDER_READY);
		return;
	}
	/* A mere placeholder may lack required arguments. */
	if (r->opts.phase == RUN_VALIDATE && body_is_empty(p->body)) {
		settle(p, PROVIDER_READY);
		return;
	}
	configure(p);
}

void run_provider_get(struct run *r, struct run_provider *p,
		      run_provider_fn *fn, void *data)
{
	struct run_wait *w = ARENA_NEW(r->arena, struct run_wait);

	w->fn = (void *)fn;
	w->data = data;
	w->provider = p;
	if (p->state == PROVIDER_READY || p->state == PROVIDER_FAILED) {
		loop_defer(r->loop, tell, w);
		return;
	}
	w->next = p->waiters;
	p->waiters = w;
	if (p->state == PROVIDER_IDLE)
		start(p);
}

/* --- asleep: its process is not there, and there is no room for one --- */

bool run_provider_asleep(const struct run *r, const struct run_provider *p)
{
	return p->state != PROVIDER_FAILED &&
	       provider_asleep(r->opts.providers, p->provider);
}

struct sleeper {
	loop_fn *again;
	void *data;
	struct provider_request request;
};

static void settled(void *data, struct run_provider *p)
{
	struct sleeper *s = data;

	(void)p;
	s->again(s->data);
}

static void awake(struct provider_request *q)
{
	struct sleeper *s = q->data;

	s->again(s->data);
}

void run_provider_wake(struct run *r, struct run_provider *p, loop_fn *again,
		       void *data)
{
	struct sleeper *s = ARENA_NEW(r->arena, struct sleeper);

	*s = (struct sleeper){
		.again = again,
		.data = data,
		.request = { .call = CALL_WAKE,
			     .arena = r->arena,
			     .done = awake,
			     .data = s },
	};
	if (p->state == PROVIDER_READY)
		provider_start(p->provider, &s->request);
	else
		run_provider_get(r, p, settled, s);
}

void run_providers_stop(struct run *r)
{
	for (size_t i = 0; i < r->providers.len; i++) {
		struct run_provider *p = r->providers.entries[i].value;

		if (p->provider && p->provider->ops->stop)
			p->provider->ops->stop(p->provider);
	}
}
