/*
 * data.c - planning a data source: read now, or when applying
 *
 * It is read while planning unless its configuration is not known yet or what
 * it depends on still has to change.
 */
#include "addr/provider.h"
#include "engine/object/objchange.h"
#include "engine/object/resource_object.h"
#include "engine/plan/plan_int.h"
#include "engine/run/expand.h"
#include "engine/run/worker.h"
#include "engine/run/values.h"
#include "state/state.h"
#include "value/value.h"
#include "value/marks.h"

/* Is what has changes to come, in the module of this one, in the same instance
 * of it? */
static bool beside(struct job *j, const struct graph_node *n)
{
	const struct run_resource *rr;

	if (node_is_from_state(n)) {
		const struct state_resource *sr = n->object;

		return module_addr_equal(sr->module, j->w.addr.module);
	}
	rr = run_resource(j->it.rr->module,
			  &((const struct cfg_resource *)n->object)->addr,
			  &j->w.ds);
	return rr && rr->pending_changes;
}

/* Do managed resources that this one waits for have changes to come? In the
 * same module only those of the same instance of it count. */
bool job_waits(struct job *j)
{
	const struct plan_work *w = j->work;
	struct plan *p = j->p;

	for (size_t i = 0; i < w->waits.len; i++) {
		uint32_t node = w->waits.items[i];
		const struct graph_node *n = &p->pg->g->nodes.items[node];
		const struct plan_work *other = p->work[node];

		if (!other || !other->pending_changes)
			continue;
		if (n->module != w->config->module || beside(j, n))
			return true;
	}
	return false;
}

/* The object before it is read: values that only reading gives are unknown. */
static const struct value *unread(struct job *j)
{
	const struct value *v = objchange_proposed_unknown(
		j->w.a, j->w.schema->block,
		value_unmark_deep(j->w.a, j->w.config, NULL));
	struct path_vec paths = { 0 };

	if (!value_has_mark_deep(j->w.config, MARK_SENSITIVE))
		return v;
	value_marked_paths(j->w.a, j->w.config, MARK_SENSITIVE, &paths);
	return value_mark_paths(j->w.a, v, &paths, &marks_sensitive);
}

static worker_step *const finished[] = { job_postconditions, NULL };

/* v is of the plan's arena.  References see what the schema says is sensitive,
 * whether it has been read or not. */
static enum worked finish(struct job *j, const struct value *v)
{
	run_instance_set(j->it.inst, schema_mark_sensitive(j->p->arena, v,
							   j->w.schema->block));
	return worker_go(&j->w, finished);
}

static enum worked defer(struct job *j, bool known)
{
	const struct value *null =
		value_null(j->w.a, j->w.schema->block->implied);
	struct change *c;

	nested_check_pass(&j->w);
	job_note_state(j);        /* earlier results count no more */
	if (j->p->skip_changes) { /* as what is in no state */
		j->it.inst->gone = true;
		return finish(j, &value_unknown_dynamic);
	}
	c = job_change(j, ACTION_READ,
		       known ? REASON_READ_BECAUSE_DEPENDENCY_PENDING
			     : REASON_READ_BECAUSE_CONFIG_UNKNOWN,
		       null, unread(j));
	return finish(j, c->after);
}

static enum worked read_or_defer(struct worker *w)
{
	struct job *j = job_of(w);
	bool known = value_wholly_known(w->config);

	return job_waits(j) || !known ? defer(j, known) : WORK_NEXT;
}

static enum worked validate_data(struct worker *w)
{
	struct job *j = job_of(w);

	j->said_before = diags_mark(&w->ds);
	w->q.check.in.config = value_unmark_deep(w->a, w->config, NULL);
	w->keep_on = w->block->check != NULL;
	return worker_call(w, CALL_VALIDATE_RESOURCE);
}

static enum worked read_data(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *config = w->q.check.in.config;

	if (worker_failed(w))
		return WORK_NEXT;
	if (j->p->opts.events)
		w->flight = event_start(j->p->opts.events, &w->addr, STR_NONE,
					ACTION_READ, NULL);
	w->q = (struct provider_request){
		.read_data.in = { config, w->run->opts.encryption },
	};
	return worker_call(w, CALL_READ_DATA);
}

static int bad_result(struct job *j, const char *summary, const char *what)
{
	return diag_error(
		&j->w.ds, NULL, summary,
		"The provider %.*s returned %s for %.*s. This is a bug in the provider.",
		STR_ARG(provider_config_text(j->w.a, &j->w.provider->addr)),
		what, STR_ARG(j->w.text));
}

/* The value read, checked and marked: the state notes what was sensitive in the
 * configuration; attributes that are sensitive by the schema need no note.
 * *object: there is one of the schema's type, whether it will do or not. */
static const struct value *result(struct job *j, bool *object)
{
	const struct value *v = j->w.q.read_data.out.value;
	struct path_vec paths = { 0 };

	*object = false;
	if (worker_failed(&j->w))
		return NULL;
	*object = v && type_convertible(v->type, j->w.schema->block->implied);
	if (!*object)
		bad_result(j, "Provider produced invalid object",
			   "an object that does not fit the schema");
	else if (value_is_null(v))
		bad_result(j, "Provider produced null object", "null");
	else if (!value_wholly_known(v))
		bad_result(j, "Provider produced invalid object",
			   "an object with unknown values");
	if (worker_failed(&j->w))
		return NULL;
	if (value_has_mark_deep(j->w.config, MARK_SENSITIVE)) {
		value_marked_paths(j->w.a, j->w.config, MARK_SENSITIVE, &paths);
		v = value_mark_paths(j->w.a, v, &paths, &marks_sensitive);
	}
	return v;
}

static void note_read(struct job *j, const struct value *v)
{
	const struct value *was = NULL;

	if (j->it.si)
		was = state_instance_value(j->w.a, j->it.si,
					   j->w.schema->block);
	j->now.value = v;
	if (was && value_identical(was, schema_mark_sensitive(
						j->w.a, v, j->w.schema->block)))
		j->previous.value = v;
	job_note_state(j);
}

/* Nested data sources are read again when applying. */
static enum worked nested(struct job *j, const struct value *v)
{
	const struct value *null =
		value_null(j->w.a, j->w.schema->block->implied);
	struct path_vec unknown = { 0 };

	nested_check_settle(&j->w, j->said_before.len);
	if (v) {
		note_read(j, v);
	} else {
		/* An object that could not be read is in the state as far as it
		 * is known. */
		v = unread(j);
		note_read(j, value_without_unknown(j->w.a, v, &unknown));
	}
	if (j->p->skip_changes) {
		return finish(j, value_copy(j->p->arena, v));
	}
	v = job_change(j, ACTION_READ, REASON_READ_BECAUSE_CHECK_NESTED, null,
		       v)
		    ->after;
	return finish(j, v);
}

/* That the provider could not read it only the diagnostics tell; but of an
 * object that will not do, reading it has ended with an error. */
static void tell_end(struct job *j, const struct value *v, bool object)
{
	if (!j->w.flight)
		return;
	if (v)
		event_complete(j->w.flight,
			       schema_mark_sensitive(j->w.a, v,
						     j->w.schema->block));
	else if (object)
		event_errored(j->w.flight);
	else
		event_abandon(j->w.flight);
	j->w.flight = NULL;
}

static enum worked data_read(struct worker *w)
{
	struct job *j = job_of(w);
	bool object;
	const struct value *v = result(j, &object);

	tell_end(j, v, object);
	if (w->block->check)
		return nested(j, v);
	if (!v)
		return WORK_FAIL;
	note_read(j, v);
	return finish(j, value_copy(j->p->arena, v));
}

worker_step *const plan_data[] = {
	job_self_reference, job_configure, read_or_defer, worker_provider_meta,
	validate_data,      read_data,     data_read,     NULL,
};
