/* plan_record.c - see plan_reader.h */
#include "engine/stage/plan_reader.h"
#include "engine/change/record.h"
#include "engine/change/change.h"
#include "json/read.h"
#include "json/write.h"
#include "json/tree.h"
#include "provider/source.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/marks.h"

static const char invalid[] = "Invalid plan";

static const struct value *stream_value(struct arena *a, const struct json *j)
{
	struct verror err;

	return j ? value_from_stream(a, j, &err) : NULL;
}

/* --- variables --- */

static void write_variables(struct jw *w, const struct map *inputs, bool redact)
{
	struct arena scratch = ARENA_INIT;

	jw_key(w, "variables");
	jw_object(w);
	for (size_t i = 0; i < inputs->len; i++) {
		const struct input *in = inputs->entries[i].value;

		jw_key_str(w, inputs->entries[i].key);
		value_to_stream(w, redact ? change_redacted(&scratch, in->value)
					  : in->value);
	}
	jw_object_end(w);
	arena_release(&scratch);
}

static int read_variables(struct arena *a, const struct json *j,
			  struct inputs *out, struct diags *ds)
{
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++) {
		const struct json_member *m = &j->members[i];
		const struct value *v = stream_value(a, &m->value);

		if (!v)
			return diag_error(
				ds, NULL, "Invalid variable value in plan",
				"The value of the variable \"%.*s\" in the plan cannot be read.",
				STR_ARG(m->name));
		inputs_set(a, out, m->name, v);
	}
	return 0;
}

static void write_texts(struct jw *w, const char *name,
			const struct str_vec *texts)
{
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < texts->len; i++)
		jw_str(w, texts->items[i]);
	jw_array_end(w);
}

/* --- providers --- */

/* The built-in provider has no version; it is written as null. */
static void write_providers(struct jw *w, const struct map *packages)
{
	jw_key(w, "providers");
	jw_object(w);
	for (size_t i = 0; i < packages->len; i++) {
		const struct provider_package *p = packages->entries[i].value;

		jw_key_str(w, packages->entries[i].key);
		if (!p) {
			jw_null(w);
			continue;
		}
		jw_object(w);
		if (p->version.n)
			jw_member_str(w, "version", p->version);
		if (p->hash.n)
			jw_member_str(w, "hash", p->hash);
		jw_object_end(w);
	}
	jw_object_end(w);
}

static void read_providers(struct arena *a, const struct json *j,
			   struct map *out)
{
	for (uint32_t i = 0; j && j->kind == JSON_OBJECT && i < j->len; i++) {
		const struct json_member *m = &j->members[i];
		struct provider_package *p;

		if (m->value.kind != JSON_OBJECT)
			continue;
		p = ARENA_NEW(a, struct provider_package);
		p->version = json_get_str(&m->value, "version");
		p->hash = json_get_str(&m->value, "hash");
		map_put(a, out, m->name, p);
	}
}

/* --- plan --- */

void plan_record_write(struct stream_out *o, const struct plan_record *r)
{
	struct jw w = stream_record(o, "plan", STR_NONE);

	jw_member_str(&w, "mode", str_c(run_mode_name(r->what.mode)));
	jw_member_str(&w, "timestamp", r->timestamp);
	jw_member_str(&w, "workspace", r->workspace);
	selectors_refresh_members(&w, &r->what);
	target_set_members(&w, &r->what.set);
	write_variables(&w, &r->variables.by_name, o->redact);
	write_texts(&w, "ephemeral_variables", &r->ephemeral_variables);
	write_providers(&w, &r->providers);
	jw_key(&w, "relevant_attributes");
	jw_text(&w, r->relevant_attributes);
	if (r->unread)
		jw_member_int(&w, "unread", r->unread);
	jw_member_bool(&w, "errored", r->errored);
	if (r->empty)
		jw_member_bool(&w, "empty", true);
	jw_member_bool(&w, "applyable", r->applyable);
	jw_member_bool(&w, "complete", r->complete);
	stream_record_end(o, &w);
}

int plan_record_read(struct arena *a, struct str line, struct plan_record *out,
		     struct diags *ds)
{
	const struct json *j = stream_parse(a, line, ds);

	if (!j)
		return -1;
	out->errored = json_get_bool(j, "errored", false);
	out->empty = json_get_bool(j, "empty", false);
	out->applyable = json_get_bool(j, "applyable", false);
	out->complete = json_get_bool(j, "complete", false);
	out->unread = json_get_int(j, "unread", 0);
	out->relevant_attributes =
		str_dup(a, json_slice_get(line, "relevant_attributes"));
	out->timestamp = json_get_str(j, "timestamp");
	out->workspace = json_get_str(j, "workspace");
	if (!out->workspace.n)
		out->workspace = STR("default");
	read_providers(a, json_get(j, "providers"), &out->providers);
	if (json_texts(a, json_get(j, "ephemeral_variables"),
		       &out->ephemeral_variables))
		return diag_error(
			ds, NULL, invalid,
			"\"ephemeral_variables\" in the plan is not a list of texts.");
	if (selectors_take(a, j, &out->what, ds))
		return -1;
	return read_variables(a, json_get(j, "variables"), &out->variables, ds);
}

/* --- output_change --- */

/* Writes the known part of an output's new value: as in published plans,
 * nothing at all if everything is unknown. */
static void after_member(struct jw *w, const struct value *v)
{
	if (v->state == VALUE_UNKNOWN)
		return;
	jw_key(w, "after");
	value_known_json(w, v);
}

static void change_members(struct jw *w, const struct output_change *c,
			   bool redact)
{
	static const struct value hidden = {
		.type = &type_string,
		.string = STR_INIT("(sensitive value)"),
	};
	struct arena scratch = ARENA_INIT;
	const struct value *after = value_unmark_deep(&scratch, c->after, NULL);

	jw_key(w, "change");
	jw_object(w);
	jw_key(w, "actions");
	change_actions_json(w, c->action);
	jw_key(w, "before");
	value_known_json(w, redact ? &hidden : c->before);
	after_member(w, redact ? &hidden : after);
	jw_key(w, "after_unknown");
	if (value_wholly_known(after))
		jw_bool(w, false);
	else
		value_unknown_json(w, after);
	jw_member_bool(w, "before_sensitive", c->sensitive);
	jw_member_bool(w, "after_sensitive", c->sensitive);
	jw_object_end(w);
	jw_key(w, "planned");
	value_to_stream(w, redact ? &hidden : c->after);
	arena_release(&scratch);
}

void output_change_write(struct stream_out *o, const struct output_change *c)
{
	struct arena scratch = ARENA_INIT;
	struct jw w = stream_record(o, "output_change",
				    STR_CAT(&scratch, STR("output."), c->name));

	change_members(&w, c, o->redact && c->sensitive);
	stream_record_end(o, &w);
	arena_release(&scratch);
}

void module_output_write(struct stream_out *o, struct str address,
			 const struct value *v)
{
	struct arena scratch = ARENA_INIT;
	struct jw w = stream_record(o, "module_output", address);

	jw_key(&w, "value");
	value_to_stream(&w, o->redact ? change_redacted(&scratch, v) : v);
	stream_record_end(o, &w);
	arena_release(&scratch);
}

int module_output_read(struct arena *a, struct str line, struct str *address,
		       const struct value **v, struct diags *ds)
{
	const struct json *j = stream_parse(a, line, ds);
	const struct json *value = json_get(j, "value");

	if (!j)
		return -1;
	*address = json_get_str(j, "address");
	*v = value ? stream_value(a, value) : NULL;
	if (!address->n || !*v)
		return record_invalid(
			ds, "a module_output has no \"address\" or value");
	return 0;
}

struct str output_change_text(struct arena *a, const struct output_change *c)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	jw_object(&w);
	jw_member_str(&w, "address", STR_CAT(a, STR("output."), c->name));
	change_members(&w, c, false);
	jw_object_end(&w);
	return buf_take(a, &b);
}

int output_change_read(struct arena *a, struct str line,
		       struct output_change *out, struct diags *ds)
{
	static const char prefix[] = "output.";
	struct published p;
	struct json_error err;
	const struct json *planned;
	struct str address;
	int action;

	*out = (struct output_change){ .before = &value_null_dynamic };
	if (published_read(line, &p))
		return record_invalid(
			ds,
			"an output_change is not JSON, or has a member twice");
	address = json_slice_str(a, p.address);
	action = published_action(p.actions);
	if (!str_starts(address, prefix))
		return record_invalid(ds, "its \"address\" is of no output");
	if (action < 0)
		return record_invalid(ds, "its \"actions\" are not known");
	out->action = (enum action)action;
	out->name = str_dup(a, str_sub(address, sizeof(prefix) - 1, address.n));
	planned = p.planned.n ? json_parse(a, p.planned, &err) : NULL;
	out->after = planned ? stream_value(a, planned) : NULL;
	if (out->after)
		return 0;
	return diag_error(ds, NULL, invalid,
			  "The planned value of %.*s cannot be read.",
			  STR_ARG(address));
}
