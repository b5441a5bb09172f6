/*
 * resource_value.c - what references to resources see
 *
 * One instance at a time where a reference names it; the whole (object, tuple
 * or object of objects) is built once, when all instances are done.
 */
#include "engine/run/values.h"
#include "engine/run/expand.h"
#include "engine/run/run_int.h"
#include "state/state.h"
#include "value/marks.h"

const struct value *run_decode_state(struct arena *a,
				     const struct resource_schema *schema,
				     const struct state_instance *i,
				     const struct instance_addr *addr,
				     struct diags *ds)
{
	const struct value *v = state_instance_value(a, i, schema->block);
	struct buf b = BUF_INIT;

	if (v)
		return v;
	instance_addr_print(&b, addr);
	diag_error(ds, NULL, "Invalid resource instance data in state",
		   "The attributes of %.*s in the state do not fit the "
		   "resource type's schema.",
		   STR_ARG(buf_view(&b)));
	buf_release(&b);
	return NULL;
}

static bool is_marked(const struct schema_attr *attr)
{
	return schema_attr_is_sensitive(attr) ||
	       schema_attr_is_deprecated(attr);
}

/* An unknown value of the type that references to a resource have before
 * anything is known of it. */
static const struct value *resource_unknown(struct run_resource *r)
{
	const struct run_options *o = &r->module->run->opts;
	const bool ephemeral = r->config->addr.mode == MODE_EPHEMERAL;
	struct arena *a = r->module->run->arena;
	const struct value *v;

	if (!r->schema)
		return &value_unknown_dynamic;
	v = value_unknown(a, r->schema->block->implied);
	if ((o->phase == RUN_VALIDATE ||
	     (o->phase == RUN_EVAL && o->console)) &&
	    !r->config->lifecycle->enabled.root) {
		if (ephemeral || schema_any(r->schema->block, is_marked))
			v = schema_unknown_object(a, r->schema->block);
	}
	if (ephemeral)
		v = value_with_marks(a, v, &marks_ephemeral);
	return v;
}

/* The object of the prior state, for what this run leaves alone. */
static const struct value *from_state(struct run_instance *i)
{
	struct run_resource *rr = i->resource;
	struct run *r = rr->module->run;
	struct instance_addr addr = run_instance_addr(i);
	struct diags quiet = DIAGS_INIT(r->arena);
	struct state_instance *si;

	if (!rr->prior || !rr->schema)
		return NULL;
	si = state_instance(rr->prior, i->key);
	return si ? run_decode_state(r->arena, rr->schema, si, &addr, &quiet)
		  : NULL;
}

/* Do references see this instance?  Not if it is excluded and not in the state;
 * when applying, not if it has neither been made nor is in the state. */
static bool visible(struct run_instance *i)
{
	const struct run_resource *rr = i->resource;
	bool applying = rr->module->run->opts.phase == RUN_APPLY &&
			rr->config->addr.mode != MODE_EPHEMERAL;

	if (i->gone)
		return false;
	if (!i->value && (i->excluded || applying))
		i->value = from_state(i);
	return i->value || (!i->excluded && !applying);
}

/* Counts instances that the configuration no longer has only if they follow
 * without a hole, which nothing would ever fill. */
static size_t count_length(struct run_resource *rr)
{
	size_t n = 0;

	for (size_t i = 0; i < rr->exp.n; i++)
		if (visible(&rr->instances[i]))
			n = i + 1;
	if (n < rr->exp.n)
		return n;
	for (size_t i = 0; i < rr->extra.len; i++) { /* sorted by key */
		struct inst_key k = rr->extra.items[i]->key;

		if (k.kind == KEY_INT && k.i >= 0 && (size_t)k.i == n)
			n++;
	}
	return n;
}

/* Validation knows no more of an object than its schema does, and not even that
 * it has attributes, but for their marks, and not these where it may not be
 * enabled: as in OpenTofu; when applying, an
 * object that is neither planned nor in the state could be anything, except in
 * child modules of a run without targets or excludes, and before an instance
 * with a higher number that is there. */
static const struct value *known_by_schema(struct run_resource *rr)
{
	const struct cfg_resource *c = rr->config;
	const struct run_options *o = &rr->module->run->opts;

	if (o->phase == RUN_APPLY && c->addr.mode == MODE_MANAGED &&
	    (target_set_narrows(&o->only) || !rr->module->parent) &&
	    !(c->count.root && count_length(rr)))
		return &value_unknown_dynamic;
	if (o->phase != RUN_VALIDATE)
		return resource_unknown(rr);
	if (!rr->unknown)
		rr->unknown = resource_unknown(rr);
	return rr->unknown;
}

static const struct value *instance_value(struct run_instance *i)
{
	struct run *r = i->resource->module->run;

	if (i->value)
		return i->value;
	if (r->opts.phase == RUN_EVAL && !r->opts.console)
		return resource_unknown(i->resource);
	if (r->opts.phase != RUN_VALIDATE)
		i->value = from_state(i);
	return i->value ? i->value : known_by_schema(i->resource);
}

const struct value *run_instance_value(struct run_instance *i)
{
	const struct value *v = instance_value(i);

	if (i->seen_of != v) {
		i->seen = run_resource_as_seen(i->resource, v);
		i->seen_of = v;
	}
	return i->seen;
}

void run_instance_set(struct run_instance *i, const struct value *v)
{
	i->value = v;
	i->resource->whole = NULL;
}

static const struct value *whole_tuple(struct run_resource *rr)
{
	struct arena *a = rr->module->run->arena;
	size_t n = count_length(rr);
	const struct value **values = ARENA_ARRAY(a, const struct value *, n);

	for (size_t i = 0; i < rr->exp.n && i < n; i++)
		if (visible(&rr->instances[i]))
			values[i] = run_instance_value(&rr->instances[i]);
	for (size_t i = 0; i < rr->extra.len; i++) {
		struct inst_key k = rr->extra.items[i]->key;

		if (k.kind == KEY_INT && k.i >= 0 && (size_t)k.i < n)
			values[k.i] = run_instance_value(rr->extra.items[i]);
	}
	for (size_t i = 0; i < n; i++)
		if (!values[i])
			values[i] = resource_unknown(rr);
	return value_tuple(a, values, n);
}

static const struct value *whole_object(struct run_resource *rr)
{
	struct arena *a = rr->module->run->arena;
	size_t max = rr->exp.n + rr->extra.len, n = 0;
	const struct value **values = ARENA_ARRAY(a, const struct value *, max);
	struct str *names = ARENA_ARRAY(a, struct str, max);

	for (size_t i = 0; i < rr->exp.n; i++) {
		if (!visible(&rr->instances[i]))
			continue;
		names[n] = rr->exp.keys[i];
		values[n++] = run_instance_value(&rr->instances[i]);
	}
	for (size_t i = 0; i < rr->extra.len; i++) {
		if (rr->extra.items[i]->key.kind != KEY_STRING)
			continue;
		names[n] = rr->extra.items[i]->key.s;
		values[n++] = run_instance_value(rr->extra.items[i]);
	}
	return value_object(a, names, values, n);
}

static const struct value *null_of(struct run_resource *rr)
{
	return rr->schema ? value_null(rr->module->run->arena,
				       rr->schema->block->implied)
			  : &value_null_dynamic;
}

static const struct value *whole_single(struct run_resource *rr)
{
	struct run_instance *only = run_instance(rr, KEY_ABSENT);

	if (only && (!rr->config->lifecycle->enabled.root || visible(only) ||
		     (rr->module->run->opts.importing && !rr->prior)))
		return run_instance_value(only);
	return null_of(rr);
}

/* The instance with that key; nothing if it left deposed objects alone, of
 * which nothing is known. */
static const struct value *held(struct run_resource *rr, struct inst_key k)
{
	const struct state_instance *si = state_instance(rr->prior, k);
	const struct value *v = NULL;

	if (si && rr->schema)
		v = state_instance_value(rr->module->run->arena, si,
					 rr->schema->block);
	return v ? v : resource_unknown(rr);
}

enum { HELD_MAX = 1 << 20 }; /* indexes may have gaps, but not any */

static const struct value *held_tuple(struct run_resource *rr)
{
	struct arena *a = rr->module->run->arena;
	const struct value **values;
	size_t n = 0;

	for (size_t i = 0; i < rr->prior->instances.len; i++) {
		struct inst_key k = rr->prior->instances.items[i]->key;

		if (k.kind == KEY_INT && k.i >= (int64_t)n && k.i < HELD_MAX)
			n = (size_t)k.i + 1;
	}
	values = ARENA_ARRAY(a, const struct value *, n);
	for (size_t i = 0; i < n; i++)
		values[i] = held(rr, (struct inst_key){ KEY_INT, (int64_t)i,
							STR_NONE });
	return value_tuple(a, values, n);
}

static const struct value *held_object(struct run_resource *rr)
{
	const size_t max = rr->prior->instances.len;
	struct arena *a = rr->module->run->arena;
	const struct value **values = ARENA_ARRAY(a, const struct value *, max);
	struct str *names = ARENA_ARRAY(a, struct str, max);
	struct map seen = { 0 };

	for (size_t i = 0; i < max; i++) {
		struct inst_key k = rr->prior->instances.items[i]->key;

		if (k.kind != KEY_STRING || map_has(&seen, k.s))
			continue;
		names[seen.len] = k.s;
		values[seen.len] = held(rr, k);
		map_put(a, &seen, k.s, rr);
	}
	return value_object(a, names, values, seen.len);
}

static const struct value *held_single(struct run_resource *rr)
{
	for (size_t i = 0; i < rr->prior->instances.len; i++)
		if (rr->prior->instances.items[i]->key.kind == KEY_NONE)
			return held(rr, KEY_ABSENT);
	return rr->config->lifecycle->enabled.root ? null_of(rr)
						   : resource_unknown(rr);
}

static const struct value *all_held(struct run_resource *rr)
{
	const struct cfg_resource *c = rr->config;

	if (c->count.root)
		return held_tuple(rr);
	return c->for_each.root ? held_object(rr) : held_single(rr);
}

/* The console sees the instances that the state holds, and nothing of those
 * that the configuration only expands to. */
static const struct value *whole_in_state(struct run_resource *rr)
{
	const struct cfg_resource *c = rr->config;
	bool many = c->count.root || c->for_each.root;

	if (!rr->prior && many && c->addr.mode == MODE_EPHEMERAL)
		return value_with_marks(rr->module->run->arena,
					&value_unknown_dynamic,
					&marks_ephemeral);
	if (!rr->prior)
		return many ? &value_unknown_dynamic : resource_unknown(rr);
	return all_held(rr);
}

/* How many instances there are may depend on those that the state has. */
static const struct value *while_expanding(struct run_resource *rr)
{
	const struct run *r = rr->module->run;

	if (r->opts.phase == RUN_EVAL)
		return &value_unknown_dynamic;
	if (rr->prior)
		return all_held(rr);
	if (rr->config->count.root)
		return value_tuple(r->arena, NULL, 0);
	return rr->config->for_each.root ? value_object(r->arena, NULL, NULL, 0)
					 : null_of(rr);
}

/* The import command plans nothing else: a repeated resource without objects
 * may get any number of instances, unless that is known to be none. */
static bool not_there_yet(const struct run_resource *rr)
{
	if (!rr->module->run->opts.importing ||
	    rr->config->addr.mode == MODE_EPHEMERAL || rr->prior ||
	    (!rr->exp.n && rr->exp.kind != EXPAND_UNKNOWN))
		return false;
	for (size_t i = 0; i < rr->exp.n; i++)
		if (rr->instances[i].value && !rr->instances[i].gone)
			return false;
	return rr->config->count.root || rr->config->for_each.root;
}

static const struct value *build_whole(struct run_resource *rr)
{
	const struct run_options *o = &rr->module->run->opts;

	if (o->phase == RUN_EVAL && o->console)
		return whole_in_state(rr);
	if (not_there_yet(rr))
		return &value_unknown_dynamic;
	/* Validation does not even know how many are opened. */
	if (o->phase == RUN_VALIDATE &&
	    rr->config->addr.mode == MODE_EPHEMERAL &&
	    (rr->config->count.root || rr->config->for_each.root))
		return value_with_marks(rr->module->run->arena,
					&value_unknown_dynamic,
					&marks_ephemeral);
	switch (rr->exp.kind) {
	case EXPAND_COUNT:
		return whole_tuple(rr);
	case EXPAND_EACH:
		return whole_object(rr);
	case EXPAND_SINGLE:
		return whole_single(rr);
	case EXPAND_UNKNOWN:
		if (rr->config->count.root || rr->config->for_each.root)
			return &value_unknown_dynamic;
		return run_instance_value(&rr->instances[0]);
	default:
		return &value_unknown_dynamic;
	}
}

const struct value *run_resource_value(struct run_resource *r)
{
	if (r->exp.kind == EXPAND_NOT_YET)
		return while_expanding(r);
	if (!r->whole)
		r->whole = build_whole(r);
	return r->whole;
}
