/*
 * published.c - see published.h: `resource_change` and `resource_drift`,
 * written and read
 */
#include "engine/change/published.h"

#include "addr/provider.h"
#include "engine/change/change_int.h"
#include "engine/change/names.h"
#include "engine/change/published_int.h"
#include "engine/change/record_int.h"
#include "json/read.h"
#include "json/scan.h"
#include "json/slice.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/write.h"
#include "value/codec_json.h"
#include "value/codec_json_read.h"
#include "value/equal.h"
#include "value/path_json.h"

static const char *const action_words[][2] = {
	[ACTION_NOOP] = { "no-op", NULL },
	[ACTION_CREATE] = { "create", NULL },
	[ACTION_READ] = { "read", NULL },
	[ACTION_UPDATE] = { "update", NULL },
	[ACTION_DELETE_CREATE] = { "delete", "create" },
	[ACTION_CREATE_DELETE] = { "create", "delete" },
	[ACTION_FORGET_CREATE] = { "forget", "create" },
	[ACTION_DELETE] = { "delete", NULL },
	[ACTION_FORGET] = { "forget", NULL },
	[ACTION_OPEN] = { "open", NULL },
};

enum { NACTIONS = sizeof(action_words) / sizeof(action_words[0]) };

void change_actions_json(struct jw *w, enum action a)
{
	jw_array(w);
	jw_cstr(w, action_words[a][0]);
	if (action_words[a][1])
		jw_cstr(w, action_words[a][1]);
	jw_array_end(w);
}

/* --- writing --- */

static void address_members(struct jw *w, struct arena *a,
			    const struct change *c)
{
	struct buf b = BUF_INIT;

	if (c->prev_addr.resource.type.n &&
	    !instance_addr_equal(&c->prev_addr, &c->addr))
		jw_member_str(w, "previous_address",
			      instance_addr_text(a, &c->prev_addr));
	if (c->addr.module.len) {
		module_addr_print(&b, c->addr.module);
		jw_member_str(w, "module_address", buf_view(&b));
		buf_release(&b);
	}
	jw_key(w, "mode");
	jw_cstr(w, resource_mode_name(c->addr.resource.mode));
	jw_member_str(w, "type", c->addr.resource.type);
	jw_member_str(w, "name", c->addr.resource.name);
	inst_key_member(w, "index", c->addr.key);
	jw_member_str(w, "provider_name",
		      provider_addr_text(a, c->provider.provider));
	if (c->deposed.n)
		jw_member_str(w, "deposed", c->deposed);
}

static void import_members(struct jw *w, const struct change *c)
{
	if (c->import_id.n || c->import_identity) {
		jw_key(w, "importing");
		jw_object(w);
		if (c->import_id.n) {
			jw_member_str(w, "id", c->import_id);
		} else {
			jw_key(w, "identity");
			value_to_json(w, c->import_identity, NULL);
		}
		jw_object_end(w);
	}
	if (c->generated_config.n)
		jw_member_str(w, "generated_config", c->generated_config);
	if (c->before_identity && !value_is_null(c->before_identity)) {
		jw_key(w, "before_identity");
		value_to_json(w, c->before_identity, NULL);
	}
	if (c->planned_identity && value_wholly_known(c->planned_identity) &&
	    !value_is_null(c->planned_identity)) {
		jw_key(w, "after_identity");
		value_to_json(w, c->planned_identity, NULL);
	}
}

static void change_member(struct jw *w, const struct change *c,
			  const struct change_shown *s)
{
	jw_key(w, "change");
	jw_object(w);
	jw_key(w, "actions");
	change_actions_json(w, c->action);
	jw_key(w, "before");
	value_known_json(w, s->before_text);
	jw_key(w, "after");
	value_known_json(w, s->after_text);
	jw_key(w, "after_unknown");
	if (value_wholly_known(s->after))
		jw_raw(w, STR("{}"));
	else
		value_unknown_json(w, s->after);
	jw_key(w, "before_sensitive");
	value_sensitive_json(w, s->before);
	jw_key(w, "after_sensitive");
	value_sensitive_json(w, s->after);
	if (c->required_replace.len) {
		jw_key(w, "replace_paths");
		jw_array(w);
		for (size_t i = 0; i < c->required_replace.len; i++)
			path_to_plan_json(w, c->required_replace.items[i]);
		jw_array_end(w);
	}
	import_members(w, c);
	jw_object_end(w);
}

void change_put_published(struct stream_out *o, const char *kind,
			  const struct change *c, const struct change_shown *s)
{
	struct arena scratch = ARENA_INIT;
	struct jw w =
		stream_record(o, kind, instance_addr_text(&scratch, &c->addr));

	address_members(&w, &scratch, c);
	change_member(&w, c, s);
	if (c->reason != REASON_NONE) {
		jw_key(&w, "action_reason");
		jw_cstr(&w, reason_name(c->reason));
	}
	stream_record_end(o, &w);
	arena_release(&scratch);
}

/* --- reading --- */

struct published_field {
	struct str name;
	size_t at; /* of a struct str in struct published */
};

#define FIELD(member) \
	{ \
		STR_INIT(#member), offsetof(struct published, member) \
	}

static const struct published_field record_fields[] = {
	FIELD(address),        FIELD(previous_address),
	FIELD(module_address), FIELD(mode),
	FIELD(type),           FIELD(name),
	FIELD(index),          FIELD(provider_name),
	FIELD(deposed),        FIELD(action_reason),
	FIELD(change),         FIELD(planned),
	{ STR_INIT(""), 0 },
};

static const struct published_field change_fields[] = {
	FIELD(actions),          FIELD(before),           FIELD(after),
	FIELD(before_sensitive), FIELD(after_sensitive),  FIELD(after_identity),
	FIELD(importing),        FIELD(generated_config), { STR_INIT(""), 0 },
};

static const struct published_field *field_named(
	const struct published_field *f, struct str name)
{
	while (f->name.n && !str_eq(f->name, name))
		f++;
	return f->name.n ? f : NULL;
}

/* `change` is gone into on the way: each byte is looked at once. */
static int read_members(struct json_scan *in,
			const struct published_field *fields,
			struct published *out)
{
	bool first = true;
	struct str name;
	int rc;

	if (json_scan_open(in, '{'))
		return -1;
	while ((rc = json_scan_member(in, &first, &name)) == 1) {
		const struct published_field *f = field_named(fields, name);
		void *at = f ? (char *)out + f->at : NULL;
		const bool inside =
			at == &out->change && json_scan_peek(in) == '{';
		const char *from = in->p;

		if (inside ? read_members(in, change_fields, out)
			   : json_scan_value(in, at))
			return -1;
		if (inside)
			out->change =
				(struct str){ from, (size_t)(in->p - from) };
	}
	return rc;
}

int published_read(struct str line, struct published *out)
{
	struct arena a = ARENA_INIT; /* for names with escapes */
	struct json_scan in = json_scan_start(&a, line);
	int rc;

	*out = (struct published){ 0 };
	rc = read_members(&in, record_fields, out);
	arena_release(&a);
	return rc;
}

/* The next text of a list of them, raw; *rest loses it. */
static struct str next_text(struct str *rest)
{
	const ptrdiff_t begin = str_chr(*rest, '"');
	ptrdiff_t n;
	struct str text;

	if (begin < 0)
		return STR_NONE;
	text = str_sub(*rest, (size_t)begin + 1, rest->n);
	n = str_chr(text, '"');
	*rest = n < 0 ? STR("") : str_sub(text, (size_t)n + 1, text.n);
	return n < 0 ? STR_NONE : str_sub(text, 0, (size_t)n);
}

int published_action(struct str actions)
{
	struct str rest = actions, first = next_text(&rest);
	struct str second = next_text(&rest);

	for (int i = 0; i < NACTIONS; i++) {
		const char *const *words = action_words[i];

		if (str_is(first, words[0]) &&
		    (words[1] ? str_is(second, words[1]) : !second.p))
			return i;
	}
	return -1;
}

int change_read_published(struct change_reader *r, struct str line,
			  struct change_published *out, struct str *key,
			  struct diags *ds)
{
	struct published p;
	const bool bad = published_read(line, &p) != 0;
	struct str address = json_slice_str(r->arena, p.address);
	int known;

	if (bad || !address.n || !p.actions.n)
		return change_unreadable(ds, "resource_change", bad,
					 !address.n ? "address" : "change");
	*out = (struct change_published){
		.actions = str_dup(r->arena, p.actions),
		.after = p.after.n ? str_dup(r->arena, p.after) : STR("null"),
	};
	known = reason_from_name(json_slice_str(r->arena, p.action_reason));
	if (known >= 0) /* else of a newer version: shown only */
		out->reason = (enum reason)known;
	*key = change_key(r->arena, address,
			  json_slice_str(r->arena, p.deposed));
	return 0;
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

bool change_agrees(struct arena *a, const struct change *c,
		   const struct change_published *p)
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
