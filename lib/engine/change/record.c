/* record.c - writing changes; read.c reads them */
#include "engine/change/record.h"

#include "base/base64.h"
#include "engine/change/change_int.h"
#include "state/state_value.h"
#include "value/codec.h"

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

const struct value *change_redacted(struct arena *a, const struct value *v)
{
	static const struct value hidden = {
		.type = &type_string,
		.string = STR_INIT("(sensitive value)"),
	};
	const struct value **elems;
	bool keyed = v->type->kind == TYPE_OBJECT || v->type->kind == TYPE_MAP;
	struct str *keys;

	if (value_has_mark(v, MARK_SENSITIVE))
		return &hidden;
	if (v->state != VALUE_KNOWN || !v->inner_marks)
		return v;
	elems = ARENA_ARRAY(a, const struct value *, v->len);
	keys = ARENA_ARRAY(a, struct str, v->len);
	for (size_t i = 0; i < v->len; i++) {
		elems[i] = change_redacted(a, v->elems[i]);
		if (keyed)
			keys[i] = v->type->kind == TYPE_MAP
					  ? v->keys[i]
					  : v->type->attrs[i].name;
	}
	return keyed ? value_object(a, keys, elems, v->len)
		     : value_tuple(a, elems, v->len);
}

/* What both records write: the two values, marked. */
struct change_shown {
	struct arena arena;
	const struct value *before, *after;
	const struct value *before_text, *after_text; /* redacted if need be */
};

static const struct value *marked(struct arena *a, const struct value *v,
				  const struct resource_schema *schema)
{
	if (!v)
		return &value_null_dynamic;
	return schema ? schema_mark_sensitive(a, v, schema->block) : v;
}

static void shown_init(struct change_shown *s, const struct change *c,
		       const struct resource_schema *schema, bool redact)
{
	*s = (struct change_shown){ .arena = ARENA_INIT };
	s->before = s->before_text = marked(&s->arena, c->before, schema);
	s->after = s->after_text = marked(&s->arena, c->after, schema);
	if (redact) {
		s->before_text = change_redacted(&s->arena, s->before);
		s->after_text = change_redacted(&s->arena, s->after);
	}
}

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
	value_to_json(w, s->before_text, NULL);
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

void change_write_published(struct stream_out *o, const char *kind,
			    const struct change *c,
			    const struct resource_schema *schema)
{
	struct change_shown s;
	struct jw w;

	shown_init(&s, c, schema, o->redact);
	w = stream_record(o, kind, instance_addr_text(&s.arena, &c->addr));
	address_members(&w, &s.arena, c);
	change_member(&w, c, &s);
	if (c->reason != REASON_NONE) {
		jw_key(&w, "action_reason");
		jw_cstr(&w, reason_name(c->reason));
	}
	stream_record_end(o, &w);
	arena_release(&s.arena);
}

static void paths_member(struct jw *w, const char *name,
			 const struct path_vec *paths)
{
	if (!paths->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < paths->len; i++)
		path_to_state_json(w, paths->items[i]);
	jw_array_end(w);
}

static void planned_members(struct jw *w, struct arena *a,
			    const struct change *c, bool redact)
{
	if (c->deposed.n)
		jw_member_str(w, "deposed", c->deposed);
	jw_key(w, "action");
	jw_cstr(w, action_name(c->action));
	jw_member_str(w, "provider", provider_config_text(a, &c->provider));
	if (c->prev_addr.resource.type.n &&
	    !instance_addr_equal(&c->prev_addr, &c->addr))
		jw_member_str(w, "previous_address",
			      instance_addr_text(a, &c->prev_addr));
	if (c->planned_private.n && !redact)
		jw_member_str(w, "planned_private",
			      base64_encode(a, c->planned_private));
	paths_member(w, "required_replace", &c->required_replace);
	if (c->planned_identity && !value_is_null(c->planned_identity)) {
		jw_key(w, "planned_identity");
		value_to_stream(w, c->planned_identity);
	}
	if (c->import_id.n)
		jw_member_str(w, "import_id", c->import_id);
	if (c->import_identity) {
		jw_key(w, "import_identity");
		value_to_stream(w, c->import_identity);
	}
	if (c->create_before_destroy)
		jw_member_bool(w, "create_before_destroy", true);
	if (c->ndependencies) {
		jw_key(w, "dependencies");
		jw_array(w);
		for (size_t i = 0; i < c->ndependencies; i++)
			jw_str(w, c->dependencies[i]);
		jw_array_end(w);
	}
}

void change_write_planned(struct stream_out *o, const struct change *c,
			  const struct resource_schema *schema)
{
	struct change_shown s;
	struct jw w;

	shown_init(&s, c, schema, o->redact);
	w = stream_record(o, "planned", instance_addr_text(&s.arena, &c->addr));
	planned_members(&w, &s.arena, c, o->redact);
	if (c->after && !value_is_null(c->after)) {
		jw_key(&w, "planned");
		value_to_stream(&w, o->redact ? s.after_text : c->after);
	}
	stream_record_end(o, &w);
	arena_release(&s.arena);
}

bool change_is_published(const struct change *c)
{
	return c->addr.resource.mode != MODE_DATA || c->action != ACTION_DELETE;
}

void change_write(struct stream_out *o, const struct change *c,
		  const struct resource_schema *schema)
{
	if (change_is_published(c))
		change_write_published(o, "resource_change", c, schema);
	change_write_planned(o, c, schema);
}
