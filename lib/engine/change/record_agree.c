/*
 * record_agree.c - do the records that tell of one change say the same?
 *
 * Nearly always their texts show that they do.  Where these do not the record
 * is written again, from what tf-apply goes by, and compared member by member.
 */
#include "addr/provider.h"
#include "addr/walk.h"
#include "engine/change/change.h"
#include "engine/change/change_int.h"
#include "json/tree.h"
#include "json/read.h"
#include "provider/schema_cache.h"
#include "state/state.h"
#include "value/codec_json.h"

/* --- schemas --- */

/* NULL: the stream has none. */
static struct change_schema *change_schema_for(struct change_reader *r,
					       const struct published *p)
{
	const struct published *last = &r->schema_of;

	if (!str_eq(p->type, last->type) || !str_eq(p->mode, last->mode) ||
	    !str_eq(p->provider_name, last->provider_name)) {
		r->schema_of.type = str_dup(r->arena, p->type);
		r->schema_of.mode = str_dup(r->arena, p->mode);
		r->schema_of.provider_name =
			str_dup(r->arena, p->provider_name);
		r->schema =
			map_get(&r->schemas, STR_CAT(r->arena, p->mode, p->type,
						     p->provider_name));
	}
	return r->schema;
}

struct change_schema *change_schema_of(const struct change_reader *r,
				       enum resource_mode mode, struct str type,
				       struct str provider)
{
	struct arena scratch = ARENA_INIT;
	struct change_schema *s =
		map_get(&r->schemas,
			STR_CAT(&scratch, STR("\""),
				str_c(resource_mode_name(mode)), STR("\"\""),
				type, STR("\"\""), provider, STR("\"")));

	arena_release(&scratch);
	return s;
}

static const struct resource_schema *schema_for(struct change_reader *r,
						const struct published *p)
{
	const struct change_schema *s = change_schema_for(r, p);

	return s ? &s->schema : NULL;
}

int change_read_schema(struct change_reader *r, struct str line,
		       struct diags *ds)
{
	struct change_schema *s = ARENA_NEW(r->arena, struct change_schema);
	const struct json *j;

	s->line = str_dup(r->arena, line);
	s->sensitive = str_find(line, STR("\"sensitive\":true")) >= 0;
	j = json_slice_tree(r->arena, s->line, NULL);
	s->mode = json_get_str(j, "mode");
	s->provider = json_get_str(j, "provider");
	s->schema.type = json_get_str(j, "type");
	s->schema.version = (uint64_t)json_get_int(j, "version", 0);
	s->schema.block =
		schema_block_from_json(r->arena, json_get(j, "block"));
	if (!s->schema.block || !s->mode.n || !s->provider.n)
		return change_unreadable(ds, "schema", !j,
					 !s->mode.n       ? "mode"
					 : !s->provider.n ? "provider"
							  : "block");
	r->schema = s;
	r->schema_of = (struct published){ .mode = STR_NONE };
	if (!map_put(r->arena, &r->schemas,
		     str_printf(r->arena, "\"%.*s\"\"%.*s\"\"%.*s\"",
				STR_ARG(s->mode), STR_ARG(s->schema.type),
				STR_ARG(s->provider)),
		     s))
		return 0;
	return diag_error(ds, NULL, CHANGE_WRONG,
			  "There are two schema records of %.*s %.*s of %.*s.",
			  STR_ARG(s->mode), STR_ARG(s->schema.type),
			  STR_ARG(s->provider));
}

/* --- by their texts --- */

static struct str inside(struct str text)
{
	return text.n >= 2 && text.p[0] == '"' ? str_sub(text, 1, text.n - 1)
					       : STR_NONE;
}

static bool same_text(struct str x, struct str y)
{
	return !x.p == !y.p && str_eq(x, y);
}

/* Is the address made of the parts beside it?  A key with escapes, which is
 * escaped twice in the address, is left to the other way. */
static bool address_agrees(const struct published *p)
{
	const struct str key = inside(p->index), dot = STR(".");
	struct str rest = inside(p->address);

	if (p->module_address.p &&
	    !(str_take(&rest, inside(p->module_address)) &&
	      str_take(&rest, dot)))
		return false;
	if (!str_is(p->mode, "\"managed\"") &&
	    !(str_take(&rest, inside(p->mode)) && str_take(&rest, dot)))
		return false;
	if (!str_take(&rest, inside(p->type)) || !str_take(&rest, dot) ||
	    !str_take(&rest, inside(p->name)))
		return false;
	if (!p->index.p)
		return !rest.n;
	if (!key.p)
		return str_take(&rest, STR("[")) && str_take(&rest, p->index) &&
		       str_is(rest, "]");
	return !memchr(key.p, '\\', key.n) && str_take(&rest, STR("[\\\"")) &&
	       str_take(&rest, key) && str_is(rest, "\\\"]");
}

/* The provider of most changes is that of the one before. */
static bool provider_agrees(struct change_reader *r, const struct published *p,
			    const struct planned_texts *t)
{
	struct diags quiet = DIAGS_INIT(r->arena);
	struct provider_config_addr addr;
	struct str text;

	if (!str_eq(t->provider, r->provider_json)) {
		text = str_dup(r->arena, json_slice_str(r->arena, t->provider));
		if (!text.n ||
		    provider_config_parse(r->arena, text, &addr, &quiet))
			return false;
		r->provider_json = str_dup(r->arena, t->provider);
		r->provider_name = provider_addr_text(r->arena, addr.provider);
	}
	return str_eq(inside(p->provider_name), r->provider_name);
}

static bool actions_agree(const struct published *p,
			  const struct planned_texts *t)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);
	const int action = action_from_name(inside(t->action));
	bool same = false;

	if (action == ACTION_NOOP)
		return str_is(p->actions, "[\"no-op\"]");
	if (action == ACTION_UPDATE)
		return str_is(p->actions, "[\"update\"]");
	if (action >= 0) {
		change_actions_json(&w, (enum action)action);
		same = str_eq(buf_view(&b), p->actions);
	}
	buf_release(&b);
	return same;
}

/* Of most imports the id is known. */
static bool import_agrees(const struct published *p,
			  const struct planned_texts *t)
{
	struct buf b = BUF_INIT;
	bool same = !p->importing.p && !t->import_id.p;

	if (!same && t->import_id.p) {
		buf_addf(&b, "{\"id\":%.*s}", STR_ARG(t->import_id));
		same = str_eq(buf_view(&b), p->importing);
	}
	buf_release(&b);
	return same && !t->import_identity.p;
}

/* Each path that is unknown is so in the map, which has no others.  Each is
 * looked up from the beginning, so of many it is found out by writing. */
static bool unknown_agrees(struct str map, struct str unknown)
{
	const size_t few = 64;
	struct json_scan in = json_scan_start(NULL, unknown);
	bool first = true;
	struct str item;
	size_t n = 0;
	int rc;

	if (!unknown.p)
		return str_is(map, "{}");
	if (json_scan_open(&in, '['))
		return false;
	for (; (rc = json_scan_element(&in, &first)) == 1; n++)
		if (n == few || json_scan_value(&in, &item) ||
		    !json_true_at(map, json_slice_get(item, "path")))
			return false;
	return rc == 0 && json_count_true(map) == n;
}

static bool after_agrees(struct change_reader *r, const struct published *p,
			 const struct planned_texts *t)
{
	if (!t->planned.p)
		return str_is(p->after, "null") &&
		       str_is(p->after_unknown, "{}") &&
		       str_is(p->after_sensitive, "false");
	return !t->numbers.p && !t->sensitive.p &&
	       !json_count_true(p->after_sensitive) &&
	       json_same(r->arena, p->after, t->value,
			 t->unknown.p ? JSON_SAME_NULLS : JSON_SAME_PLAIN) &&
	       unknown_agrees(p->after_unknown, t->unknown);
}

/* What is not changed is as it was. */
static bool kept(struct change_reader *r, const struct published *p)
{
	return !str_is(p->actions, "[\"no-op\"]") ||
	       published_same_json(r->arena, p->before, p->after);
}

/* Data that are read anew are shown as if there had been none. */
static bool read_anew(const struct published *p)
{
	return str_is(p->mode, "\"data\"") && str_is(p->before, "null");
}

static bool scan_fits(struct json_scan *in, const struct type *t);

/* Members come in the order of their names, mostly. */
static const struct type *member_type(const struct type *t, struct str name,
				      size_t *next)
{
	if (t->kind == TYPE_MAP)
		return t->elem;
	for (size_t i = 0; i < t->len; i++, *next = *next + 1) {
		const size_t at = *next % t->len;

		if (str_eq(t->attrs[at].name, name))
			return t->attrs[at].type;
	}
	return NULL;
}

static bool members_fit(struct json_scan *in, const struct type *t)
{
	const struct type *of;
	bool first = true;
	struct str name;
	size_t next = 0;
	int rc;

	if (json_scan_open(in, '{'))
		return false;
	while ((rc = json_scan_member(in, &first, &name)) == 1) {
		of = member_type(t, name, &next);
		if (!of || !scan_fits(in, of))
			return false;
	}
	return rc == 0;
}

static bool elements_fit(struct json_scan *in, const struct type *t)
{
	bool first = true;
	int rc;

	if (json_scan_open(in, '['))
		return false;
	while ((rc = json_scan_element(in, &first)) == 1)
		if (!scan_fits(in, t->elem))
			return false;
	return rc == 0;
}

/* Are all names in the text those of the type?  Those within a value of any
 * type are. */
static bool scan_fits(struct json_scan *in, const struct type *t)
{
	const char c = json_scan_peek(in);

	if (c == '{' && (t->kind == TYPE_OBJECT || t->kind == TYPE_MAP))
		return members_fit(in, t);
	if (c == '[' && (t->kind == TYPE_LIST || t->kind == TYPE_SET))
		return elements_fit(in, t);
	return !json_scan_value(in, NULL);
}

/* Has the schema all attributes of the object?  What it lacks is in no value.
 * Of an object that is left alone nobody asks. */
static bool schema_has(const struct change_reader *r,
		       const struct change_schema *schema,
		       const struct published *p, const struct change_object *o)
{
	struct arena a = ARENA_INIT; /* for names with escapes */
	struct json_scan in = json_scan_start(&a, o->attributes);
	const bool all = r->brief || str_is(p->actions, "[\"no-op\"]") ||
			 scan_fits(&in, schema->schema.block->implied);

	arena_release(&a);
	return all;
}

static bool before_agrees(struct change_reader *r,
			  const struct change_schema *schema,
			  const struct published *p,
			  const struct change_object *o)
{
	if (!o->there || read_anew(p))
		return str_is(p->before, "null") &&
		       str_is(p->before_sensitive, "false");
	return !o->sensitive.n && !json_count_true(p->before_sensitive) &&
	       json_same(r->arena, p->before, o->attributes, JSON_SAME_STATE) &&
	       schema_has(r, schema, p, o);
}

bool change_agrees(struct change_reader *r, struct change_entry *e,
		   const struct published *p, const struct planned_texts *t)
{
	const struct change_schema *schema = change_schema_for(r, p);

	/* it may come later */
	return schema && !schema->sensitive && actions_agree(p, t) &&
	       same_text(p->address, t->address) &&
	       same_text(p->deposed, t->deposed) &&
	       same_text(p->previous_address, t->previous_address) &&
	       address_agrees(p) && provider_agrees(r, p, t) &&
	       import_agrees(p, t) && !p->replace_paths.p &&
	       !t->required_replace.p && !p->before_identity.p &&
	       !p->after_identity.p && !t->planned_identity.p &&
	       after_agrees(r, p, t) && kept(r, p) &&
	       (change_is_brief(r, e) ||
		before_agrees(r, schema, p, change_object_now(e)));
}

/* --- written again --- */

static const struct value *object_value(struct arena *a,
					const struct change_object *o,
					const struct resource_schema *schema)
{
	const struct state_instance i = { .attributes = o->attributes,
					  .sensitive = o->sensitive };

	return schema ? state_instance_value(a, &i, schema->block)
		      : state_instance_as_written(a, &i);
}

static const struct value *object_identity(struct arena *a,
					   const struct change_object *o)
{
	const struct json *j =
		o->identity.n ? json_slice_tree(a, o->identity, NULL) : NULL;

	return j ? value_from_json_implied(a, j) : NULL;
}

const char *change_disagrees(struct change_reader *r, struct change_entry *e,
			     const struct published *p,
			     const struct planned_texts *t)
{
	struct arena scratch = ARENA_INIT;
	struct change_reader own = { .arena = &scratch };
	struct diags quiet = DIAGS_INIT(&scratch);
	const struct change_object *o = change_object_now(e);
	const struct resource_schema *schema = schema_for(r, p);
	const char *member = "planned";
	struct published again;
	struct change_shown s;
	struct change c;

	if (change_from_planned(&own, t, &c, &quiet))
		goto out;
	c.generated_config = json_slice_str(&scratch, p->generated_config);
	if (o->there && !read_anew(p))
		c.before = object_value(&scratch, o, schema);
	/* a type that has none leaves that of the state out */
	if (p->before_identity.p)
		c.before_identity = object_identity(&scratch, o);
	member = "before";
	if (!c.before)
		goto out;
	change_shown_init(&s, &c, schema, false);
	published_read(change_published_text(&scratch, &c, &s), &again);
	member = kept(r, p) ? published_differs(&scratch, p, &again) : "after";
	arena_release(&s.arena);
out:
	arena_release(&scratch);
	return member;
}

/* The addresses, and the provider that the object is now of.  -1: bad. */
static int drift_names(struct arena *a, struct change_entry *e,
		       const struct published *p, struct change *c)
{
	const struct str was = json_slice_str(a, p->previous_address);
	const struct str provider = json_slice_str(a, e->prior.provider);
	struct diags quiet = DIAGS_INIT(a);
	struct str why;

	if (instance_addr_parse(a, e->address, &c->addr, &quiet) ||
	    (was.n && instance_addr_parse(a, was, &c->prev_addr, &quiet)))
		return -1;
	if (e->prior.there)
		return provider_config_parse(a, provider, &c->provider, &quiet);
	/* of what is gone nobody says it */
	return provider_addr_parse(a, json_slice_str(a, p->provider_name),
				   provider_default_host(),
				   &c->provider.provider, &why);
}

const char *change_drift_disagrees(struct change_reader *r,
				   struct change_entry *e,
				   const struct published *p, int action,
				   const struct change_object *was)
{
	const struct resource_schema *schema = schema_for(r, p);
	struct arena scratch = ARENA_INIT;
	struct change c = { .action = (enum action)action };
	const char *member = "address";
	struct published again;
	struct change_shown s;

	if (drift_names(&scratch, e, p, &c))
		goto out;
	if (was)
		c.before = object_value(&scratch, was, schema);
	if (e->prior.there)
		c.after = object_value(&scratch, &e->prior, schema);
	if (p->after_identity.p)
		c.planned_identity = object_identity(&scratch, &e->prior);
	member = "after";
	if (e->prior.there && !c.after)
		goto out;
	change_shown_init(&s, &c, schema, false);
	published_read(change_published_text(&scratch, &c, &s), &again);
	/* what a provider brings into another form is so on both sides */
	e->drift_apart =
		!published_same_json(&scratch, p->before, again.before);
	if (e->drift_apart) {
		again.before = p->before;
		again.before_sensitive = p->before_sensitive;
	}
	again.before_identity = p->before_identity;
	member = published_differs(&scratch, p, &again);
	arena_release(&s.arena);
out:
	arena_release(&scratch);
	return member;
}
