/* apply_data.c - data sources that could not be read while planning */
#include "engine/apply/apply_int.h"
#include "engine/object/objchange.h"
#include "engine/run/conditions.h"
#include "engine/run/worker.h"
#include "engine/run/values.h"
#include "value/marks.h"

static void check(struct op *o, const struct value *v)
{
	if (!v || value_is_null(v))
		diag_error(&o->w.ds, NULL, "Provider produced null object",
			   "The provider %s produced no object for %.*s. This "
			   "is a bug in the provider.",
			   op_provider_text(o), STR_ARG(o->w.text));
	else if (!value_wholly_known(v))
		diag_error(
			&o->w.ds, NULL, "Provider produced invalid object",
			"The provider %s produced an object for %.*s that is "
			"not wholly known. This is a bug in the provider.",
			op_provider_text(o), STR_ARG(o->w.text));
}

/* The state notes what was sensitive in the configuration; attributes that are
 * sensitive by the schema need no note. */
static const struct value *marked(struct op *o, const struct value *v)
{
	struct path_vec paths = { NULL, 0, 0 };

	if (o->w.config->inner_marks) {
		value_marked_paths(o->w.a, o->w.config, MARK_SENSITIVE, &paths);
		v = value_mark_paths(o->w.a, v, &paths, &marks_sensitive);
	}
	return v;
}

/* The data source was read when planning. */
static enum worked unchanged(struct op *o)
{
	static worker_step *const table[] = { op_postconditions, NULL };

	if (op_read(o, STR_NONE))
		return WORK_FAIL;
	o->now = o->prior;
	return worker_go(&o->w, table);
}

/* The data source is read with the arguments that the plan shows.  The object
 * that they propose completes what was shown, or the reverse. */
static int check_shown(struct op *o)
{
	const struct value *shown = o->change->after;
	const struct value *now = objchange_proposed_unknown(
		o->w.a, o->w.schema->block,
		value_unmark_deep(o->w.a, o->w.config, NULL));
	const bool read = value_wholly_known(shown);
	struct verror_vec wrong = { NULL, 0, 0 };

	object_compatible(o->w.a, o->w.schema->block, read ? now : shown,
			  read ? shown : now, &wrong);
	for (size_t i = 0; i < wrong.len; i++)
		diag_error(&o->w.ds, NULL, "Inconsistent plan",
			   "By its configuration %.*s would be read with other "
			   "arguments than the plan shows: %.*s.",
			   STR_ARG(o->w.text),
			   STR_ARG(verror_text(o->w.a, &wrong.items[i])));
	return wrong.len ? -1 : 0;
}

static enum worked validate_data(struct worker *w)
{
	struct op *o = op_of(w);

	if (op_conditions(o, COND_PRECONDITION, NULL))
		return WORK_FAIL;
	if (o->change->action == ACTION_NOOP)
		return unchanged(o);
	w->config = op_config(o);
	if (!w->config)
		return WORK_FAIL;
	if (check_shown(o))
		return WORK_FAIL;
	o->said_before = w->ds.len;
	w->keep_on = true; /* in a check block errors do not count */
	w->q.check.in.config = value_unmark_deep(w->a, w->config, NULL);
	return worker_call(w, CALL_VALIDATE_RESOURCE);
}

static enum worked read_data(struct worker *w)
{
	struct op *o = op_of(w);
	const struct value *config = w->q.check.in.config;

	if (worker_failed(w))
		return WORK_NEXT;
	o->action = ACTION_READ;
	w->flight = event_start(&o->ap->events, &w->addr, STR_NONE, ACTION_READ,
				NULL);
	w->q = (struct provider_request){
		.read_data.in = { config, o->ap->run->opts.encryption },
	};
	return worker_call(w, CALL_READ_DATA);
}

static void keep(struct op *o)
{
	struct worker *w = &o->w;
	const struct value *seen;

	o->now.value = marked(o, w->q.read_data.out.value);
	seen = schema_mark_sensitive(w->a, o->now.value, w->schema->block);
	event_complete(w->flight, seen);
	apply_put(o->ap, &w->addr, STR_NONE, &o->now, w->schema, w->provider);
	run_instance_set(o->inst, value_copy(w->run->arena, seen));
}

static enum worked data_read(struct worker *w)
{
	struct op *o = op_of(w);
	const bool answered = w->flight && !worker_failed(w);

	if (answered)
		check(o, w->q.read_data.out.value);
	if (!worker_failed(w))
		keep(o);
	else if (answered)
		event_errored(w->flight);
	else if (w->flight)
		event_abandon(w->flight);
	if (w->block->check)
		nested_check_settle(w, o->said_before);
	return worker_failed(w) ? WORK_FAIL : WORK_NEXT;
}

worker_step *const apply_data[] = {
	op_configured, worker_get_provider, worker_provider_meta, validate_data,
	read_data,     data_read,           op_postconditions,    NULL,
};
