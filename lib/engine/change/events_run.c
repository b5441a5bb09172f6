/*
 * events_run.c - the events about the run as a whole: planned changes, summary,
 * outputs
 */
#include "engine/change/events_int.h"

#include "value/codec.h"

/* The UI stream names some reasons otherwise than plans do. */
static const char *ui_reason(enum reason r)
{
	switch (r) {
	case REASON_REPLACE_BECAUSE_TAINTED:
		return "tainted";
	case REASON_REPLACE_BY_REQUEST:
		return "requested";
	case REASON_REPLACE_BY_TRIGGERS:
		return "replace_triggered_by";
	case REASON_REPLACE_BECAUSE_CANNOT_UPDATE:
		return "cannot_update";
	default:
		return reason_name(r);
	}
}

void event_planned(struct events *e, const struct change *c)
{
	const char *action = event_action(c->action);
	bool moved = c->prev_addr.resource.type.n &&
		     !instance_addr_equal(&c->prev_addr, &c->addr);
	struct buf b = BUF_INIT;
	struct jw w;

	if (c->action == ACTION_NOOP)
		action = moved ? "move" :
			 c->import_id.n || c->import_identity ? "import" :
								action;
	instance_addr_print(&b, &c->addr);
	buf_addf(&b, ": Plan to %s", action);
	w = event_begin(e, buf_view(&b));
	buf_release(&b);
	jw_key(&w, "change");
	jw_object(&w);
	event_resource(&w, "resource", &c->addr);
	if (moved)
		event_resource(&w, "previous_resource", &c->prev_addr);
	jw_key(&w, "action");
	jw_cstr(&w, action);
	if (c->reason != REASON_NONE) {
		jw_key(&w, "reason");
		jw_cstr(&w, ui_reason(c->reason));
	}
	if (c->import_id.n) {
		jw_key(&w, "importing");
		jw_object(&w);
		jw_member_str(&w, "id", c->import_id);
		jw_object_end(&w);
	}
	if (c->generated_config.n)
		jw_member_str(&w, "generated_config", c->generated_config);
	jw_object_end(&w);
	event_end(e, &w, "planned_change");
}

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
	buf_addf(b, plan ? "%u to add, %u to change, %u to destroy"
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

void event_outputs(struct events *e, const struct state *s)
{
	struct arena scratch = ARENA_INIT;
	struct jw w = event_begin(e, str_printf(&scratch, "Outputs: %zu",
					  s->outputs.len));

	jw_key(&w, "outputs");
	jw_object(&w);
	for (size_t i = 0; i < s->outputs.len; i++) {
		const struct state_output *o = &s->outputs.items[i];
		bool sensitive = value_has_mark_deep(o->value, MARK_SENSITIVE);

		jw_key_str(&w, o->name);
		jw_object(&w);
		jw_member_bool(&w, "sensitive", sensitive);
		if (o->deprecated.n)
			jw_member_str(&w, "deprecated", o->deprecated);
		jw_key(&w, "type");
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
