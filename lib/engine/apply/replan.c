/*
 * replan.c - planning an instance again, with all that is known now
 *
 * The provider validates and plans once more on the final configuration; the
 * result must be a completion of what was planned, and nothing else.
 */
#include "engine/apply/apply_int.h"
#include "engine/object/objchange_int.h"
#include "engine/object/tolerated.h"

static struct body *config_body(const struct op *o)
{
	return o->inst->resource->config->body;
}

#define PROVIDER_BUG " This is a bug in the provider."

static void errors(struct op *o, const char *summary,
		   const struct verror_vec *v, const char *when,
		   const char *what)
{
	for (size_t i = 0; i < v->len; i++) {
		struct verror e = v->items[i];

		diag_error(&o->ds, NULL, summary,
			   "%she provider %s planned an %s value for "
			   "%.*s%.*s: %.*s." PROVIDER_BUG,
			   when, op_provider_text(o), what, STR_ARG(o->text),
			   STR_ARG(path_text(o->a, e.path)),
			   STR_ARG(e.message));
	}
}

/* --- paths that ask for a replacement --- */

static bool filter_replace(struct op *o, const struct value *prior,
			   const struct value *planned)
{
	struct path_vec absent = { NULL, 0, 0 };
	bool write_only;

	o->replace.len = 0;
	write_only = replace_paths(o->a, o->schema->block, prior, planned,
				   &o->q.requires_replace, &o->replace,
				   &absent);
	for (size_t i = 0; i < absent.len; i++)
		diag_error(&o->ds, NULL, "Provider produced invalid plan",
			   "The provider %s asks to replace %.*s because of "
			   "%.*s, which does not exist." PROVIDER_BUG,
			   op_provider_text(o), STR_ARG(o->text),
			   STR_ARG(path_text(o->a, absent.items[i])));
	return write_only;
}

/* --- which action it is --- */

static bool forced(const struct op *o)
{
	const struct apply_input *in = o->ap->in;

	for (size_t i = 0; i < in->replace.len; i++)
		if (instance_addr_equal(&in->replace.items[i],
					&o->change->addr))
			return true;
	return false;
}

static bool same_marks(struct arena *a, const struct value *x,
		       const struct value *y)
{
	struct path_vec p = { NULL, 0, 0 }, q = { NULL, 0, 0 };

	if (!x->marks && !x->inner_marks && !y->marks && !y->inner_marks)
		return true;
	value_marked_paths(a, x, MARK_SENSITIVE, &p);
	value_marked_paths(a, y, MARK_SENSITIVE, &q);
	if (p.len != q.len)
		return false;
	for (size_t i = 0; i < p.len; i++)
		if (!path_equal(p.items[i], q.items[i]))
			return false;
	return true;
}

static enum action replacement(const struct op *o)
{
	return o->change->action == ACTION_CREATE_DELETE ? ACTION_CREATE_DELETE
							 : ACTION_DELETE_CREATE;
}

static bool equal(struct arena *a, const struct value *x, const struct value *y)
{
	const struct value *eq = value_equals(a, x, y);

	return value_usable(eq) && eq->boolean;
}

static enum action decide(struct op *o, const struct value *prior,
			  const struct value *planned, bool write_only)
{
	if (value_is_null(prior))
		return ACTION_CREATE;
	if (write_only)
		return replacement(o);
	if (forced(o))
		return replacement(o);
	if (equal(o->a, planned, prior))
		return ACTION_NOOP;
	return o->replace.len ? replacement(o) : ACTION_UPDATE;
}

/* The planned value with the marks of the configuration and the schema. */
static const struct value *with_marks(struct op *o, const struct value *v)
{
	struct path_vec paths = { NULL, 0, 0 };

	if (o->config_ignored->inner_marks) {
		value_marked_paths(o->a, o->config_ignored, MARK_SENSITIVE,
				   &paths);
		v = value_mark_paths(o->a, v, &paths, &marks_sensitive);
	}
	return run_mark_schema(o->a, v, o->schema->block);
}

static void settle(struct op *o)
{
	bool tainted = o->prior.value && o->prior.tainted;
	void (*then)(struct op *) = o->replanned;

	if (o->action == ACTION_CREATE && tainted)
		o->action = replacement(o);
	if (action_replaces(o->action) &&
	    !expression_constant_bool(
		    o->inst->resource->config->lifecycle.destroy, true))
		o->action = ACTION_FORGET_CREATE;
	o->before = o->prior.value ? o->prior.value
				   : value_null(o->a,
						o->schema->block->implied);
	if (o->action == ACTION_NOOP &&
	    !same_marks(o->a, o->planned, o->before))
		o->action = ACTION_UPDATE;
	/* The old object is gone already, so what is left is to create. */
	if (o->action == ACTION_CREATE && action_replaces(o->change->action))
		o->action = o->change->action;
	then(o);
}

/* --- asking the provider --- */

static void replacement_planned(struct op *o)
{
	void (*then)(struct op *) = o->replanned;

	if (op_failed(o)) {
		then(o);
		return;
	}
	o->planned = with_marks(o, o->q.state);
	o->planned_private = o->q.private_out;
	o->planned_identity = o->q.identity_out;
	settle(o);
}

/* A replacement is planned as if there had been nothing before. */
static void plan_replacement(struct op *o)
{
	const struct type *t = o->schema->block->implied;
	struct str private_in = o->planned_private;

	o->config_ignored = o->config;
	o->q = (struct provider_request){ .config = NULL };
	o->q.config = value_unmark_deep(o->a, o->config, NULL);
	o->q.prior = value_null(o->a, t);
	o->q.proposed = proposed_new(o->a, o->schema->block, o->q.prior,
				     o->q.config);
	o->q.private_in = private_in;
	op_call(o, CALL_PLAN, config_body(o), replacement_planned);
}

static const struct value *prior_of(struct op *o)
{
	if (!o->prior.value || o->prior.tainted)
		return value_null(o->a, o->schema->block->implied);
	return o->prior.value;
}

static void check_valid(struct op *o, const struct value *prior,
			const struct value *planned)
{
	struct verror_vec v = { NULL, 0, 0 };

	if (o->q.legacy_type_system && !tolerated_logged())
		return;
	plan_valid(o->a, o->schema->block, prior, o->q.config, planned, &v);
	if (o->q.legacy_type_system) {
		tolerated_log(o->a, str_c(op_provider_text(o)),
			      "an invalid plan for", o->text,
			      tolerated_legacy, &v);
		return;
	}
	errors(o, "Provider produced invalid plan", &v, "T", "invalid");
}

static void planned(struct op *o)
{
	const struct cfg_lifecycle *l = &o->inst->resource->config->lifecycle;
	const struct value *prior = value_unmark_deep(o->a, prior_of(o), NULL);
	const struct value *v = o->q.state;
	void (*then)(struct op *) = o->replanned;
	bool write_only;

	if (!op_failed(o) && !v)
		diag_error(&o->ds, NULL, "Provider produced invalid plan",
			   "The provider %s planned nothing for %.*s."
			   PROVIDER_BUG, op_provider_text(o),
			   STR_ARG(o->text));
	if (!op_failed(o))
		check_valid(o, prior, v);
	if (op_failed(o)) {
		then(o);
		return;
	}
	o->legacy = o->q.legacy_type_system;
	if (o->legacy) /* such a provider may have undone it */
		v = ignore_changes(o->a, l, prior, v, NULL);
	v = value_unmark_deep(o->a, v, NULL);
	o->planned_private = o->q.private_out;
	o->planned_identity = o->q.identity_out;
	write_only = filter_replace(o, prior, v);
	if (op_failed(o)) {
		then(o);
		return;
	}
	o->action = decide(o, prior, v, write_only);
	o->planned = with_marks(o, v);
	if (action_replaces(o->action))
		plan_replacement(o);
	else
		settle(o);
}

static void validated(struct op *o)
{
	const struct cfg_lifecycle *l = &o->inst->resource->config->lifecycle;
	const struct value *prior = prior_of(o);
	void (*then)(struct op *) = o->replanned;

	if (op_failed(o)) {
		then(o);
		return;
	}
	o->config_ignored = ignore_changes(o->a, l, prior, o->config,
					   o->schema->block);
	o->q = (struct provider_request){ .config = NULL };
	o->q.config = value_unmark_deep(o->a, o->config_ignored, NULL);
	o->q.prior = value_unmark_deep(o->a, prior, NULL);
	o->q.proposed = proposed_new(o->a, o->schema->block, o->q.prior,
				     o->q.config);
	if (o->prior.value && !o->prior.tainted) {
		o->q.private_in = o->prior.private_data;
		o->q.identity_in = o->prior.identity;
	}
	op_call(o, CALL_PLAN, config_body(o), planned);
}

void apply_replan(struct op *o, void (*then)(struct op *))
{
	o->replanned = then;
	o->config = op_config(o);
	if (!o->config) {
		then(o);
		return;
	}
	o->q = (struct provider_request){ .config = NULL };
	o->q.config = value_unmark_deep(o->a, o->config, NULL);
	op_call(o, CALL_VALIDATE_RESOURCE, config_body(o), validated);
}

/* --- is it what was planned? --- */

static void wrong_action(struct op *o)
{
	enum action was = o->change->action;
	bool ours = action_replaces(was) && action_replaces(o->action);

	diag_error(&o->ds, NULL,
		   ours ? "OpenTofu produced inconsistent final plan"
			: "Provider produced inconsistent final plan",
		   "With what became known during apply, %s changed the "
		   "planned action for %.*s from %s to %s.",
		   ours ? "planning" : op_provider_text(o), STR_ARG(o->text),
		   action_name(was), action_name(o->action));
}

void apply_check_replan(struct op *o)
{
	enum action was = o->change->action;
	struct verror_vec v = { NULL, 0, 0 };

	if (was != o->action &&
	    !(was == ACTION_FORGET_CREATE && o->action == ACTION_CREATE) &&
	    !(was == ACTION_UPDATE && o->action == ACTION_NOOP))
		wrong_action(o);
	object_compatible(o->a, o->schema->block, o->change->after, o->planned,
			  &v);
	errors(o, "Provider produced inconsistent final plan", &v,
	       "With what became known during apply, t", "unexpected new");
}
