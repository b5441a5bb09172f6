/*
 * calls.c - calls of providers' functions, which take their time
 *
 * An evaluation does not wait.  A call whose outcome is not known is started,
 * its value is unknown for now, and the run notes that something is asked
 * (run_asks).  The caller that began the evaluation finds that out
 * (run_must_wait), drops its results and evaluates again when the outcome is
 * known.  A function gives the same result for the same arguments, so each call
 * is made once for an instance of the provider, and its outcome kept.
 */
#include "engine/run/values.h"
#include "addr/provider.h"
#include "engine/run/run_int.h"
#include "engine/run/providers.h"
#include "lang/eval/func.h"
#include "value/codec_msgpack.h"

struct waiter {
	struct waiter *next;
	loop_fn *fn;
	void *data;
};

struct run_asked {
	bool over;
	struct waiter *waiters;
};

struct outcome { /* of a call; value, or else error */
	struct run_asked asked;
	const struct value *value;
	struct func_error error;
	struct bound *of;
	struct outcome *next; /* of the run's */
	struct arena arena;   /* of the request */
	struct provider_request request;
};

struct bound { /* the data of a struct func */
	struct run *run;
	struct run_provider *instance; /* NULL: one that is not configured */
	struct provider *provider;     /* not configured: that */
	const struct func *spec;
	struct map outcomes; /* arguments -> struct outcome * */
};

struct listing { /* the functions of a configured instance */
	struct run_asked asked;
	struct run *run;
	struct provider_request request;
	struct func unlisted; /* stands for all until they are known */
};

/* --- asking and waiting --- */

void run_asks(struct run *r, struct run_asked *what)
{
	r->asked++;
	r->asked_last = what;
}

bool run_asked_over(const struct run_asked *what)
{
	return what->over;
}

static void over(struct run *r, struct run_asked *a)
{
	a->over = true;
	for (struct waiter *w = a->waiters; w; w = w->next)
		loop_defer(r->loop, w->fn, w->data);
	a->waiters = NULL;
}

struct run_mark run_mark(struct run *r, struct diags *ds)
{
	return (struct run_mark){ r, ds, diags_mark(ds), r->asked,
				  r->reports.len };
}

bool run_waits(const struct run_mark *m)
{
	return m->run->asked != m->asked;
}

static void drop(const struct run_mark *m)
{
	struct run *r = m->run;

	diags_rollback(m->ds, m->said);
	while (r->reports.len > m->reports) {
		struct run_report *p = &r->reports.items[--r->reports.len];

		checks_take_back(p->object, p->status);
	}
}

/* Of several calls the last is waited for: most likely it ends last. */
bool run_must_wait(const struct run_mark *m, loop_fn *again, void *data)
{
	struct run *r = m->run;
	struct waiter *w;

	if (!run_waits(m))
		return false;
	drop(m);
	if (r->asked_last->over) { /* meanwhile */
		loop_defer(r->loop, again, data);
		return true;
	}
	w = ARENA_NEW(r->arena, struct waiter);
	*w = (struct waiter){ r->asked_last->waiters, again, data };
	r->asked_last->waiters = w;
	return true;
}

bool run_settle(struct run_mark *m)
{
	struct run *r = m->run;

	if (!run_waits(m))
		return false;
	drop(m);
	m->asked = r->asked;
	loop_run(r->loop, &r->asked_last->over);
	return r->asked_last->over; /* else it never will be */
}

/* --- calls --- */

/* Are all arguments known where they have to be, at every depth? */
static bool known_enough(const struct func_call *c)
{
	for (size_t i = 0; i < c->nargs; i++) {
		const struct func_param *p = func_param_at(c->func, i);

		if (!(p && p->flags & PARAM_UNKNOWN) &&
		    !value_wholly_known(c->args[i]))
			return false;
	}
	return true;
}

/* The arguments as bytes: what outcomes are kept by. */
static int arguments_key(struct func_call *c, struct buf *out)
{
	struct buf one = BUF_INIT;
	int rc = 0;

	for (size_t i = 0; i < c->nargs && !rc; i++) {
		const struct func_param *p = func_param_at(c->func, i);

		buf_set_len(&one, 0);
		rc = value_to_msgpack(&one, c->args[i],
				      p ? p->type : c->args[i]->type);
		buf_addf(out, "%zu:", one.len);
		buf_str(out, buf_view(&one));
	}
	buf_release(&one);
	return rc;
}

static void fail(struct outcome *o, int arg, struct str why)
{
	o->error.arg = arg;
	o->error.message = str_dup(o->of->run->arena, why);
}

static void answered(struct provider_request *q)
{
	struct outcome *o = q->data;
	struct run *r = o->of->run;

	if (q->function.out.value && !diags_failed(&q->diags))
		o->value = value_copy(r->arena, q->function.out.value);
	else
		fail(o, q->function.out.arg,
		     q->diags.len ? q->diags.items[0].detail
				  : STR("it gave no result"));
	arena_release(&o->arena);
	over(r, &o->asked);
}

static void call_instance(void *data, struct run_provider *p)
{
	struct outcome *o = data;

	if (p->state == PROVIDER_READY) {
		provider_start(p->provider, &o->request);
		return;
	}
	fail(o, -1, STR("the provider could not be configured"));
	arena_release(&o->arena);
	over(o->of->run, &o->asked);
}

static struct outcome *ask(struct bound *b, const struct func_call *c)
{
	struct outcome *o = ARENA_NEW(b->run->arena, struct outcome);
	const struct value **args;

	o->of = b;
	o->next = b->run->outcomes;
	b->run->outcomes = o;
	args = ARENA_ARRAY(&o->arena, const struct value *, c->nargs);
	for (size_t i = 0; i < c->nargs; i++)
		args[i] = value_copy(&o->arena, c->args[i]);
	o->request = (struct provider_request){
		.call = CALL_FUNCTION,
		.arena = &o->arena,
		.function = { .in = { b->spec, args, c->nargs },
			      .out.arg = -1 },
		.done = answered,
		.data = o,
	};
	if (b->instance)
		run_provider_get(b->run, b->instance, call_instance, o);
	else
		provider_start(b->provider, &o->request);
	return o;
}

void run_calls_free(struct run *r)
{
	for (struct outcome *o = r->outcomes; o; o = o->next)
		arena_release(&o->arena);
}

static const struct value *call(struct func_call *c)
{
	struct bound *b = c->func->data;
	struct buf key = BUF_INIT;
	struct outcome *o;

	if (!known_enough(c))
		return value_unknown(c->arena, c->func->result);
	if (arguments_key(c, &key) < 0) {
		buf_release(&key);
		return func_fail(c, -1, "an argument cannot be encoded");
	}
	o = map_get(&b->outcomes, buf_view(&key));
	if (!o) {
		o = ask(b, c);
		map_put(b->run->arena, &b->outcomes,
			buf_dup(b->run->arena, &key), o);
	}
	buf_release(&key);
	if (!o->asked.over) {
		run_asks(b->run, &o->asked);
		return value_unknown(c->arena, c->func->result);
	}
	if (o->value)
		return o->value;
	return func_fail(c, o->error.arg, "%.*s", STR_ARG(o->error.message));
}

/* --- the functions of a provider --- */

static const struct value *ask_listing(struct func_call *c)
{
	struct listing *l = c->func->data;

	run_asks(l->run, &l->asked);
	return &value_unknown_dynamic;
}

static void listed(struct provider_request *q)
{
	struct listing *l = q->data;

	over(l->run, &l->asked);
}

static void list_instance(void *data, struct run_provider *p)
{
	struct listing *l = data;

	if (p->state == PROVIDER_READY)
		provider_start(p->provider, &l->request);
	else
		over(l->run, &l->asked);
}

static struct listing *listing_new(struct run *r, struct run_provider *in,
				   struct provider *p)
{
	static const struct func_param none[] = { { 0 } };
	static const struct func_param any = {
		"args", &type_dynamic,
		PARAM_NULL | PARAM_UNKNOWN | PARAM_DYNAMIC | PARAM_MARKED, ""
	};
	struct listing *l = ARENA_NEW(r->arena, struct listing);

	l->run = r;
	l->unlisted = (struct func){
		.name = "unlisted",
		.params = none,
		.variadic = &any,
		.result = &type_dynamic,
		.impl = ask_listing,
		.flags = FUNC_NULLABLE,
		.data = l,
	};
	l->request = (struct provider_request){
		.call = CALL_LIST_FUNCTIONS,
		.arena = r->arena,
		.list.out.functions = { 0 },
		.done = listed,
		.data = l,
	};
	if (in)
		run_provider_get(r, in, list_instance, l);
	else
		provider_start(p, &l->request);
	return l;
}

/* The key of an instance in r->functions. */
static struct str instance_key(struct run *r, const struct run_provider *in,
			       const struct provider *p)
{
	return in ? provider_config_text(r->arena, &in->addr)
		  : provider_addr_text(r->arena, p->addr);
}

/* A function that is not in the schema: the instance may have it. */
static const struct func *from_listing(struct run *r, struct str of,
				       struct run_provider *in,
				       struct provider *p, struct str name,
				       const struct func **wait)
{
	struct listing *l = map_get(&r->functions, of);

	if (!l) {
		l = listing_new(r, in, p);
		map_put(r->arena, &r->functions, of, l);
	}
	*wait = l->asked.over ? NULL : &l->unlisted;
	return map_get(&l->request.list.out.functions, name);
}

const struct func *run_provider_function(struct run *r, struct run_provider *in,
					 struct provider *p, struct str name)
{
	const struct func *spec = map_get(&p->schema->functions, name), *wait;
	struct str of, full;
	struct bound *b;
	struct func *f;

	if (spec && spec->impl)
		return spec;
	of = instance_key(r, in, p);
	full = str_printf(r->arena, "%.*s::%.*s", STR_ARG(of), STR_ARG(name));
	f = map_get(&r->functions, full);
	if (f)
		return f;
	if (!spec) {
		spec = from_listing(r, of, in, p, name, &wait);
		if (!spec)
			return wait;
	}
	b = ARENA_NEW(r->arena, struct bound);
	*b = (struct bound){
		.run = r, .instance = in, .provider = p, .spec = spec
	};
	f = arena_dup(r->arena, spec, sizeof(*spec));
	f->impl = call;
	f->data = b;
	map_put(r->arena, &r->functions, full, f);
	return f;
}
