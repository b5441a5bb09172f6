/* shown.c - see show.h */
#include "ui/show/show.h"
#include "config/module.h"
#include "engine/change/change.h"
#include "engine/change/record.h"
#include "json/read.h"
#include "json/tree.h"
#include "stream/stream.h"
#include "stream/record.h"
#include "ui/diag_text.h"
#include "ui/show/show_int.h"

void shown_init(struct shown *s, struct arena *a)
{
	*s = (struct shown){
		.arena = a,
		.config = config_new(a),
		.previous = state_new(a),
		.prior = state_new(a),
	};
	plan_reader_init(&s->said, a, true);
}

void shown_release(struct shown *s)
{
	arena_release(&s->config->scratch); /* left where reading ended early */
	buf_release(&s->changes_text.text);
	arena_release(&s->changes_text.scratch);
	plan_reader_release(&s->said);
}

static void keep_schema(struct shown *s)
{
	const struct change_schema *read = s->said.changes.schema;

	shown_schema_put(s->arena, &s->schemas, read->mode, read->schema.type,
			 read->provider, &read->schema);
}

static void keep_diag(struct shown *s, struct str line, const struct json *rec)
{
	struct shown_diag d = { .line = str_dup(s->arena, line) };

	if (record_diag_read(s->arena, rec, &d.diag))
		return;
	s->errored |= d.diag.severity == SEV_ERROR;
	if (record_diag_told(s->arena, rec))
		return;
	s->generated |= d.diag.code == DIAG_CONFIG_GENERATED;
	d.has_snippet = record_snippet_read(s->arena, rec, &d.snippet);
	vec_push(s->arena, &s->diags, d);
}

static int keep_change(struct shown *s, struct diags *ds)
{
	const struct change_reader *r = &s->said.changes;
	struct kept_change c;
	bool shown = true;

	if (s->wanted && s->wanted(s, buf_view(&r->held), &shown, ds))
		return -1;
	if (!shown)
		return 0;
	if (s->keep_changes) {
		c.line = str_dup(s->arena, buf_view(&r->held));
		c.json =
			published_of_copy(&r->last, buf_view(&r->held), c.line);
		vec_push(s->arena, &s->changes, c);
	}
	if (s->text)
		plan_text_change(s->text, s, &s->said.changes.last);
	return 0;
}

static void keep_plan(struct shown *s)
{
	struct json_error err;

	s->plan = &s->said.plan;
	s->relevant = json_parse(s->arena, s->plan->relevant_attributes, &err);
}

/* The planned object of such a change is published without the marks of its
 * schema, which its resource_change has. */
static bool keeps_marks(int action)
{
	return action == ACTION_READ ||
	       (action >= 0 && action_renews((enum action)action));
}

static void keep_planned(struct shown *s, struct str line)
{
	struct str *kept, action, address;

	if (!s->keep_changes)
		return;
	action = json_slice_str(s->arena, json_slice_get(line, "action"));
	if (!keeps_marks(action_from_name(action)))
		return;
	kept = ARENA_NEW(s->arena, struct str);
	*kept = str_dup(s->arena, line);
	address = json_slice_str(s->arena, json_slice_get(*kept, "address"));
	map_put(s->arena, &s->marks, address, kept);
}

/* The kinds that are kept as they are; NULL: it is none of them. */
static struct line_vec *lines_of(struct shown *s, struct str kind)
{
	if (str_is(kind, "resource_drift"))
		return &s->drift;
	if (str_is(kind, "output_change"))
		return &s->outputs;
	if (str_is(kind, "node") || str_is(kind, "edge"))
		return &s->graph;
	return str_is(kind, "check_result") ? &s->checks : NULL;
}

int shown_keep(struct shown *s, struct str kind, struct str line,
	       struct diags *ds)
{
	struct line_vec *lines = lines_of(s, kind);
	const struct json *rec;

	s->said.changes.brief = !s->keep_changes;
	if (plan_reader_record(&s->said, kind, line, ds) < 0)
		return -1;
	if (str_is(kind, "resource_change") && keep_change(s, ds))
		return -1;
	if (str_is(kind, "selection"))
		return shown_keep_part(s, line, ds);
	if (str_is(kind, "planned"))
		keep_planned(s, line);
	else if (str_is(kind, "plan"))
		keep_plan(s);
	else if (lines)
		vec_push(s->arena, lines, str_dup(s->arena, line));
	else if (str_is(kind, "schema"))
		keep_schema(s);
	if (!str_is(kind, "diagnostic"))
		return 0;
	rec = stream_parse(s->arena, line, ds);
	if (rec)
		keep_diag(s, line, rec);
	return rec ? 0 : -1;
}

int shown_finish_plan(struct shown *s, struct diags *ds)
{
	if (!s->plan || s->plan->errored || s->info.failed)
		return 0;
	return plan_reader_finish(&s->said, ds);
}

bool shown_is_kept(const struct shown *s, struct str kind)
{
	static const char *const kinds[] = {
		"planned",         "previous_run_state",
		"resource_change", "output_change",
		"previous_output", "prior_state",
		"resource_drift",  "check_result",
		"diagnostic",      "plan",
		"schema",          "output",
		"prior_output",    "state",
		"selection",
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++)
		if (str_is(kind, kinds[i]))
			return true;
	return s->keep_graph && (str_is(kind, "node") || str_is(kind, "edge"));
}

bool shown_parsing(const struct shown *s)
{
	return s->info.stages.len == 1 &&
	       stream_has_stage(&s->info, "tf-parse");
}

bool shown_applying(const struct shown *s)
{
	return stream_has_stage(&s->info, "tf-apply");
}

bool shown_applyable(const struct shown *s)
{
	return s->plan && s->plan->applyable;
}

bool shown_refresh_only(const struct shown *s)
{
	return s->plan && s->plan->what.mode == RUN_REFRESH_ONLY;
}

void shown_no_plan(const struct shown *s, struct diags *ds)
{
	const struct str_vec *stages = &s->info.stages;
	struct str last =
		stages->len ? stages->items[stages->len - 1] : STR("no stage");

	diag_error(
		ds, NULL, "No plan in the stream",
		s->info.failed
			? "The run failed before there was a plan; its last stage was %.*s."
			: "It has been through %.*s, and not through tf-plan yet.",
		STR_ARG(last));
}

void shown_put_diags(struct shown *s, struct view *v)
{
	const struct diag_display *how = &v->display;
	struct shown_diag_vec all = s->diags;
	struct buf b = BUF_INIT;

	if (!all.len)
		return;
	shown_diags_sort(s->arena, &all);
	shown_diags_once(&all);
	shown_diags_deprecated(s->arena, how->deprecation, &all);
	if (!how->each_warning)
		shown_diags_consolidate(s->arena, &all, SEV_WARNING);
	if (how->consolidate_errors)
		shown_diags_consolidate(s->arena, &all, SEV_ERROR);
	if (how->compact_warnings && !s->errored) {
		shown_diags_compact(&b, &all, v->style);
		out_str(v->out, buf_view(&b));
		buf_release(&b);
		return;
	}
	out_flush(v->out);
	for (size_t i = 0; i < all.len; i++) {
		bool error = all.items[i].diag.severity == SEV_ERROR;
		struct out *to = error ? v->err : v->out;

		buf_set_len(&b, 0);
		shown_diag_text(&b, &all.items[i],
				error ? v->err_style : v->style);
		out_str(to, buf_view(&b));
		out_flush(to);
	}
	buf_release(&b);
}

/* --- changes --- */

static enum diff_action shown_action(struct str actions)
{
	static const enum diff_action shown[] = {
		[ACTION_NOOP] = DIFF_NOOP,
		[ACTION_CREATE] = DIFF_CREATE,
		[ACTION_READ] = DIFF_READ,
		[ACTION_UPDATE] = DIFF_UPDATE,
		[ACTION_DELETE_CREATE] = DIFF_REPLACE_DESTROY_FIRST,
		[ACTION_CREATE_DELETE] = DIFF_REPLACE_CREATE_FIRST,
		[ACTION_FORGET_CREATE] = DIFF_FORGET_CREATE,
		[ACTION_DELETE] = DIFF_DELETE,
		[ACTION_FORGET] = DIFF_FORGET,
		[ACTION_OPEN] = DIFF_NOOP,
	};
	const int action = published_action(actions);

	return action < 0 ? DIFF_NOOP : shown[action];
}

void shown_change_from(struct arena *a, const struct published *p,
		       struct shown_change *out)
{
	*out = (struct shown_change){
		.json = *p,
		.address = json_slice_str(a, p->address),
		.previous_address = json_slice_str(a, p->previous_address),
		.module = json_slice_str(a, p->module_address),
		.mode = json_slice_str(a, p->mode),
		.type = json_slice_str(a, p->type),
		.name = json_slice_str(a, p->name),
		.provider = json_slice_str(a, p->provider_name),
		.deposed = json_slice_str(a, p->deposed),
		.reason = json_slice_str(a, p->action_reason),
		.generated_config = json_slice_str(a, p->generated_config),
		.action = shown_action(p->actions),
		.importing = p->importing.n && p->importing.p[0] == '{',
	};
	out->moved = out->previous_address.n &&
		     !str_eq(out->previous_address, out->address);
}

int shown_change_read(struct arena *a, struct str line,
		      struct shown_change *out, struct diags *ds)
{
	struct published p;

	if (published_read(line, &p))
		return record_invalid(ds, "it is not valid JSON");
	shown_change_from(a, &p, out);
	return 0;
}

struct diff_input shown_change_values(struct arena *a,
				      const struct shown_change *c)
{
	return diff_input_from(a, json_slice_tree(a, c->json.change, NULL));
}

struct str shown_change_output(const struct shown_change *c)
{
	const struct str prefix = STR("output.");

	return str_starts(c->address, prefix.p)
		       ? str_sub(c->address, prefix.n, c->address.n)
		       : c->address;
}

/* --- changes made outside, as far as they matter to the plan --- */

/* Only attributes that the plan says were relevant to it are shown as changed
 * (`relevant_attributes`); the rest of an object is as it was. */

bool shown_drift_relevant(struct arena *a, const struct shown *s,
			  const struct shown_change *c, struct diff_input *in)
{
	const struct json *all = s->relevant, **paths;

	in->partly = true;
	if (!all || all->kind != JSON_ARRAY)
		return false;
	paths = ARENA_ARRAY(a, const struct json *, all->len);
	for (uint32_t i = 0; i < all->len; i++) {
		const struct json *path = json_get(&all->items[i], "attribute");

		if (path && path->kind == JSON_ARRAY &&
		    str_eq(json_get_str(&all->items[i], "resource"),
			   c->address))
			paths[in->relevant.n++] = path;
	}
	in->relevant.paths = paths;
	return in->relevant.n > 0;
}
