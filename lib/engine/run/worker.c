/* worker.c - see worker.h: the machine */
#include "engine/run/worker.h"
#include "engine/run/values.h"
#include "engine/run/mock.h"
#include "engine/run/providers.h"
#include "addr/provider.h"
#include "addr/target.h"
#include "lang/spec/decode.h"
#include "trace/trace.h"
#include "value/marks.h"

static void take_steps(struct worker *w);

static void again(void *data)
{
	take_steps(data);
}

void worker_resume(void *data)
{
	struct worker *w = data;

	w->next++;
	w->answered = false;
	take_steps(w);
}

static void begin_span(struct worker *w)
{
	static const char *const names[] = {
		[RUN_VALIDATE] = "Validate resource configuration",
		[RUN_PLAN] = "Plan resource instance changes",
		[RUN_APPLY] = "Apply resource instance changes",
	};

	if (!w->about.n && !w->text.n)
		return; /* no instance, nor a resource */
	w->span = trace_span_begin(NULL, names[w->run->opts.phase]);
	if (w->about.n)
		trace_span_text(w->span, "opentofu.resource.address", w->about);
	else
		trace_span_text(w->span, "opentofu.resource_instance.address",
				w->text);
}

/* w may be gone then. */
static void end_work(struct worker *w, bool failed)
{
	trace_span_end(w->span, failed || worker_failed(w));
	w->span = NULL;
	w->ops->end(w, failed);
}

void worker_begin(struct worker *w, worker_step *const *table)
{
	begin_span(w);
	w->next = table;
	w->answered = false;
	take_steps(w);
}

enum worked worker_go(struct worker *w, worker_step *const *table)
{
	w->other = table;
	return WORK_GO;
}

/* --- calls of the provider --- */

enum worked worker_call(struct worker *w, enum provider_call call)
{
	w->q.call = call;
	return WORK_CALL;
}

static void answered(struct provider_request *q)
{
	struct worker *w = q->data;
	const struct body *body = w->block ? w->block->body : NULL;

	if (w->plan.quiet && !diags_failed(&q->diags))
		q->diags.len = 0;
	if (run_provider_diags(&w->ds, q, body, w->text) && !w->keep_on) {
		end_work(w, true);
		return;
	}
	w->next++;
	w->answered = true;
	take_steps(w);
}

static void send(struct worker *w)
{
	struct provider_request *q = &w->q;

	q->arena = w->a;
	q->mode = w->addr.resource.mode;
	q->type = w->addr.resource.type;
	q->address = w->text;
	q->meta = w->meta;
	q->within = w->span;
	q->diags = (struct diags)DIAGS_INIT(w->ds.arena);
	q->diag_paths = (struct path_vec){ NULL, 0, 0 };
	q->done = answered;
	q->data = w;
	if (!mock_answer(w))
		provider_start(w->provider->provider, q);
}

/* --- the table --- */

/* false: another call goes on. */
static bool take_step(struct worker *w)
{
	enum worked did = WORK_END;

	w->mark = run_mark(w->run, &w->ds);
	if (*w->next)
		did = (*w->next)(w);
	if (did == WORK_LATER) /* w may be gone */
		return false;
	if (run_must_wait(&w->mark, again, w))
		return false;
	switch (did) {
	case WORK_NEXT:
		w->next++;
		w->answered = false;
		return true;
	case WORK_GO:
		w->next = w->other;
		w->answered = false;
		return true;
	case WORK_CALL:
		send(w);
		return false;
	default:
		end_work(w, did == WORK_FAIL);
		return false;
	}
}

static void take_steps(struct worker *w)
{
	while (take_step(w))
		;
}

/* --- the provider --- */

struct parked {
	struct run *run;
	run_slot_fn *begin;
	void *data;
};

static void unpark(void *data)
{
	struct parked *k = data;

	run_slot_get(k->run, k->begin, k->data);
}

/* Nothing was done yet: it begins again when the provider is awake, and others
 * take its slot meanwhile. */
static void park(struct worker *w)
{
	struct run *r = w->run;
	struct run_provider *p = w->provider;
	struct parked *k = ARENA_NEW(r->arena, struct parked);

	trace_span_drop(w->span);
	*k = (struct parked){ r, w->ops->begin, w->ops->parked(w) };
	run_slot_put(w->slot); /* w is gone */
	run_provider_wake(r, p, unpark, k);
}

static void provider_settled(void *data, struct run_provider *p)
{
	struct worker *w = data;

	/* Errors were reported to the first caller. */
	if (p->state == PROVIDER_READY)
		worker_resume(w);
	else
		end_work(w, true);
}

enum worked worker_get_provider(struct worker *w)
{
	if (w->ops->parked && run_provider_asleep(w->run, w->provider)) {
		park(w);
		return WORK_LATER;
	}
	if (w->provider->state == PROVIDER_READY)
		return WORK_NEXT;
	run_provider_get(w->run, w->provider, provider_settled, w);
	return WORK_LATER;
}

/* --- what a worker evaluates: body, provider_meta, conditions --- */

void worker_scope(const struct worker *w, struct run_scope *s)
{
	run_scope_init(s, w->module, &w->rep);
}

enum worked worker_provider_meta(struct worker *w)
{
	const struct map *all = &w->block->module->provider_meta;
	const struct cfg_provider_meta *meta;
	const struct schema_block *schema;
	const struct value *v;
	struct run_scope s;
	struct str name;

	if (!all->len)
		return WORK_NEXT;
	name = provider_addr_text(w->a, w->provider->addr.provider);
	meta = map_get(all, name);
	if (!meta)
		return WORK_NEXT;
	schema = w->provider->provider->schema->meta;
	if (!schema) {
		diag_error(
			&w->ds, &meta->at,
			arena_printf(
				w->ds.arena,
				"Provider %.*s doesn't support provider_meta",
				STR_ARG(name)),
			"%.*s belongs to a provider without provider_meta blocks.",
			STR_ARG(w->text));
		return WORK_FAIL;
	}
	run_scope_init(&s, w->module, NULL);
	v = body_decode(w->a, meta->body, schema, &s.scope, &w->ds);
	body_check_ephemeral(w->a, meta->body, schema, v, &w->ds);
	w->meta = value_unmark_deep(w->a, v, NULL);
	return worker_failed(w) ? WORK_FAIL : WORK_NEXT;
}

const struct value *worker_body(struct worker *w)
{
	const size_t errors = w->ds.errors;
	const struct value *v;
	struct run_scope s;

	worker_scope(w, &s);
	v = body_decode(w->a, w->block->body, w->schema->block, &s.scope,
			&w->ds);
	if (w->ds.errors != errors || s.failed)
		return NULL;
	return v;
}

int worker_refuse_ephemeral(struct worker *w, const struct value *v)
{
	const size_t errors = w->ds.errors, said = w->ds.len;

	if (w->addr.resource.mode == MODE_EPHEMERAL)
		return 0;
	body_check_ephemeral(w->a, w->block->body, w->schema->block, v, &w->ds);
	diags_address(&w->ds, said, w->text);
	return w->ds.errors == errors ? 0 : -1;
}

int worker_conditions(struct worker *w, enum condition_kind kind,
		      const struct value *self, bool *failed)
{
	const struct cfg_lifecycle *l = w->block->lifecycle;
	const struct cfg_condition_vec *conds = kind == COND_PRECONDITION
							? &l->preconditions
							: &l->postconditions;
	struct condition_use u = { .kind = kind,
				   .address = w->text,
				   .warn = w->only_warn };
	struct check_group *g;
	struct run_scope s;
	int rc;

	if (!conds->len)
		return 0;
	g = checks_group(&w->run->checks, w->block->module, CHECK_RESOURCE,
			 STR_NONE, &w->block->addr);
	if (g)
		u.object = checks_object(&w->run->checks, g, w->addr.module,
					 w->addr.key, w->text);
	worker_scope(w, &s);
	s.self = self;
	rc = run_conditions(w->run, &s, &u, conds, &w->ds);
	if (failed)
		*failed = s.failed;
	return rc;
}

/* --- planning an object --- */

void worker_plan(struct worker *w, const struct resource_object *object,
		 bool forced, bool cbd)
{
	w->plan = (struct object_plan){
		.arena = w->a,
		.ds = &w->ds,
		.address = w->text,
		.provider = w->provider->text,
		.schema = w->schema->block,
		.lifecycle = w->block->lifecycle,
		.config = w->config,
		.object = object->value,
		.tainted = object->tainted,
		.private_data = object->private_data,
		.identity = object->identity,
		.forced = forced ||
			  target_set_replaces(&w->run->opts.only, &w->addr),
		.cbd = cbd,
		.q = &w->q,
	};
}

enum worked worker_plan_validate(struct worker *w)
{
	object_plan_validate(&w->plan);
	return worker_call(w, CALL_VALIDATE_RESOURCE);
}

enum worked worker_plan_ask(struct worker *w)
{
	object_plan_ask(&w->plan);
	return worker_call(w, CALL_PLAN);
}

enum worked worker_planned(struct worker *w)
{
	bool again = object_plan_take(&w->plan);

	if (worker_failed(w))
		return WORK_FAIL;
	return again ? worker_call(w, CALL_PLAN) : WORK_NEXT;
}

enum worked worker_replacement_planned(struct worker *w)
{
	if (w->answered)
		object_plan_take_replacement(&w->plan);
	return worker_failed(w) ? WORK_FAIL : WORK_NEXT;
}
