/*
 * object.c - one change sent to the provider, and its result
 *
 * Whatever the answer, the object must not get lost: a provider that failed
 * half-way may still have returned a part of it.
 */
#include "engine/apply/apply_int.h"
#include "engine/object/objchange.h"
#include "engine/object/resource_object.h"
#include "value/value.h"
#include "value/marks.h"

#define INVALID_RESULT "Provider returned invalid result object after apply"

/* Nothing may be left unknown, nor may write-only attributes come back: they
 * must not get into the state. */
static const struct value *fit_for_state(struct op *o, const struct value *v)
{
	struct path_vec unknown = { NULL, 0, 0 };

	v = value_without_write_only(o->w.a, o->w.schema->block, v);
	if (value_wholly_known(v))
		return v;
	v = value_without_unknown(o->w.a, v, &unknown);
	for (size_t i = 0; i < unknown.len; i++)
		diag_error(&o->w.ds, NULL, INVALID_RESULT,
			   "After the operation the provider %s still says "
			   "that %.*s%.*s is unknown. What is known is saved. "
			   "This is a bug in the provider.",
			   op_provider_text(o), STR_ARG(o->w.text),
			   STR_ARG(path_text(o->w.a, unknown.items[i])));
	return v;
}

/* --- checks of the result --- */

static void check_result(struct op *o, const struct value *v)
{
	struct verror_vec errors = { NULL, 0, 0 };

	if (o->action == ACTION_DELETE || op_failed(o) ||
	    (o->w.q.apply.out.legacy_type_system && !tolerated_logged()))
		return;
	object_compatible(o->w.a, o->w.schema->block, o->planned, v, &errors);
	if (o->w.q.apply.out.legacy_type_system) {
		tolerated_log(o->w.a, str_c(op_provider_text(o)),
			      "an unexpected new value for", o->w.text,
			      tolerated_legacy, &errors);
		return;
	}
	for (size_t i = 0; i < errors.len; i++)
		diag_error(&o->w.ds, NULL,
			   "Provider produced inconsistent result after apply",
			   "When applying changes to %.*s, the provider %s "
			   "produced an unexpected new value: %.*s. This is a "
			   "bug in the provider.",
			   STR_ARG(o->w.text), op_provider_text(o),
			   STR_ARG(verror_text(o->w.a, &errors.items[i])));
}

static void check_presence(struct op *o, const struct value *v)
{
	bool gone = value_is_null(v);

	if (op_failed(o))
		return;
	if (o->action == ACTION_DELETE && !gone)
		diag_error(&o->w.ds, NULL, INVALID_RESULT,
			   "After destroying %.*s the provider still returned "
			   "an object. It is kept in the state. This is a bug "
			   "in the provider.",
			   STR_ARG(o->w.text));
	if (o->action != ACTION_DELETE && gone)
		diag_error(&o->w.ds, NULL, INVALID_RESULT,
			   "After the operation on %.*s the provider returned "
			   "no object; only destroying may do so. This is a "
			   "bug in the provider.",
			   STR_ARG(o->w.text));
}

/* The object that the provider returned, with its marks.  If none: null if that
 * was planned, else the object as before. */
static const struct value *returned(struct op *o)
{
	const struct value *v = o->w.q.apply.out.object.value;
	struct path_vec paths = { NULL, 0, 0 };

	if (!v) {
		if (!op_failed(o))
			diag_error(&o->w.ds, NULL,
				   "Provider produced invalid object",
				   "The provider %s returned nothing after the "
				   "operation on %.*s. This is a bug in the "
				   "provider.",
				   op_provider_text(o), STR_ARG(o->w.text));
		return value_is_null(o->planned) ? o->planned : o->before;
	}
	if (o->planned->inner_marks) {
		value_marked_paths(o->w.a, o->planned, MARK_SENSITIVE, &paths);
		v = value_mark_paths(o->w.a, v, &paths, &marks_sensitive);
	}
	return schema_mark_sensitive(o->w.a, v, o->w.schema->block);
}

static bool skips_destroy(const struct op *o)
{
	return o->an->config && o->an->config->lifecycle->skip_destroy;
}

static void keep_result(struct op *o, const struct value *v)
{
	struct resource_object *now = &o->now;
	bool failed = op_failed(o);

	if (failed && value_is_null(v)) {
		*now = o->prior;
		return;
	}
	*now = (struct resource_object){ .value = NULL };
	if (value_is_null(v))
		return;
	now->value = v;
	now->private_data = o->w.q.apply.out.object.private_data;
	now->identity = o->w.q.apply.out.object.identity;
	now->create_before_destroy = o->an->cbd && o->action != ACTION_DELETE;
	now->skip_destroy = failed ? o->prior.skip_destroy : skips_destroy(o);
	now->tainted = failed && o->prior.value && o->prior.tainted;
	if (o->action == ACTION_DELETE) {
		now->dependencies = o->prior.dependencies;
		now->ndependencies = o->prior.ndependencies;
	}
}

/* Only which parts are sensitive has changed: nothing for the provider. */
static bool changes_only_marks(struct op *o)
{
	const struct value *x = value_unmark_deep(o->w.a, o->before, NULL);
	const struct value *y = value_unmark_deep(o->w.a, o->planned, NULL);
	const struct value *eq;

	if (o->action != ACTION_UPDATE || value_is_null(x))
		return false;
	eq = value_equals(o->w.a, x, y);
	return value_usable(eq) && eq->boolean &&
	       !value_identical(o->before, o->planned);
}

/* --- the steps --- */

enum worked apply_intend(struct worker *w)
{
	struct op *o = op_of(w);
	const struct type *t = w->schema->block->implied;

	o->only_marks = changes_only_marks(o);
	if (o->only_marks)
		return WORK_NEXT;
	w->q = (struct provider_request){
		.apply.in = {
			.config = w->config ? value_unmark_deep(w->a, w->config,
								NULL)
					    : value_null(w->a, t),
			.prior = value_unmark_deep(w->a, o->before, NULL),
			.planned = { value_unmark_deep(w->a, o->planned, NULL),
				     o->planned_private, o->planned_identity },
		},
	};
	w->keep_on = true; /* the result is kept despite errors */
	apply_intent(o, o->an->kind == APPLY_DESTROY_DEPOSED ? o->an->deposed
							     : STR_NONE);
	/* The intent is synced at the end of this turn. */
	loop_defer(o->ap->loop, worker_resume, w);
	return WORK_LATER;
}

enum worked apply_send(struct worker *w)
{
	struct op *o = op_of(w);

	if (o->only_marks) {
		o->now = o->prior;
		o->now.value = o->planned;
		return WORK_NEXT;
	}
	if (!o->ap->journal_failed)
		return worker_call(w, CALL_APPLY);
	/* Without a journal nothing is done: the object stays what it was. */
	diags_fail_quietly(&w->ds); /* journal_problem reported it */
	o->now = o->prior;
	w->q.apply.out.object.value = o->before; /* the outcome of the intent */
	return WORK_NEXT;
}

enum worked apply_sent(struct worker *w)
{
	struct op *o = op_of(w);
	const struct value *v;

	if (!w->answered)
		return WORK_NEXT;
	v = fit_for_state(o, returned(o));
	check_result(o, v);
	check_presence(o, v);
	keep_result(o, v);
	return WORK_NEXT;
}
