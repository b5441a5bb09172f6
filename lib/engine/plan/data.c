/*
 * data.c - planning a data source: read now, or when applying
 *
 * It is read while planning unless its configuration is not known yet or what
 * it depends on still has to change.
 */
#include "engine/object/objchange.h"
#include "engine/plan/plan_int.h"
#include "state/state_value.h"

static void after_validate(struct job *j);
static void after_read(struct job *j);

/* Do managed resources that this one waits for have changes to come? In the
 * same module only those of the same instance of it count. */
bool job_waits(struct job *j)
{
	const struct plan_work *w = j->w;
	struct plan *p = j->p;

	for (size_t i = 0; i < w->waits.len; i++) {
		uint32_t node = w->waits.items[i];
		const struct cfg_resource *c =
			p->pg->g->nodes.items[node].object;
		const struct plan_work *other = p->work[node];
		struct run_resource *rr;

		if (!other || !other->pending_changes)
			continue;
		if (c->module != w->config->module)
			return true;
		rr = run_resource(j->it.rr->module, &c->addr, &j->ds);
		if (rr && rr->pending_changes)
			return true;
	}
	return false;
}

/* Nested in a check block: errors become warnings and a failed check. */
static struct check_object *nesting_check(struct job *j)
{
	const struct cfg_check *k = j->w->config->check;
	struct run_module *m = j->it.rr->module;
	struct check_group *g;
	struct str text;

	if (!k)
		return NULL;
	g = checks_group(&j->p->run->checks, m->config, CHECK_BLOCK, k->name,
			 NULL);
	text = run_address(j->a, m, "check.", k->name);
	return checks_object(&j->p->run->checks, g, m->addr, KEY_ABSENT, text);
}

static void soften(struct job *j, size_t from, struct check_object *check)
{
	struct checks *checks = &j->p->run->checks;
	struct str first = STR_NONE;

	for (size_t i = from; i < j->ds.len; i++) {
		struct diag *d = &j->ds.items[i];

		if (d->severity != SEV_ERROR)
			continue;
		if (!first.n)
			first = d->detail.n
					? str_printf(j->a, "%.*s: %.*s",
						     STR_ARG(d->summary),
						     STR_ARG(d->detail))
					: d->summary;
		d->severity = SEV_WARNING;
		j->ds.errors--;
	}
	if (first.n)
		checks_report(checks, check, CHECK_FAIL, first);
	else
		checks_report(checks, check, CHECK_PASS, STR_NONE);
}

/* What is only known after reading is unknown. */
static const struct value *unread(struct job *j)
{
	const struct value *v = proposed_unknown(
		j->a, j->schema->block,
		value_unmark_deep(j->a, j->config, NULL));
	struct path_vec paths = { 0 };

	if (!value_has_mark_deep(j->config, MARK_SENSITIVE))
		return v;
	value_marked_paths(j->a, j->config, MARK_SENSITIVE, &paths);
	return value_mark_paths(j->a, v, &paths, &marks_sensitive);
}

static void finish(struct job *j, const struct value *v)
{
	run_instance_set(j->it.inst, v);
	job_step(j, job_postconditions);
}

static void defer(struct job *j, bool known)
{
	const struct value *null =
		value_null(j->a, j->schema->block->implied);
	struct check_object *check = nesting_check(j);
	struct change *c;

	if (check)
		checks_report(&j->p->run->checks, check, CHECK_PASS,
			      STR_NONE);
	job_note_state(j); /* what was read before counts no more */
	if (j->p->skip_changes) { /* as what is in no state */
		j->it.inst->gone = true;
		finish(j, &value_unknown_dynamic);
		return;
	}
	c = job_change(j, ACTION_READ,
		       known ? REASON_READ_BECAUSE_DEPENDENCY_PENDING
			     : REASON_READ_BECAUSE_CONFIG_UNKNOWN,
		       null, unread(j));
	finish(j, c->after);
}

void plan_data(struct job *j)
{
	bool known;

	if (job_self_reference(j)) {
		job_fail(j);
		return;
	}
	if (!job_configure(j))
		return;
	known = value_wholly_known(j->config);
	if (job_waits(j) || !known) {
		defer(j, known);
		return;
	}
	j->errors_before = j->ds.len;
	j->q.config = value_unmark_deep(j->a, j->config, NULL);
	j->keep_on = j->w->config->check != NULL;
	job_call(j, CALL_VALIDATE_RESOURCE, after_validate);
}

static void after_validate(struct job *j)
{
	struct events *e = j->p->opts.events;

	if (job_failed(j)) {
		after_read(j);
		return;
	}
	j->q.meta = j->meta;
	if (e)
		j->flight = event_start(e, &j->addr, STR_NONE,
					ACTION_READ, NULL);
	job_call(j, CALL_READ_DATA, after_read);
}

static int bad_result(struct job *j, const char *summary, const char *what)
{
	return diag_error(&j->ds, NULL, summary,
			  "The provider %.*s returned %s for %.*s. This is a "
			  "bug in the provider.",
			  STR_ARG(provider_config_text(j->a,
						       &j->provider->addr)),
			  what, STR_ARG(j->text));
}

/* The value read, checked and marked: the state notes what was sensitive in the
 * configuration; what the schema says is sensitive is so without a note. */
static const struct value *result(struct job *j)
{
	const struct value *v = j->q.state;
	struct path_vec paths = { 0 };

	if (job_failed(j))
		return NULL;
	if (!v || !convertible(v->type, j->schema->block->implied))
		bad_result(j, "Provider produced invalid object",
			   "an object that does not fit the schema");
	else if (value_is_null(v))
		bad_result(j, "Provider produced null object", "null");
	else if (!value_wholly_known(v))
		bad_result(j, "Provider produced invalid object",
			   "an object with unknown values");
	if (job_failed(j))
		return NULL;
	if (value_has_mark_deep(j->config, MARK_SENSITIVE)) {
		value_marked_paths(j->a, j->config, MARK_SENSITIVE, &paths);
		v = value_mark_paths(j->a, v, &paths, &marks_sensitive);
	}
	return v;
}

static void note_read(struct job *j, const struct value *v)
{
	const struct value *was = NULL;

	if (j->it.si)
		was = state_instance_value(j->a, j->it.si, j->schema->block);
	j->now.value = v;
	if (was && value_identical(was, schema_mark_sensitive(
						j->a, v, j->schema->block)))
		j->previous.value = v;
	job_note_state(j);
}

/* Nested data sources are read again when applying. */
static void nested(struct job *j, const struct value *v)
{
	const struct value *null =
		value_null(j->a, j->schema->block->implied);
	struct check_object *check = nesting_check(j);
	struct path_vec unknown = { 0 };

	soften(j, j->errors_before, check);
	if (v) {
		note_read(j, v);
		v = schema_mark_sensitive(j->a, v, j->schema->block);
	} else {
		/* What could not be read is in the state as far as it is
		 * known. */
		v = unread(j);
		note_read(j, value_without_unknown(j->a, v, &unknown));
	}
	if (j->p->skip_changes) {
		finish(j, value_copy(j->p->arena, v));
		return;
	}
	v = job_change(j, ACTION_READ, REASON_READ_BECAUSE_CHECK_NESTED, null,
		       v)->after;
	finish(j, v);
}

/* That reading failed is told by the diagnostics alone. */
static void tell_end(struct job *j, const struct value *v)
{
	if (!j->flight)
		return;
	if (v)
		event_complete(j->flight, schema_mark_sensitive(
						  j->a, v, j->schema->block));
	else
		event_abandon(j->flight);
	j->flight = NULL;
}

static void after_read(struct job *j)
{
	const struct value *v = result(j);

	tell_end(j, v);
	if (j->w->config->check) {
		nested(j, v);
		return;
	}
	if (!v) {
		job_fail(j);
		return;
	}
	note_read(j, v);
	v = schema_mark_sensitive(j->a, v, j->schema->block);
	finish(j, value_copy(j->p->arena, v));
}
