/*
 * apply_state.c - the state as it is being made, and its journal
 *
 * The state in memory is always ahead of what is written: every change goes to
 * the journal, which is written at the end of the turn of the event loop, and
 * synced if a provider with effects outside was involved.  The events of a
 * change leave after that: each flush of the stream, whether a turn has ended
 * or its buffer is full, writes the journal first, and sends nothing while that
 * fails.  Whole states are written from time to time and at the end.
 */
#include "engine/apply/apply_int.h"
#include "engine/change/change.h"
#include "graph/graph.h"
#include "json/write.h"
#include "state/backend/backend.h"
#include "stream/stream.h"
#include "value/value.h"

/* --- journal --- */

static void journal_problem(struct apply *ap)
{
	if (ap->journal_failed)
		return;
	ap->journal_failed = true;
	diag_error(ap->ds, NULL, "Failed to write the journal",
		   "What is done can no longer be recorded as it happens: "
		   "%.*s. No more work is started.",
		   STR_ARG(journal_why(ap->backend)));
	ap->stopped = true;
	graph_walk_stop(ap->walk);
}

/* out.before of the stream */
static int commit(void *data)
{
	struct apply *ap = data;

	if (ap->sync_wanted ? journal_sync(ap->backend)
			    : journal_flush(ap->backend)) {
		journal_problem(ap);
		return -1;
	}
	ap->sync_wanted = false;
	return 0;
}

static void want_sync(struct apply *ap)
{
	ap->sync_wanted = true;
	events_flush_soon(&ap->events);
}

void apply_journal_start(struct apply *ap)
{
	journal_batch(ap->backend);
	ap->events.out->out.before = commit;
	ap->events.out->out.before_data = ap;
}

static void outcome(struct apply *ap, const struct state_resource *r,
		    const struct state_instance *i,
		    const struct instance_addr *addr, struct str deposed,
		    bool external)
{
	struct buf text = BUF_INIT;

	instance_addr_print(&text, addr);
	if (journal_outcome(ap->backend, r, i, buf_view(&text), deposed))
		journal_problem(ap);
	buf_release(&text);
	if (external)
		want_sync(ap);
}

/* The next outcomes, so many, count together. */
static void group(struct apply *ap, size_t n)
{
	if (journal_group(ap->backend, n))
		journal_problem(ap);
}

void apply_intent(struct op *o, struct str deposed)
{
	struct apply *ap = o->ap;

	if (!o->w.provider->provider->external_effects)
		return;
	if (journal_intent(ap->backend, o->w.text, deposed,
			   action_name(o->action)))
		journal_problem(ap);
	want_sync(ap);
}

/* --- encoding an object --- */

static struct state_instance *encode(struct apply *ap,
				     const struct instance_addr *addr,
				     struct str deposed,
				     const struct resource_object *obj,
				     const struct resource_schema *schema,
				     const struct run_provider *p)
{
	struct arena *a = ap->state->arena;
	struct state_instance *i = ARENA_NEW(a, struct state_instance);

	i->key = addr->key;
	i->deposed = str_dup(a, deposed);
	resource_object_write(a, schema, obj, i);
	i->provider_key = inst_key_text(a, p->addr.key);
	return i;
}

/* --- changing the state --- */

/* Unknown providers are taken to have effects. */
static bool external(const struct run_provider *p)
{
	return !p || !p->provider || p->provider->external_effects;
}

void apply_put(struct apply *ap, const struct instance_addr *addr,
	       struct str deposed, const struct resource_object *obj,
	       const struct resource_schema *schema,
	       const struct run_provider *p)
{
	struct state_resource *r;
	struct state_instance *i;

	if (!obj || !obj->value || value_is_null(obj->value)) {
		apply_remove(ap, addr, deposed, p);
		return;
	}
	r = state_resource_make(ap->state, addr->module, &addr->resource);
	r->provider = p->addr;
	r->provider.key = KEY_ABSENT;
	i = encode(ap, addr, deposed, obj, schema, p);
	state_put(ap->state, r, i);
	outcome(ap, r, i, addr, deposed, external(p));
}

void apply_remove(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p)
{
	struct state_resource *r =
		state_resource(ap->state, addr->module, &addr->resource);

	if (r && state_deposed(r, addr->key, deposed))
		state_remove(ap->state, r, addr->key, deposed);
	else if (!external(p)) /* no intent waits for its outcome */
		return;
	outcome(ap, r, NULL, addr, deposed, external(p));
}

/* Together: what is deposed would be destroyed if it were left alone. */
void apply_remove_all(struct apply *ap, const struct instance_addr *addr)
{
	struct state_resource *r =
		state_resource(ap->state, addr->module, &addr->resource);
	VEC(struct str) keys = { NULL, 0, 0 };

	for (size_t i = 0; r && i < r->instances.len; i++) {
		const struct state_instance *si = r->instances.items[i];

		if (inst_key_equal(si->key, addr->key))
			vec_push(ap->arena, &keys, si->deposed);
	}
	group(ap, keys.len);
	for (size_t i = 0; i < keys.len; i++)
		apply_remove(ap, addr, keys.items[i], NULL);
}

/* Both places at once: a crash in between leaves it neither twice nor lost. */
static void move_object(struct apply *ap, struct state_resource *r,
			const struct instance_addr *addr, struct str from,
			struct str to, const struct run_provider *p)
{
	struct state_instance *i = state_deposed(r, addr->key, from);
	struct state_instance *moved;

	moved = arena_dup(ap->state->arena, i, sizeof(*i));
	moved->deposed = str_dup(ap->state->arena, to);
	state_remove(ap->state, r, addr->key, from);
	state_put(ap->state, r, moved);
	group(ap, 2);
	outcome(ap, r, moved, addr, to, external(p));
	outcome(ap, r, NULL, addr, from, external(p));
}

void apply_depose(struct apply *ap, const struct instance_addr *addr,
		  struct str deposed, const struct run_provider *p)
{
	struct state_resource *r =
		state_resource(ap->state, addr->module, &addr->resource);

	if (r && state_instance(r, addr->key))
		move_object(ap, r, addr, STR_NONE, deposed, p);
}

bool apply_restore(struct apply *ap, const struct instance_addr *addr,
		   struct str deposed, const struct run_provider *p)
{
	struct state_resource *r =
		state_resource(ap->state, addr->module, &addr->resource);

	if (!r || state_instance(r, addr->key) ||
	    !state_deposed(r, addr->key, deposed))
		return false;
	move_object(ap, r, addr, deposed, STR_NONE, p);
	return true;
}

void apply_output(struct apply *ap, struct str name, const struct value *v,
		  struct str deprecated)
{
	const struct value *old = state_output(ap->state, name);
	struct state_output o = { name, v, deprecated };

	if (old == v || (old && v && value_identical(old, v)))
		return;
	state_output_set(ap->state, name, v);
	if (v)
		state_output_deprecate(ap->state, name, deprecated);
	if (journal_output(ap->backend, &o))
		journal_problem(ap);
}

int apply_write_state(struct apply *ap, struct diags *ds)
{
	struct jw w;

	if (backend_write(ap->backend, ap->state, ds))
		return -1;
	if (ap->state->serial == ap->written)
		return 0;
	ap->written = ap->state->serial;
	w = stream_record(ap->events.out, "state_written", STR_NONE);
	jw_member_int(&w, "serial", (int64_t)ap->state->serial);
	stream_record_end(ap->events.out, &w);
	return 0;
}
