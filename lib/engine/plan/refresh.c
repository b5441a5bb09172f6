/*
 * refresh.c - an object of the state: upgraded to the schema, then read anew
 *
 * What the upgrade gives is the previous object, what the provider then reports
 * is the present one; a difference between the two is drift.  Attributes that
 * did not change keep the text of the state.
 */
#include "base/base64.h"
#include "engine/object/objchange.h"
#include "engine/plan/plan_int.h"
#include "engine/object/tolerated.h"
#include "state/state_value.h"
#include "value/codec.h"

/* The sensitive marks that the state records, on an upgraded value. */
static const struct value *mark_recorded(struct job *j,
					 const struct value *v)
{
	struct path_vec paths = { 0 };
	const struct json *list;
	struct json_error err;
	struct str text = j->it.si->sensitive;

	if (!text.n || str_is(text, "[]"))
		return v;
	list = json_parse(j->a, text, &err);
	for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->len;
	     i++) {
		struct path p;

		if (!path_from_state_json(j->a, &list->items[i], &p))
			vec_push(j->a, &paths, p);
	}
	return paths.len ? value_mark_paths(j->a, v, &paths, &marks_sensitive)
			 : v;
}

static void have_previous(struct job *j, const struct value *v)
{
	j->previous.value = v;
	j->now = j->previous;
}

static void not_an_object(struct job *j, const char *what)
{
	diag_error(&j->ds, NULL, "Invalid resource state transformation",
		   "The provider %.*s %s for %.*s that does not fit the "
		   "resource type's schema. This is a bug in the provider.",
		   STR_ARG(provider_addr_text(j->a,
					      j->provider->addr.provider)),
		   what, STR_ARG(j->text));
	job_fail(j);
}

/* Does the value conform to the schema? Providers that are processes are
 * decoded by it, so this is for all others and for bugs. */
static bool conforms(const struct job *j, const struct value *v)
{
	return v && (v->type == j->schema->block->implied ||
		     convertible(v->type, j->schema->block->implied));
}

static void upgraded(struct job *j)
{
	const struct value *v = j->q.state;
	void (*then)(struct job *) = j->after_read;

	if (!conforms(j, v)) {
		not_an_object(j, "gave a state");
		return;
	}
	v = mark_recorded(j, v);
	v = schema_mark_sensitive(j->a, v, j->schema->block);
	have_previous(j, v);
	if (j->q.private_out.n)
		j->now.private_data = j->previous.private_data =
			j->q.private_out;
	job_step(j, then);
}

static void call_move(struct job *j, const struct instance_addr *from)
{
	const struct state_instance *si = j->it.si;

	j->q.source_provider =
		provider_addr_text(j->a, j->it.sr->provider.provider);
	j->q.source_type = from->resource.type;
	j->q.raw_state = si->attributes;
	j->q.raw_version = si->schema_version;
	j->q.private_in = j->previous.private_data;
	job_call(j, CALL_MOVE, upgraded);
}

/* Destroying looks at each object twice. */
static const struct value *stored_value(struct job *j)
{
	struct state_instance *si = j->it.si;

	const struct value *v = si->decoded;

	if (v)
		return v;
	v = state_instance_value(j->a, si, j->schema->block);
	if (v && j->p->pre_destroy)
		si->decoded = value_copy(j->p->arena, v);
	return v;
}

void job_read(struct job *j, void (*then)(struct job *))
{
	const struct state_instance *si = j->it.si;
	const struct instance_addr *from =
		moves_origin(&j->p->moves, &j->addr);
	const struct value *v;

	j->after_read = then;
	if (!si) {
		job_step(j, then);
		return;
	}
	resource_object_read(j->a, j->schema, si, &j->previous);
	have_previous(j, NULL);
	if (!str_eq(from->resource.type, j->addr.resource.type) &&
	    moves_explicit(&j->p->moves, &j->addr)) {
		call_move(j, from);
		return;
	}
	if (si->schema_version > j->schema->version) {
		diag_error(&j->ds, NULL,
			   "Resource instance managed by newer provider "
			   "version",
			   "The state of %.*s was written by a newer version "
			   "of the provider %.*s than the selected one.",
			   STR_ARG(j->text),
			   STR_ARG(provider_addr_text(
				   j->a, j->provider->addr.provider)));
		job_fail(j);
		return;
	}
	/* Nobody else could have changed what the built-in provider wrote. */
	if (!j->provider->provider->external_effects &&
	    si->schema_version == j->schema->version && si->attributes.n) {
		v = stored_value(j);
		if (v) {
			have_previous(j, v);
			job_step(j, then);
			return;
		}
	}
	j->q.raw_state = si->attributes.n ? si->attributes
					  : si->attributes_flat;
	j->q.raw_version = si->schema_version;
	job_call(j, CALL_UPGRADE, upgraded);
}

static struct str deposed_key(const struct job *j)
{
	return j->it.si ? j->it.si->deposed : STR_NONE;
}

/* Nearly always what others have changed, but it may be the provider. */
static void log_drift(struct job *j, const struct value *v)
{
	struct verror_vec wrong = { NULL, 0, 0 };

	object_compatible(j->a, j->schema->block, j->q.prior, v, &wrong);
	tolerated_log(j->a, j->provider->text,
		      "an unexpected new value for", j->text,
		      " during refresh", &wrong);
}

/* The state holds what is known; OpenTofu would store null and lose what was
 * there. */
bool job_read_unknown(struct job *j, const struct value *v)
{
	struct path_vec paths = { 0 };

	if (value_wholly_known(v))
		return false;
	value_without_unknown(j->a, v, &paths);
	for (size_t i = 0; i < paths.len; i++)
		diag_error(&j->ds, NULL, "Provider produced invalid object",
			   "The provider %.*s returned an unknown value for "
			   "%.*s%.*s when refreshing. This is a bug in the "
			   "provider.",
			   STR_ARG(provider_addr_text(
				   j->a, j->provider->addr.provider)),
			   STR_ARG(j->text),
			   STR_ARG(path_text(j->a, paths.items[i])));
	return true;
}

static void refreshed(struct job *j)
{
	const struct value *v = j->q.state;
	void (*then)(struct job *) = j->after_read;
	struct events *e = j->p->opts.events;

	if (e)
		event_refresh(e, &j->addr, deposed_key(j), v, true);

	if (!conforms(j, v) && !value_is_null(v)) {
		diag_error(&j->ds, NULL, "Provider produced invalid object",
			   "The provider %.*s returned an object for %.*s "
			   "that does not fit the schema, when refreshing. "
			   "This is a bug in the provider.",
			   STR_ARG(provider_addr_text(
				   j->a, j->provider->addr.provider)),
			   STR_ARG(j->text));
		job_fail(j);
		return;
	}
	if (job_read_unknown(j, v)) {
		job_fail(j);
		return;
	}
	j->now.private_data = j->q.private_out;
	if (j->q.identity_out)
		j->now.identity = j->q.identity_out;
	if (value_is_null(v)) {
		j->now.value = j->now.identity = NULL;
		job_step(j, then);
		return;
	}
	v = normalize_legacy_object(j->a, j->schema->block, v);
	if (tolerated_logged())
		log_drift(j, v);
	if (value_has_mark_deep(j->now.value, MARK_SENSITIVE)) {
		struct path_vec paths = { 0 };

		value_marked_paths(j->a, j->now.value, MARK_SENSITIVE,
				   &paths);
		v = value_mark_paths(j->a, v, &paths, &marks_sensitive);
	}
	v = schema_mark_sensitive(j->a, v, j->schema->block);
	j->now.value = value_identical(v, j->now.value) ? j->now.value : v;
	job_step(j, then);
}

void job_refresh(struct job *j, void (*then)(struct job *))
{
	struct events *e = j->p->opts.events;

	j->after_read = then;
	if (!j->now.value || !j->p->run->opts.refresh) {
		job_step(j, then);
		return;
	}
	j->q.prior = value_unmark_deep(j->a, j->now.value, NULL);
	j->q.private_in = j->now.private_data;
	j->q.identity_in = j->now.identity;
	j->q.meta = j->meta;
	if (e)
		event_refresh(e, &j->addr, deposed_key(j), j->now.value, false);
	job_call(j, CALL_READ_RESOURCE, refreshed);
}

static bool same_list(struct str *const x, size_t nx, struct str *const y,
		      size_t ny)
{
	if (nx != ny)
		return false;
	for (size_t i = 0; i < nx; i++)
		if (!str_eq(x[i], y[i]))
			return false;
	return true;
}

static struct str *dup_list(struct arena *a, struct str *const x, size_t n)
{
	struct str *out = ARENA_ARRAY(a, struct str, n);

	for (size_t i = 0; i < n; i++)
		out[i] = str_dup(a, x[i]);
	return out;
}

static bool same_instance(const struct job *j, const struct state_instance *x,
			  struct str private_text, struct str provider_key,
			  bool same_value)
{
	const struct resource_object *o = &j->now;

	return same_value && str_eq(private_text, x->private_data) &&
	       str_eq(provider_key, x->provider_key) &&
	       x->create_before_destroy == o->create_before_destroy &&
	       x->skip_destroy == o->skip_destroy &&
	       same_list(x->dependencies, x->ndependencies, o->dependencies,
			 o->ndependencies);
}

/* Does what the state holds say what the object is now?  Upgrading may change
 * it within one version, and so does moving it here from another type. */
static bool holds_value(struct job *j, const struct state_instance *old)
{
	const struct value *held;

	if (j->now.value != j->previous.value ||
	    old->schema_version != j->schema->version || !old->attributes.n ||
	    !str_eq(moves_origin(&j->p->moves, &j->addr)->resource.type,
		    j->addr.resource.type))
		return false;
	if (!j->provider || !j->provider->provider ||
	    !j->provider->provider->external_effects)
		return true;
	held = state_instance_value(j->a, old, j->schema->block);
	return held && value_equal_unmarked(held, j->now.value);
}

/* The instance as the refreshed state has it, or the old one if that says the
 * same. */
static struct state_instance *state_now(struct job *j)
{
	const struct resource_object *o = &j->now;
	struct state_instance *old = j->it.si, *now;
	struct arena *a = j->p->arena;
	bool same_value = old && holds_value(j, old);
	struct str key = inst_key_text(j->a, j->provider->addr.key);
	struct str private_text =
		o->private_data.n ? base64_encode(j->a, o->private_data)
				  : STR_NONE;

	if (old && same_instance(j, old, private_text, key, same_value))
		return old;
	now = ARENA_NEW(a, struct state_instance);
	if (old)
		*now = *old;
	else
		now->key = j->addr.key;
	if (same_value)
		resource_object_write_rest(a, j->schema, o, now);
	else
		resource_object_write(a, j->schema, o, now);
	now->provider_key = str_dup(a, key);
	now->dependencies = dup_list(a, o->dependencies, o->ndependencies);
	return now;
}

/* Drift is told of managed objects that changed or moved, not of those that
 * became another type. */
static void note_drift(struct job *j)
{
	struct plan *p = j->p;
	const struct instance_addr *from = moves_origin(&p->moves, &j->addr);
	const struct value *before = j->previous.value, *after = j->now.value;
	bool moved = !instance_addr_equal(from, &j->addr);
	bool same = after && value_equal_unmarked(before, after);
	struct change *c;

	if (j->addr.resource.mode != MODE_MANAGED || j->it.si->deposed.n ||
	    (same && !moved) ||
	    !str_eq(from->resource.type, j->addr.resource.type))
		return;
	c = ARENA_NEW(p->arena, struct change);
	c->addr = j->addr;
	c->prev_addr = *from;
	c->provider = j->provider->addr;
	c->action = !after ? ACTION_DELETE : same ? ACTION_NOOP : ACTION_UPDATE;
	c->before = value_copy(p->arena, before);
	c->after = after ? value_copy(p->arena, after)
			 : value_null(p->arena, before->type);
	if (j->previous.identity)
		c->before_identity = value_copy(p->arena, j->previous.identity);
	if (after && j->now.identity)
		c->planned_identity = value_copy(p->arena, j->now.identity);
	vec_push(p->arena, &p->drift, c);
}

/* The resource as the refreshed state has it: another one than in the previous
 * state when its provider configuration is another. */
static struct state_resource *resource_now(struct job *j)
{
	struct state_resource *sr = j->it.sr, *now;
	const struct provider_config_addr *is = &j->provider->addr;

	if (sr && provider_addr_equal(sr->provider.provider, is->provider) &&
	    str_eq(sr->provider.alias, is->alias) &&
	    module_addr_equal(sr->provider.module, is->module))
		return sr;
	now = ARENA_NEW(j->p->arena, struct state_resource);
	now->module = j->addr.module;
	now->addr = j->addr.resource;
	now->provider = *is;
	now->provider.key = KEY_ABSENT;
	return now;
}

void job_note_state(struct job *j)
{
	struct plan *p = j->p;
	struct prior_change c = { .resource = j->it.sr, .old = j->it.si };

	if (j->now.value) {
		c.now = state_now(j);
		c.resource = resource_now(j);
	}
	if (c.now != c.old || c.resource != j->it.sr)
		vec_push(p->arena, &p->prior, c);
	if (j->it.si && j->previous.value)
		note_drift(j);
}
