/* stored.c - see apply_int.h */
#include "engine/apply/apply_int.h"
#include "addr/addr.h"
#include "addr/provider.h"
#include "addr/walk.h"
#include "engine/change/record.h"
#include "json/tree.h"
#include "json/read.h"
#include "json/write.h"
#include "provider/schema_cache.h"
#include "state/file/file.h"
#include "state/state.h"
#include "value/value.h"

static int differs(struct apply *ap, const struct change_entry *e,
		   const char *what)
{
	return diag_error(
		ap->ds, NULL, "Saved plan does not match the given state",
		"The plan tells of %.*s%s%.*s as an object that %s, so "
		"what it shows is not what would happen. Make a new "
		"plan.",
		STR_ARG(e->address), e->deposed.n ? " deposed " : "",
		STR_ARG(e->deposed), what);
}

static const struct state_resource *resource(struct apply *ap,
					     const struct state *s,
					     const struct change_entry *e,
					     struct inst_key *key)
{
	struct diags quiet = DIAGS_INIT(ap->arena);
	struct state_resource *r = NULL;
	struct instance_addr addr;
	struct str text;

	if (addr_split_key(e->address, &text, key))
		r = map_get(&s->by_addr, text);
	if (r || instance_addr_parse(ap->arena, e->address, &addr, &quiet))
		return r;
	*key = addr.key;
	return state_resource(s, addr.module, &addr.resource);
}

/* Is the line what would be written of it now, with others in place of
 * its attributes?  They are in `rest`, the line, and in i. */
static bool same_rest(struct arena *a, struct str rest, struct str address,
		      const struct state_resource *r,
		      const struct state_instance *i)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	bool same;

	jw_object(&w);
	jw_member_str(&w, "record", STR("previous_run_state"));
	jw_member_str(&w, "address", address);
	state_instance_members(&w, r, i, false);
	jw_object_end(&w);
	same = json_same(a, rest, buf_view(&b), JSON_SAME_PLAIN) ||
	       published_same_json(a, rest, buf_view(&b));
	buf_release(&b);
	return same;
}

/* Attributes are most of a state, and in the layout of its file. */
static bool same_record(struct change_entry *e, const struct state_resource *r,
			const struct state_instance *i)
{
	const struct str line = e->previous.line;
	const struct str said = change_object_read(&e->previous)->attributes;
	struct state_instance bare = *i;
	struct arena a = ARENA_INIT;
	struct str rest = line;
	bool same = true;

	if (i->attributes.n && said.p >= line.p && said.p < line.p + line.n) {
		const size_t at = (size_t)(said.p - line.p);

		same = json_same(&a, said, i->attributes, JSON_SAME_PLAIN) ||
		       published_same_json(&a, said, i->attributes);
		bare.attributes = STR("0");
		rest = STR_CAT(&a, str_sub(line, 0, at), STR("0"),
			       str_sub(line, at + said.n, line.n));
	}
	same = same && same_rest(&a, rest, e->address, r, &bare);
	arena_release(&a);
	return same;
}

static int check_object(struct apply *ap, struct change_entry *e)
{
	struct inst_key key;
	const struct state_resource *r = resource(ap, ap->state, e, &key);
	const struct state_instance *i =
		r ? state_deposed(r, key, e->deposed) : NULL;

	if (!i)
		return differs(ap, e, "the state does not have");
	return same_record(e, r, i) ? 0 : differs(ap, e, "is another there");
}

bool stored_same_object(struct apply *ap, const struct state *s,
			struct change_entry *e)
{
	struct inst_key key;
	const struct state_resource *r = resource(ap, s, e, &key);
	const struct state_instance *i =
		r ? state_deposed(r, key, e->deposed) : NULL;

	return i && same_record(e, r, i);
}

static int check_objects(struct apply *ap)
{
	const struct map *all = &ap->in->said.changes.entries;
	size_t said = 0, there = 0;
	int rc = 0;

	for (size_t i = 0; !rc && i < all->len; i++) {
		struct change_entry *e = all->entries[i].value;

		said += e->previous.said;
		if (e->previous.said)
			rc = check_object(ap, e);
	}
	if (rc)
		return -1;
	for (size_t i = 0; i < ap->state->resources.len; i++)
		there += ap->state->resources.items[i]->instances.len;
	if (said == there)
		return 0;
	return diag_error(ap->ds, NULL,
			  "Saved plan does not match the given state",
			  "The state has %zu objects, and the plan tells of "
			  "%zu of them only. Make a new plan.",
			  there, said);
}

static int check_output(struct apply *ap, const struct plan_output *o,
			struct state *was)
{
	const struct state_output *x, *y;

	if (state_read_record(was, NULL, STR("previous_output"), o->previous,
			      ap->ds))
		return -1;
	x = state_output_entry(was, o->name);
	y = state_output_entry(ap->state, o->name);
	if (x && y && value_identical(x->value, y->value))
		return 0;
	return diag_error(ap->ds, NULL,
			  "Saved plan does not match the given state",
			  "The plan tells of a value of output.%.*s that the "
			  "state does not have. Make a new plan.",
			  STR_ARG(o->name));
}

bool stored_same_output(struct apply *ap, struct arena *a,
			const struct state *s, struct str name,
			struct str previous)
{
	const struct state_output *x = NULL, *y = state_output_entry(s, name);
	struct state *was = state_new(a);

	if (previous.p && !state_read_record(was, NULL, STR("previous_output"),
					     previous, ap->ds))
		x = state_output_entry(was, name);
	return x && y ? value_identical(x->value, y->value) : !x && !y;
}

static int check_outputs(struct apply *ap)
{
	const struct map *all = &ap->in->said.outputs;
	const size_t there = state_outputs_sorted(ap->state).len;
	struct state *was = state_new(ap->arena);
	size_t said = 0;

	for (size_t i = 0; i < all->len; i++) {
		const struct plan_output *o = all->entries[i].value;

		said += o->previous.p != NULL;
		if (o->previous.p && check_output(ap, o, was))
			return -1;
	}
	if (said == there)
		return 0;
	return diag_error(ap->ds, NULL,
			  "Saved plan does not match the given state",
			  "The state has %zu outputs, and the plan tells of "
			  "%zu of them only. Make a new plan.",
			  there, said);
}

int stored_check(struct apply *ap)
{
	return check_objects(ap) || check_outputs(ap) ? -1 : 0;
}

static int check_prior(struct apply *ap, struct change_entry *e)
{
	struct arena a = ARENA_INIT;
	struct inst_key key;
	const struct state_resource *r = resource(ap, ap->state, e, &key);
	const struct state_instance *i =
		r ? state_deposed(r, key, e->deposed) : NULL;
	const struct change_schema *s =
		i ? change_schema_of(
			    &ap->in->said.changes, r->addr.mode, r->addr.type,
			    provider_addr_text(&a, r->provider.provider))
		  : NULL;
	int rc = 0;

	if (s && !state_instance_value(&a, i, s->schema.block))
		rc = diag_error(
			ap->ds, NULL, "Inconsistent plan",
			"The prior_state record of %.*s does not fit the "
			"schema record of %.*s: %.*s.",
			STR_ARG(e->address), STR_ARG(r->addr.type),
			STR_ARG(state_instance_misfit(&a, i, s->schema.block)));
	arena_release(&a);
	return rc;
}

int stored_check_prior(struct apply *ap)
{
	const struct map *all = &ap->in->said.changes.entries;
	int rc = 0;

	for (size_t i = 0; !rc && i < all->len; i++) {
		struct change_entry *e = all->entries[i].value;

		if (e->prior.said && e->prior.there)
			rc = check_prior(ap, e);
	}
	return rc;
}

static bool same_schema(struct arena *a, struct str line,
			const struct schema_block *b)
{
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);
	bool is;

	schema_block_json(&w, b);
	is = json_same(a, json_slice_get(line, "block"), buf_view(&text),
		       JSON_SAME_PLAIN);
	buf_release(&text);
	return is;
}

int stored_check_schema(struct op *o)
{
	const struct resource_addr *r = &o->w.addr.resource;
	struct str provider =
		provider_addr_text(o->w.a, o->change->provider.provider);
	struct change_schema *s = change_schema_of(&o->ap->in->said.changes,
						   r->mode, r->type, provider);

	if (!s || s->confirmed ||
	    same_schema(o->w.a, s->line, o->w.schema->block)) {
		if (s)
			s->confirmed = true;
		return 0;
	}
	return diag_error(&o->w.ds, NULL, "Inconsistent plan",
			  "The schema record of %.*s is not the schema of the "
			  "provider %.*s, by which the plan is to be shown.",
			  STR_ARG(r->type), STR_ARG(provider));
}
