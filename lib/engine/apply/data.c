/* data.c - data sources that could not be read while planning */
#include "engine/apply/apply_int.h"
#include "engine/object/objchange_int.h"
#include "state/state_value.h"

static struct cfg_resource *config_of(const struct op *o)
{
	return o->inst->resource->config;
}

static void finish(struct op *o)
{
	if (o->now.value && !op_failed(o))
		op_conditions(o, COND_POSTCONDITION, o->now.value);
	if (!op_must_wait(o))
		op_end(o);
}

/* In a check block an error is a failed check: a warning. */
static void settle_check(struct op *o)
{
	const struct cfg_check *c = config_of(o)->check;
	struct run *r = o->ap->run;
	struct check_group *g;
	struct check_object *co;
	struct str address;

	if (!c)
		return;
	address = o->module->path.n
			  ? str_printf(o->a, "%.*s.check.%.*s",
				       STR_ARG(o->module->path),
				       STR_ARG(c->name))
			  : str_printf(o->a, "check.%.*s", STR_ARG(c->name));
	g = checks_group(&r->checks, c->module, CHECK_BLOCK, c->name, NULL);
	if (!g)
		return;
	co = checks_object(&r->checks, g, o->module->addr, KEY_ABSENT,
			   address);
	for (size_t i = 0; i < o->ds.len; i++) {
		struct diag *d = &o->ds.items[i];

		if (d->severity != SEV_ERROR)
			continue;
		checks_report(&r->checks, co, CHECK_FAIL,
			      d->detail.n ? str_printf(r->arena, "%.*s: %.*s",
						       STR_ARG(d->summary),
						       STR_ARG(d->detail))
					  : d->summary);
		d->severity = SEV_WARNING;
	}
	if (o->ds.errors) {
		o->ds.errors = 0;
		o->now.value = NULL;
	} else {
		checks_report(&r->checks, co, CHECK_PASS, STR_NONE);
	}
}

static void check(struct op *o, const struct value *v)
{
	if (op_failed(o))
		return;
	if (!v || value_is_null(v))
		diag_error(&o->ds, NULL, "Provider produced null object",
			   "The provider %s produced no object for %.*s. This "
			   "is a bug in the provider.", op_provider_text(o),
			   STR_ARG(o->text));
	else if (!value_wholly_known(v))
		diag_error(&o->ds, NULL, "Provider produced invalid object",
			   "The provider %s produced an object for %.*s that is "
			   "not wholly known. This is a bug in the provider.",
			   op_provider_text(o), STR_ARG(o->text));
}

/* The state notes what was sensitive in the configuration; what the schema says
 * is sensitive is so without a note. */
static const struct value *marked(struct op *o, const struct value *v)
{
	struct path_vec paths = { NULL, 0, 0 };

	if (o->config->inner_marks) {
		value_marked_paths(o->a, o->config, MARK_SENSITIVE, &paths);
		v = value_mark_paths(o->a, v, &paths, &marks_sensitive);
	}
	return v;
}

static void read_done(struct op *o)
{
	const struct value *v = o->q.state, *seen = NULL;

	check(o, v);
	if (op_failed(o)) {
		event_errored(o->flight);
	} else {
		o->now.value = marked(o, v);
		seen = schema_mark_sensitive(o->a, o->now.value,
					     o->schema->block);
		event_complete(o->flight, seen);
	}
	settle_check(o);
	if (o->now.value) {
		apply_put(o->ap, &o->change->addr, STR_NONE, &o->now,
			  o->schema, o->provider);
		run_instance_set(o->inst, value_copy(o->ap->run->arena,
						     seen));
	}
	op_step(o, finish);
}

static void validated(struct op *o)
{
	const struct value *config = o->q.config;

	if (op_failed(o)) {
		settle_check(o);
		op_end(o);
		return;
	}
	o->action = ACTION_READ;
	o->flight = event_start(&o->ap->events, &o->change->addr, STR_NONE,
				ACTION_READ, NULL);
	o->q = (struct provider_request){ .config = config };
	op_call(o, CALL_READ_DATA, config_of(o)->body, read_done);
}

static void ready(struct op *o)
{
	int rc = op_conditions(o, COND_PRECONDITION, NULL);

	if (op_must_wait(o))
		return;
	if (rc) {
		op_end(o);
		return;
	}
	if (o->change->action == ACTION_NOOP) { /* it was read already */
		if (op_read(o, STR_NONE) == 0)
			o->now = o->prior;
		op_step(o, finish);
		return;
	}
	o->config = op_config(o);
	if (op_must_wait(o))
		return;
	if (!o->config) {
		op_end(o);
		return;
	}
	o->q = (struct provider_request){ .config = NULL };
	o->q.config = value_unmark_deep(o->a, o->config, NULL);
	op_call(o, CALL_VALIDATE_RESOURCE, config_of(o)->body, validated);
}

void apply_data(struct op *o)
{
	op_configured(o, ready);
}
