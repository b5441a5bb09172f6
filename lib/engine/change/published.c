/*
 * published.c - see change_int.h: `resource_change` and `resource_drift`,
 * written and read
 */
#include "engine/change/record.h"
#include "addr/provider.h"
#include "engine/change/change_int.h"
#include "engine/change/change.h"
#include "json/read.h"
#include "json/write.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/value.h"
#include "value/path.h"

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

static void write_members(struct jw *w, struct arena *a, const struct change *c,
			  const struct change_shown *s)
{
	address_members(w, a, c);
	change_member(w, c, s);
	if (c->reason != REASON_NONE) {
		jw_key(w, "action_reason");
		jw_cstr(w, reason_name(c->reason));
	}
	if (c->unread)
		jw_member_bool(w, "refreshed", false);
}

void change_put_published(struct stream_out *o, const char *kind,
			  const struct change *c, const struct change_shown *s)
{
	struct arena scratch = ARENA_INIT;
	struct jw w =
		stream_record(o, kind, instance_addr_text(&scratch, &c->addr));

	write_members(&w, &scratch, c, s);
	stream_record_end(o, &w);
	arena_release(&scratch);
}

struct str change_published_text(struct arena *a, const struct change *c,
				 const struct change_shown *s)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	jw_object(&w);
	jw_member_str(&w, "address", instance_addr_text(a, &c->addr));
	write_members(&w, a, c, s);
	jw_object_end(&w);
	return buf_take(a, &b);
}

/* --- reading --- */

#define FIELD(member) \
	{ \
		STR_INIT(#member), offsetof(struct published, member), -1, \
			NULL \
	}

#define LIKE(member, other) \
	{ \
		STR_INIT(#member), offsetof(struct published, member), \
			offsetof(struct published, other), NULL \
	}

/* What does not change has the same twice. */
static const struct member_field change_fields[] = {
	FIELD(actions),          FIELD(before),
	LIKE(after, before),     FIELD(after_unknown),
	FIELD(before_sensitive), LIKE(after_sensitive, before_sensitive),
	FIELD(replace_paths),    FIELD(importing),
	FIELD(generated_config), FIELD(before_identity),
	FIELD(after_identity),   MEMBER_FIELDS_END,
};

static const struct member_field record_fields[] = {
	FIELD(address),
	FIELD(previous_address),
	FIELD(module_address),
	FIELD(mode),
	FIELD(type),
	FIELD(name),
	FIELD(index),
	FIELD(provider_name),
	FIELD(deposed),
	FIELD(action_reason),
	FIELD(refreshed),
	{ STR_INIT("change"), offsetof(struct published, change), -1,
	  change_fields },
	FIELD(planned),
	MEMBER_FIELDS_END,
};

/* Without a call for names of 4 to 16 bytes, some of them compared twice. */
static inline bool same_name(struct str x, struct str y)
{
	uint64_t a[2], b[2];
	uint32_t c[2], d[2];

	if (x.n != y.n)
		return false;
	if (x.n < 4 || x.n > 16)
		return str_eq(x, y);
	if (x.n < 8) {
		memcpy(&c[0], x.p, 4);
		memcpy(&c[1], x.p + x.n - 4, 4);
		memcpy(&d[0], y.p, 4);
		memcpy(&d[1], y.p + x.n - 4, 4);
		return c[0] == d[0] && c[1] == d[1];
	}
	memcpy(&a[0], x.p, 8);
	memcpy(&a[1], x.p + x.n - 8, 8);
	memcpy(&b[0], y.p, 8);
	memcpy(&b[1], y.p + x.n - 8, 8);
	return a[0] == b[0] && a[1] == b[1];
}

/* Members come in the order of the table, mostly. */
static const struct member_field *field_named(const struct member_field *all,
					      const struct member_field *next,
					      struct str name)
{
	const struct member_field *f = next;

	while (f->name.n && !same_name(f->name, name))
		f++;
	if (f->name.n)
		return f;
	for (f = all; f < next && !str_eq(f->name, name); f++)
		;
	return f < next ? f : NULL;
}

static int read_members(struct json_scan *in, const struct member_field *fields,
			void *out);

/* A member that has members of its own is gone into on the way: each byte is
 * looked at once. */
static int read_member(struct json_scan *in, const struct member_field *f,
		       void *out)
{
	struct str *at = (struct str *)(void *)((char *)out + f->at);
	struct str like = STR_NONE;
	const char *from;

	if (at->p) /* which of two is meant nobody could tell */
		return -1;
	if (!f->inside || json_scan_peek(in) != '{') {
		if (f->like >= 0)
			like = *(struct str *)(void *)((char *)out + f->like);
		return json_scan_like(in, like, at);
	}
	from = in->p;
	if (read_members(in, f->inside, out))
		return -1;
	*at = (struct str){ from, (size_t)(in->p - from) };
	return 0;
}

static int read_members(struct json_scan *in, const struct member_field *fields,
			void *out)
{
	const struct member_field *f, *next = fields;
	bool first = true;
	struct str name;
	int rc;

	if (json_scan_open(in, '{'))
		return -1;
	while ((rc = json_scan_member(in, &first, &name)) == 1) {
		f = field_named(fields, next, name);
		if (f ? read_member(in, f, out) : json_scan_value(in, NULL))
			return -1;
		next = f ? f + 1 : next;
	}
	return rc;
}

int change_members_read(struct str line, const struct member_field *fields,
			void *out)
{
	struct arena a = ARENA_INIT; /* for names with escapes */
	struct json_scan in = json_scan_start(&a, line);
	const int rc = read_members(&in, fields, out);

	arena_release(&a);
	return rc;
}

int published_read(struct str line, struct published *out)
{
	*out = (struct published){ 0 };
	return change_members_read(line, record_fields, out);
}

struct published published_of_copy(const struct published *p, struct str line,
				   struct str copy)
{
	struct published out = *p;
	struct str *texts = (struct str *)(void *)&out;

	for (size_t i = 0; i < sizeof(out) / sizeof(*texts); i++)
		if (texts[i].p)
			texts[i].p = copy.p + (texts[i].p - line.p);
	return out;
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

/* --- comparing --- */

/* Both as values of the JSON's own types: 1.0 and 1, or other spacing, are no
 * difference. */
bool published_same_json(struct arena *a, struct str x, struct str y)
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

static const char *differs(struct arena *a, const struct member_field *f,
			   const void *x, const void *y)
{
	const char *name = NULL;

	for (; f->name.n && !name; f++) {
		const struct str s =
			*(const struct str *)(const void *)((const char *)x +
							    f->at);
		const struct str t =
			*(const struct str *)(const void *)((const char *)y +
							    f->at);

		if (f->inside)
			name = differs(a, f->inside, x, y);
		else if (!s.p != !t.p || !published_same_json(a, s, t))
			name = f->name.p;
	}
	return name;
}

const char *published_differs(struct arena *a, const struct published *x,
			      const struct published *y)
{
	struct published p = *x, q = *y;

	p.action_reason = q.action_reason = STR_NONE;
	p.refreshed = q.refreshed = STR_NONE;
	return differs(a, record_fields, &p, &q);
}
