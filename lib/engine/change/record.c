/* record.c - a change as two records, and read back from them */
#include "engine/change/record.h"

#include "engine/change/change_int.h"
#include "engine/change/planned_int.h"
#include "engine/change/published_int.h"
#include "engine/change/record_int.h"
#include "engine/change/shown_int.h"

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

struct str change_key(struct arena *a, struct str address, struct str deposed)
{
	if (!deposed.n)
		return address;
	return str_printf(a, "%.*s (deposed %.*s)", STR_ARG(address),
			  STR_ARG(deposed));
}

int change_unreadable(struct diags *ds, const char *kind, bool bad,
		      const char *member)
{
	if (bad)
		return diag_error(ds, NULL, CHANGE_WRONG,
				  "A %s record is not valid JSON.", kind);
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "A %s record has no \"%s\" that can be read.", kind,
			  member);
}

static int read_published(struct change_reader *r, struct str line,
			  struct diags *ds)
{
	struct change_published *p =
		ARENA_NEW(r->arena, struct change_published);
	struct str key;

	if (change_read_published(r, line, p, &key, ds))
		return -1;
	if (map_put(r->arena, &r->published, str_dup(r->arena, key), p))
		return diag_error(ds, NULL, CHANGE_WRONG,
				  "There are two resource_change records for "
				  "%.*s.",
				  STR_ARG(key));
	return 0;
}

static int read_planned(struct change_reader *r, struct str line,
			struct diags *ds)
{
	struct change *c = ARENA_NEW(r->arena, struct change);
	struct str key;

	if (change_read_planned(r, line, c, &key, ds))
		return -1;
	vec_push(r->arena, &r->changes, c);
	if (map_put(r->arena, &r->planned, str_dup(r->arena, key),
		    (void *)(uintptr_t)r->changes.len))
		return diag_error(ds, NULL, CHANGE_WRONG,
				  "There are two planned records for %.*s.",
				  STR_ARG(key));
	return 0;
}

int change_read_record(struct change_reader *r, struct str kind,
		       struct str line, struct diags *ds)
{
	if (str_is(kind, "planned"))
		return read_planned(r, line, ds);
	if (str_is(kind, "resource_change"))
		return read_published(r, line, ds);
	return 1;
}

int change_read_finish(struct change_reader *r, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	size_t errors = ds->errors;

	for (size_t i = 0; i < r->planned.len; i++) {
		struct map_entry *e = &r->planned.entries[i];
		struct change *c = r->changes.items[(uintptr_t)e->value - 1];
		struct change_published *p = map_get(&r->published, e->key);

		if (!p && is_published(c))
			diag_error(ds, NULL, CHANGE_WRONG,
				   "%.*s has a planned record but no "
				   "resource_change record.",
				   STR_ARG(e->key));
		if (!p)
			continue;
		p->matched = true;
		c->reason = p->reason;
		if (!change_agrees(&scratch, c, p))
			diag_error(ds, NULL, CHANGE_WRONG,
				   "What the resource_change record of %.*s "
				   "says is not what its planned record would "
				   "do.",
				   STR_ARG(e->key));
		arena_reset(&scratch);
	}
	for (size_t i = 0; i < r->published.len; i++) {
		struct change_published *p = r->published.entries[i].value;

		if (!p->matched)
			diag_error(ds, NULL, CHANGE_WRONG,
				   "%.*s has a resource_change record but no "
				   "planned record.",
				   STR_ARG(r->published.entries[i].key));
	}
	arena_release(&scratch);
	return ds->errors > errors ? -1 : 0;
}
