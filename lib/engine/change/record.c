/* record.c - a change as two records, and read back from them */
#include <stddef.h>

#include "engine/change/record.h"
#include "engine/change/change_int.h"
#include "addr/walk.h"
#include "engine/change/change.h"
#include "json/tree.h"

/* --- writing --- */

static bool is_published(const struct change *c)
{
	return c->addr.resource.mode != MODE_DATA || c->action != ACTION_DELETE;
}

void change_write_drift(struct stream_out *o, const struct change *c,
			const struct resource_schema *schema)
{
	struct change_shown s;

	change_shown_init(&s, c, schema, o->redact);
	change_put_published(o, "resource_drift", c, &s);
	arena_release(&s.arena);
}

void change_write(struct stream_out *o, const struct change *c,
		  const struct resource_schema *schema)
{
	struct change_shown s;

	change_shown_init(&s, c, schema, o->redact);
	if (is_published(c))
		change_put_published(o, "resource_change", c, &s);
	change_put_planned(o, c, &s);
	arena_release(&s.arena);
}

/* --- reading --- */

int change_unreadable(struct diags *ds, const char *kind, bool bad,
		      const char *member)
{
	if (bad)
		return diag_error(
			ds, NULL, "Invalid input stream",
			"A %s record is not valid JSON, or has a member twice.",
			kind);
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "A %s record has no \"%s\" that can be read.", kind,
			  member);
}

/* "ADDR (deposed KEY)", or the address alone. */
static struct str entry_text(struct arena *a, const struct change_entry *e)
{
	if (!e->deposed.n)
		return e->address;
	return str_printf(a, "%.*s (deposed %.*s)", STR_ARG(e->address),
			  STR_ARG(e->deposed));
}

/* By the JSON of its address and deposed key.  NULL after a diagnostic. */
static struct change_entry *entry_of(struct change_reader *r, const char *kind,
				     struct str address, struct str deposed,
				     struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	struct change_entry *e, found = {
		.address = json_slice_str(&scratch, address),
		.deposed = json_slice_str(&scratch, deposed),
	};
	struct str key = entry_text(&scratch, &found);

	e = map_get(&r->entries, key);
	/* No address has a line break: it would forge a line of a message. */
	if (!e && found.address.n && str_chr(found.address, '\n') < 0) {
		e = ARENA_NEW(r->arena, struct change_entry);
		e->address = str_dup(r->arena, found.address);
		e->deposed = str_dup(r->arena, found.deposed);
		map_put(r->arena, &r->entries,
			e->deposed.n ? str_dup(r->arena, key) : e->address, e);
	}
	if (!e)
		change_unreadable(ds, kind, false, "address");
	arena_release(&scratch);
	return e;
}

static int twice(struct change_reader *r, const char *kind,
		 const struct change_entry *e, struct diags *ds)
{
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "There are two %s records for %.*s.", kind,
			  STR_ARG(entry_text(r->arena, e)));
}

bool change_is_shown(const struct change_reader *r,
		     const struct change_entry *e)
{
	return e->published && (e->action != ACTION_NOOP || e->imports ||
				map_has(&r->moves, e->address));
}

bool change_is_brief(const struct change_reader *r,
		     const struct change_entry *e)
{
	return r->brief && !change_is_shown(r, e);
}

const struct change_object *change_object_now(struct change_entry *e)
{
	return change_object_read(e->prior.said ? &e->prior : &e->previous);
}

/* Notes that they agree, if they surely do.  An object that is told of later is
 * looked at in the end. */
static bool settle(struct change_reader *r, struct change_entry *e,
		   const struct published *p, const struct planned_texts *t)
{
	e->settled = change_agrees(r, e, p, t);
	e->nothing_before = str_is(p->before, "null");
	if (!change_is_brief(r, e))
		e->matched = change_object_now(e)->attributes;
	return e->settled;
}

static bool note_move(struct change_reader *r, struct change_entry *e,
		      const struct published *p)
{
	struct str was = json_slice_str(r->arena, p->previous_address);

	if (!was.n || str_eq(was, e->address))
		return false;
	was = str_dup(r->arena, was);
	map_put(r->arena, &r->moves, e->address,
		arena_dup(r->arena, &was, sizeof(was)));
	map_put(r->arena, &r->moved, was, e);
	return true;
}

/* What it does beside its action. */
static void note_published(struct change_reader *r, struct change_entry *e,
			   const struct published *p)
{
	e->imports = p->importing.n && p->importing.p[0] == '{';
	r->does |= note_move(r, e, p) || e->imports;
}

/* The resource_change before is not followed by its planned record. */
static void keep_held(struct change_reader *r)
{
	struct change_entry *e = r->held_for;

	if (e)
		e->change_line = str_dup(r->arena, buf_view(&r->held));
	r->held_for = NULL;
}

static int read_published(struct change_reader *r, struct str line,
			  struct diags *ds)
{
	struct published *p = &r->last;
	struct change_entry *e;
	struct planned_texts t;
	bool bad;

	keep_held(r);
	buf_set_len(&r->held, 0);
	buf_str(&r->held, line);
	bad = published_read(buf_view(&r->held), p) != 0;
	if (bad || !p->actions.n || !p->before.n || !p->after.n)
		return change_unreadable(ds, "resource_change", bad, "change");
	e = entry_of(r, "resource_change", p->address, p->deposed, ds);
	if (!e || e->published)
		return e ? twice(r, "resource_change", e, ds) : -1;
	e->published = true;
	note_published(r, e, p);
	r->held_for = e;
	if (!e->planned_line.p)
		return 0;
	planned_texts_read(e->planned_line, STR_NONE, &t);
	if (settle(r, e, p, &t)) {
		e->planned_line = STR_NONE;
		r->held_for = NULL;
	}
	return 0;
}

/* Of one that is only shown, what it takes to show it. */
static int keep_change(struct change_reader *r, struct change_entry *e,
		       const struct planned_texts *t, struct diags *ds)
{
	int action;

	if (r->shown_only) {
		action = action_from_name(json_slice_str(r->arena, t->action));
		e->action = (enum action)action;
		return action < 0 ? change_unreadable(ds, "planned", false,
						      "action")
				  : 0;
	}
	e->change = ARENA_NEW(r->arena, struct change);
	if (change_from_planned(r, t, e->change, ds))
		return -1;
	e->action = e->change->action;
	vec_push(r->arena, &r->changes, e->change);
	return 0;
}

/* The planned record of a resource_change that was read.  What does not follow
 * it at once is looked at in the end. */
static bool settle_planned(struct change_reader *r, struct change_entry *e,
			   const struct planned_texts *t)
{
	if (r->held_for != e)
		return false;
	if (!settle(r, e, &r->last, t)) {
		keep_held(r);
		return false;
	}
	r->held_for = NULL;
	return true;
}

static int read_planned(struct change_reader *r, struct str line,
			struct diags *ds)
{
	struct planned_texts t;
	struct change_entry *e;

	if (planned_texts_read(line, r->held_for ? r->last.after : STR_NONE,
			       &t))
		return change_unreadable(ds, "planned", true, NULL);
	if (r->held_for && str_eq(t.address, r->last.address) &&
	    str_eq(t.deposed, r->last.deposed))
		e = r->held_for;
	else
		e = entry_of(r, "planned", t.address, t.deposed, ds);
	if (!e || e->planned)
		return e ? twice(r, "planned", e, ds) : -1;
	if (keep_change(r, e, &t, ds))
		return -1;
	e->planned = true;
	r->does |= e->action != ACTION_NOOP;
	if (!e->published || !settle_planned(r, e, &t))
		e->planned_line = str_dup(r->arena, line);
	return 0;
}

/* --- what else tells of an object --- */

struct object_texts {
	struct str address, deposed, provider, attributes, attributes_flat;
	struct str sensitive, identity, status, gone;
};

#define TEXT(name, member) \
	{ \
		STR_INIT(name), offsetof(struct object_texts, member), -1, \
			NULL \
	}

static const struct member_field object_texts[] = {
	TEXT("address", address),
	TEXT("deposed", deposed),
	TEXT("provider", provider),
	TEXT("attributes", attributes),
	TEXT("attributes_flat", attributes_flat),
	TEXT("sensitive_attributes", sensitive),
	TEXT("identity", identity),
	TEXT("status", status),
	TEXT("gone", gone),
	MEMBER_FIELDS_END,
};

static struct str rebased(struct str text, struct str line, struct str copy)
{
	return text.p ? (struct str){ copy.p + (text.p - line.p), text.n }
		      : text;
}

static void take_object(struct change_object *o, struct object_texts t,
			struct str line)
{
	o->read = true;
	o->there = !str_is(t.gone, "true") && !str_is(t.attributes, "null");
	o->tainted = str_is(t.status, "\"tainted\"");
	o->provider = rebased(t.provider, line, o->line);
	if (!o->there)
		return;
	if (!str_is(t.identity, "null"))
		o->identity = rebased(t.identity, line, o->line);
	o->attributes = t.attributes.n ? rebased(t.attributes, line, o->line)
				       : STR("{}");
	if (!str_is(t.sensitive, "[]") && !str_is(t.sensitive, "null"))
		o->sensitive = rebased(t.sensitive, line, o->line);
}

const struct change_object *change_object_read(struct change_object *o)
{
	struct object_texts t = { .address = STR_NONE };

	if (!o->read && o->line.p &&
	    !change_members_read(o->line, object_texts, &t))
		take_object(o, t, o->line);
	return o;
}

/* The members that name the object, without a look at the others. */
static int read_name(struct str line, struct object_texts *t)
{
	struct json_slice j = JSON_SLICE_INIT(line);

	while (!t->address.p && json_slice_next(&j))
		if (str_is(j.name, "address"))
			t->address = j.value;
	if (json_slice_next(&j) && str_is(j.name, "deposed"))
		t->deposed = j.value;
	return j.bad ? -1 : 0;
}

static int read_object(struct change_reader *r, const char *kind, bool prior,
		       struct str line, struct diags *ds)
{
	const bool later = r->brief && !prior; /* if at all */
	struct object_texts t = { .address = STR_NONE };
	struct change_object *o;
	struct change_entry *e;

	if (later ? read_name(line, &t)
		  : change_members_read(line, object_texts, &t))
		return change_unreadable(ds, kind, true, NULL);
	e = entry_of(r, kind, t.address, t.deposed, ds);
	if (!e)
		return -1;
	o = prior ? &e->prior : &e->previous;
	if (o->said)
		return twice(r, kind, e, ds);
	o->said = true;
	o->line = str_dup(r->arena, line);
	if (prior && e->deposed.n)
		map_put(r->arena, &r->deposed, e->address, e);
	if (!later)
		take_object(o, t, line);
	return 0;
}

static int read_drift(struct change_reader *r, struct str line,
		      struct diags *ds)
{
	struct published p;
	const bool bad = published_read(line, &p) != 0;
	struct change_entry *e;

	if (bad || !p.actions.n || !p.after.n)
		return change_unreadable(ds, "resource_drift", bad, "change");
	e = entry_of(r, "resource_drift", p.address, p.deposed, ds);
	if (!e || e->drift_line.p)
		return e ? twice(r, "resource_drift", e, ds) : -1;
	e->drift_line = str_dup(r->arena, line);
	note_move(r, e, &p);
	return 0;
}

int change_read_record(struct change_reader *r, struct str kind,
		       struct str line, struct diags *ds)
{
	if (str_is(kind, "previous_run_state"))
		return read_object(r, "previous_run_state", false, line, ds);
	if (str_is(kind, "planned"))
		return read_planned(r, line, ds);
	if (str_is(kind, "resource_change"))
		return read_published(r, line, ds);
	if (str_is(kind, "prior_state"))
		return read_object(r, "prior_state", true, line, ds);
	if (str_is(kind, "resource_drift"))
		return read_drift(r, line, ds);
	return str_is(kind, "schema") ? change_read_schema(r, line, ds) : 1;
}

/* --- when all are read --- */

static int wrong(struct change_reader *r, const struct change_entry *e,
		 const char *what, struct diags *ds)
{
	return diag_error(ds, NULL, CHANGE_WRONG, "%.*s %s",
			  STR_ARG(entry_text(r->arena, e)), what);
}

static bool is_data(struct str address)
{
	struct instance_addr addr;
	struct arena a = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);
	const bool data = !instance_addr_parse(&a, address, &addr, &quiet) &&
			  addr.resource.mode == MODE_DATA;

	arena_release(&a);
	return data;
}

/* An object that was told of when its change had been read. */
static bool still_agrees(struct change_reader *r, struct change_entry *e)
{
	const struct change_object *o;

	if (change_is_brief(r, e))
		return true;
	o = change_object_now(e);
	if (e->nothing_before)
		return !o->there || is_data(e->address);
	return o->there && (o->attributes.p == e->matched.p ||
			    json_same(r->arena, o->attributes, e->matched,
				      JSON_SAME_PLAIN));
}

static int check_pair(struct change_reader *r, struct change_entry *e,
		      struct diags *ds)
{
	struct planned_texts t;
	struct published p;
	const char *member = "before";

	if (e->planned != e->published) {
		if (e->planned && e->action == ACTION_DELETE &&
		    is_data(e->address))
			return 0;
		return wrong(
			r, e,
			e->planned
				? "has a planned record but no resource_change record."
				: "has a resource_change record but no planned record.",
			ds);
	}
	if (!e->planned || (e->settled && still_agrees(r, e)))
		return 0;
	if (!e->settled) {
		published_read(e->change_line, &p);
		planned_texts_read(e->planned_line, STR_NONE, &t);
		member = change_disagrees(r, e, &p, &t);
	}
	if (!member)
		return 0;
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "What the resource_change record of %.*s says is not "
			  "what its planned record would do, or not what the "
			  "state has: they differ in \"%s\".",
			  STR_ARG(entry_text(r->arena, e)), member);
}

int change_read_finish(struct change_reader *r, struct diags *ds)
{
	const size_t errors = ds->errors;

	keep_held(r);
	for (size_t i = 0; i < r->entries.len; i++) {
		struct change_entry *e = r->entries.entries[i].value;

		check_pair(r, e, ds);
		change_found_check(r, e, ds);
	}
	return ds->errors > errors ? -1 : 0;
}

void change_reader_release(struct change_reader *r)
{
	buf_release(&r->held);
}
