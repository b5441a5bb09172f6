/* events.c - see events.h */
#include <stdio.h>
#include <stdlib.h>
#include <sys/time.h>
#include <time.h>

#include "base/clock.h"
#include "engine/change/change_int.h"
#include "json/write.h"
#include "stream/stream.h"
#include "engine/change/events.h"

struct event_flight {
	struct events *e;
	struct instance_addr addr;
	struct str deposed;
	const char *key; /* of the id */
	struct str id;   /* may be empty */
	enum action action;
	time_t start; /* rounded to the nearest second, as elapsed times are */
	uint64_t since; /* by clock_ms */
	struct loop_timer *timer;
};

struct event_words {
	const char *name, *start, *progress, *noun;
};

static const struct event_words words[] = {
	[ACTION_NOOP] = { "noop", "Applying", "applying", "Apply" },
	[ACTION_CREATE] = { "create", "Creating", "creating", "Creation" },
	[ACTION_READ] = { "read", "Refreshing", "refreshing", "Refresh" },
	[ACTION_UPDATE] = { "update", "Modifying", "modifying",
			    "Modifications" },
	[ACTION_DELETE_CREATE] = { "replace", "Replacing", "replacing",
				   "Replacement" },
	[ACTION_CREATE_DELETE] = { "replace", "Replacing", "replacing",
				   "Replacement" },
	[ACTION_FORGET_CREATE] = { "noop", "Applying", "applying", "Apply" },
	[ACTION_DELETE] = { "delete", "Destroying", "destroying",
			    "Destruction" },
	[ACTION_FORGET] = { "remove", "Removing", "removing", "Removal" },
	[ACTION_OPEN] = { "noop", "Applying", "applying", "Apply" },
};

void events_init(struct events *e, struct arena *a, struct stream_out *out,
		 struct loop *loop)
{
	*e = (struct events){
		.arena = a,
		.out = out,
		.loop = loop,
		.progress_ms = 10000,
		.progress_due = clock_ms() + EVENT_PROGRESS_MS,
	};
}

/* --- framing --- */

static void flush(void *data)
{
	struct events *e = data;
	uint64_t now = clock_ms();

	if (!e->soon && loop_busy(e->loop) && now < e->flushed_ms + 10) {
		events_flush_later(e);
		return;
	}
	e->soon = false;
	e->flushed_ms = now;
	out_flush(&e->out->out);
}

void events_flush_soon(struct events *e)
{
	e->soon = true;
	events_flush_later(e);
}

void events_flush_later(struct events *e)
{
	loop_at_turn_end(e->loop, flush, e);
}

static void write_second(struct events *e, time_t now)
{
	struct tm tm;
	long off;

	localtime_r(&now, &tm);
	off = tm.tm_gmtoff / 60;
	strftime(e->date, sizeof(e->date), "%Y-%m-%dT%H:%M:%S", &tm);
	if (off == 0)
		snprintf(e->zone, sizeof(e->zone), "Z");
	else
		snprintf(e->zone, sizeof(e->zone), "%c%02ld:%02ld",
			 off < 0 ? '-' : '+', labs(off) / 60 % 100,
			 labs(off) % 60);
	e->second = (long)now;
}

/* 2006-01-02T15:04:05.000000Z, or with the offset of the local zone */
static struct str timestamp(struct events *e, char *buf, size_t size)
{
	struct timeval tv;
	size_t date, zone;
	long rest;

	gettimeofday(&tv, NULL);
	if (!e->date[0] || e->second != (long)tv.tv_sec)
		write_second(e, tv.tv_sec);
	date = strlen(e->date);
	zone = strlen(e->zone);
	if (date + 7 + zone > size)
		return STR_NONE;
	memcpy(buf, e->date, date);
	buf[date] = '.';
	rest = (long)tv.tv_usec;
	for (size_t i = date + 6; i > date; i--, rest /= 10)
		buf[i] = (char)('0' + rest % 10);
	memcpy(buf + date + 7, e->zone, zone);
	return (struct str){ buf, date + 7 + zone };
}

void event_members(struct events *e, struct jw *w, struct str message)
{
	char when[64];

	jw_key(w, "@level");
	jw_cstr(w, "info");
	jw_member_str(w, "@message", message);
	jw_key(w, "@module");
	jw_cstr(w, "tofu.ui");
	jw_member_str(w, "@timestamp", timestamp(e, when, sizeof(when)));
}

static struct jw begin_for(struct events *e, struct str deposed,
			   struct str message)
{
	struct jw w = stream_record(e->out, "event", STR_NONE);

	if (deposed.n)
		jw_member_str(&w, "deposed", deposed);
	event_members(e, &w, message);
	return w;
}

struct jw event_begin(struct events *e, struct str message)
{
	return begin_for(e, STR_NONE, message);
}

void event_end(struct events *e, struct jw *w, const char *type)
{
	if (type) {
		jw_key(w, "type");
		jw_cstr(w, type);
	}
	stream_record_end(e->out, w);
	events_flush_later(e);
}

/* --- hooks --- */

static void event_resource(struct jw *w, const char *name,
			   const struct instance_addr *i)
{
	struct instance_addr local = *i;
	struct buf b = BUF_INIT;

	local.module = (struct module_addr){ NULL, 0 };
	jw_key(w, name);
	jw_object(w);
	instance_addr_print(&b, i);
	jw_member_str(w, "addr", buf_view(&b));
	buf_set_len(&b, 0);
	module_addr_print(&b, i->module);
	jw_member_str(w, "module", b.len ? buf_view(&b) : STR(""));
	buf_set_len(&b, 0);
	instance_addr_print(&b, &local);
	jw_member_str(w, "resource", buf_view(&b));
	jw_member_str(w, "implied_provider",
		      addr_implied_provider(i->resource.type));
	jw_member_str(w, "resource_type", i->resource.type);
	jw_member_str(w, "resource_name", i->resource.name);
	jw_key(w, "resource_key");
	if (i->key.kind == KEY_INT)
		jw_int(w, i->key.i);
	else if (i->key.kind == KEY_STRING)
		jw_str(w, i->key.s);
	else
		jw_null(w);
	jw_object_end(w);
	buf_release(&b);
}

static void begin_hook(struct jw *w, const struct instance_addr *i)
{
	jw_key(w, "hook");
	jw_object(w);
	event_resource(w, "resource", i);
}

static struct jw hook_for(struct events *e, const struct instance_addr *i,
			  struct str deposed, struct str rest)
{
	struct buf b = BUF_INIT;
	struct jw w;

	instance_addr_print(&b, i);
	buf_str(&b, rest);
	w = begin_for(e, deposed, buf_view(&b));
	buf_release(&b);
	begin_hook(&w, i);
	return w;
}

/* An event about an instance: the message is "ADDR" and what follows it; the
 * `hook` object is open. */
static struct jw event_hook(struct events *e, const struct instance_addr *i,
			    struct str rest)
{
	return hook_for(e, i, STR_NONE, rest);
}

/* The attribute that people know an object by: NULL if it has none that may be
 * shown. */
static const struct value *attr_shown(const struct value *v, const char *name)
{
	const struct value *m = value_get(v, str_c(name));

	if (!m || m->type != &type_string || !value_usable(m) ||
	    value_has_mark(m, MARK_SENSITIVE) ||
	    value_has_mark(m, MARK_EPHEMERAL))
		return NULL;
	return m;
}

static bool has_string(const struct value *v, const char *name)
{
	int i = type_attr_index(v->type, str_c(name));

	return i >= 0 && v->type->attrs[i].type == &type_string;
}

static bool map_of_strings(const struct value *v, const char *name)
{
	int i = type_attr_index(v->type, str_c(name));

	return i >= 0 && v->type->attrs[i].type->kind == TYPE_MAP &&
	       v->type->attrs[i].type->elem == &type_string;
}

static const struct value *tag_name(const struct value *v, const char **key)
{
	const struct value *tags = value_get(v, STR("tags"));
	const struct value *m = NULL;

	if (!tags || !value_usable(tags) || !value_wholly_known(tags) ||
	    value_has_mark(tags, MARK_SENSITIVE))
		return NULL;
	*key = "tags.name";
	if (value_get(tags, STR("name")))
		m = attr_shown(tags, "name");
	else if (value_get(tags, STR("Name"))) {
		*key = "tags.Name";
		m = attr_shown(tags, "Name");
	}
	return m;
}

/* "id", else "name"; with `or_name` also a tag.  The first of them that the
 * type has decides, even if it cannot be shown. */
static const struct value *object_id(const struct value *v, bool or_name,
				     const char **key)
{
	const struct value *m = NULL;

	if (!v || !value_usable(v) || v->type->kind != TYPE_OBJECT)
		return NULL;
	if (has_string(v, "id"))
		m = attr_shown(v, *key = "id");
	else if (has_string(v, "name"))
		m = attr_shown(v, *key = "name");
	if (m || !or_name)
		return m;
	if (has_string(v, "name"))
		return attr_shown(v, *key = "name");
	if (map_of_strings(v, "tags"))
		return tag_name(v, key);
	return NULL;
}

static void id_text(struct buf *b, const char *key, const struct value *id)
{
	if (id && id->string.n)
		buf_addf(b, " [%s=%.*s]", key, STR_ARG(id->string));
}

static void id_members(struct jw *w, const char *key, struct str id)
{
	if (id.n) {
		jw_member_str(w, "id_key", str_c(key));
		jw_member_str(w, "id_value", id);
	}
}

static struct str string_of(const struct value *id)
{
	return id ? id->string : STR_NONE;
}

void event_refresh(struct events *e, const struct instance_addr *addr,
		   struct str deposed, const struct value *object, bool done)
{
	const char *key = NULL;
	const struct value *id = object_id(object, false, &key);
	struct buf text = BUF_INIT;
	struct jw w;

	buf_puts(&text, done ? ": Refresh complete" : ": Refreshing state...");
	id_text(&text, key, id);
	w = hook_for(e, addr, deposed, buf_view(&text));
	buf_release(&text);
	id_members(&w, key, string_of(id));
	jw_object_end(&w);
	event_end(e, &w, done ? "refresh_complete" : "refresh_start");
}

/* The attribute that best names an identity: as of other objects, else its
 * first string. */
static const struct value *identity_id(const struct value *v, const char **key)
{
	const struct value *id = object_id(v, true, key);

	if (id || !v || !value_usable(v) || v->type->kind != TYPE_OBJECT)
		return id;
	for (uint32_t i = 0; !id && i < v->type->len; i++)
		id = attr_shown(v, *key = v->type->attrs[i].name.p);
	return id;
}

void event_import(struct events *e, const struct instance_addr *addr,
		  const char *what, struct str id, const struct value *identity)
{
	const char *key = NULL;
	const struct value *shown = identity_id(identity, &key);
	struct buf text = BUF_INIT;
	struct jw w;

	if (addr)
		instance_addr_print(&text, addr);
	buf_puts(&text, what);
	if (id.n)
		buf_addf(&text, " [id=%.*s]", STR_ARG(id));
	else
		id_text(&text, key, shown);
	w = event_begin(e, buf_view(&text));
	event_end(e, &w, "note");
	buf_release(&text);
}

void event_deferred(struct events *e, const struct instance_addr *addr,
		    const char *reason)
{
	struct buf text = BUF_INIT;
	struct jw w;

	instance_addr_print(&text, addr);
	buf_addf(&text, ": Deferred due to %s", reason);
	w = event_begin(e, buf_view(&text));
	event_end(e, &w, "note");
	buf_release(&text);
}

static time_t rounded_now(void)
{
	struct timeval tv;

	gettimeofday(&tv, NULL);
	return tv.tv_sec + (tv.tv_usec >= 500000);
}

static time_t elapsed(const struct event_flight *f)
{
	time_t now = rounded_now();

	return now > f->start ? now - f->start : 0;
}

static void action_member(struct jw *w, enum action a)
{
	jw_key(w, "action");
	jw_cstr(w, words[a].name);
}

static void progress(void *data)
{
	struct event_flight *f = data;
	struct buf b = BUF_INIT;
	time_t t = elapsed(f);
	struct jw w = stream_record(f->e->out, "event", STR_NONE);

	if (f->deposed.n)
		jw_member_str(&w, "deposed", f->deposed);
	/* for people: programs do not get what comes before the message */
	id_members(&w, f->key, f->id);
	instance_addr_print(&b, &f->addr);
	buf_addf(&b, ": Still %s... [", words[f->action].progress);
	buf_seconds(&b, t);
	buf_puts(&b, " elapsed]");
	event_members(f->e, &w, buf_view(&b));
	begin_hook(&w, &f->addr);
	action_member(&w, f->action);
	jw_member_int(&w, "elapsed_seconds", t);
	jw_object_end(&w);
	event_end(f->e, &w, "apply_progress");
	buf_release(&b);
	f->timer = loop_after(f->e->loop, f->e->progress_ms, progress, f);
}

struct event_flight *event_start(struct events *e,
				 const struct instance_addr *addr,
				 struct str deposed, enum action a,
				 const struct value *prior)
{
	struct event_flight *f = ARENA_NEW(e->arena, struct event_flight);
	const char *key = "";
	const struct value *id = object_id(prior, true, &key);
	struct buf b = BUF_INIT;
	struct jw w;

	*f = (struct event_flight){ .e = e,
				    .addr = *addr,
				    .deposed = deposed,
				    .key = key,
				    .id = str_dup(e->arena, string_of(id)),
				    .action = a,
				    .start = rounded_now(),
				    .since = clock_ms() };
	buf_addf(&b, ": %s...", words[a].start);
	id_text(&b, key, id);
	w = hook_for(e, addr, deposed, buf_view(&b));
	action_member(&w, a);
	id_members(&w, key, string_of(id));
	jw_object_end(&w);
	event_end(e, &w, "apply_start");
	buf_release(&b);
	f->timer = loop_after(e->loop, e->progress_ms, progress, f);
	return f;
}

static void count(struct event_counts *c, enum action a)
{
	c->add += a == ACTION_CREATE;
	c->change += a == ACTION_UPDATE;
	c->remove += a == ACTION_DELETE;
}

static void end_flight(struct event_flight *f)
{
	loop_cancel(f->timer);
	events_took(f->e, &f->addr, f->deposed, words[f->action].name,
		    f->since);
}

void event_complete(struct event_flight *f, const struct value *state)
{
	const char *key = "";
	const struct value *id = object_id(state, false, &key);
	struct buf b = BUF_INIT;
	time_t t = elapsed(f);
	struct jw w;

	end_flight(f);
	count(&f->e->counts, f->action);
	buf_addf(&b, ": %s complete after ", words[f->action].noun);
	buf_seconds(&b, t);
	id_text(&b, key, id);
	w = hook_for(f->e, &f->addr, f->deposed, buf_view(&b));
	action_member(&w, f->action);
	id_members(&w, key, string_of(id));
	jw_member_int(&w, "elapsed_seconds", t);
	jw_object_end(&w);
	event_end(f->e, &w, "apply_complete");
	buf_release(&b);
}

void event_errored(struct event_flight *f)
{
	struct buf b = BUF_INIT;
	time_t t = elapsed(f);
	struct jw w;

	end_flight(f);
	buf_addf(&b, ": %s errored after ", words[f->action].noun);
	buf_seconds(&b, t);
	w = hook_for(f->e, &f->addr, f->deposed, buf_view(&b));
	action_member(&w, f->action);
	jw_member_int(&w, "elapsed_seconds", t);
	jw_object_end(&w);
	event_end(f->e, &w, "apply_errored");
	buf_release(&b);
}

void event_abandon(struct event_flight *f)
{
	loop_cancel(f->timer);
}

/* --- provisioners and ephemeral resources --- */

void event_provision_start(struct events *e, const struct instance_addr *addr,
			   struct str provisioner)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": Provisioning with '%.*s'...", STR_ARG(provisioner));
	w = event_hook(e, addr, buf_view(&b));
	jw_member_str(&w, "provisioner", provisioner);
	jw_object_end(&w);
	event_end(e, &w, "provision_start");
	buf_release(&b);
}

static void output_line(struct events *e, const struct instance_addr *addr,
			struct str provisioner, struct str line)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": (%.*s): %.*s", STR_ARG(provisioner), STR_ARG(line));
	w = event_hook(e, addr, buf_view(&b));
	jw_member_str(&w, "provisioner", provisioner);
	jw_member_str(&w, "output", line);
	jw_object_end(&w);
	event_end(e, &w, "provision_progress");
	buf_release(&b);
}

void event_provision_output(struct events *e, const struct instance_addr *addr,
			    struct str provisioner, struct str text)
{
	while (text.n) {
		struct str line = text;
		size_t n = 0;

		while (n < text.n && text.p[n] != '\n' && text.p[n] != '\r')
			n++;
		line.n = n;
		while (line.n && strchr(" \t\v\f", line.p[line.n - 1]))
			line.n--;
		if (line.n)
			output_line(e, addr, provisioner, line);
		text = str_sub(text, n + (n < text.n), text.n);
	}
}

void event_provision_end(struct events *e, const struct instance_addr *addr,
			 struct str provisioner, bool failed)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": (%.*s) Provisioning %s", STR_ARG(provisioner),
		 failed ? "errored" : "complete");
	w = event_hook(e, addr, buf_view(&b));
	jw_member_str(&w, "provisioner", provisioner);
	jw_object_end(&w);
	event_end(e, &w, failed ? "provision_errored" : "provision_complete");
	buf_release(&b);
}

void event_ephemeral(struct events *e, const struct instance_addr *addr,
		     const char *message, bool complete)
{
	struct buf b = BUF_INIT;
	struct jw w;

	buf_addf(&b, ": %s", message);
	w = event_hook(e, addr, buf_view(&b));
	jw_key(&w, "Msg");
	jw_cstr(&w, message);
	jw_object_end(&w);
	event_end(e, &w,
		  complete ? "ephemeral_action_complete"
			   : "ephemeral_action_started");
	buf_release(&b);
}
