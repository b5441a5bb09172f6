/* read.c - reading what record.c wrote */
#include "base/base64.h"
#include "engine/change/change_int.h"
#include "engine/change/record.h"
#include "json/slice.h"
#include "value/codec.h"

/* What a resource_change said that its planned record must say too. */
struct published {
	struct str actions; /* JSON text */
	struct str after;   /* JSON text */
	enum reason reason;
	bool matched;
};

static const char summary[] = "Inconsistent plan";

static struct str change_key(struct arena *a, struct str address,
			     struct str deposed)
{
	if (!deposed.n)
		return address;
	return str_printf(a, "%.*s (deposed %.*s)", STR_ARG(address),
			  STR_ARG(deposed));
}

/* Which record it is is told by who read its line. */
static int unreadable(struct diags *ds, const char *kind,
		      const struct json_slice *s, const char *member)
{
	if (s->bad)
		return diag_error(ds, NULL, summary,
				  "A %s record is not valid JSON.", kind);
	return diag_error(ds, NULL, summary,
			  "A %s record has no \"%s\" that can be read.", kind,
			  member);
}

/* --- resource_change --- */

static void read_change_member(struct arena *a, struct str text,
			       struct published *p)
{
	struct json_slice s = JSON_SLICE_INIT(text);

	while (json_slice_next(&s)) {
		if (str_is(s.name, "actions"))
			p->actions = str_dup(a, s.value);
		else if (str_is(s.name, "after"))
			p->after = str_dup(a, s.value);
	}
}

static int read_published(struct change_reader *r, struct str line,
			  struct diags *ds)
{
	struct json_slice s = JSON_SLICE_INIT(line);
	struct published *p = ARENA_NEW(r->arena, struct published);
	struct str address = STR_NONE, deposed = STR_NONE;

	p->after = STR("null");
	while (json_slice_next(&s)) {
		if (str_is(s.name, "address"))
			address = json_slice_str(r->arena, s.value);
		else if (str_is(s.name, "deposed"))
			deposed = json_slice_str(r->arena, s.value);
		else if (str_is(s.name, "change"))
			read_change_member(r->arena, s.value, p);
		else if (str_is(s.name, "action_reason"))
			p->reason = (enum reason)reason_from_name(
				json_slice_str(r->arena, s.value));
	}
	if (s.bad || !address.n || !p->actions.n)
		return unreadable(ds, "resource_change", &s,
				  !address.n ? "address" : "change");
	if ((int)p->reason < 0)
		p->reason = REASON_NONE; /* of a newer version: shown only */
	address = change_key(r->arena, address, deposed);
	if (map_put(r->arena, &r->published, str_dup(r->arena, address), p))
		return diag_error(ds, NULL, summary,
				  "There are two resource_change records for "
				  "%.*s.", STR_ARG(address));
	return 0;
}

/* --- planned --- */

/* Only the value is kept: the tree it is read from is several times as large.
 */
static const struct value *read_value(struct change_reader *r, struct str text)
{
	struct arena scratch = ARENA_INIT;
	struct json_error jerr = { 0, NULL };
	struct verror err = { .message = STR_NONE };
	const struct json *j = json_parse(&scratch, text, &jerr);
	const struct value *v = j ? value_from_stream(&scratch, j, &err) : NULL;

	if (v)
		v = value_copy(r->arena, v);
	else if (j)
		r->why = verror_text(r->arena, &err);
	else
		r->why = str_c(jerr.message);
	arena_release(&scratch);
	return v;
}

static int read_paths(struct arena *a, struct str text, struct path_vec *out)
{
	struct json_error err;
	const struct json *j = json_parse(a, text, &err);

	if (!j || j->kind != JSON_ARRAY)
		return -1;
	for (size_t i = 0; i < j->len; i++) {
		struct path p;

		if (path_from_state_json(a, &j->items[i], &p) < 0)
			return -1;
		vec_push(a, out, p);
	}
	return 0;
}

static int read_strings(struct arena *a, struct str text, struct str **out,
			size_t *n)
{
	struct json_error err;
	const struct json *j = json_parse(a, text, &err);

	if (!j || j->kind != JSON_ARRAY)
		return -1;
	*out = ARENA_ARRAY(a, struct str, j->len);
	for (size_t i = 0; i < j->len; i++) {
		if (j->items[i].kind != JSON_STRING)
			return -1;
		(*out)[i] = j->items[i].text;
	}
	*n = j->len;
	return 0;
}

/* What is wrong with an address is what is wrong with the member. */
static int told(struct change_reader *r, int rc, const struct diags *ds)
{
	if (rc < 0 && ds->len)
		r->why = str_sub(ds->items[0].detail, 0,
				 ds->items[0].detail.n - 1);
	return rc;
}

/* Most changes have the same provider as the one before. */
static int read_provider(struct change_reader *r, struct str text,
			 struct provider_config_addr *out)
{
	struct diags ds = DIAGS_INIT(r->arena);

	if (!str_eq(text, r->provider_text)) {
		text = str_dup(r->arena, text);
		if (told(r, provider_config_parse(r->arena, text, &r->provider,
						  &ds), &ds) < 0)
			return -1;
		r->provider_text = text;
	}
	*out = r->provider;
	return 0;
}

static int read_address(struct change_reader *r, struct str text,
			struct instance_addr *out)
{
	struct diags ds = DIAGS_INIT(r->arena);

	return told(r, instance_addr_parse(r->arena, str_dup(r->arena, text),
					   out, &ds), &ds);
}

/* One member; -1 when it is not what it should be. */
static int read_member(struct change_reader *r, const struct json_slice *s,
		       struct change *c)
{
	struct arena *a = r->arena;
	struct str text = json_slice_str(a, s->value);

	if (str_is(s->name, "deposed"))
		c->deposed = str_dup(a, text);
	else if (str_is(s->name, "action"))
		return (int)(c->action = (enum action)action_from_name(text));
	else if (str_is(s->name, "provider"))
		return read_provider(r, text, &c->provider);
	else if (str_is(s->name, "address"))
		return read_address(r, text, &c->addr);
	else if (str_is(s->name, "previous_address"))
		return read_address(r, text, &c->prev_addr);
	else if (str_is(s->name, "planned_private"))
		return base64_decode(a, text, &c->planned_private) ? 0 : -1;
	else if (str_is(s->name, "required_replace"))
		return read_paths(a, s->value, &c->required_replace);
	else if (str_is(s->name, "planned_identity"))
		return (c->planned_identity = read_value(r, s->value)) ? 0 : -1;
	else if (str_is(s->name, "import_id"))
		c->import_id = str_dup(a, text);
	else if (str_is(s->name, "import_identity"))
		return (c->import_identity = read_value(r, s->value)) ? 0 : -1;
	else if (str_is(s->name, "create_before_destroy"))
		c->create_before_destroy = str_is(s->value, "true");
	else if (str_is(s->name, "dependencies"))
		return read_strings(a, s->value, &c->dependencies,
				    &c->ndependencies);
	else if (str_is(s->name, "planned"))
		return (c->after = read_value(r, s->value)) ? 0 : -1;
	return 0;
}

static int read_planned(struct change_reader *r, struct str line,
			struct diags *ds)
{
	struct json_slice s = JSON_SLICE_INIT(line);
	struct change *c = ARENA_NEW(r->arena, struct change);
	struct str address = STR_NONE;

	c->action = (enum action)-1;
	c->after = &value_null_dynamic;
	while (json_slice_next(&s)) {
		if (str_is(s.name, "address"))
			address = json_slice_str(r->arena, s.value);
		if (read_member(r, &s, c) >= 0)
			continue;
		return diag_error(ds, NULL, summary,
				  "The planned record of %.*s has an invalid "
				  "\"%.*s\"%s%.*s.", STR_ARG(address),
				  STR_ARG(s.name), r->why.n ? ": " : "",
				  STR_ARG(r->why));
	}
	if (s.bad || !address.n || (int)c->action < 0 ||
	    !c->provider.provider.type.n)
		return unreadable(ds, "planned", &s,
				  !address.n ? "address"
				  : (int)c->action < 0 ? "action" : "provider");
	if (!c->prev_addr.resource.type.n)
		c->prev_addr = c->addr;
	address = change_key(r->arena, str_dup(r->arena, address), c->deposed);
	vec_push(r->arena, &r->changes, c);
	if (map_put(r->arena, &r->planned, address,
		    (void *)(uintptr_t)r->changes.len))
		return diag_error(ds, NULL, summary,
				  "There are two planned records for %.*s.",
				  STR_ARG(address));
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

/* --- agreement --- */

/* Both as values of the JSON's own types: 1.0 and 1, or other spacing, are no
 * difference. */
static bool same_json(struct arena *a, struct str x, struct str y)
{
	struct json_error err;
	const struct json *p, *q;
	const struct value *v, *w;

	if (str_eq(x, y))
		return true;
	p = json_parse(a, x, &err);
	q = json_parse(a, y, &err);
	v = p ? value_from_json_implied(a, p) : NULL;
	w = q ? value_from_json_implied(a, q) : NULL;
	return v && w && value_identical(v, w);
}

static bool agree(struct arena *a, const struct change *c,
		  const struct published *p)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	bool same;

	change_actions_json(&w, c->action);
	same = same_json(a, buf_view(&b), p->actions);
	buf_set_len(&b, 0);
	w = (struct jw)JW_INIT(&b);
	value_known_json(&w, c->after);
	same = same && same_json(a, buf_view(&b), p->after);
	buf_release(&b);
	return same;
}

int change_read_finish(struct change_reader *r, struct diags *ds)
{
	struct arena scratch = ARENA_INIT;
	size_t errors = ds->errors;

	for (size_t i = 0; i < r->planned.len; i++) {
		struct map_entry *e = &r->planned.entries[i];
		struct change *c = r->changes.items[(uintptr_t)e->value - 1];
		struct published *p = map_get(&r->published, e->key);

		if (!p && change_is_published(c))
			diag_error(ds, NULL, summary,
				   "%.*s has a planned record but no "
				   "resource_change record.", STR_ARG(e->key));
		if (!p)
			continue;
		p->matched = true;
		c->reason = p->reason;
		if (!agree(&scratch, c, p))
			diag_error(ds, NULL, summary,
				   "What the resource_change record of %.*s "
				   "says is not what its planned record would "
				   "do.", STR_ARG(e->key));
		arena_reset(&scratch);
	}
	for (size_t i = 0; i < r->published.len; i++) {
		struct published *p = r->published.entries[i].value;

		if (!p->matched)
			diag_error(ds, NULL, summary,
				   "%.*s has a resource_change record but no "
				   "planned record.",
				   STR_ARG(r->published.entries[i].key));
	}
	arena_release(&scratch);
	return ds->errors > errors ? -1 : 0;
}
