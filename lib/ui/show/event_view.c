/*
 * event_view.c - progress: `event` records as text and as the -json UI stream
 *
 * Source of the texts: what OpenTofu 1.12.6 prints while it applies; scripts
 * match them.
 */
#include <stdio.h>

#include "ui/show/show.h"
#include "base/visible.h"
#include "json/tree.h"
#include "ui/view.h"
#include "json/read.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/convert.h"
#include "value/value.h"
#include "value/type.h"

/* Returns the event within a record: it begins at the first member that all
 * have. */
static struct str event_part(struct str line)
{
	struct json_slice s = JSON_SLICE_INIT(line);

	while (json_slice_next(&s))
		if (str_is(s.name, "@level"))
			return str_sub(line, (size_t)(s.name.p - 1 - line.p),
				       line.n);
	return STR_NONE;
}

void event_json(struct view *v, struct str line)
{
	struct str event = event_part(line);

	if (!event.n || str_ends(line, ",\"type\":\"note\"}"))
		return;
	out_write(v->out, "{", 1);
	out_str(v->out, event);
	out_write(v->out, "\n", 1);
}

/* The text of each kind of event after the address; %s: the id suffix. */
struct phrase {
	const char *type, *action, *text;
};

static const struct phrase phrases[] = {
	{ "apply_start", "create", "Creating..." },
	{ "apply_start", "update", "Modifying..." },
	{ "apply_start", "delete", "Destroying..." },
	{ "apply_start", "read", "Reading..." },
	{ "apply_progress", "create", "Still creating..." },
	{ "apply_progress", "update", "Still modifying..." },
	{ "apply_progress", "delete", "Still destroying..." },
	{ "apply_progress", "read", "Still reading..." },
	{ "apply_complete", "create", "Creation complete" },
	{ "apply_complete", "update", "Modifications complete" },
	{ "apply_complete", "delete", "Destruction complete" },
	{ "apply_complete", "read", "Read complete" },
	{ "refresh_start", NULL, "Refreshing state..." },
	{ NULL, NULL, NULL },
};

static const char *phrase_for(struct str type, struct str action)
{
	for (const struct phrase *p = phrases; p->type; p++)
		if (str_is(type, p->type) &&
		    (!p->action || str_is(action, p->action)))
			return p->text;
	return NULL;
}

/* The first n characters of s. */
static struct str first_runes(struct str s, size_t n)
{
	size_t at = 0;

	while (n-- && at < s.n) {
		const size_t len = utf8_len(s.p + at, s.n - at);

		at += len ? len : 1;
	}
	return str_sub(s, 0, at);
}

enum { ID_LONGEST = 80, ID_LEFT = 39, ID_RIGHT = 38 };

static void put_id(struct buf *b, const struct json *from)
{
	buf_addf(b, "%.*s=%.*s", STR_ARG(json_get_str(from, "id_key")),
		 STR_ARG(json_get_str(from, "id_value")));
}

/* A long one is cut in the middle. */
static void put_id_cut(struct buf *b, const struct json *from)
{
	const struct str id = json_get_str(from, "id_value");
	size_t n = 0;

	for (size_t i = 0; i < id.n; i++)
		n += ((unsigned char)id.p[i] & 0xc0) != 0x80;
	if (n <= ID_LONGEST) {
		put_id(b, from);
		return;
	}
	buf_addf(b, "%.*s=%.*s...", STR_ARG(json_get_str(from, "id_key")),
		 STR_ARG(first_runes(id, ID_LEFT)));
	buf_str(b, str_sub(id, first_runes(id, n - ID_RIGHT).n, id.n));
}

static void put_bold(struct view *v, struct str text)
{
	if (v->style.color)
		out_str(v->out, STR(PAINT_PLAIN PAINT_BOLD));
	out_str(v->out, text);
	if (v->style.color)
		out_str(v->out, STR(PAINT_PLAIN));
	out_str(v->out, STR("\n"));
}

/* Nothing in it begins another line. */
static void put_line(struct view *v, struct str text)
{
	struct buf line = BUF_INIT;

	visible_line(&line, text);
	put_bold(v, buf_view(&line));
	buf_release(&line);
}

/* A line of a provisioner's output, behind what names it. */
static void put_said(struct view *v, struct str name, struct str line)
{
	const enum out_form form = v->out->form;

	if (!v->raw_provisioners) {
		put_bold(v, STR_CAT(v->arena, name, line));
		return;
	}
	if (v->style.color)
		out_str(v->out, STR(PAINT_PLAIN PAINT_BOLD));
	out_str(v->out, name);
	out_flush(v->out);
	v->out->form = OUT_DATA;
	out_str(v->out, line);
	out_flush(v->out);
	v->out->form = form;
	out_str(v->out, v->style.color ? STR(PAINT_PLAIN "\n") : STR("\n"));
}

static void provision_text(struct view *v, const struct shown_event *e)
{
	struct str by = json_get_str(e->hook, "provisioner");
	struct str text = json_get_str(e->hook, "output");
	struct buf b = BUF_INIT;

	if (str_is(e->type, "provision_start")) {
		buf_str(&b, e->address);
		buf_addf(&b, ": Provisioning with '%.*s'...", STR_ARG(by));
		put_line(v, buf_view(&b));
	}
	while (str_is(e->type, "provision_progress") && text.n) {
		ptrdiff_t nl = str_chr(text, '\n');
		struct str line = nl < 0 ? text : str_sub(text, 0, (size_t)nl);

		text = nl < 0 ? STR("") : str_sub(text, (size_t)nl + 1, text.n);
		while (line.n && (unsigned char)line.p[line.n - 1] <= ' ')
			line.n--;
		if (!line.n)
			continue;
		buf_set_len(&b, 0);
		visible_line(&b, e->address);
		buf_puts(&b, " (");
		visible_line(&b, by);
		buf_puts(&b, "): ");
		put_said(v, buf_view(&b), line);
	}
	buf_release(&b);
}

/* The second of the day that a timestamp (RFC 3339, UTC) is in. */
static int second_of(struct str t)
{
	int h = 0, m = 0, s = 0;
	char text[9] = "";

	if (t.n >= 19)
		memcpy(text, t.p + 11, 8);
	sscanf(text, "%2d:%2d:%2d", &h, &m, &s);
	return (h * 60 + m) * 60 + s;
}

/* Events of ephemeral resources lack the elapsed time: it is taken from their
 * timestamps. */
static void ephemeral_text(struct view *v, const struct shown_event *e)
{
	int now = second_of(json_get_str(e->all, "@timestamp")), *started;
	struct buf b = BUF_INIT;

	started = map_get(&v->started, e->address);
	if (!started) {
		started = ARENA_NEW(v->arena, int);
		map_put(v->arena, &v->started, str_dup(v->arena, e->address),
			started);
		*started = now;
	}
	buf_str(&b, e->address);
	buf_addf(&b, ": %.*s", STR_ARG(json_get_str(e->hook, "Msg")));
	if (str_ends(e->type, "_complete")) {
		buf_puts(&b, " after ");
		buf_seconds(&b, (now - *started + 86400) % 86400);
	} else {
		*started = now;
	}
	put_line(v, buf_view(&b));
	buf_release(&b);
}

bool event_is_last(struct str type)
{
	return str_is(type, "change_summary") || str_is(type, "outputs");
}

/* The last line of an apply: counts, and outputs below them. */
static void summary_text(struct view *v, const struct shown_event *e)
{
	out_str(v->out, STR("\n"));
	if (v->style.color)
		out_str(v->out, STR(PAINT_PLAIN PAINT_BOLD PAINT_GREEN));
	out_str(v->out, e->message);
	if (v->style.color)
		out_str(v->out, STR(PAINT_PLAIN));
	out_str(v->out, STR("\n"));
}

static void output_text(struct view *v, struct buf *b,
			const struct json_member *m, const struct json *value)
{
	const struct json *type = json_get(&m->value, "type");
	const struct type *t = type ? type_from_json(v->arena, type) : NULL;
	struct verror err;
	const struct value *val =
		t && value ? value_from_json(v->arena, value, t, &err) : NULL;

	value_render(b, val ? val : &value_null_dynamic);
}

static const struct json *sensitive_output(const struct json *ev,
					   struct str name)
{
	const struct json *all = json_get(ev, "sensitive_outputs");

	for (uint32_t i = 0; all && i < all->len; i++)
		if (str_eq(all->members[i].name, name))
			return &all->members[i].value;
	return NULL;
}

static void outputs_event_text(struct view *v, const struct json *ev)
{
	const struct json *outs = json_get(ev, "outputs");
	struct buf b = BUF_INIT;

	if (!outs || !outs->len)
		return;
	buf_addf(&b, "\n%sOutputs:%s\n\n",
		 v->style.color ? PAINT_BOLD PAINT_GREEN : "",
		 v->style.color ? PAINT_PLAIN : "");
	for (uint32_t i = 0; i < outs->len; i++) {
		const struct json_member *m = &outs->members[i];
		const bool sensitive =
			json_get_bool(&m->value, "sensitive", false);
		const struct json *j = !sensitive ? json_get(&m->value, "value")
				       : v->show_sensitive
					       ? sensitive_output(ev, m->name)
					       : NULL;

		visible_line(&b, m->name);
		buf_puts(&b, " = ");
		if (sensitive && !j)
			buf_puts(&b, "<sensitive>");
		else
			output_text(v, &b, m, j);
		buf_putc(&b, '\n');
	}
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

/* "ADDRESS: Creating..." and the like. */
static void operation_text(struct view *v, const struct shown_event *e,
			   const char *text)
{
	int64_t elapsed = json_get_int(e->hook, "elapsed_seconds", 0);
	struct buf b = BUF_INIT;

	buf_str(&b, e->address);
	if (e->deposed.n && (str_is(e->type, "apply_start") ||
			     str_is(e->type, "refresh_start")))
		buf_addf(&b, " (deposed object %.*s)", STR_ARG(e->deposed));
	buf_addf(&b, ": %s", text);
	if (str_is(e->type, "apply_progress")) {
		buf_puts(&b, " [");
		if (json_get(e->all, "id_value")) {
			put_id_cut(&b, e->all);
			buf_puts(&b, ", ");
		}
		buf_seconds(&b, elapsed);
		buf_puts(&b, " elapsed]");
	} else {
		if (str_ends(e->type, "_complete")) {
			buf_puts(&b, " after ");
			buf_seconds(&b, elapsed);
		}
		if (json_get(e->hook, "id_value") &&
		    !(str_is(e->type, "apply_complete") &&
		      str_is(e->action, "delete"))) {
			buf_puts(&b, " [");
			put_id(&b, e->hook);
			buf_putc(&b, ']');
		}
	}
	put_line(v, buf_view(&b));
	buf_release(&b);
}

/* A state that no file could take, for people to save. */
static void state_dump_text(struct view *v, const struct json *state)
{
	struct buf b = BUF_INIT;
	struct jw w = JW_INIT(&b);

	w.indent = 2;
	jw_json(&w, state);
	buf_putc(&b, '\n');
	out_str(v->err, buf_view(&b));
	buf_release(&b);
}

int shown_event_read(struct arena *a, struct str line, struct shown_event *out,
		     struct diags *ds)
{
	const struct json *all = json_slice_tree(a, line, NULL), *hook;

	if (!all)
		all = stream_parse(a, line, ds); /* which says why */
	hook = json_get(all, "hook");
	*out = (struct shown_event){
		.type = json_get_str(all, "type"),
		.message = json_get_str(all, "@message"),
		.action = json_get_str(hook, "action"),
		.address = json_get_str(json_get(hook, "resource"), "addr"),
		.deposed = json_get_str(all, "deposed"),
		.hook = hook,
		.all = all,
	};
	return all ? 0 : -1;
}

void event_text(struct view *v, const struct shown_event *e)
{
	const char *text = phrase_for(e->type, e->action);

	if (text) {
		operation_text(v, e, text);
	} else if (str_starts(e->type, "provision_")) {
		provision_text(v, e);
	} else if (str_starts(e->type, "ephemeral_action_")) {
		ephemeral_text(v, e);
	} else if (json_get(e->all, "state")) {
		state_dump_text(v, json_get(e->all, "state"));
	} else if (str_is(e->type, "log")) { /* interruptions */
		out_str(v->out, e->message);
		out_str(v->out, STR("\n"));
	} else if (str_is(e->type, "change_summary")) {
		summary_text(v, e);
	} else if (str_is(e->type, "outputs")) {
		outputs_event_text(v, e->all);
	} else if (str_is(e->type, "note") ||
		   str_is(e->type, "state_lock_acquire")) {
		put_line(v, e->message);
	}
}
