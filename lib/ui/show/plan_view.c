/*
 * plan_view.c - the summary of a plan and its messages in the -json UI stream
 *
 * Input are `resource_change`, `resource_drift` and `output_change` records.
 */
#include "ui/show/plan_view.h"

#include "json/tree.h"
#include "json/write.h"
#include "ui/ui_message.h"
#include "ui/view.h"

static const struct json *change_of(const struct json *rec)
{
	return json_get(rec, "change");
}

/* The published action list as one word: "no-op", "replace", … */
static struct str action_word(const struct json *rec)
{
	const struct json *acts = json_get(change_of(rec), "actions");

	if (!acts || acts->kind != JSON_ARRAY || acts->len == 0)
		return STR("no-op");
	if (acts->len == 2)
		return str_is(acts->items[0].text, "forget")
			       ? STR("forget-create")
			       : STR("replace");
	return acts->items[0].text;
}

static bool moved(const struct json *rec)
{
	struct str prev = json_get_str(rec, "previous_address");

	return prev.n && !str_eq(prev, json_get_str(rec, "address"));
}

static bool importing(const struct json *rec)
{
	const struct json *imp = json_get(change_of(rec), "importing");

	return imp && imp->kind == JSON_OBJECT;
}

bool plan_count(struct plan_counts *c, const struct json *rec)
{
	struct str act = action_word(rec), mode = json_get_str(rec, "mode");

	if (str_is(act, "delete") && !str_is(mode, "managed"))
		return false;
	if (str_is(mode, "ephemeral"))
		return false;
	if (importing(rec))
		c->import++;
	if (str_is(act, "no-op") && !moved(rec) && !importing(rec))
		return false;
	c->shown++;
	if (str_is(act, "create") || str_is(act, "replace") ||
	    str_is(act, "forget-create"))
		c->add++;
	if (str_is(act, "update"))
		c->change++;
	if (str_is(act, "delete") || str_is(act, "replace"))
		c->destroy++;
	if (str_is(act, "forget") || str_is(act, "forget-create"))
		c->forget++;
	return true;
}

void plan_counts_text(struct buf *b, const struct plan_counts *c)
{
	buf_puts(b, "Plan: ");
	if (c->import)
		buf_addf(b, "%zu to import, ", c->import);
	buf_addf(b, "%zu to add, %zu to change, %zu to destroy", c->add,
		 c->change, c->destroy);
	if (c->forget)
		buf_addf(b, ", %zu to forget", c->forget);
	buf_putc(b, '.');
}

/* An address object of the UI stream, from an address in text. */
static void resource_object(struct jw *w, const struct json *rec,
			    struct str addr)
{
	struct str module = json_get_str(rec, "module_address");
	struct str type = json_get_str(rec, "type");
	const struct json *key = json_get(rec, "index");
	ptrdiff_t cut = str_chr(type, '_');

	jw_object(w);
	jw_member_str(w, "addr", addr);
	jw_member_str(w, "module", module);
	jw_member_str(w, "resource",
		      module.n ? str_sub(addr, module.n + 1, addr.n) : addr);
	jw_member_str(w, "implied_provider",
		      cut < 0 ? type : str_sub(type, 0, (size_t)cut));
	jw_member_str(w, "resource_type", type);
	jw_member_str(w, "resource_name", json_get_str(rec, "name"));
	jw_key(w, "resource_key");
	if (key)
		jw_json(w, key);
	else
		jw_null(w);
	jw_object_end(w);
}

size_t plan_view_module_end(struct str addr)
{
	size_t i = 0, end = 0;

	while (str_starts(str_sub(addr, i, addr.n), "module.")) {
		bool quoted = false;

		for (i += 7; i < addr.n; i++) {
			if (quoted && addr.p[i] == '\\')
				i++;
			else if (addr.p[i] == '"')
				quoted = !quoted;
			else if (!quoted && addr.p[i] == '.')
				break;
		}
		end = i < addr.n ? i : addr.n;
		if (i < addr.n)
			i++;
	}
	return end;
}

/* A previous address is only text: take it apart. */
static void previous_object(struct jw *w, struct str addr)
{
	size_t end = plan_view_module_end(addr);
	struct str rest = end ? str_sub(addr, end + 1, addr.n) : addr;
	struct str plain = rest, type, name, key = STR_NONE;
	ptrdiff_t dot, bracket = str_chr(rest, '[');

	if (bracket >= 0) {
		key = str_sub(rest, (size_t)bracket + 1, rest.n - 1);
		plain = str_sub(rest, 0, (size_t)bracket);
	}
	if (str_starts(plain, "data."))
		plain = str_sub(plain, 5, plain.n);
	dot = str_chr(plain, '.');
	type = dot < 0 ? plain : str_sub(plain, 0, (size_t)dot);
	name = dot < 0 ? STR("") : str_sub(plain, (size_t)dot + 1, plain.n);
	jw_object(w);
	jw_member_str(w, "addr", addr);
	jw_member_str(w, "module", str_sub(addr, 0, end));
	jw_member_str(w, "resource", rest);
	dot = str_chr(type, '_');
	jw_member_str(w, "implied_provider",
		      dot < 0 ? type : str_sub(type, 0, (size_t)dot));
	jw_member_str(w, "resource_type", type);
	jw_member_str(w, "resource_name", name);
	jw_key(w, "resource_key");
	if (key.p)
		jw_raw(w, key);
	else
		jw_null(w);
	jw_object_end(w);
}

/* The stream's words differ from the plan's here and there. */
static struct str ui_action(const struct json *rec)
{
	struct str act = action_word(rec);

	if (str_is(act, "no-op") || str_is(act, "forget-create"))
		return moved(rec)       ? STR("move")
		       : importing(rec) ? STR("import")
					: STR("noop");
	if (str_is(act, "forget"))
		return STR("remove");
	return act;
}

static struct str ui_reason(struct str reason)
{
	static const char *const map[][2] = {
		{ "replace_because_tainted", "tainted" },
		{ "replace_by_request", "requested" },
		{ "replace_by_triggers", "replace_triggered_by" },
		{ "replace_because_cannot_update", "cannot_update" },
	};

	for (size_t i = 0; i < sizeof(map) / sizeof(map[0]); i++)
		if (str_is(reason, map[i][0]))
			return str_c(map[i][1]);
	return reason;
}

void plan_change_message(struct view *v, const struct json *rec, bool drift)
{
	struct str addr = json_get_str(rec, "address");
	struct str act = ui_action(rec);
	struct str reason = ui_reason(json_get_str(rec, "action_reason"));
	struct str config = json_get_str(change_of(rec), "generated_config");
	struct buf line = BUF_INIT;
	struct jw w =
		ui_message(&line, "info",
			   drift ? str_printf(v->arena,
					      "%.*s: Drift detected (%.*s)",
					      STR_ARG(addr), STR_ARG(act))
				 : str_printf(v->arena, "%.*s: Plan to %.*s",
					      STR_ARG(addr), STR_ARG(act)));

	jw_key(&w, "change");
	jw_object(&w);
	jw_key(&w, "resource");
	resource_object(&w, rec, addr);
	if (moved(rec)) {
		jw_key(&w, "previous_resource");
		previous_object(&w, json_get_str(rec, "previous_address"));
	}
	jw_member_str(&w, "action", act);
	if (reason.n)
		jw_member_str(&w, "reason", reason);
	if (importing(rec)) {
		jw_key(&w, "importing");
		jw_json(&w, json_get(change_of(rec), "importing"));
	}
	if (config.n)
		jw_member_str(&w, "generated_config", config);
	jw_object_end(&w);
	jw_member_str(&w, "type",
		      drift ? STR("resource_drift") : STR("planned_change"));
	ui_message_end(v, &line, &w);
}

void plan_summary_message(struct view *v, const struct plan_counts *c)
{
	struct buf line = BUF_INIT, text = BUF_INIT;
	struct jw w;

	plan_counts_text(&text, c);
	w = ui_message(&line, "info", buf_view(&text));
	jw_key(&w, "changes");
	jw_object(&w);
	jw_member_int(&w, "add", (int64_t)c->add);
	jw_member_int(&w, "change", (int64_t)c->change);
	jw_member_int(&w, "import", (int64_t)c->import);
	jw_member_int(&w, "remove", (int64_t)c->destroy);
	jw_member_int(&w, "forget", (int64_t)c->forget);
	jw_member_str(&w, "operation", STR("plan"));
	jw_object_end(&w);
	jw_member_str(&w, "type", STR("change_summary"));
	ui_message_end(v, &line, &w);
	buf_release(&text);
}

void plan_outputs_message(struct view *v, const struct json *const *outputs,
			  size_t n)
{
	struct buf line = BUF_INIT;
	struct jw w;

	if (!n)
		return;
	w = ui_message(&line, "info", str_printf(v->arena, "Outputs: %zu", n));
	jw_key(&w, "outputs");
	jw_object(&w);
	for (size_t i = 0; i < n; i++) {
		struct str name = json_get_str(outputs[i], "address");
		const struct json *ch = change_of(outputs[i]);
		const struct json *before = json_get(ch, "before_sensitive");
		const struct json *after = json_get(ch, "after_sensitive");

		if (str_starts(name, "output."))
			name = str_sub(name, 7, name.n);
		jw_key_str(&w, name);
		jw_object(&w);
		jw_member_bool(&w, "sensitive",
			       (before && before->kind == JSON_BOOL &&
				before->boolean) ||
				       (after && after->kind == JSON_BOOL &&
					after->boolean));
		jw_member_str(&w, "action", ui_action(outputs[i]));
		jw_object_end(&w);
	}
	jw_object_end(&w);
	jw_member_str(&w, "type", STR("outputs"));
	ui_message_end(v, &line, &w);
}
