/*
 * planned_record.c - the record `planned`, written and read
 *
 * Both use one table of its members, each of which is a field of a change.
 */
#include <stddef.h>

#include "addr/provider.h"
#include "addr/walk.h"
#include "engine/change/change_int.h"
#include "base/base64.h"
#include "engine/change/change.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/path.h"

enum planned_kind {
	FIELD_TEXT,  /* struct str */
	FIELD_BYTES, /* the same, as base64 */
	FIELD_TEXTS, /* struct dependencies */
	FIELD_BOOL,
	FIELD_ACTION,   /* its name */
	FIELD_ADDRESS,  /* struct instance_addr */
	FIELD_PROVIDER, /* struct provider_config_addr */
	FIELD_PATHS,    /* struct path_vec */
	FIELD_VALUE,    /* const struct value *, with its type */
};

struct planned_field {
	const char *name;
	enum planned_kind kind;
	size_t at;   /* in a change */
	size_t text; /* in struct planned_texts */
};

#define FIELD(name_, kind_, member_) \
	{ \
#name_, FIELD_##kind_, offsetof(struct change, member_), \
			offsetof(struct planned_texts, name_) \
	}

/* In the order of the record.  Empty, false and null members are left out. */
static const struct planned_field fields[] = {
	FIELD(address, ADDRESS, addr),
	FIELD(deposed, TEXT, deposed),
	FIELD(action, ACTION, action),
	FIELD(provider, PROVIDER, provider),
	FIELD(previous_address, ADDRESS, prev_addr),
	FIELD(planned_private, BYTES, planned_private),
	FIELD(required_replace, PATHS, required_replace),
	FIELD(planned_identity, VALUE, planned_identity),
	FIELD(import_id, TEXT, import_id),
	FIELD(import_identity, VALUE, import_identity),
	FIELD(create_before_destroy, BOOL, create_before_destroy),
	FIELD(dependencies, TEXTS, dependencies),
	FIELD(planned, VALUE, after),
};
enum { NFIELDS = sizeof(fields) / sizeof(*fields) };

/* --- writing --- */

static void write_text(struct jw *w, const char *name, struct str s)
{
	if (s.n)
		jw_member_str(w, name, s);
}

static void write_texts(struct jw *w, const char *name,
			const struct dependencies *l)
{
	if (!l->len)
		return;
	jw_key(w, name);
	jw_array(w);
	for (size_t i = 0; i < l->len; i++)
		jw_str(w, l->items[i]);
	jw_array_end(w);
}

static void write_paths(struct jw *w, const char *name,
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

static void write_value(struct jw *w, const char *name, const struct value *v)
{
	if (!v || value_is_null(v))
		return;
	jw_key(w, name);
	value_to_stream(w, v);
}

static void write_field(struct jw *w, struct arena *a,
			const struct planned_field *f, const struct change *c)
{
	const void *at = (const char *)c + f->at;
	const struct instance_addr *addr = at;

	switch (f->kind) {
	case FIELD_TEXT:
		write_text(w, f->name, *(const struct str *)at);
		break;
	case FIELD_BYTES:
		write_text(w, f->name,
			   base64_encode(a, *(const struct str *)at));
		break;
	case FIELD_TEXTS:
		write_texts(w, f->name, at);
		break;
	case FIELD_BOOL:
		if (*(const bool *)at)
			jw_member_bool(w, f->name, true);
		break;
	case FIELD_ACTION:
		write_text(w, f->name,
			   str_c(action_name(*(const enum action *)at)));
		break;
	case FIELD_ADDRESS:
		if (addr->resource.type.n)
			write_text(w, f->name, instance_addr_text(a, addr));
		break;
	case FIELD_PROVIDER:
		write_text(w, f->name, provider_config_text(a, at));
		break;
	case FIELD_PATHS:
		write_paths(w, f->name, at);
		break;
	case FIELD_VALUE:
		write_value(w, f->name, *(const struct value *const *)at);
		break;
	}
}

void change_put_planned(struct stream_out *o, const struct change *c,
			const struct change_shown *s)
{
	struct arena scratch = ARENA_INIT;
	struct change out = *c;
	struct jw w;

	if (instance_addr_equal(&c->prev_addr, &c->addr))
		out.prev_addr = (struct instance_addr){ .key = KEY_ABSENT };
	if (o->redact) {
		out.planned_private = STR_NONE;
		out.after = s->after_text;
	}
	w = stream_record(o, "planned", STR_NONE);
	for (size_t i = 0; i < NFIELDS; i++)
		write_field(&w, &scratch, &fields[i], &out);
	stream_record_end(o, &w);
	arena_release(&scratch);
}

/* --- reading --- */

/* Only the value is kept: the tree it is read from is several times as large.
 */
static const struct value *read_value(struct change_reader *r, struct str text)
{
	struct arena scratch = ARENA_INIT;
	struct verror err = { .message = STR_NONE };
	const struct json *j = json_slice_tree(&scratch, text, NULL);
	const struct value *v = j ? value_from_stream(&scratch, j, &err) : NULL;

	if (v)
		v = value_copy(r->arena, v);
	else if (j)
		r->why = verror_text(r->arena, &err);
	else
		r->why = STR("it is no object");
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

static int read_texts(struct arena *a, struct str text,
		      struct dependencies *out)
{
	struct json_error err;
	const struct json *j = json_parse(a, text, &err);
	struct str_vec texts = { 0 };

	if (!j || json_texts(a, j, &texts))
		return -1;
	*out = (struct dependencies){ texts.items, texts.len };
	return 0;
}

/* Takes the error in an address as the reason why the member is wrong. */
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
		if (told(r,
			 provider_config_parse(r->arena, text, &r->provider,
					       &ds),
			 &ds) < 0)
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

	return told(r,
		    instance_addr_parse(r->arena, str_dup(r->arena, text), out,
					&ds),
		    &ds);
}

/* Returns -1 when it is not what it should be. */
static int read_field(struct change_reader *r, const struct planned_field *f,
		      struct str json, struct change *c)
{
	void *at = (char *)c + f->at;
	struct arena *a = r->arena;
	struct str text = json_slice_str(a, json);

	switch (f->kind) {
	case FIELD_TEXT:
		*(struct str *)at = str_dup(a, text);
		return 0;
	case FIELD_BYTES:
		return base64_decode(a, text, at) ? 0 : -1;
	case FIELD_TEXTS:
		return read_texts(a, json, at);
	case FIELD_BOOL:
		*(bool *)at = str_is(json, "true");
		return 0;
	case FIELD_ACTION:
		return (int)(*(enum action *)at =
				     (enum action)action_from_name(text));
	case FIELD_ADDRESS:
		return read_address(r, text, at);
	case FIELD_PROVIDER:
		return read_provider(r, text, at);
	case FIELD_PATHS:
		return read_paths(a, json, at);
	case FIELD_VALUE:
		return (*(const struct value **)at = read_value(r, json)) ? 0
									  : -1;
	}
	return -1;
}

#define TEXT(member) \
	{ \
		STR_INIT(#member), offsetof(struct planned_texts, member), -1, \
			NULL \
	}

static const struct member_field value_texts[] = {
	{ STR_INIT("value"), offsetof(struct planned_texts, value),
	  offsetof(struct planned_texts, likely), NULL },
	TEXT(unknown),
	TEXT(sensitive),
	TEXT(numbers),
	MEMBER_FIELDS_END,
};

static const struct member_field record_texts[] = {
	TEXT(address),
	TEXT(deposed),
	TEXT(action),
	TEXT(provider),
	TEXT(previous_address),
	TEXT(planned_private),
	TEXT(required_replace),
	TEXT(planned_identity),
	TEXT(import_id),
	TEXT(import_identity),
	TEXT(create_before_destroy),
	TEXT(dependencies),
	{ STR_INIT("planned"), offsetof(struct planned_texts, planned), -1,
	  value_texts },
	MEMBER_FIELDS_END,
};

int planned_texts_read(struct str line, struct str likely,
		       struct planned_texts *out)
{
	*out = (struct planned_texts){ .likely = likely };
	return change_members_read(line, record_texts, out);
}

/* Reports what is missing. */
static int complete(const struct change *c, const struct planned_texts *t,
		    struct diags *ds)
{
	const char *missing = !t->address.n                  ? "address"
			      : (int)c->action < 0           ? "action"
			      : !c->provider.provider.type.n ? "provider"
							     : NULL;

	return missing ? change_unreadable(ds, "planned", false, missing) : 0;
}

int change_from_planned(struct change_reader *r, const struct planned_texts *t,
			struct change *c, struct diags *ds)
{
	*c = (struct change){ .action = (enum action) - 1,
			      .before = &value_null_dynamic,
			      .after = &value_null_dynamic };
	for (size_t i = 0; i < NFIELDS; i++) {
		const struct planned_field *f = &fields[i];
		const struct str text =
			*(const struct str *)(const void *)((const char *)t +
							    f->text);

		if (!text.p || read_field(r, f, text, c) >= 0)
			continue;
		return diag_error(
			ds, NULL, CHANGE_WRONG,
			"The planned record of %.*s has an invalid \"%s\"%s%.*s.",
			STR_ARG(json_slice_str(r->arena, t->address)), f->name,
			r->why.n ? ": " : "", STR_ARG(r->why));
	}
	if (!c->prev_addr.resource.type.n)
		c->prev_addr = c->addr;
	return complete(c, t, ds);
}
