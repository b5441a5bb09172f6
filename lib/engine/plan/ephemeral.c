/*
 * ephemeral.c - ephemeral resources: opened while planning, when what they
 * need is known, and closed when nobody needs them any more
 */
#include "engine/object/objchange.h"
#include "engine/plan/plan_int.h"
#include "state/state_value.h"

static void after_validate(struct job *j);
static void after_open(struct job *j);

/* Values derived from it are ephemeral as a whole. */
static void finish(struct job *j, const struct value *v)
{
	v = value_without_marks(j->a, v, MARK_EPHEMERAL);
	v = value_with_marks(j->a, v, &marks_ephemeral);
	v = value_copy(j->p->arena, v);
	run_instance_set(j->it.inst, v);
	job_step(j, job_postconditions);
}

void plan_ephemeral(struct job *j)
{
	if (!job_configure(j))
		return;
	j->q.config = value_unmark_deep(j->a, j->config, NULL);
	if (job_waits(j) || !value_wholly_known(j->config)) {
		if (j->p->opts.events)
			event_deferred(j->p->opts.events, &j->addr,
				       value_wholly_known(j->config)
					       ? "pending dependencies"
					       : "unknown configuration");
		finish(j, proposed_unknown(j->a, j->schema->block,
					   j->q.config));
		return;
	}
	job_call(j, CALL_VALIDATE_RESOURCE, after_validate);
}

static void tell(struct plan *p, const struct instance_addr *addr,
		 const char *message, bool complete)
{
	if (p->opts.events)
		event_ephemeral(p->opts.events, addr, message, complete);
}

static void after_validate(struct job *j)
{
	tell(j->p, &j->addr, "Opening...", false);
	job_call(j, CALL_OPEN_EPHEMERAL, after_open);
}

static void after_open(struct job *j)
{
	struct plan *p = j->p;
	struct opened *o;

	tell(p, &j->addr, "Open complete", true);
	if (!j->q.state) {
		finish(j, proposed_unknown(j->a, j->schema->block,
					   j->q.config));
		return;
	}
	o = ARENA_NEW(p->arena, struct opened);
	o->provider = j->provider;
	o->addr = j->addr;
	o->address = str_dup(p->arena, j->text);
	o->private_data = str_dup(p->arena, j->q.private_out);
	o->plan = p;
	vec_push(p->arena, &p->opened, o);
	finish(j, schema_mark_sensitive(j->a, j->q.state, j->schema->block));
}

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
		q->private_in = o->private_data;
		q->diags = (struct diags)DIAGS_INIT(p->arena);
		q->done = closed;
		q->data = o;
		tell(p, &o->addr, "Closing...", false);
		provider_start(o->provider->provider, q);
	}
}
