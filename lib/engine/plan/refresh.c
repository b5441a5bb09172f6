/*
 * refresh.c - an object of the state: upgraded to the schema, then read anew
 *
 * The upgraded object is the previous one, the one that the provider then
 * reports the present one; a difference between the two is drift.  Attributes
 * that did not change keep the text of the state.
 */
#include "engine/plan/plan_int.h"
#include "addr/provider.h"
#include "base/clock.h"
#include "base/base64.h"
#include "engine/object/objchange.h"
#include "engine/object/resource_object.h"
#include "state/state.h"
#include "value/value.h"
#include "value/marks.h"

/* An object that the state has as null is none. */
static void have_previous(struct job *j, const struct value *v)
{
	j->previous.value = v && !value_is_null(v) ? v : NULL;
	j->now = j->previous;
}

static void not_an_object(struct job *j, const char *what)
{
	diag_error(&j->w.ds, NULL, "Invalid resource state transformation",
		   "The provider %.*s %s for %.*s that does not fit the "
		   "resource type's schema. This is a bug in the provider.",
		   STR_ARG(provider_addr_text(j->w.a,
					      j->w.provider->addr.provider)),
		   what, STR_ARG(j->w.text));
}

/* Does the value conform to the schema? Providers that are processes are
 * decoded by it, so this is for all others and for bugs. */
static bool conforms(const struct job *j, const struct value *v)
{
	return v && (v->type == j->w.schema->block->implied ||
		     type_convertible(v->type, j->w.schema->block->implied));
}

enum worked job_upgraded(struct worker *w)
{
	struct job *j = job_of(w);
	const struct provider_object *moved =
		w->q.call == CALL_MOVE ? &w->q.move.out : NULL;
	const struct value *v = moved ? moved->value : w->q.upgrade.out.value;

	if (!w->answered)
		return WORK_NEXT;
	if (!conforms(j, v)) {
		not_an_object(j, "gave a state");
		return WORK_FAIL;
	}
	v = state_instance_mark(w->a, j->it.si, v);
	v = schema_mark_sensitive(w->a, v, w->schema->block);
	have_previous(j, v);
	if (moved && moved->private_data.n)
		j->now.private_data = j->previous.private_data =
			moved->private_data;
	return WORK_NEXT;
}

static enum worked call_move(struct job *j, const struct instance_addr *from)
{
	const struct state_instance *si = j->it.si;

	j->w.q = (struct provider_request){
		.move.in = { .provider = provider_addr_text(
				     j->w.a, j->it.sr->provider.provider),
			     .type = from->resource.type,
			     .state = si->attributes,
			     .version = si->schema_version,
			     .private_data = j->previous.private_data },
	};
	return worker_call(&j->w, CALL_MOVE);
}

/* Is what the built-in provider wrote; nobody else could have changed it. */
static bool is_ours(const struct job *j)
{
	return !j->w.provider->provider->external_effects;
}

/* Destroying looks at each object twice. */
static const struct value *stored_value(struct job *j)
{
	struct state_instance *si = j->it.si;
	const struct value *v = si->decoded;

	if (v)
		return v;
	v = state_instance_exact(j->w.a, si, j->w.schema->block);
	if (v && j->p->pre_destroy && is_ours(j))
		si->decoded = value_copy(j->p->arena, v);
	return v;
}

/* what, the state or the identity, is of a newer schema than the provider's. */
static enum worked newer(struct worker *w, const char *summary,
			 const char *what)
{
	diag_error(&w->ds, NULL, summary,
		   "The %s of %.*s was written by a newer version of the "
		   "provider %.*s than the selected one.",
		   what, STR_ARG(w->text),
		   STR_ARG(provider_addr_text(w->a,
					      w->provider->addr.provider)));
	return WORK_FAIL;
}

enum worked job_read(struct worker *w)
{
	struct job *j = job_of(w);
	const struct state_instance *si = j->it.si;
	const struct instance_addr *from = moves_origin(&j->p->moves, &w->addr);

	if (!si)
		return WORK_NEXT;
	resource_object_read(w->a, w->schema, si, &j->previous);
	have_previous(j, NULL);
	if (!str_eq(from->resource.type, w->addr.resource.type) &&
	    moves_explicit(&j->p->moves, &w->addr))
		return call_move(j, from);
	if (si->schema_version > w->schema->version)
		return newer(
			w,
			"Resource instance managed by newer provider version",
			"state");
	w->q = (struct provider_request){
		.upgrade.in = { .state = si->attributes,
				.version = si->schema_version },
	};
	if (si->schema_version == w->schema->version && si->attributes.n) {
		j->stored = stored_value(j);
		if (j->stored && is_ours(j)) {
			have_previous(j, j->stored);
			return WORK_NEXT;
		}
		if (!j->stored)
			w->q.upgrade.in.state =
				state_attributes_fitting(w->a, si->attributes,
							 w->schema->block);
	}
	if (!si->attributes.n && si->attributes_flat.n) {
		w->q.upgrade.in.state = si->attributes_flat;
		w->q.upgrade.in.is_flat = true;
	}
	return worker_call(w, CALL_UPGRADE);
}

/* What was written by an older schema is the provider's to upgrade, also of an
 * object that was moved. */
enum worked job_identity(struct worker *w)
{
	const struct state_instance *si = job_of(w)->it.si;
	uint64_t version = (uint64_t)w->schema->identity_version;

	if (!si || !si->identity.n || si->identity_schema_version == version)
		return WORK_NEXT;
	if (si->identity_schema_version > version)
		return newer(
			w,
			"Resource identity managed by newer provider version",
			"identity");
	w->q = (struct provider_request){
		.upgrade_identity.in = { .identity = si->identity,
					 .version =
						 si->identity_schema_version },
	};
	return worker_call(w, CALL_UPGRADE_IDENTITY);
}

enum worked job_identity_upgraded(struct worker *w)
{
	struct job *j = job_of(w);

	if (w->answered)
		j->previous.identity = j->now.identity =
			w->q.upgrade_identity.out.identity;
	return WORK_NEXT;
}

static struct str deposed_key(const struct job *j)
{
	return j->it.si ? j->it.si->deposed : STR_NONE;
}

/* Nearly always what others have changed, but it may be the provider. */
static void log_drift(struct job *j, const struct value *v)
{
	struct verror_vec wrong = { NULL, 0, 0 };

	object_compatible(j->w.a, j->w.schema->block, j->w.q.read.in.value, v,
			  &wrong);
	tolerated_log(j->w.a, j->w.provider->text,
		      "an unexpected new value for", j->w.text,
		      " during refresh", &wrong);
}

/* The state holds what is known; OpenTofu would store null and lose what was
 * there. */
bool job_read_unknown(struct job *j, const struct value *v)
{
	struct path_vec paths = { 0 };

	if (value_wholly_known(v))
		return false;
	value_without_unknown(j->w.a, v, &paths);
	for (size_t i = 0; i < paths.len; i++)
		diag_error(&j->w.ds, NULL, "Provider produced invalid object",
			   "The provider %.*s returned an unknown value for "
			   "%.*s%.*s when refreshing. This is a bug in the "
			   "provider.",
			   STR_ARG(provider_addr_text(
				   j->w.a, j->w.provider->addr.provider)),
			   STR_ARG(j->w.text),
			   STR_ARG(path_text(j->w.a, paths.items[i])));
	return true;
}

/* The object that the provider reports, with the marks that it had before. */
static const struct value *marked_as_before(struct job *j,
					    const struct value *v)
{
	struct worker *w = &j->w;

	if (value_has_mark_deep(j->now.value, MARK_SENSITIVE)) {
		struct path_vec paths = { 0 };

		value_marked_paths(w->a, j->now.value, MARK_SENSITIVE, &paths);
		v = value_mark_paths(w->a, v, &paths, &marks_sensitive);
	}
	return schema_mark_sensitive(w->a, v, w->schema->block);
}

void job_reads(struct job *j, const struct value *known)
{
	j->reading_ms = clock_ms();
	j->p->progress.to_read++;
	if (j->p->opts.events)
		event_refresh(j->p->opts.events, &j->w.addr, deposed_key(j),
			      known, false);
}

void job_has_read(struct job *j, const struct value *found)
{
	struct events *e = j->p->opts.events;

	j->p->progress.read++;
	if (!e)
		return;
	event_refresh(e, &j->w.addr, deposed_key(j), found, true);
	events_took(e, &j->w.addr, deposed_key(j), "refresh", j->reading_ms);
}

enum worked job_refreshed(struct worker *w)
{
	struct job *j = job_of(w);
	const struct value *v = w->q.read.out.value;

	if (!w->answered)
		return WORK_NEXT;
	job_has_read(j, v);
	if (!conforms(j, v) && !value_is_null(v)) {
		diag_error(&w->ds, NULL, "Provider produced invalid object",
			   "The provider %.*s returned an object for %.*s "
			   "that does not fit the schema, when refreshing. "
			   "This is a bug in the provider.",
			   STR_ARG(provider_addr_text(
				   w->a, w->provider->addr.provider)),
			   STR_ARG(w->text));
		return WORK_FAIL;
	}
	if (job_read_unknown(j, v))
		return WORK_FAIL;
	j->looked = true;
	j->now.private_data = w->q.read.out.private_data;
	if (w->q.read.out.identity)
		j->now.identity = w->q.read.out.identity;
	if (value_is_null(v)) {
		j->now.value = j->now.identity = NULL;
		return WORK_NEXT;
	}
	v = normalize_legacy_object(w->a, w->schema->block, v);
	if (tolerated_logged())
		log_drift(j, v);
	v = marked_as_before(j, v);
	j->now.value = value_identical(v, j->now.value) ? j->now.value : v;
	return WORK_NEXT;
}

/* Tells of an object that the state has as null, which no provider is asked
 * about. */
static void tell_nothing_read(struct job *j)
{
	struct events *e = j->p->opts.events;

	event_refresh(e, &j->w.addr, deposed_key(j), NULL, false);
	event_refresh(e, &j->w.addr, deposed_key(j), NULL, true);
}

/* The state is of this schema and this type: with it there is a plan that says
 * whether the object is to change. */
static bool is_current(const struct job *j)
{
	const struct instance_addr *from =
		moves_origin(&j->p->moves, &j->w.addr);

	return j->it.si->schema_version == j->w.schema->version &&
	       str_eq(from->resource.type, j->w.addr.resource.type);
}

/* By -minimal-refresh, until a plan says that it is to change.  Of what the
 * configuration does not ask for none does: that stays unread (Terraform
 * 1.17). */
static bool stays_unread(struct job *j)
{
	const struct run_options *o = &j->w.run->opts;

	if (!j->it.si)
		return false;
	if (o->refresh_older_than && reads_recent(j))
		return true;
	j->read_to_change = o->minimal_refresh && !j->planned && is_current(j);
	return j->read_to_change;
}

enum worked job_refresh(struct worker *w)
{
	struct job *j = job_of(w);
	struct events *e = j->p->opts.events;

	if (!w->run->opts.refresh || j->importing ||
	    !(j->now.value || j->it.si))
		return WORK_NEXT;
	if (!j->now.value) {
		if (e)
			tell_nothing_read(j);
		return WORK_NEXT;
	}
	j->unread = stays_unread(j);
	if (j->unread)
		return WORK_NEXT;
	w->q = (struct provider_request){
		.read.in = { value_unmark_deep(w->a, j->now.value, NULL),
			     j->now.private_data, j->now.identity },
	};
	job_reads(j, j->now.value);
	return worker_call(w, CALL_READ_RESOURCE);
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

/* One that the schema has no place for any more is given up. */
static bool same_identity(const struct job *j, const struct state_instance *x)
{
	const struct value *was = j->previous.identity, *is = j->now.identity;

	if (!j->w.schema->identity)
		return !x->identity.n || !j->w.run->opts.refresh || j->unread;
	if (is && x->identity_schema_version !=
			  (uint64_t)j->w.schema->identity_version)
		return false;
	return was == is || (was && is && value_identical(was, is));
}

static bool same_instance(const struct job *j, const struct state_instance *x,
			  struct str private_text, struct str provider_key,
			  bool same_value)
{
	const struct resource_object *o = &j->now;

	return same_value && same_identity(j, x) &&
	       str_eq(private_text, x->private_data) &&
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
	if (j->now.value != j->previous.value ||
	    old->schema_version != j->w.schema->version || !old->attributes.n ||
	    !str_eq(moves_origin(&j->p->moves, &j->w.addr)->resource.type,
		    j->w.addr.resource.type))
		return false;
	if (!j->w.provider || !j->w.provider->provider)
		return true;
	return j->stored &&
	       (is_ours(j) || value_equal_unmarked(j->stored, j->now.value));
}

/* The instance as the refreshed state has it, or the old one if that says the
 * same. */
static struct state_instance *state_now(struct job *j)
{
	const struct resource_object *o = &j->now;
	struct state_instance *old = j->it.si, *now;
	struct arena *a = j->p->arena;
	bool same_value = old && holds_value(j, old);
	struct str key = inst_key_text(j->w.a, j->w.provider->addr.key);
	struct str private_text =
		o->private_data.n ? base64_encode(j->w.a, o->private_data)
				  : STR_NONE;

	if (old && same_instance(j, old, private_text, key, same_value))
		return old;
	now = ARENA_NEW(a, struct state_instance);
	if (old)
		*now = *old;
	else
		now->key = j->w.addr.key;
	if (same_value)
		resource_object_write_rest(a, j->w.schema, o, now);
	else
		resource_object_write(a, j->w.schema, o, now);
	now->provider_key = str_dup(a, key);
	now->dependencies = dup_list(a, o->dependencies, o->ndependencies);
	return now;
}

/* The resource as the refreshed state has it: another one than in the previous
 * state when its provider configuration is another. */
static struct state_resource *resource_now(struct job *j)
{
	struct state_resource *sr = j->it.sr, *now;
	const struct provider_config_addr *is = &j->w.provider->addr;

	if (sr && provider_config_same(&sr->provider, is))
		return sr;
	now = ARENA_NEW(j->p->arena, struct state_resource);
	now->module = j->w.addr.module;
	now->addr = j->w.addr.resource;
	now->provider = *is;
	now->provider.key = KEY_ABSENT;
	return now;
}

void job_note_state(struct job *j)
{
	struct plan *p = j->p;
	struct prior_change c = { .resource = j->it.sr,
				  .old = j->it.si,
				  .was_null = !j->previous.value };

	j->refreshed = false;
	p->unread += j->unread;
	if (j->looked && j->it.si && p->reads)
		reads_note(j, j->now.value && holds_value(j, j->it.si));
	if (j->now.value) {
		c.now = state_now(j);
		c.resource = resource_now(j);
	}
	if (c.now != c.old || c.resource != j->it.sr)
		vec_push(p->arena, &p->prior, c);
	if (j->it.si && j->previous.value && !j->it.si->deposed.n)
		drift_note(p, &j->w.addr, &j->w.provider->addr, &j->previous,
			   &j->now);
}
