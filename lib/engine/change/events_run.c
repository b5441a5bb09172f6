/*
 * events_run.c - the events about the run as a whole: summary, outputs
 */
#include "engine/change/events.h"
#include "engine/change/change_int.h"
#include "json/write.h"
#include "stream/stream.h"
#include "value/codec_json.h"
#include "value/marks.h"
#include "value/type.h"

static void summary_text(struct buf *b, const struct event_counts *c,
			 const char *operation)
{
	bool plan = strcmp(operation, "plan") == 0;

	if (strcmp(operation, "destroy") == 0) {
		buf_addf(b, "Destroy complete! Resources: %u destroyed.",
			 c->remove);
		return;
	}
	buf_puts(b, plan ? "Plan: " : "Apply complete! Resources: ");
	if (c->import)
		buf_addf(b, plan ? "%u to import, " : "%u imported, ",
			 c->import);
	buf_addf(b,
		 plan ? "%u to add, %u to change, %u to destroy"
		      : "%u added, %u changed, %u destroyed",
		 c->add, c->change, c->remove);
	if (c->forget)
		buf_addf(b, plan ? ", %u to forget." : ", %u forgotten.",
			 c->forget);
	else
		buf_putc(b, '.');
}

void event_summary(struct events *e, const struct event_counts *c,
		   const char *operation)
{
	struct buf b = BUF_INIT;
	struct jw w;

	summary_text(&b, c, operation);
	w = event_begin(e, buf_view(&b));
	buf_release(&b);
	jw_key(&w, "changes");
	jw_object(&w);
	jw_member_int(&w, "add", c->add);
	jw_member_int(&w, "change", c->change);
	jw_member_int(&w, "import", c->import);
	jw_member_int(&w, "remove", c->remove);
	jw_member_int(&w, "forget", c->forget);
	jw_key(&w, "operation");
	jw_cstr(&w, operation);
	jw_object_end(&w);
	event_end(e, &w, "change_summary");
}

/* The values that the event itself keeps to itself, if they may be seen. */
static void sensitive_outputs(struct jw *w, const struct state *s)
{
	const struct state_output_list outs = state_outputs_sorted(s);

	jw_key(w, "sensitive_outputs");
	jw_object(w);
	for (size_t i = 0; i < outs.len; i++) {
		const struct state_output *o = &outs.items[i];

		if (!value_has_mark_deep(o->value, MARK_SENSITIVE))
			continue;
		jw_key_str(w, o->name);
		value_to_json(w, o->value, NULL);
	}
	jw_object_end(w);
}

void event_outputs(struct events *e, const struct state *s)
{
	const struct state_output_list outs = state_outputs_sorted(s);
	struct arena scratch = ARENA_INIT;
	struct jw w = stream_record(e->out, "event", STR_NONE);

	if (e->out->show_sensitive)
		sensitive_outputs(&w, s);
	event_members(e, &w, str_printf(&scratch, "Outputs: %zu", outs.len));
	jw_key(&w, "outputs");
	jw_object(&w);
	for (size_t i = 0; i < outs.len; i++) {
		const struct state_output *o = &outs.items[i];
		bool sensitive = value_has_mark_deep(o->value, MARK_SENSITIVE);

		jw_key_str(&w, o->name);
		jw_object(&w);
		jw_member_bool(&w, "sensitive", sensitive);
		if (o->deprecated.n)
			jw_member_str(&w, "deprecated", o->deprecated);
		jw_key(&w, "type");
		if (sensitive && e->out->redact) /* it has the names */
			jw_cstr(&w, "(sensitive value)");
		else
			type_to_json(&w, o->value->type);
		if (!sensitive) {
			jw_key(&w, "value");
			value_to_json(&w, o->value, NULL);
		}
		jw_object_end(&w);
	}
	jw_object_end(&w);
	event_end(e, &w, "outputs");
	arena_release(&scratch);
}

void event_log(struct events *e, const char *message)
{
	struct jw w = event_begin(e, str_c(message));

	event_end(e, &w, "log");
}

/* The member is OpenTofu's (JSONView.StateDump). */
void event_state_dump(struct events *e, struct str state)
{
	struct jw w = event_begin(e, STR("Emergency state dump"));

	jw_key(&w, "state");
	jw_raw(&w, str_trim(state));
	event_end(e, &w, "log");
}

void event_lock_wait(struct events *e)
{
	struct jw w = event_begin(
		e, STR("Acquiring state lock. This may take a few moments..."));

	event_end(e, &w, "state_lock_acquire");
	out_flush(&e->out->out);
}

void event_note(struct events *e, struct str message)
{
	struct jw w = event_begin(e, message);

	event_end(e, &w, "note");
}
