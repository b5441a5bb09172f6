/*
 * builtin.c - the built-in provider: terraform.io/builtin/terraform
 *
 * It has no effects outside the program, so the journal need not be synced for
 * it, and nothing to configure.  Requests are answered from the event loop,
 * like those of any other provider: at once, or for tests after a delay and
 * out of order.
 */
#include <stdlib.h>

#include "provider/provider_int.h"
#include "provider/request.h"

struct builtin {
	struct provider base;
	struct arena arena; /* the schema */
	unsigned delay_ms;
	bool shuffle;
	uint64_t seed;
	struct remote_states states;
};

static const struct schema_block *empty_block(struct arena *a)
{
	struct schema_block *b = ARENA_NEW(a, struct schema_block);

	schema_block_finish(a, b);
	return b;
}

static void put_schema(struct arena *a, struct map *m,
		       const struct resource_schema *s)
{
	struct resource_schema *copy = arena_dup(a, s, sizeof(*s));

	map_put(a, m, copy->type, copy);
}

/* The schema of the built-in provider, made on first use in `a` (a provider's
 * arena lives as long as what it made). */
static const struct provider_schema *builtin_schema(struct arena *a)
{
	struct provider_schema *s = ARENA_NEW(a, struct provider_schema);

	s->addr = provider_builtin;
	s->config = empty_block(a);
	put_schema(a, &s->managed, data_resource_schema(a));
	put_schema(a, &s->data, remote_state_schema(a));
	builtin_functions(a, &s->functions);
	s->schema_optional = true;
	s->move_state = true;
	return s;
}

static void call_function(struct provider_request *r)
{
	struct func_error err = { -1, STR_NONE };
	struct func_call c = {
		.arena = r->arena,
		.func = r->function.in.func,
		.args = r->function.in.args,
		.nargs = r->function.in.nargs,
		.err = &err,
	};

	r->function.out.value = c.func->impl(&c);
	if (!r->function.out.value)
		request_error(r, (struct path){ NULL, 0 },
			      "Error in function call", "%.*s",
			      STR_ARG(err.message));
}

static bool is_data(const struct provider_request *r)
{
	return r->mode == MODE_DATA &&
	       str_is(r->type, "terraform_remote_state");
}

static bool is_managed(const struct provider_request *r)
{
	return r->mode == MODE_MANAGED && str_is(r->type, "terraform_data");
}

static void answer_managed(struct provider_request *r)
{
	switch (r->call) {
	case CALL_VALIDATE_RESOURCE:
		data_validate(r);
		break;
	case CALL_UPGRADE:
		data_upgrade(r);
		break;
	case CALL_READ_RESOURCE:
		r->read.out = r->read.in;
		break;
	case CALL_PLAN:
		data_plan(r);
		break;
	case CALL_APPLY:
		data_apply(r);
		break;
	case CALL_IMPORT:
		data_import(r);
		break;
	case CALL_MOVE:
		data_move(r);
		break;
	default:
		break;
	}
}

/* Does the call concern a resource type, of this mode? */
static bool of_type(enum provider_call call)
{
	return call >= CALL_VALIDATE_RESOURCE && call <= CALL_CLOSE_EPHEMERAL;
}

struct asked {
	struct builtin *of;
	struct provider_request *r;
};

static void answer(void *data)
{
	const struct asked *q = data;
	struct provider_request *r = q->r;

	if (r->call == CALL_FUNCTION) {
		call_function(r);
	} else if (!of_type(r->call)) {
		; /* configure and the like */
	} else if (is_data(r) && r->call == CALL_VALIDATE_RESOURCE) {
		remote_state_validate(&q->of->states, r);
	} else if (is_data(r) && r->call == CALL_READ_DATA) {
		remote_state_read(&q->of->states, r);
		return;
	} else if (is_managed(r) && r->call <= CALL_MOVE) {
		answer_managed(r);
	} else {
		request_error(
			r, (struct path){ NULL, 0 },
			"Unsupported resource type",
			"The built-in provider cannot do this for the type \"%.*s\".",
			STR_ARG(r->type));
	}
	r->done(r);
}

/* xorshift: tests want disorder, not randomness. */
static uint64_t next_random(struct builtin *b)
{
	b->seed ^= b->seed << 13;
	b->seed ^= b->seed >> 7;
	b->seed ^= b->seed << 17;
	return b->seed;
}

static void start(struct provider *p, struct provider_request *r)
{
	struct builtin *b = (struct builtin *)p;
	uint64_t ms = b->delay_ms;
	struct asked *q = ARENA_NEW(r->arena, struct asked);

	*q = (struct asked){ b, r };
	if (!r->diags.arena)
		r->diags.arena = r->arena;
	if (b->shuffle && ms)
		ms = next_random(b) % (2 * ms);
	if (b->delay_ms)
		loop_after(p->loop, ms, answer, q);
	else
		loop_defer(p->loop, answer, q);
}

static void stop(struct provider *p)
{
	(void)p; /* nothing runs for long */
}

static void end(struct provider *p)
{
	(void)p;
}

static void close_builtin(struct provider *p)
{
	arena_release(&((struct builtin *)p)->arena);
}

static const struct provider_ops builtin_ops = { start, stop, end,
						 close_builtin };

struct provider *provider_builtin_new(struct arena *a, struct loop *loop,
				      unsigned delay_ms, bool shuffle)
{
	struct builtin *b = ARENA_NEW(a, struct builtin);

	b->base.ops = &builtin_ops;
	b->base.addr = provider_builtin;
	b->base.schema = builtin_schema(&b->arena);
	b->base.loop = loop;
	b->delay_ms = delay_ms;
	b->shuffle = shuffle;
	b->seed = 0x9e3779b97f4a7c15u;
	b->states.arena = &b->arena;
	b->states.loop = loop;
	b->states.workdir = (struct workdir)WORKDIR_INIT;
	return &b->base;
}

/* TFPIPE_TEST_BUILTIN_DELAY=MS[,shuffle]: a test hook that makes the built-in
 * provider slow, and answer out of order. */
struct provider *provider_builtin_open(struct arena *a, struct loop *loop,
				       const struct workdir *w)
{
	const char *text = getenv("TFPIPE_TEST_BUILTIN_DELAY");
	struct provider *p;
	unsigned long ms = 0;
	char *end = NULL;

	if (text)
		ms = strtoul(text, &end, 10);
	if (ms > 3600 * 1000)
		ms = 3600 * 1000;
	p = provider_builtin_new(a, loop, (unsigned)ms,
				 end && strcmp(end, ",shuffle") == 0);
	if (w)
		((struct builtin *)p)->states.workdir = *w;
	return p;
}
