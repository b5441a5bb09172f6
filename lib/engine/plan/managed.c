/*
 * managed.c - planning an instance of a managed resource
 *
 * import or read - refresh - evaluate the configuration - let the provider
 * validate and plan it - decide the action - plan again from nothing if it is
 * to be replaced.  Each step that calls the provider goes on in a callback.
 */
#include <stdlib.h>

#include "engine/object/objchange.h"
#include "engine/plan/plan_int.h"
#include "engine/object/tolerated.h"

static void after_read(struct job *j);
static void after_refresh(struct job *j);
static void after_validate(struct job *j);
static void after_plan(struct job *j);
static void after_replan(struct job *j);

/* provider_meta of the module, for this provider. */
static int meta_config(struct job *j)
{
	const struct cfg_module *m = j->w->config->module;
	const struct schema_block *b = j->provider->provider->schema->meta;
	const size_t errors = j->ds.errors;
	const struct cfg_provider_meta *meta;
	struct run_scope s;
	struct str text;

	if (!m->provider_meta.len)
		return 0;
	text = provider_addr_text(j->a, j->provider->addr.provider);
	meta = map_get(&m->provider_meta, text);
	if (!meta)
		return 0;
	if (!b)
		return diag_error(
			&j->ds, &meta->at,
			arena_printf(j->ds.arena,
				     "Provider %.*s doesn't support "
				     "provider_meta", STR_ARG(text)),
			"%.*s belongs to a provider without provider_meta "
			"blocks.", STR_ARG(j->text));
	run_scope_init(&s, j->it.rr->module, NULL);
	j->meta = value_unmark_deep(j->a,
				    body_decode(j->a, meta->body, b, &s.scope,
						NULL, &j->ds), NULL);
	return j->ds.errors == errors ? 0 : -1;
}

void plan_managed(struct job *j)
{
	j->cbd = plan_node(j->p->pg, j->w->node)->cbd;
	if (job_self_reference(j) || meta_config(j)) {
		job_fail(j);
		return;
	}
	j->importing = !j->it.si && !j->p->pre_destroy &&
		       plan_import_target(j->p, &j->addr);
	if (j->importing)
		job_import(j, after_refresh);
	else
		job_read(j, after_read);
}

/* The state's lifecycle settings follow the configuration at once. */
static void after_read(struct job *j)
{
	if (j->now.value) {
		j->now.create_before_destroy = j->cbd;
		j->now.skip_destroy = config_skips_destroy(j->w->config);
	}
	job_refresh(j, after_refresh);
}

static int text_order(const void *x, const void *y)
{
	return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

/* Until the change is applied both the recorded dependencies and the
 * configured ones count. */
static void merge_dependencies(struct job *j)
{
	struct plan_object *o = &j->now;
	const struct plan_work *w = j->w;
	struct str *all;
	size_t n = 0;

	if (!w->ndependencies)
		return;
	all = ARENA_ARRAY(j->a, struct str,
			  o->ndependencies + w->ndependencies);
	for (size_t i = 0; i < o->ndependencies; i++)
		all[n++] = o->dependencies[i];
	for (size_t i = 0; i < w->ndependencies; i++)
		all[n++] = w->dependencies[i];
	qsort(all, n, sizeof(*all), text_order);
	o->dependencies = all;
	o->ndependencies = 0;
	for (size_t i = 0; i < n; i++)
		if (!i || !str_eq(all[i], all[i - 1]))
			all[o->ndependencies++] = all[i];
}

static void refresh_only(struct job *j)
{
	const struct cfg_lifecycle *l = &j->w->config->lifecycle;
	const struct value *self;

	job_note_state(j);
	/* What is gone is not there for references either. */
	self = j->now.value ? value_copy(j->p->arena, j->now.value)
			    : &value_unknown_dynamic;
	run_instance_set(j->it.inst, self);
	job_conditions(j, COND_PRECONDITION, &l->preconditions, NULL);
	job_conditions(j, COND_POSTCONDITION, &l->postconditions, self);
	job_end(j);
}

/* Fails, but what was refreshed is kept. */
static void fail(struct job *j)
{
	job_note_state(j);
	job_fail(j);
}

static bool named_in_replace(const struct job *j)
{
	const struct run_options *o = &j->p->run->opts;

	for (size_t i = 0; i < o->nreplace; i++)
		if (instance_addr_equal(&o->replace[i], &j->addr))
			return true;
	return false;
}

static void after_refresh(struct job *j)
{
	const struct cfg_lifecycle *l = &j->w->config->lifecycle;
	const struct type *t = j->schema->block->implied;

	if (j->now.value && j->p->run->opts.refresh && !j->importing)
		merge_dependencies(j);
	if (j->p->skip_changes) {
		refresh_only(j);
		return;
	}
	j->triggered = job_triggered(j);
	j->forced = j->triggered || named_in_replace(j);
	if (job_failed(j) ||
	    job_conditions(j, COND_PRECONDITION, &l->preconditions, NULL)) {
		fail(j);
		return;
	}
	j->config = job_config(j);
	if (!j->config) {
		fail(j);
		return;
	}
	/* A tainted object is planned as if there were none, and then told to
	 * be replaced. */
	j->prior = j->now.value && !j->now.tainted ? j->now.value
						   : value_null(j->a, t);
	j->q.config = value_unmark_deep(j->a, j->config, NULL);
	job_call(j, CALL_VALIDATE_RESOURCE, after_validate);
}

static void after_validate(struct job *j)
{
	bool have = !value_is_null(j->prior);

	j->config_ignored = ignore_changes(j->a, &j->w->config->lifecycle,
					   j->prior, j->config,
					   j->schema->block);
	j->q.config = value_unmark_deep(j->a, j->config_ignored, NULL);
	j->q.prior = value_unmark_deep(j->a, j->prior, NULL);
	j->q.proposed = proposed_new(j->a, j->schema->block, j->q.prior,
				     j->q.config);
	j->proposed = j->q.proposed;
	j->q.private_in = have ? j->now.private_data : STR_NONE;
	j->q.identity_in = have ? j->now.identity : NULL;
	j->q.meta = j->meta;
	job_call(j, CALL_PLAN, after_plan);
}

static int invalid_plan(struct job *j, const struct verror *e)
{
	return diag_error(&j->ds, NULL, "Provider produced invalid plan",
			  "The provider %.*s planned an invalid value for "
			  "%.*s%.*s: %.*s.\n\nThis is a bug in the provider, "
			  "to be reported to its developers.",
			  STR_ARG(provider_config_text(j->a,
						       &j->provider->addr)),
			  STR_ARG(j->text),
			  STR_ARG(path_text(j->a, e->path)),
			  STR_ARG(e->message));
}

static int check_plan(struct job *j, const struct value *planned)
{
	struct verror_vec errors = { 0 };

	if (!planned || !convertible(planned->type,
				     j->schema->block->implied)) {
		struct verror e = {
			.message = STR("it does not fit the schema")
		};

		return invalid_plan(j, &e);
	}
	if (j->q.legacy_type_system && !tolerated_logged())
		return 0;
	plan_valid(j->a, j->schema->block, j->q.prior, j->q.config, planned,
		   &errors);
	if (j->q.legacy_type_system) {
		tolerated_log(j->a,
			      provider_config_text(j->a, &j->provider->addr),
			      "an invalid plan for", j->text,
			      tolerated_legacy, &errors);
		return 0;
	}
	for (size_t i = 0; i < errors.len; i++)
		invalid_plan(j, &errors.items[i]);
	return errors.len ? -1 : 0;
}

/* The planned value carries the marks of the configuration and of the schema.
 */
static const struct value *mark_planned(struct job *j, const struct value *v,
					const struct value *config)
{
	static const unsigned bits[] = { MARK_SENSITIVE, MARK_EPHEMERAL };
	static const struct marks *const marks[] = { &marks_sensitive,
						     &marks_ephemeral };

	for (size_t i = 0; i < 2; i++) {
		struct path_vec paths = { 0 };

		if (!value_has_mark_deep(config, bits[i]))
			continue;
		value_marked_paths(j->a, config, bits[i], &paths);
		v = value_mark_paths(j->a, v, &paths, marks[i]);
	}
	return run_mark_schema(j->a, v, j->schema->block);
}

/* Keeps those of the provider's "requires replace" paths that count. */
static int filter_replace(struct job *j, const struct value *planned,
			  bool *write_only)
{
	struct path_vec absent = { NULL, 0, 0 };

	*write_only = replace_paths(j->a, j->schema->block, j->q.prior, planned,
				    &j->q.requires_replace, &j->replace,
				    &absent);
	for (size_t i = 0; i < absent.len; i++) {
		struct verror e = {
			.path = absent.items[i],
			.message = STR("it asks for replacement because of an "
				       "attribute that does not exist"),
		};

		invalid_plan(j, &e);
	}
	return absent.len ? -1 : 0;
}

static void decide(struct job *j, const struct value *planned,
		   bool write_only)
{
	bool same = value_wholly_known(planned) &&
		    value_equal_unmarked(planned, j->q.prior);
	bool replace = false;

	if (value_is_null(j->prior))
		j->action = ACTION_CREATE;
	else if (write_only)
		replace = true;
	else if (same && !j->forced)
		j->action = ACTION_NOOP;
	else if (j->forced || j->replace.len)
		replace = true;
	else
		j->action = ACTION_UPDATE;
	if (!replace)
		return;
	j->action = j->cbd ? ACTION_CREATE_DELETE : ACTION_DELETE_CREATE;
	j->reason = j->forced ? REASON_REPLACE_BY_REQUEST
		    : j->replace.len ? REASON_REPLACE_BECAUSE_CANNOT_UPDATE
				     : REASON_NONE;
}

static void settle(struct job *j);

static void after_plan(struct job *j)
{
	const struct value *planned = j->q.state;
	bool write_only;

	if (check_plan(j, planned)) {
		fail(j);
		return;
	}
	/* Providers of the legacy SDK plan changes that were to be ignored. */
	if (j->q.legacy_type_system)
		planned = ignore_changes(j->a, &j->w->config->lifecycle,
					 j->q.prior, planned, NULL);
	if (filter_replace(j, planned, &write_only)) {
		fail(j);
		return;
	}
	j->planned = mark_planned(j, planned, j->config_ignored);
	j->planned_private = j->q.private_out;
	j->planned_identity = j->q.identity_out;
	decide(j, planned, write_only);
	if (!action_replaces(j->action)) {
		settle(j);
		return;
	}
	/* The new object comes from nothing: computed values are new. */
	j->q.config = value_unmark_deep(j->a, j->config, NULL);
	j->q.prior = value_null(j->a, j->schema->block->implied);
	j->q.proposed = proposed_new(j->a, j->schema->block, j->q.prior,
				     j->q.config);
	j->q.private_in = j->planned_private;
	j->q.identity_in = NULL;
	j->quiet_warnings = true;
	job_call(j, CALL_PLAN, after_replan);
}

static void after_replan(struct job *j)
{
	if (!j->q.state || !convertible(j->q.state->type,
					j->schema->block->implied)) {
		struct verror e = {
			.message = STR("it does not fit the schema")
		};

		invalid_plan(j, &e);
		fail(j);
		return;
	}
	j->planned = mark_planned(j, j->q.state, j->config);
	j->planned_private = j->q.private_out;
	j->planned_identity = j->q.identity_out;
	settle(j);
}

static void relabel(struct job *j)
{
	if (j->action == ACTION_CREATE && j->now.value && j->now.tainted) {
		j->action = j->cbd ? ACTION_CREATE_DELETE
				   : ACTION_DELETE_CREATE;
		j->prior = j->now.value;
		j->reason = REASON_REPLACE_BECAUSE_TAINTED;
	}
	if (action_replaces(j->action) && config_skips_destroy(j->w->config))
		j->action = ACTION_FORGET_CREATE;
	/* Only what is sensitive changes. */
	if (j->action == ACTION_NOOP &&
	    !value_identical(
		    value_without_marks(j->a, j->planned, ~MARK_SENSITIVE),
		    value_without_marks(j->a, j->prior, ~MARK_SENSITIVE)))
		j->action = ACTION_UPDATE;
	if (j->triggered)
		j->reason = REASON_REPLACE_BY_TRIGGERS;
}

static bool unsupported(struct job *j)
{
	bool replaces = action_replaces(j->action);

	return ((replaces || j->action == ACTION_CREATE) &&
		job_provisioners(j, false)) ||
	       (replaces && j->action != ACTION_FORGET_CREATE &&
		job_provisioners(j, true));
}

static void settle(struct job *j)
{
	const struct cfg_lifecycle *l = &j->w->config->lifecycle;
	struct import_target *import;
	struct change *c;

	relabel(j);
	c = job_change(j, j->action, j->reason, j->prior, j->planned);
	if (j->importing) {
		import = plan_import_target(j->p, &j->addr);
		c->import_id = import->id;
		c->import_identity = import->identity;
		c->generated_config = j->generated;
	}
	if (j->action == ACTION_NOOP) {
		j->now.dependencies = j->w->dependencies;
		j->now.ndependencies = j->w->ndependencies;
	}
	job_note_state(j);
	if (job_prevent_destroy(j, j->action) || unsupported(j)) {
		job_fail(j);
		return;
	}
	run_instance_set(j->it.inst, c->after);
	job_conditions(j, COND_POSTCONDITION, &l->postconditions, c->after);
	job_end(j);
}
