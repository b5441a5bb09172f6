/*
 * record_found.c - what planning found otherwise than the state has it: is it
 * told where people see it?
 *
 * The state after the apply has it, whatever else is done.  So nothing of it
 * may stand in prior_state alone, which nobody is shown.
 */
#include <stddef.h>

#include "addr/walk.h"
#include "engine/change/change_int.h"
#include "engine/change/record.h"
#include "json/tree.h"

static int wrong(const struct change_entry *e, const char *what,
		 struct diags *ds)
{
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "The prior_state record of %.*s%s%.*s %s",
			  STR_ARG(e->address), e->deposed.n ? " deposed " : "",
			  STR_ARG(e->deposed), what);
}

static bool is_managed(struct str address)
{
	struct instance_addr addr;
	struct arena a = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);
	const bool managed = instance_addr_parse(&a, address, &addr, &quiet) ||
			     addr.resource.mode == MODE_MANAGED;

	arena_release(&a);
	return managed;
}

/* The object as the last run left it, where that was.  NULL: there was none. */
static const struct change_object *origin(struct change_reader *r,
					  struct change_entry *e)
{
	const struct str *was = map_get(&r->moves, e->address);
	struct change_entry *from = e;

	if (was && e->deposed.n)
		from = map_get(&r->entries,
			       str_printf(r->arena, "%.*s (deposed %.*s)",
					  STR_ARG(*was), STR_ARG(e->deposed)));
	else if (was)
		from = map_get(&r->entries, *was);
	return from && change_object_read(&from->previous)->there
		       ? &from->previous
		       : NULL;
}

static int check_gone(struct change_reader *r, struct change_entry *e,
		      int drift, struct diags *ds)
{
	/* of a deposed object no change outside is told */
	if (r->destroys || !change_object_read(&e->previous)->there ||
	    e->deposed.n || drift == ACTION_DELETE ||
	    map_has(&r->moved, e->address))
		return 0;
	return wrong(e,
		     "says that the object is gone, of which there is no "
		     "resource_drift record.",
		     ds);
}

static int check_there(struct change_reader *r, struct change_entry *e,
		       struct diags *ds)
{
	const struct change_object *was = origin(r, e);

	/* what moves before all is destroyed is told of nowhere */
	if (!was && !e->imports && !r->refreshed && !r->destroys)
		return wrong(
			e,
			"has an object that was not in the state, and is not imported or moved.",
			ds);
	if (was && e->prior.tainted && !was->tainted)
		return wrong(
			e, "says that the object is tainted, which it was not.",
			ds);
	return 0;
}

/* Are the actions those of what planning found? */
static bool drift_fits(const struct change_reader *r,
		       const struct change_entry *e, int drift)
{
	if (!e->prior.said || !e->prior.there)
		return e->prior.said && drift == ACTION_DELETE;
	return drift == ACTION_UPDATE ||
	       (drift == ACTION_NOOP && map_has(&r->moves, e->address));
}

static int check_drift(struct change_reader *r, struct change_entry *e,
		       const struct published *p, int drift, struct diags *ds)
{
	const char *member = "actions";

	if (drift_fits(r, e, drift))
		member = change_drift_disagrees(r, e, p, drift, origin(r, e));
	if (!member && drift == ACTION_NOOP &&
	    !published_same_json(r->arena, p->before, p->after))
		member = "before";
	if (!member)
		return 0;
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "What the resource_drift record of %.*s says is not "
			  "what its prior_state record has: they differ in "
			  "\"%s\".",
			  STR_ARG(e->address), member);
}

/* Did planning find here what was where the address moved from? */
static bool came(struct change_reader *r, struct change_entry *e)
{
	return e && e->prior.said && origin(r, e);
}

/* Something moved from there, and is here.  All objects of an instance move:
 * there may be but deposed ones. */
static int check_move(struct change_reader *r, struct change_entry *e,
		      struct diags *ds)
{
	if (!map_has(&r->moves, e->address) || e->deposed.n ||
	    !(e->published || e->drift_line.p) || !is_managed(e->address) ||
	    came(r, e) || came(r, map_get(&r->deposed, e->address)))
		return 0;
	return diag_error(
		ds, NULL, CHANGE_WRONG,
		"%.*s is said to have moved, which the state's records do not say.",
		STR_ARG(e->address));
}

int change_found_check(struct change_reader *r, struct change_entry *e,
		       struct diags *ds)
{
	struct published p;
	int drift = -1;

	if (e->drift_line.p) {
		published_read(e->drift_line, &p);
		drift = published_action(p.actions);
		if (check_drift(r, e, &p, drift, ds))
			return -1;
	}
	if (check_move(r, e, ds))
		return -1;
	if (!e->prior.said || !is_managed(e->address))
		return 0;
	return e->prior.there ? check_there(r, e, ds)
			      : check_gone(r, e, drift, ds);
}

/* Has the object the attributes that it had there? */
static bool is_as(const struct change_entry *e, const struct change_object *was)
{
	struct arena scratch = ARENA_INIT;
	const bool same = was && json_same(&scratch, e->prior.attributes,
					   was->attributes, JSON_SAME_PLAIN);

	arena_release(&scratch);
	return same;
}

bool change_only_moved(struct change_reader *r, struct change_entry *e)
{
	const struct change_object *was;

	if (!e->prior.there || !is_managed(e->address))
		return false;
	was = origin(r, e);
	return was != &e->previous && is_as(e, was);
}

bool change_found_otherwise(struct change_reader *r, struct change_entry *e)
{
	const struct change_object *was;

	if (!e->prior.said || !is_managed(e->address))
		return false;
	was = origin(r, e);
	if (!e->prior.there)
		return !map_has(&r->moved, e->address) &&
		       change_object_read(&e->previous)->there;
	return !(e->published || was == &e->previous) || !is_as(e, was);
}

/* Of an object, what is no attribute nor follows from the configuration. */
struct kept_texts {
	struct str provider, schema_version, private_data, identity;
};

#define KEPT(name, member) \
	{ \
		STR_INIT(name), offsetof(struct kept_texts, member), -1, NULL \
	}

static const struct member_field kept_texts[] = {
	KEPT("provider", provider),
	KEPT("schema_version", schema_version),
	KEPT("private", private_data),
	KEPT("identity", identity),
	MEMBER_FIELDS_END,
};

bool change_kept_otherwise(struct change_reader *r, struct change_entry *e,
			   struct str *provider)
{
	struct kept_texts was = { .provider = STR_NONE }, is = was;
	const struct change_object *from;

	*provider = STR_NONE;
	if (!e->prior.there || !is_managed(e->address))
		return false;
	from = origin(r, e);
	if (!from || change_members_read(from->line, kept_texts, &was) ||
	    change_members_read(e->prior.line, kept_texts, &is))
		return false;
	if (!str_eq(was.provider, is.provider))
		*provider = json_slice_str(r->arena, is.provider);
	return provider->n || !str_eq(was.schema_version, is.schema_version) ||
	       !str_eq(was.private_data, is.private_data) ||
	       /* a newer provider gives one to each */
	       (was.identity.n &&
		!published_same_json(r->arena, was.identity, is.identity));
}
