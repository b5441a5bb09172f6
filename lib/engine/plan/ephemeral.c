/*
 * ephemeral.c - ephemeral resources: opened while planning, when what they
 * need is known, and closed when nobody needs them any more
 */
#include "engine/change/events.h"
#include "engine/object/objchange.h"
#include "engine/plan/plan_int.h"
#include "engine/run/mock.h"
#include "engine/run/providers.h"
#include "engine/run/values.h"
#include "value/marks.h"

/* Values derived from it are ephemeral as a whole. */
static enum worked finish(struct job *j, const struct value *v)
{
	static worker_step *const finished[] = { job_postconditions, NULL };

	v = value_without_marks(j->w.a, v, MARK_EPHEMERAL);
	v = value_with_marks(j->w.a, v, &marks_ephemeral);
	v = value_copy(j->p->arena, v);
	run_instance_set(j->it.inst, v);
	return worker_go(&j->w, finished);
}

static enum worked validate_ephemeral(struct worker *w)
{
	struct job *j = job_of(w);

	const struct value *config = value_unmark_deep(w->a, w->config, NULL);

	w->q.check.in.config = config;
	if (!job_waits(j) && value_wholly_known(w->config))
		return worker_call(w, CALL_VALIDATE_RESOURCE);
	if (j->p->opts.events)
		event_deferred(j->p->opts.events, &w->addr,
			       value_wholly_known(w->config)
				       ? "pending dependencies"
				       : "unknown configuration");
	return finish(j, objchange_proposed_unknown(w->a, w->schema->block,
						    config));
}

static void tell(struct plan *p, const struct instance_addr *addr,
		 const char *message, bool complete)
{
	if (p->opts.events)
		event_ephemeral(p->opts.events, addr, message, complete);
}

static enum worked open_ephemeral(struct worker *w)
{
	tell(job_of(w)->p, &w->addr, "Opening...", false);
	w->q = (struct provider_request){
		.open.in.config = w->q.check.in.config,
	};
	return worker_call(w, CALL_OPEN_EPHEMERAL);
}

static enum worked ephemeral_opened(struct worker *w)
{
	struct job *j = job_of(w);
	struct plan *p = j->p;
	struct opened *o;

	tell(p, &w->addr, "Open complete", true);
	if (!w->q.open.out.value)
		return finish(j,
			      objchange_proposed_unknown(w->a, w->schema->block,
							 w->q.open.in.config));
	o = ARENA_NEW(p->arena, struct opened);
	o->provider = w->provider;
	o->addr = w->addr;
	o->address = str_dup(p->arena, w->text);
	o->private_data = str_dup(p->arena, w->q.open.out.private_data);
	o->plan = p;
	vec_push(p->arena, &p->opened, o);
	return finish(j, schema_mark_sensitive(w->a, w->q.open.out.value,
					       w->schema->block));
}

worker_step *const plan_ephemeral[] = {
	job_configure, validate_ephemeral, open_ephemeral, ephemeral_opened,
	NULL,
};

static void closed(struct provider_request *q)
{
	struct opened *o = q->data;
	struct plan *p = o->plan;

	run_provider_diags(p->diags, q, NULL, o->address);
	tell(p, &o->addr, "Close complete", true);
	if (--p->closing == 0)
		p->finished = true;
}

/* Closes all of them, the last first; the loop goes on until they are. */
void plan_close_ephemerals(struct plan *p)
{
	p->closing = p->opened.len;
	if (!p->closing) {
		p->finished = true;
		return;
	}
	for (size_t i = p->opened.len; i-- > 0;) {
		struct opened *o = p->opened.items[i];
		struct provider_request *q = &o->request;

		q->call = CALL_CLOSE_EPHEMERAL;
		q->arena = p->arena;
		q->mode = MODE_EPHEMERAL;
		q->type = o->addr.resource.type;
		q->address = o->address;
		q->renew.in.private_data = o->private_data;
		q->diags = (struct diags)DIAGS_INIT(p->arena);
		q->done = closed;
		q->data = o;
		tell(p, &o->addr, "Closing...", false);
		mock_or_start(o->provider, q);
	}
}
