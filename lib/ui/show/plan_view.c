/*
 * plan_view.c - the summary of a plan and its messages in the -json UI stream
 *
 * Input are `resource_change`, `resource_drift` and `output_change` records.
 */
#include "ui/show/show.h"
#include "json/write.h"
#include "ui/view.h"

/* The published action list as one word. */
static const char *const action_words[] = {
	[DIFF_NOOP] = "no-op",
	[DIFF_CREATE] = "create",
	[DIFF_UPDATE] = "update",
	[DIFF_DELETE] = "delete",
	[DIFF_READ] = "read",
	[DIFF_REPLACE_DESTROY_FIRST] = "replace",
	[DIFF_REPLACE_CREATE_FIRST] = "replace",
	[DIFF_FORGET] = "forget",
	[DIFF_FORGET_CREATE] = "forget-create",
};

static bool replaces(enum diff_action a)
{
	return a == DIFF_REPLACE_DESTROY_FIRST ||
	       a == DIFF_REPLACE_CREATE_FIRST;
}

bool plan_count(struct plan_counts *n, const struct shown_change *c)
{
	const enum diff_action act = c->action;

	if (act == DIFF_DELETE && !str_is(c->mode, "managed"))
		return false;
	if (str_is(c->mode, "ephemeral"))
		return false;
	n->import += c->importing;
	if (act == DIFF_NOOP && !c->moved && !c->importing)
		return false;
	n->shown++;
	n->add += act == DIFF_CREATE || replaces(act) ||
		  act == DIFF_FORGET_CREATE;
	n->change += act == DIFF_UPDATE;
	n->destroy += act == DIFF_DELETE || replaces(act);
	n->forget += act == DIFF_FORGET || act == DIFF_FORGET_CREATE;
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

static struct str implied_provider(struct str type)
{
	const ptrdiff_t cut = str_chr(type, '_');

	return cut < 0 ? type : str_sub(type, 0, (size_t)cut);
}

/* An address object of the UI stream. */
static void resource_object(struct jw *w, const struct shown_change *c)
{
	jw_object(w);
	jw_member_str(w, "addr", c->address);
	jw_member_str(w, "module", c->module);
	jw_member_str(w, "resource",
		      c->module.n ? str_sub(c->address, c->module.n + 1,
					    c->address.n)
				  : c->address);
	jw_member_str(w, "implied_provider", implied_provider(c->type));
	jw_member_str(w, "resource_type", c->type);
	jw_member_str(w, "resource_name", c->name);
	jw_key(w, "resource_key");
	if (c->json.index.n)
		jw_text(w, c->json.index);
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

bool plan_view_is_data(struct str addr)
{
	const size_t module = plan_view_module_end(addr);

	return str_starts(str_sub(addr, module ? module + 1 : 0, addr.n),
			  "data.");
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
	jw_member_str(w, "implied_provider", implied_provider(type));
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
static struct str ui_action(const struct shown_change *c)
{
	if (c->action == DIFF_NOOP || c->action == DIFF_FORGET_CREATE)
		return c->moved       ? STR("move")
		       : c->importing ? STR("import")
				      : STR("noop");
	if (c->action == DIFF_FORGET)
		return STR("remove");
	return str_c(action_words[c->action]);
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

void plan_change_message(struct view *v, const struct shown_change *c,
			 bool drift)
{
	struct str act = ui_action(c);
	struct str reason = ui_reason(c->reason);
	struct buf line = BUF_INIT;
	struct jw w = ui_message(
		&line, "info",
		drift ? str_printf(v->arena, "%.*s: Drift detected (%.*s)",
				   STR_ARG(c->address), STR_ARG(act))
		      : str_printf(v->arena, "%.*s: Plan to %.*s",
				   STR_ARG(c->address), STR_ARG(act)));

	jw_key(&w, "change");
	jw_object(&w);
	jw_key(&w, "resource");
	resource_object(&w, c);
	if (c->moved) {
		jw_key(&w, "previous_resource");
		previous_object(&w, c->previous_address);
	}
	jw_member_str(&w, "action", act);
	if (reason.n)
		jw_member_str(&w, "reason", reason);
	if (c->importing) {
		jw_key(&w, "importing");
		jw_text(&w, c->json.importing);
	}
	if (c->generated_config.n)
		jw_member_str(&w, "generated_config", c->generated_config);
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

void plan_outputs_message(struct view *v, const struct shown_change *outputs,
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
		const struct shown_change *c = &outputs[i];

		jw_key_str(&w, shown_change_output(c));
		jw_object(&w);
		jw_member_bool(&w, "sensitive",
			       str_is(c->json.before_sensitive, "true") ||
				       str_is(c->json.after_sensitive, "true"));
		jw_member_str(&w, "action", ui_action(c));
		jw_object_end(&w);
	}
	jw_object_end(&w);
	jw_member_str(&w, "type", STR("outputs"));
	ui_message_end(v, &line, &w);
}
