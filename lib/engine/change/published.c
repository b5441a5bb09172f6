/*
 * published.c - `resource_change` and `resource_drift`, written; the members of
 * a resource_change that the plan keeps, read
 */
#include "engine/change/published.h"

#include "addr/provider.h"
#include "engine/change/change_int.h"
#include "engine/change/names.h"
#include "engine/change/published_int.h"
#include "engine/change/record_int.h"
#include "json/read.h"
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

static void read_change_member(struct arena *a, struct str text,
			       struct change_published *p)
{
	struct json_slice s = JSON_SLICE_INIT(text);

	while (json_slice_next(&s)) {
		if (str_is(s.name, "actions"))
			p->actions = str_dup(a, s.value);
		else if (str_is(s.name, "after"))
			p->after = str_dup(a, s.value);
	}
}

int change_read_published(struct change_reader *r, struct str line,
			  struct change_published *out, struct str *key,
			  struct diags *ds)
{
	struct json_slice s = JSON_SLICE_INIT(line);
	struct str address = STR_NONE, deposed = STR_NONE, reason = STR_NONE;
	int known;

	*out = (struct change_published){ .after = STR("null") };
	while (json_slice_next(&s)) {
		if (str_is(s.name, "address"))
			address = json_slice_str(r->arena, s.value);
		else if (str_is(s.name, "deposed"))
			deposed = json_slice_str(r->arena, s.value);
		else if (str_is(s.name, "change"))
			read_change_member(r->arena, s.value, out);
		else if (str_is(s.name, "action_reason"))
			reason = json_slice_str(r->arena, s.value);
	}
	if (s.bad || !address.n || !out->actions.n)
		return change_unreadable(ds, "resource_change", &s,
					 !address.n ? "address" : "change");
	known = reason_from_name(reason);
	if (known >= 0) /* else of a newer version: shown only */
		out->reason = (enum reason)known;
	*key = change_key(r->arena, address, deposed);
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
