/*
 * plan_text.c - a plan as people read it
 *
 * Source of texts and layout: OpenTofu 1.12.6.
 */
#include "ui/diff.h"
#include "ui/drift.h"
#include "ui/show.h"

static void put(struct view *v, const char *text)
{
	out_str(v->out, str_c(text));
}

static void put_bold(struct buf *b, struct view *v, const char *text)
{
	buf_addf(b, "%s%s%s", v->style.color ? "\033[1m" : "", text,
		 v->style.color ? "\033[0m" : "");
}

/* A rule below a blank line. */
static void put_rule(struct view *v)
{
	put(v, "\n");
	for (unsigned i = 0; i + 1 < v->style.width; i++)
		put(v, "─");
	put(v, "\n");
}

static void put_wrapped(struct view *v, const char *text)
{
	struct buf b = BUF_INIT;

	text_wrap(&b, str_c(text), v->style.width - 1);
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

static enum diff_action action_of(const struct json *change)
{
	static const struct {
		const char *name;
		enum diff_action action;
	} names[] = {
		{ "no-op", DIFF_NOOP },	  { "create", DIFF_CREATE },
		{ "update", DIFF_UPDATE }, { "delete", DIFF_DELETE },
		{ "read", DIFF_READ },	  { "forget", DIFF_FORGET },
	};
	const struct json *acts = json_get(change, "actions");

	if (!acts || acts->kind != JSON_ARRAY || acts->len == 0)
		return DIFF_NOOP;
	if (acts->len == 2) {
		if (str_is(acts->items[0].text, "forget"))
			return DIFF_FORGET_CREATE;
		return str_is(acts->items[0].text, "create")
			       ? DIFF_REPLACE_CREATE_FIRST
			       : DIFF_REPLACE_DESTROY_FIRST;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (str_is(acts->items[0].text, names[i].name))
			return names[i].action;
	return DIFF_NOOP;
}

/* --- the comment above a resource --- */

struct note {
	struct view *v;
	struct buf *b;
	const struct json *rec;
	struct str shown; /* address, with the deposed key */
	bool drift;
};

static void note_head(struct note *n, const char *text)
{
	bool color = n->v->style.color;

	buf_addf(n->b, "%s  # %.*s%s%s", color ? "\033[1m" : "",
		 STR_ARG(n->shown), color ? "\033[0m" : "", text);
}

static void note_red(struct note *n, const char *text)
{
	bool color = n->v->style.color;

	buf_addf(n->b, "%s%s%s", color ? "\033[1m\033[31m" : "", text,
		 color ? "\033[0m" : "");
}

static void note_replace(struct note *n, struct str reason)
{
	if (str_is(reason, "replace_because_tainted")) {
		note_head(n, " is tainted, so it must be ");
		note_red(n, "replaced");
	} else if (str_is(reason, "replace_by_request")) {
		note_head(n, " will be ");
		note_red(n, "replaced");
		buf_puts(n->b, ", as requested");
	} else if (str_is(reason, "replace_by_triggers")) {
		note_head(n, " will be ");
		note_red(n, "replaced");
		buf_puts(n->b, " due to changes in replace_triggered_by");
	} else {
		note_head(n, " must be ");
		note_red(n, "replaced");
	}
}

static void note_read(struct note *n, struct str reason)
{
	note_head(n, " will be read during apply");
	if (str_is(reason, "read_because_config_unknown"))
		buf_puts(n->b, "\n  # (config refers to values not yet known)");
	else if (str_is(reason, "read_because_dependency_pending"))
		buf_puts(n->b, "\n  # (depends on a resource or a module with "
			       "changes pending)");
	else if (str_is(reason, "read_because_check_nested"))
		buf_puts(n->b, "\n  # (config will be reloaded to verify a "
			       "check block)");
}

static void put_index(struct buf *b, const struct json *index)
{
	struct jw w = JW_INIT(b);

	if (index)
		jw_json(&w, index);
}

static void note_why_deleted(struct note *n, struct str reason)
{
	const struct json *r = n->rec, *index = json_get(r, "index");
	struct buf *b = n->b;

	if (str_is(reason, "delete_because_no_resource_config")) {
		buf_addf(b, "\n  # (because %.*s.%.*s is not in configuration)",
			 STR_ARG(json_get_str(r, "type")),
			 STR_ARG(json_get_str(r, "name")));
	} else if (str_is(reason, "delete_because_no_move_target")) {
		buf_addf(b, "\n  # (because %.*s was moved to %.*s, which is "
			 "not in configuration)",
			 STR_ARG(json_get_str(r, "previous_address")),
			 STR_ARG(json_get_str(r, "address")));
	} else if (str_is(reason, "delete_because_no_module")) {
		buf_addf(b, "\n  # (because %.*s is not in configuration)",
			 STR_ARG(json_get_str(r, "module_address")));
	} else if (str_is(reason, "delete_because_wrong_repetition")) {
		buf_puts(b, !index ? "\n  # (because resource uses count or "
				     "for_each)"
			 : index->kind == JSON_NUMBER
				 ? "\n  # (because resource does not use count)"
				 : "\n  # (because resource does not use "
				   "for_each)");
	} else if (str_is(reason, "delete_because_count_index")) {
		buf_puts(b, "\n  # (because index [");
		put_index(b, index);
		buf_puts(b, "] is out of range for count)");
	} else if (str_is(reason, "delete_because_each_key")) {
		buf_puts(b, "\n  # (because key [");
		put_index(b, index);
		buf_puts(b, "] is not in for_each map)");
	} else if (str_is(reason, "delete_because_enabled_false")) {
		buf_puts(b, "\n  # (because enabled is false)");
	}
}

static void note_left_over(struct note *n)
{
	if (json_get_str(n->rec, "deposed").n)
		buf_puts(n->b, "\n  # (left over from a partially-failed "
			       "replacement of this instance)");
}

static void note_delete(struct note *n, struct str reason)
{
	if (n->drift) {
		note_head(n, " has been deleted");
	} else {
		note_head(n, " will be ");
		note_red(n, "destroyed");
	}
	note_why_deleted(n, reason);
	note_left_over(n);
}

static void note_forget(struct note *n, struct str reason)
{
	note_head(n, " will be removed from the OpenTofu state ");
	note_red(n, "but will not be destroyed");
	if (str_is(reason, "forgot_because_lifecycle_destroy_in_state"))
		buf_puts(n->b, " \n (because lifecycle.destroy = false was "
			       "configured before this resource was removed "
			       "from the configuration)");
	else if (str_is(reason, "forgot_because_lifecycle_destroy_in_config"))
		buf_puts(n->b, " \n (because lifecycle.destroy = false is set "
			       "in the configuration)");
	note_left_over(n);
}

static bool was_moved(const struct json *rec)
{
	struct str prev = json_get_str(rec, "previous_address");

	return prev.n && !str_eq(prev, json_get_str(rec, "address"));
}

static void note_unchanged(struct note *n, const struct json *importing)
{
	if (was_moved(n->rec)) {
		struct str now = n->shown;

		n->shown = json_get_str(n->rec, "previous_address");
		note_head(n, " has moved to ");
		n->shown = now;
		buf_str(n->b, now);
	} else if (importing) {
		note_head(n, " will be imported");
		if (json_get_str(json_get(n->rec, "change"),
				 "generated_config").n)
			buf_puts(n->b, "\n  # (config will be generated)");
	}
}

static void note_import(struct note *n, const struct json *importing,
			enum diff_action action)
{
	struct str id = json_get_str(importing, "id");

	if (id.n)
		buf_addf(n->b, "  # (imported from \"%.*s\")\n", STR_ARG(id));
	else
		buf_puts(n->b, "  # (will be imported first)\n");
	if (action == DIFF_REPLACE_CREATE_FIRST ||
	    action == DIFF_REPLACE_DESTROY_FIRST)
		buf_puts(n->b, "  # Warning: this will destroy the imported "
			       "resource\n");
}

static void put_note(struct note *n, enum diff_action action)
{
	struct str reason = json_get_str(n->rec, "action_reason");
	const struct json *importing =
		json_get(json_get(n->rec, "change"), "importing");

	if (importing && importing->kind != JSON_OBJECT)
		importing = NULL;
	switch (action) {
	case DIFF_CREATE:
		note_head(n, " will be created");
		break;
	case DIFF_READ:
		note_read(n, reason);
		break;
	case DIFF_UPDATE:
		note_head(n, n->drift ? " has changed"
				      : " will be updated in-place");
		break;
	case DIFF_DELETE:
		note_delete(n, reason);
		break;
	case DIFF_FORGET:
		note_forget(n, reason);
		break;
	case DIFF_NOOP:
		note_unchanged(n, importing);
		break;
	case DIFF_FORGET_CREATE:
		note_replace(n, reason);
		buf_puts(n->b, " - older instance will not be destroyed "
			       "(lifecycle.destroy = false)");
		break;
	default:
		note_replace(n, reason);
	}
	buf_putc(n->b, '\n');
	if (action != DIFF_NOOP && was_moved(n->rec))
		buf_addf(n->b, "  # (moved from %.*s)\n",
			 STR_ARG(json_get_str(n->rec, "previous_address")));
	if (importing)
		note_import(n, importing, action);
}

/* One resource: comment, header, difference. */
static void put_resource(struct view *v, const struct shown *s,
			 const struct json *rec, struct arena *a,
			 struct diff_input in, bool drift)
{
	const struct json *change = json_get(rec, "change");
	const struct json *imp = json_get(change, "importing");
	struct str mode = json_get_str(rec, "mode");
	struct str deposed = json_get_str(rec, "deposed");
	const struct resource_schema *schema = map_get(
		&s->schemas, str_printf(a, "%.*s.%.*s@%.*s", STR_ARG(mode),
				STR_ARG(json_get_str(rec, "type")),
				STR_ARG(json_get_str(rec, "provider_name"))));
	enum diff_action action = action_of(change);
	struct diff_style st = { .color = v->style.color,
				 .show_sensitive = v->show_sensitive };
	struct buf b = BUF_INIT;
	struct note n = { v, &b, rec, json_get_str(rec, "address"), drift };

	if (deposed.n)
		n.shown = str_printf(a, "%.*s (deposed object %.*s)",
				     STR_ARG(n.shown), STR_ARG(deposed));
	buf_putc(&b, '\n');
	put_note(&n, action);
	if (action == DIFF_FORGET)
		st.no_symbols = st.no_null_suffix = true;
	st.show_unchanged = imp && imp->kind == JSON_OBJECT;
	diff_symbol(&b, action, v->style.color);
	buf_addf(&b, " %s \"%.*s\" \"%.*s\" ",
		 str_is(mode, "managed") ? "resource" : "data",
		 STR_ARG(json_get_str(rec, "type")),
		 STR_ARG(json_get_str(rec, "name")));
	diff_render(&b, schema && schema->block
				? diff_block(a, &in, schema->block)
				: diff_json(a, &in), 0, st);
	buf_putc(&b, '\n');
	out_str(v->out, buf_view(&b));
	buf_release(&b);
}

/* --- sections --- */

struct section {
	struct view *v;
	const struct shown *s;
	struct plan_counts counts;
	size_t by_action[DIFF_FORGET_CREATE + 1];
	bool any_action;
};

static const struct json *parse(struct arena *a, struct str line)
{
	struct json_error err;

	return json_parse(a, line, &err);
}

static bool refresh_only(const struct shown *s)
{
	return str_is(json_get_str(s->plan, "mode"), "refresh-only");
}

static void count_all(struct section *sec)
{
	struct arena a = ARENA_INIT;

	for (size_t i = 0; i < sec->s->changes.len; i++) {
		const struct json *rec =
			parse(&a, sec->s->changes.items[i]);
		enum diff_action act;

		if (rec && plan_count(&sec->counts, rec)) {
			act = action_of(json_get(rec, "change"));
			sec->by_action[act]++;
			sec->any_action |= act != DIFF_NOOP;
		}
		arena_reset(&a);
	}
	arena_release(&a);
}

static bool put_drift(struct section *sec)
{
	struct view *v = sec->v;
	struct arena a = ARENA_INIT;
	size_t shown = 0;
	struct buf b = BUF_INIT;
	struct diff_input in;

	if (!refresh_only(sec->s) && !sec->counts.shown &&
	    !sec->s->outputs.len)
		return false;
	for (size_t i = 0; i < sec->s->drift.len; i++) {
		const struct json *rec = parse(&a, sec->s->drift.items[i]);

		if (!rec || (!refresh_only(sec->s) &&
			     action_of(json_get(rec, "change")) == DIFF_NOOP))
			continue;
		in = diff_input_from(&a, json_get(rec, "change"));
		if (!drift_input(&a, sec->s->plan, rec, &in))
			continue;
		if (!shown++) {
			buf_puts(&b, "\n");
			put_bold(&b, v, "Note: Objects have changed outside of "
					"OpenTofu");
			buf_puts(&b, "\n\n");
			out_str(v->out, buf_view(&b));
			put_wrapped(v, "OpenTofu detected the following "
				"changes made outside of OpenTofu since the "
				"last \"tofu apply\" which may have affected "
				"this plan:");
		}
		put_resource(v, sec->s, rec, &a, in, true);
		arena_reset(&a);
	}
	arena_release(&a);
	buf_release(&b);
	if (!shown)
		return false;
	put(v, "\n\n");
	put_wrapped(v, refresh_only(sec->s)
		? "This is a refresh-only plan, so OpenTofu will not take any "
		  "actions to undo these. If you were expecting these changes "
		  "then you can apply this plan to record the updated values "
		  "in the OpenTofu state without changing any remote objects."
		: "Unless you have made equivalent changes to your "
		  "configuration, or ignored the relevant attributes using "
		  "ignore_changes, the following plan may include actions to "
		  "undo or respond to these changes.");
	return true;
}

static void put_legend(struct section *sec)
{
	static const struct {
		enum diff_action action;
		const char *text;
	} rows[] = {
		{ DIFF_CREATE, "create" },
		{ DIFF_UPDATE, "update in-place (current -> planned)" },
		{ DIFF_DELETE, "destroy" },
		{ DIFF_REPLACE_DESTROY_FIRST,
		  "destroy and then create replacement" },
		{ DIFF_REPLACE_CREATE_FIRST,
		  "create replacement and then destroy" },
		{ DIFF_READ, "read (data resources)" },
		{ DIFF_FORGET_CREATE, "forget and then create replacement" },
		{ DIFF_FORGET, "forget" },
	};
	struct buf b = BUF_INIT;

	put(sec->v, "\n");
	put_wrapped(sec->v, "OpenTofu used the selected providers to generate "
		"the following execution plan. Resource actions are indicated "
		"with the following symbols:");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!sec->by_action[rows[i].action])
			continue;
		diff_symbol(&b, rows[i].action, sec->v->style.color);
		buf_addf(&b, " %s\n", rows[i].text);
	}
	out_str(sec->v->out, buf_view(&b));
	buf_release(&b);
}

static void put_changes(struct section *sec)
{
	struct view *v = sec->v;
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct plan_counts ignored = { 0 };

	put(v, json_get_bool(sec->s->plan, "errored", false)
		       ? "\nOpenTofu planned the following actions, but then "
			 "encountered a problem:\n"
		       : "\nOpenTofu will perform the following actions:\n");
	for (size_t i = 0; i < sec->s->changes.len; i++) {
		const struct json *rec =
			parse(&a, sec->s->changes.items[i]);

		if (rec && plan_count(&ignored, rec))
			put_resource(v, sec->s, rec, &a,
				     diff_input_from(&a, json_get(rec,
								  "change")),
				     false);
		arena_reset(&a);
	}
	put(v, "\n");
	plan_counts_text(&b, &sec->counts);
	if (v->style.color) {
		put(v, "\033[1mPlan:\033[0m");
		out_str(v->out, str_sub(buf_view(&b), 5, b.len));
	} else {
		out_str(v->out, buf_view(&b));
	}
	put(v, "\n");
	buf_release(&b);
	arena_release(&a);
}

/* The outputs that change, as one text; empty when none does. */
static struct str outputs_of(struct section *sec, struct arena *keep)
{
	struct arena a = ARENA_INIT;
	struct diff_style st = { .color = sec->v->style.color,
				 .show_sensitive = sec->v->show_sensitive };
	size_t width = 0, n = sec->s->outputs.len;
	struct buf b = BUF_INIT;
	struct str text;

	for (int pass = 0; pass < 2; pass++) {
		for (size_t i = 0; i < n; i++) {
			const struct json *rec =
				parse(&a, sec->s->outputs.items[i]);
			const struct json *ch = json_get(rec, "change");
			struct str name = json_get_str(rec, "address");
			struct diff_input in;
			const struct diff *d;

			if (str_starts(name, "output."))
				name = str_sub(name, 7, name.n);
			if (!pass && name.n > width)
				width = name.n;
			if (!pass || !rec)
				continue;
			in = diff_input_from(&a, ch);
			d = diff_json(&a, &in);
			if (d->action == DIFF_NOOP)
				continue;
			if (b.len)
				buf_putc(&b, '\n');
			diff_symbol(&b, d->action, st.color);
			buf_addf(&b, " %-*.*s = ", (int)width, STR_ARG(name));
			diff_render(&b, d, 0, st);
			arena_reset(&a);
		}
	}
	text = buf_dup(keep, &b);
	buf_release(&b);
	arena_release(&a);
	return text;
}

static void put_nothing(struct section *sec, bool drift)
{
	struct view *v = sec->v;
	struct buf b = BUF_INIT;
	bool green = v->style.color;
	struct str mode = json_get_str(sec->s->plan, "mode");
	const char *what = "Your infrastructure matches the configuration.";

	if (json_get_bool(sec->s->plan, "errored", false)) {
		put(v, "\nPlanning failed. OpenTofu encountered an error while "
		       "generating this plan.\n\n");
		return;
	}
	if (refresh_only(sec->s) && drift)
		return;
	if (refresh_only(sec->s))
		what = "Your infrastructure still matches the configuration.";
	else if (str_is(mode, "destroy"))
		what = "No objects need to be destroyed.";
	if (drift)
		put_rule(v);
	buf_addf(&b, "\n%sNo changes.%s ", green ? "\033[1m\033[32m" : "",
		 green ? "\033[0m" : "");
	put_bold(&b, v, what);
	buf_puts(&b, "\n\n");
	out_str(v->out, buf_view(&b));
	buf_release(&b);
	put_wrapped(v, refresh_only(sec->s)
		? "OpenTofu has checked that the real remote objects still "
		  "match the result of your most recent changes, and found no "
		  "differences."
		: str_is(mode, "destroy")
		? "Either you have not created any objects yet or the existing "
		  "objects were already deleted outside of OpenTofu."
		: drift && json_get_bool(sec->s->plan, "applyable", false)
		? "Your configuration already matches the changes detected "
		  "above, so applying this plan will only update the state to "
		  "include the changes detected above and won't change any "
		  "real infrastructure."
		: drift
		? "Your configuration already matches the changes detected "
		  "above. If you'd like to update the OpenTofu state to match, "
		  "create and apply a refresh-only plan:\n  tf apply "
		  "-refresh-only"
		: "OpenTofu has compared your real infrastructure against your "
		  "configuration and found no differences, so no changes are "
		  "needed.");
}

void plan_text(struct view *v, const struct shown *s)
{
	struct section sec = { .v = v, .s = s };
	struct arena a = ARENA_INIT;
	struct str outputs;
	bool drift;

	count_all(&sec);
	outputs = outputs_of(&sec, &a);
	drift = put_drift(&sec);
	if (!sec.counts.shown && !outputs.n) {
		put_nothing(&sec, drift);
		arena_release(&a);
		return;
	}
	if (drift)
		put_rule(v);
	if (sec.any_action)
		put_legend(&sec);
	if (sec.counts.shown)
		put_changes(&sec);
	if (outputs.n) {
		put(v, "\nChanges to Outputs:\n");
		out_str(v->out, outputs);
		put(v, "\n");
		if (!sec.any_action) {
			put(v, "\n");
			put_wrapped(v, "You can apply this plan to save these "
				"new output values to the OpenTofu state, "
				"without changing any real infrastructure.");
		}
	}
	arena_release(&a);
}
