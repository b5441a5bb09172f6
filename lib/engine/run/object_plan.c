/* object_plan.c - see worker.h */
#include "engine/run/worker.h"
#include "engine/object/objchange.h"
#include "engine/object/resource_object.h"
#include "value/value.h"
#include "value/marks.h"

static bool failed(const struct object_plan *x)
{
	return diags_failed(x->ds);
}

/* --- asking --- */

/* The plan from x->prior to config. */
static void ask_plan(struct object_plan *x, const struct value *config,
		     struct str private_data, const struct value *identity)
{
	const struct value *prior = value_unmark_deep(x->arena, x->prior, NULL);

	config = value_unmark_deep(x->arena, config, NULL);
	*x->q = (struct provider_request){
		.plan.in = { .config = config,
			     .proposed = objchange_proposed(x->arena, x->schema,
							    prior, config),
			     .prior = { prior, private_data, identity } },
	};
}

void object_plan_validate(struct object_plan *x)
{
	x->prior = x->object && !x->tainted
			   ? x->object
			   : value_null(x->arena, x->schema->implied);
	*x->q = (struct provider_request){
		.check.in = { value_unmark_deep(x->arena, x->config, NULL) },
	};
}

void object_plan_ask(struct object_plan *x)
{
	x->config_ignored = ignore_changes(x->arena, x->lifecycle, x->prior,
					   x->config, x->schema);
	if (value_is_null(x->prior))
		ask_plan(x, x->config_ignored, STR_NONE, NULL);
	else
		ask_plan(x, x->config_ignored, x->private_data, x->identity);
}

/* The new object comes from nothing: computed values are new. */
static void plan_replacement(struct object_plan *x)
{
	x->prior = value_null(x->arena, x->schema->implied);
	x->config_ignored = x->config;
	x->quiet = true;
	ask_plan(x, x->config, x->planned_private, NULL);
}

/* --- what was planned --- */

static void invalid(struct object_plan *x, struct path at, struct str why)
{
	diag_error(x->ds, NULL, "Provider produced invalid plan",
		   "The provider %.*s planned an invalid value for %.*s%.*s: "
		   "%.*s.\n\nThis is a bug in the provider, to be reported to "
		   "its developers.",
		   STR_ARG(x->provider), STR_ARG(x->address),
		   STR_ARG(path_text(x->arena, at)), STR_ARG(why));
}

static void check(struct object_plan *x)
{
	struct verror_vec errors = { NULL, 0, 0 };
	struct path_vec sensitive = { NULL, 0, 0 };

	if (x->legacy && !tolerated_logged())
		return;
	value_marked_paths(x->arena, x->config_ignored, MARK_SENSITIVE,
			   &sensitive);
	value_marked_paths(x->arena, x->prior, MARK_SENSITIVE, &sensitive);
	plan_valid(x->arena, x->schema, x->q->plan.in.prior.value,
		   x->q->plan.in.config, x->q->plan.out.planned.value,
		   &sensitive, &errors);
	if (x->legacy) {
		tolerated_log(x->arena, x->provider, "an invalid plan for",
			      x->address, tolerated_legacy, &errors);
		return;
	}
	for (size_t i = 0; i < errors.len; i++)
		invalid(x, errors.items[i].path, errors.items[i].message);
}

/* Finds the provider's "requires replace" paths that count; true where a
 * write-only attribute is among them. */
static bool find_replace(struct object_plan *x, const struct value *planned)
{
	struct path_vec absent = { NULL, 0, 0 };
	bool write_only =
		replace_paths(x->arena, x->schema, x->q->plan.in.prior.value,
			      planned, &x->q->plan.out.requires_replace,
			      &x->replace, &absent);

	for (size_t i = 0; i < absent.len; i++)
		invalid(x, absent.items[i],
			STR("it asks for replacement because of an attribute that does not exist"));
	return write_only;
}

/* The planned value carries the marks of the configuration. */
static void take(struct object_plan *x, const struct value *v)
{
	static const unsigned bits[] = { MARK_SENSITIVE, MARK_EPHEMERAL };
	static const struct marks *const marks[] = { &marks_sensitive,
						     &marks_ephemeral };

	for (size_t i = 0; i < 2; i++) {
		struct path_vec paths = { NULL, 0, 0 };

		if (!value_has_mark_deep(x->config_ignored, bits[i]))
			continue;
		value_marked_paths(x->arena, x->config_ignored, bits[i],
				   &paths);
		v = value_mark_paths(x->arena, v, &paths, marks[i]);
	}
	x->planned = v;
	x->planned_private = x->q->plan.out.planned.private_data;
	x->planned_identity = x->q->plan.out.planned.identity;
}

/* --- the action --- */

static enum action replacement(const struct object_plan *x)
{
	return x->cbd ? ACTION_CREATE_DELETE : ACTION_DELETE_CREATE;
}

static void decide(struct object_plan *x, const struct value *planned,
		   bool write_only)
{
	bool same = value_wholly_known(planned) &&
		    value_equal_unmarked(planned, x->q->plan.in.prior.value);

	if (value_is_null(x->prior)) {
		x->action = ACTION_CREATE;
	} else if (same && !x->forced && !write_only) {
		x->action = ACTION_NOOP;
	} else if (x->forced || x->replace.len || write_only) {
		x->action = replacement(x);
		x->reason = x->forced ? REASON_REPLACE_BY_REQUEST
			    : x->replace.len
				    ? REASON_REPLACE_BECAUSE_CANNOT_UPDATE
				    : REASON_NONE;
	} else {
		x->action = ACTION_UPDATE;
	}
}

/* Only what is sensitive differs? */
static bool same_sensitive(struct object_plan *x)
{
	unsigned others = ~(unsigned)MARK_SENSITIVE;

	return value_identical(
		value_without_marks(x->arena, x->planned, others),
		value_without_marks(x->arena, x->before, others));
}

static void settle(struct object_plan *x)
{
	x->before = x->object ? x->object
			      : value_null(x->arena, x->schema->implied);
	if (x->action == ACTION_CREATE && x->object) {
		x->action = replacement(x);
		x->reason = REASON_REPLACE_BECAUSE_TAINTED;
	}
	if (action_replaces(x->action) && x->lifecycle->skip_destroy)
		x->action = ACTION_FORGET_CREATE;
	if (x->action == ACTION_NOOP && !same_sensitive(x))
		x->action = ACTION_UPDATE;
}

bool object_plan_take(struct object_plan *x)
{
	const struct value *v = x->q->plan.out.planned.value;
	bool write_only;

	x->legacy = x->q->plan.out.legacy_type_system;
	check(x);
	if (failed(x))
		return false;
	/* Providers of the legacy SDK plan changes that were to be ignored. */
	if (x->legacy)
		v = ignore_changes(x->arena, x->lifecycle,
				   x->q->plan.in.prior.value, v, NULL);
	write_only = find_replace(x, v);
	if (failed(x))
		return false;
	take(x, v);
	x->planned = schema_mark_sensitive(x->arena, x->planned, x->schema);
	decide(x, v, write_only);
	if (action_replaces(x->action)) {
		plan_replacement(x);
		return true;
	}
	settle(x);
	return false;
}

/* What the schema says is sensitive is left to those who look: sensitive_values
 * of a plan differ there, in OpenTofu. */
void object_plan_take_replacement(struct object_plan *x)
{
	x->quiet = false;
	take(x, x->q->plan.out.planned.value);
	settle(x);
}
