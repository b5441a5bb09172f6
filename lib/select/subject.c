/*
 * subject.c - what the names in an expression are of a record (select_int.h)
 *
 * One table says under which path each sort of record has what a name means.  A
 * name that a record does not have is null, and so is what an object does not
 * have: objects of many types are asked the same.
 */
#include <stdlib.h>

#include "addr/walk.h"
#include "json/read.h"
#include "json/tree.h"
#include "select/select_int.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/number.h"

static const struct {
	const char *kind;
	enum select_sort sort;
} kinds[] = {
	{ "check", ASKED_CONFIG },
	{ "check_result", ASKED_CHECK },
	{ "diagnostic", ASKED_CONFIG },
	{ "edge", ASKED_CONFIG },
	{ "event", ASKED_EVENT },
	{ "local", ASKED_CONFIG },
	{ "module", ASKED_CONFIG },
	{ "module_call", ASKED_CONFIG },
	{ "node", ASKED_CONFIG },
	{ "output", ASKED_CONFIG },
	{ "output_change", ASKED_OUTPUT },
	{ "previous_run_state", ASKED_STATE },
	{ "prior_state", ASKED_STATE },
	{ "provider_config", ASKED_CONFIG },
	{ "required_provider", ASKED_CONFIG },
	{ "resource", ASKED_RESOURCE },
	{ "resource_change", ASKED_CHANGE },
	{ "resource_drift", ASKED_CHANGE },
	{ "variable", ASKED_CONFIG },
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

int subject_sort(struct str kind)
{
	for (size_t i = 0; i < KINDS; i++)
		if (str_is(kind, kinds[i].kind))
			return kinds[i].sort;
	return -1;
}

const char *subject_kind(size_t i)
{
	return i < KINDS ? kinds[i].kind : NULL;
}

/* --- the record, read as far as it is needed --- */

/* What stands at a path of names with dots between them; STR_NONE: nothing. */
static struct str text_at(struct str object, const char *path)
{
	while (object.n && object.p[0] == '{') {
		const size_t n = strcspn(path, ".");
		struct json_slice j = JSON_SLICE_INIT(object);
		struct str found = STR_NONE;

		while (!found.p && json_slice_next(&j))
			if (str_eq(j.name, (struct str){ path, n }))
				found = j.value;
		if (!path[n])
			return found;
		object = found;
		path += n + 1;
	}
	return STR_NONE;
}

/* NULL: there is none. */
static const struct json *tree(struct arena *a, struct str text)
{
	struct json_error err;

	if (!text.n)
		return NULL;
	return text.p[0] == '{' ? json_slice_tree(a, text, NULL)
				: json_parse(a, text, &err);
}

static const struct json *text_node(struct arena *a, struct str s)
{
	struct json *j;

	if (!s.p)
		return NULL;
	j = ARENA_NEW(a, struct json);
	*j = (struct json){ .kind = JSON_STRING, .text = s };
	return j;
}

static const struct json hidden = { .kind = JSON_BOOL, .boolean = true };

static void put_member(struct json_member *m, uint32_t *n, const char *name,
		       const struct json *value)
{
	if (value)
		m[(*n)++] = (struct json_member){ str_c(name), *value };
}

/* The change, and masks over it as a whole. */
static void open_change(struct subject *s)
{
	struct json_member *unknown =
		ARENA_ARRAY(s->arena, struct json_member, 1);
	struct json_member *sensitive =
		ARENA_ARRAY(s->arena, struct json_member, 3);
	struct json *masks = ARENA_ARRAY(s->arena, struct json, 2);

	if (s->opened)
		return;
	s->opened = true;
	if (s->sort != ASKED_CHANGE && s->sort != ASKED_OUTPUT)
		return;
	s->change = tree(s->arena, text_at(s->line, "change"));
	masks[0] = masks[1] = (struct json){ .kind = JSON_OBJECT };
	masks[0].members = unknown;
	masks[1].members = sensitive;
	put_member(unknown, &masks[0].len, "after",
		   json_get(s->change, "after_unknown"));
	put_member(sensitive, &masks[1].len, "before",
		   json_get(s->change, "before_sensitive"));
	put_member(sensitive, &masks[1].len, "after",
		   json_get(s->change, "after_sensitive"));
	put_member(sensitive, &masks[1].len, "generated_config", &hidden);
	s->unknown = &masks[0];
	s->sensitive = &masks[1];
}

static const struct instance_addr *parts_of(struct subject *s)
{
	struct diags quiet = DIAGS_INIT(s->arena);
	const struct str text = subject_address(s);

	if (s->parsed)
		return s->has_parts ? &s->parts : NULL;
	s->parsed = true;
	s->has_parts = text.n && (instance_addr_plain(text, &s->parts) ||
				  !instance_addr_parse(s->arena, text,
						       &s->parts, &quiet));
	return s->has_parts ? &s->parts : NULL;
}

/* --- places: JSON, and what is said beside it --- */

struct place {
	const struct json *j;
	const struct json *unknown, *sensitive; /* masks, or NULL */
};

static bool is_true(const struct json *mask)
{
	return mask && mask->kind == JSON_BOOL && mask->boolean;
}

static const struct json *member(const struct json *j, struct str name)
{
	const struct json *found = NULL;

	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++)
		if (str_eq(j->members[i].name, name))
			found = &j->members[i].value;
	return found;
}

static const struct json *item(const struct json *j, int64_t i)
{
	return j && j->kind == JSON_ARRAY && i >= 0 && i < j->len ? &j->items[i]
								  : NULL;
}

/* What is true of the whole is so of its parts. */
static struct place below(const struct place *p, const struct json *j,
			  const struct json *unknown,
			  const struct json *sensitive)
{
	return (struct place){
		j,
		is_true(p->unknown) ? p->unknown : unknown,
		is_true(p->sensitive) ? p->sensitive : sensitive,
	};
}

static struct place by_name(const struct place *p, struct str name)
{
	return below(p, member(p->j, name), member(p->unknown, name),
		     member(p->sensitive, name));
}

static struct place by_number(const struct place *p, int64_t i)
{
	return below(p, item(p->j, i), item(p->unknown, i),
		     item(p->sensitive, i));
}

static bool is_composite(const struct json *j)
{
	return j && (j->kind == JSON_OBJECT || j->kind == JSON_ARRAY);
}

/* Says a mask something of the parts? */
static bool says_more(const struct json *mask)
{
	return mask &&
	       (mask->kind == JSON_OBJECT || mask->kind == JSON_ARRAY) &&
	       mask->len;
}

static const struct value *value_of(struct arena *a, const struct place *p);

static const struct value *object_of(struct arena *a, const struct place *p)
{
	const uint32_t own = p->j && p->j->kind == JSON_OBJECT ? p->j->len : 0;
	const uint32_t room =
		own + (says_more(p->unknown) ? p->unknown->len : 0);
	struct str *names = ARENA_ARRAY(a, struct str, room + 1);
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, room + 1);
	size_t n = 0;

	for (uint32_t i = 0; i < room; i++) {
		const struct json_member *m =
			i < own ? &p->j->members[i]
				: &p->unknown->members[i - own];
		struct place sub;

		if (i >= own && member(p->j, m->name))
			continue;
		sub = by_name(p, m->name);
		names[n] = m->name;
		elems[n++] = value_of(a, &sub);
	}
	return value_object(a, names, elems, n);
}

static const struct value *tuple_of(struct arena *a, const struct place *p)
{
	const struct value **elems =
		ARENA_ARRAY(a, const struct value *, p->j->len + 1);

	for (uint32_t i = 0; i < p->j->len; i++) {
		struct place sub = by_number(p, i);

		elems[i] = value_of(a, &sub);
	}
	return value_tuple(a, elems, p->j->len);
}

/* Is it secret as a whole?  A mask that does not fit hides it. */
static bool is_hidden(const struct place *p)
{
	return is_true(p->sensitive) ||
	       (says_more(p->sensitive) && p->j && !is_composite(p->j));
}

static const struct value *known_of(struct arena *a, const struct place *p)
{
	const bool more = says_more(p->unknown) || says_more(p->sensitive);
	/* What is not known at all is in the mask alone. */
	const struct json *like = p->j ? p->j : p->unknown;
	const struct value *v = &value_null_dynamic;

	if (more && p->j && p->j->kind == JSON_ARRAY)
		v = tuple_of(a, p);
	else if (more && like && like->kind == JSON_OBJECT && like->len)
		v = object_of(a, p);
	else if (p->j)
		v = value_from_json_implied(a, p->j);
	/* There is none of a number beyond all exponents. */
	return v ? v : &value_unknown_dynamic;
}

static const struct value *value_of(struct arena *a, const struct place *p)
{
	const struct value *v =
		is_true(p->unknown) ? &value_unknown_dynamic : known_of(a, p);

	return is_hidden(p) ? value_with_marks(a, v, &marks_sensitive) : v;
}

/* --- names --- */

enum how {
	HOW_PATH,    /* what stands there */
	HOW_ADDRESS, /* a part of the address where the path is "@" */
	HOW_ACTION,  /* one word for what is done */
	HOW_CHANGE,
	HOW_SIDE, /* before or after, of change */
	HOW_KNOWN,
	HOW_SENSITIVE,
	HOW_MODULE,   /* as HOW_ADDRESS; "" is the root */
	HOW_PROVIDER, /* the name in the address of a configuration */
	HOW_RECORD,
	HOW_SELF,   /* all of it */
	HOW_VALUES, /* of an object of the state */
};

static const char FROM[] = "@";

/* Sorted by name.  Paths in the order of enum select_sort. */
static const struct name {
	const char *name;
	enum how how;
	const char *path[ASKED_SORTS];
} names[] = {
	{ "action",
	  HOW_ACTION,
	  { "change.actions", "change.actions", NULL, "hook.action", NULL } },
	{ "action_reason", HOW_PATH, { "action_reason" } },
	{ "actions", HOW_PATH, { "change.actions", "change.actions" } },
	{ "address",
	  HOW_PATH,
	  { "address", "address", "address", "hook.resource.addr", "address",
	    "address", "address.to_display" } },
	{ "after", HOW_SIDE, { "change", "change" } },
	{ "at", HOW_PATH, { NULL, NULL, NULL, NULL, "at", "at" } },
	{ "attributes", HOW_VALUES, { NULL, NULL, "attributes" } },
	{ "before", HOW_SIDE, { "change", "change" } },
	{ "change", HOW_CHANGE, { "change", "change" } },
	{ "dependencies", HOW_PATH, { NULL, NULL, "dependencies" } },
	{ "deposed", HOW_PATH, { "deposed", NULL, "deposed", "deposed" } },
	{ "hook", HOW_PATH, { NULL, NULL, NULL, "hook" } },
	{ "index",
	  HOW_ADDRESS,
	  { "index", NULL, FROM, "hook.resource.resource_key" } },
	{ "known", HOW_KNOWN, { "change", "change" } },
	{ "message", HOW_PATH, { NULL, NULL, NULL, "@message" } },
	{ "mode", HOW_ADDRESS, { "mode", NULL, FROM, FROM, "mode" } },
	{ "module",
	  HOW_MODULE,
	  { "module_address", "", FROM, "hook.resource.module", "module",
	    "module" } },
	{ "module_address",
	  HOW_MODULE,
	  { "module_address", "", FROM, "hook.resource.module", "module",
	    "module" } },
	{ "name",
	  HOW_ADDRESS,
	  { "name", FROM, FROM, "hook.resource.resource_name", "name",
	    "name" } },
	{ "previous_address", HOW_PATH, { "previous_address" } },
	{ "provider",
	  HOW_PROVIDER,
	  { "provider_name", NULL, "provider", NULL, "provider.source",
	    "provider" } },
	{ "provider_name",
	  HOW_PROVIDER,
	  { "provider_name", NULL, "provider", NULL, "provider.source",
	    "provider" } },
	{ "reason", HOW_PATH, { "action_reason" } },
	{ "record", HOW_RECORD, { "", "", "", "", "", "", "" } },
	{ "self", HOW_SELF, { "", "", "", "", "", "", "" } },
	{ "sensitive", HOW_SENSITIVE, { "change", "change" } },
	{ "status",
	  HOW_PATH,
	  { NULL, NULL, "status", NULL, NULL, NULL, "status" } },
	{ "type", HOW_ADDRESS, { "type", NULL, FROM, "type", "type" } },
	{ "values", HOW_VALUES, { NULL, NULL, "attributes" } },
};

enum { NAMES = sizeof(names) / sizeof(names[0]) };

static const char *const change_names[] = {
	"actions",          "after",     "after_identity",  "after_sensitive",
	"after_unknown",    "before",    "before_identity", "before_sensitive",
	"generated_config", "importing", "replace_paths",
};

const char *subject_name(size_t i)
{
	return i < NAMES ? names[i].name : NULL;
}

const char *subject_change_name(size_t i)
{
	return i < sizeof(change_names) / sizeof(change_names[0])
		       ? change_names[i]
		       : NULL;
}

static int by_text(const void *x, const void *y)
{
	const struct str *name = x;

	return str_cmp(*name, str_c(((const struct name *)y)->name));
}

struct str subject_address(struct subject *s)
{
	const struct str key = STR("address");
	const struct name *n =
		bsearch(&key, names, NAMES, sizeof(*names), by_text);

	return json_slice_str(s->arena, text_at(s->line, n->path[s->sort]));
}

static const struct json *bool_node(struct arena *a, bool b)
{
	struct json *j = ARENA_NEW(a, struct json);

	*j = (struct json){ .kind = JSON_BOOL, .boolean = b };
	return j;
}

static const struct json *key_node(struct arena *a, struct inst_key k)
{
	struct json *j;

	if (k.kind != KEY_INT)
		return k.kind == KEY_STRING ? text_node(a, k.s) : NULL;
	j = ARENA_NEW(a, struct json);
	*j = (struct json){ .kind = JSON_NUMBER, .text = str_int(a, k.i) };
	return j;
}

/* The part of the address that the name means. */
static const struct json *part(struct subject *s, const char *name)
{
	const struct instance_addr *p = parts_of(s);

	if (!p)
		return NULL;
	if (strcmp(name, "index") == 0)
		return key_node(s->arena, p->key);
	if (strcmp(name, "mode") == 0)
		return text_node(s->arena,
				 str_c(resource_mode_name(p->resource.mode)));
	if (strcmp(name, "type") == 0)
		return text_node(s->arena, p->resource.type);
	if (strcmp(name, "name") == 0)
		return text_node(s->arena, p->resource.name);
	return text_node(s->arena, module_addr_text(s->arena, p->module));
}

/* Two actions are a replacement, whatever comes first. */
static const struct json *action(struct subject *s, struct str text)
{
	const struct json *j = tree(s->arena, text);

	if (!j || j->kind != JSON_ARRAY)
		return j;
	return j->len == 1 ? &j->items[0] : text_node(s->arena, STR("replace"));
}

/* provider["registry.opentofu.org/hashicorp/aws"].b is by its full name. */
static const struct json *provider(struct subject *s, struct str text)
{
	const struct str name = json_slice_str(s->arena, text);
	const ptrdiff_t from = name.p ? str_find(name, STR("provider[\"")) : -1;
	struct str rest;
	ptrdiff_t end;

	if (from < 0)
		return text_node(s->arena, name);
	rest = str_sub(name, (size_t)from + strlen("provider[\""), name.n);
	end = str_chr(rest, '"');
	return text_node(s->arena,
			 end < 0 ? rest : str_sub(rest, 0, (size_t)end));
}

static bool says_true(const struct subject *s, const char *path)
{
	return json_count_true(text_at(s->line, path)) > 0;
}

/* Has it values of objects, which may be secret?  `self` does not say which. */
static bool holds_values(enum select_sort sort)
{
	return sort != ASKED_CONFIG && sort != ASKED_RESOURCE &&
	       sort != ASKED_CHECK;
}

static struct place place_of(struct subject *s, const struct name *n)
{
	const char *path = n->path[s->sort];
	struct place p = { 0 };

	if (!path)
		return p;
	switch (n->how) {
	case HOW_RECORD:
		p.j = text_node(s->arena, s->kind);
		break;
	case HOW_ACTION:
		p.j = action(s, text_at(s->line, path));
		break;
	case HOW_PROVIDER:
		p.j = provider(s, text_at(s->line, path));
		break;
	case HOW_KNOWN:
		p.j = bool_node(s->arena,
				!says_true(s, "change.after_unknown"));
		break;
	case HOW_SENSITIVE:
		p.j = bool_node(s->arena,
				says_true(s, "change.before_sensitive") ||
					says_true(s, "change.after_sensitive"));
		break;
	case HOW_SELF:
		p.j = tree(s->arena, s->line);
		p.sensitive = holds_values(s->sort) ? &hidden : NULL;
		break;
	case HOW_VALUES: /* only a schema would tell what of it is secret */
		p.j = tree(s->arena, text_at(s->line, path));
		p.sensitive = &hidden;
		break;
	case HOW_CHANGE:
	case HOW_SIDE:
		open_change(s);
		p = (struct place){ s->change, s->unknown, s->sensitive };
		if (n->how == HOW_SIDE)
			p = by_name(&p, str_c(n->name));
		break;
	case HOW_PATH:
	case HOW_ADDRESS:
	case HOW_MODULE:
		p.j = path == FROM ? part(s, n->name)
				   : tree(s->arena, text_at(s->line, path));
		break;
	}
	if (n->how == HOW_MODULE && !p.j)
		p.j = text_node(s->arena, STR(""));
	return p;
}

/* --- references --- */

const struct json *select_unwrapped(struct arena *a, const struct json *j)
{
	const struct json *type = json_get(j, "type");

	return j && j->kind == JSON_OBJECT && j->len == 2 && type &&
			       json_get(j, "value") && type_from_json(a, type)
		       ? json_get(j, "value")
		       : j;
}

static const struct json *unwrapped_all(struct arena *a, const struct json *j)
{
	struct json_member *m;
	struct json *copy;

	if (!j || j->kind != JSON_OBJECT)
		return j;
	m = ARENA_ARRAY(a, struct json_member, j->len + 1);
	copy = ARENA_NEW(a, struct json);
	for (uint32_t i = 0; i < j->len; i++)
		m[i] = (struct json_member){
			j->members[i].name,
			*select_unwrapped(a, &j->members[i].value)
		};
	*copy = *j;
	copy->members = m;
	return copy;
}

static bool is_scalar(const struct place *p)
{
	return p->j && !is_composite(p->j) && p->j->kind != JSON_NULL &&
	       !is_true(p->unknown);
}

/* The key of a step that can be taken here: a name or a whole number.  Where it
 * cannot the evaluator says what is wrong. */
static bool take(struct place *p, const struct ref_step *step)
{
	const struct value *key = step->key;
	int64_t i;

	if (step->is_attr) {
		if (p->j && p->j->kind == JSON_ARRAY)
			return false;
		*p = by_name(p, step->name);
		return true;
	}
	if (key->marks || !value_usable(key))
		return false;
	if (key->type->kind == TYPE_STRING) {
		*p = by_name(p, key->string);
		return true;
	}
	if (key->type->kind != TYPE_NUMBER || !value_get_int(key, &i))
		return false;
	*p = by_number(p, i);
	return true;
}

/* Is the object there whose attributes these are? */
static bool is_object(const struct place *p)
{
	return p->j && p->j->kind == JSON_OBJECT && !is_true(p->unknown);
}

/* How many steps of the name lead to an object of some schema; -1: none. */
static ptrdiff_t object_at(const struct name *n, const struct ref *r)
{
	if (n->how == HOW_SIDE || n->how == HOW_VALUES || n->how == HOW_SELF)
		return 0;
	if (n->how == HOW_CHANGE && r->nsteps && r->steps[0].is_attr &&
	    (str_is(r->steps[0].name, "before") ||
	     str_is(r->steps[0].name, "after")))
		return 1;
	return -1;
}

bool subject_find(struct subject *s, const struct ref *r,
		  struct select_found *out)
{
	const struct name *n =
		bsearch(&r->root, names, NAMES, sizeof(*names), by_text);
	const ptrdiff_t object = n ? object_at(n, r) : -1;
	struct place p;

	*out = (struct select_found){ .names = -1 };
	if (!n)
		return false;
	p = place_of(s, n);
	if (n->how == HOW_VALUES && !r->nsteps)
		p.j = unwrapped_all(s->arena, p.j);
	for (; out->used < r->nsteps; out->used++) {
		const bool asked =
			(ptrdiff_t)out->used == object && is_object(&p);

		if ((object < 0 && is_scalar(&p)) ||
		    !take(&p, &r->steps[out->used]))
			break;
		if (asked) {
			out->names = (ptrdiff_t)out->used;
			out->lacked = !p.j && !p.unknown;
		}
		if (n->how == HOW_VALUES && !out->used)
			p.j = select_unwrapped(s->arena, p.j);
	}
	out->value = value_of(s->arena, &p);
	return true;
}
