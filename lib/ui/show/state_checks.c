/*
 * state_checks.c - `checks` of the published state representation
 *
 * The state file has addresses as text; published are their parts.
 */
#include "ui/show/show_int.h"
#include "addr/walk.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "ui/show/show.h"

static const struct {
	const char *state, *published;
} kinds[] = {
	{ "resource", "resource" },
	{ "output", "output_value" },
	{ "check", "check" },
	{ "var", "var" },
};

static struct str published_kind(struct str kind)
{
	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_is(kind, kinds[i].state))
			return str_c(kinds[i].published);
	return kind;
}

/* Takes the part before the next dot off *rest. */
static struct str next_part(struct str *rest)
{
	ptrdiff_t dot = str_chr(*rest, '.');
	struct str part = dot < 0 ? *rest : str_sub(*rest, 0, (size_t)dot);

	*rest = dot < 0 ? STR("") : str_sub(*rest, (size_t)dot + 1, rest->n);
	return part;
}

static void put_object(struct jw *w, const struct state_check *c)
{
	size_t end = plan_view_module_end(c->config_addr);
	struct str rest =
		str_sub(c->config_addr, end ? end + 1 : 0, c->config_addr.n);
	struct str first = next_part(&rest), type = STR_NONE;

	jw_key(w, "address");
	jw_object(w);
	jw_member_str(w, "kind", published_kind(c->object_kind));
	if (str_is(c->object_kind, "resource")) {
		bool other =
			str_is(first, "data") || str_is(first, "ephemeral");

		jw_member_str(w, "mode", other ? first : STR("managed"));
		type = other ? next_part(&rest) : first;
	}
	if (end)
		jw_member_str(w, "module", str_sub(c->config_addr, 0, end));
	jw_member_str(w, "name", rest);
	jw_member_str(w, "to_display", c->config_addr);
	if (type.p)
		jw_member_str(w, "type", type);
	jw_object_end(w);
}

static void put_instance_address(struct jw *w, struct arena *a, struct str kind,
				 struct str text)
{
	struct diags ignored = DIAGS_INIT(a);
	struct instance_addr addr = { .key = KEY_ABSENT };
	size_t end = plan_view_module_end(text);

	if (str_is(kind, "resource"))
		instance_addr_parse(a, text, &addr, &ignored);
	jw_key(w, "address");
	jw_object(w);
	inst_key_member(w, "instance_key", addr.key);
	if (end)
		jw_member_str(w, "module", str_sub(text, 0, end));
	jw_member_str(w, "to_display", text);
	jw_object_end(w);
}

static void put_instance(struct jw *w, struct arena *a, struct str kind,
			 const struct json *o)
{
	const struct json *messages = json_get(o, "failure_messages");

	jw_object(w);
	put_instance_address(w, a, kind, json_get_str(o, "object_addr"));
	jw_member_str(w, "status", json_get_str(o, "status"));
	if (messages && messages->kind == JSON_ARRAY && messages->len) {
		jw_key(w, "problems");
		jw_array(w);
		for (uint32_t i = 0; i < messages->len; i++) {
			jw_object(w);
			jw_key(w, "message");
			jw_json(w, &messages->items[i]);
			jw_object_end(w);
		}
		jw_array_end(w);
	}
	jw_object_end(w);
}

static void put_check(struct jw *w, struct arena *a,
		      const struct state_check *c)
{
	struct json_error err;
	const struct json *objects = json_parse(a, c->objects, &err);

	jw_object(w);
	put_object(w, c);
	jw_member_str(w, "status", c->status);
	if (objects && objects->kind == JSON_ARRAY && objects->len) {
		jw_key(w, "instances");
		jw_array(w);
		for (uint32_t i = 0; i < objects->len; i++)
			put_instance(w, a, c->object_kind, &objects->items[i]);
		jw_array_end(w);
	}
	jw_object_end(w);
}

void state_checks_json(struct jw *w, const struct state *st)
{
	struct arena a = ARENA_INIT;

	if (!st->checks.len)
		return;
	jw_key(w, "checks");
	jw_array(w);
	for (size_t i = 0; i < st->checks.len; i++)
		put_check(w, &a, &st->checks.items[i]);
	jw_array_end(w);
	arena_release(&a);
}
