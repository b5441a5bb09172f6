/*
 * remote_functions.c - the functions of a provider process
 *
 * Expressions are evaluated at once, a call takes its time: the process alone is
 * served until its answer is here, what it has to say to others meanwhile being
 * put off (plugin_wait).  A function gives the same result for the same
 * arguments, so each call is made once and its outcome kept.
 */
#include "provider/remote_int.h"

struct outcome { /* of a call; one of the two */
	const struct value *value;
	struct func_error error;
};

struct bound { /* the data of a struct func */
	struct remote *p;
	const struct func *spec;
	struct map outcomes; /* arguments -> struct outcome * */
};

static const struct func_param *parameter(const struct func *f, size_t i)
{
	for (size_t n = 0; f->params[n].name; n++)
		if (n == i)
			return &f->params[n];
	return f->variadic;
}

/* Are all arguments known where they have to be, at every depth? */
static bool known_enough(const struct func_call *c)
{
	for (size_t i = 0; i < c->nargs; i++) {
		const struct func_param *p = parameter(c->func, i);

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
		const struct func_param *p = parameter(c->func, i);

		buf_set_len(&one, 0);
		rc = value_to_msgpack(&one, c->args[i],
				      p ? p->type : c->args[i]->type);
		buf_addf(out, "%zu:", one.len);
		buf_str(out, buf_view(&one));
	}
	buf_release(&one);
	return rc;
}

static void done(struct provider_request *r)
{
	*(bool *)r->data = true;
}

static struct outcome *ask(struct bound *b, struct func_call *c)
{
	struct arena *keep = b->p->known->arena;
	struct outcome *o = ARENA_NEW(keep, struct outcome);
	struct arena scratch = ARENA_INIT;
	bool over = false;
	struct provider_request r = {
		.call = CALL_FUNCTION,
		.arena = &scratch,
		.function = b->spec,
		.args = c->args,
		.nargs = c->nargs,
		.function_arg = -1,
		.done = done,
		.data = &over,
	};

	o->error.arg = -1;
	if (remote_request_now(b->p, &r, &over) < 0) {
		o->error.message = STR("it was interrupted");
	} else if (r.state) {
		o->value = value_copy(keep, r.state);
	} else {
		o->error.arg = r.function_arg;
		o->error.message = str_dup(
			keep, r.diags.len ? r.diags.items[0].detail
					  : STR("it gave no result"));
	}
	arena_release(&scratch);
	return o;
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
		map_put(b->p->known->arena, &b->outcomes,
			buf_dup(b->p->known->arena, &key), o);
	}
	buf_release(&key);
	if (o->value)
		return o->value;
	return func_fail(c, o->error.arg, "%.*s", STR_ARG(o->error.message));
}

const struct func *provider_function(struct provider *base, struct str name)
{
	struct func *spec = map_get(&base->schema->functions, name);
	struct remote *p = (struct remote *)base;
	struct arena *a;
	struct bound *b;
	struct func *f;

	if (!spec || base->ops != &remote_ops)
		return spec;
	f = map_get(&p->functions, name);
	if (f)
		return f;
	a = p->known->arena;
	b = ARENA_NEW(a, struct bound);
	b->p = p;
	b->spec = spec;
	f = arena_dup(a, spec, sizeof(*spec));
	f->impl = call;
	f->data = b;
	map_put(a, &p->functions, str_c(f->name), f);
	return f;
}
