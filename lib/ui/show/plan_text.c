/*
 * plan_text.c - a plan as people read it
 *
 * Source of texts and layout: OpenTofu 1.12.6.
 */
#include "ui/show/show.h"
#include "ui/diff/diff.h"
#include "ui/show/show_int.h"
#include "base/product.h"
#include "base/visible.h"

static void put(struct view *v, const char *text)
{
	out_str(v->out, str_c(text));
}

static void put_bold(struct buf *b, struct view *v, const char *text)
{
	buf_addf(b, "%s%s%s", v->style.color ? PAINT_BOLD : "", text,
		 v->style.color ? PAINT_PLAIN : "");
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

/* --- sections --- */

struct section {
	struct view *v;
	struct shown *s;
	const struct changes_text *changes;
	struct diags *ds; /* unread: records were checked when they came */
	struct map drift; /* the addresses of what is shown of it */
};

void plan_text_change(struct view *v, struct shown *s,
		      const struct published *p)
{
	struct changes_text *t = &s->changes_text;
	struct arena *a = &t->scratch;
	struct diff_input in;
	struct shown_change c;

	/* Most of a plan, often, and never shown. */
	if (str_is(p->actions, "[\"no-op\"]") && !p->previous_address.p &&
	    !p->importing.p)
		return;
	shown_change_from(a, p, &c);
	if (plan_count(&t->counts, &c)) {
		t->by_action[c.action]++;
		t->any_action |= c.action != DIFF_NOOP;
		in = shown_change_values(a, &c);
		plan_resource_text(&t->text, v, &c, a,
				   plan_resource_diff(a, s, &c, &in), false);
	}
	arena_reset(a);
}

static void put_drift_head(struct view *v)
{
	struct buf b = BUF_INIT;

	buf_puts(&b, "\n");
	put_bold(&b, v,
		 arena_printf(v->arena,
			      "Note: Objects have changed outside of %s",
			      product_name()));
	buf_puts(&b, "\n\n");
	out_str(v->out, buf_view(&b));
	buf_release(&b);
	put_wrapped(
		v,
		arena_printf(
			v->arena,
			"%s detected the following changes made outside of %s since the "
			"last \"%s apply\" which may have affected this plan:",
			product_name(), product_name(), product_command()));
}

static void put_drift_end(struct view *v, bool refresh_only)
{
	put(v, "\n\n");
	put_wrapped(
		v,
		refresh_only
			? arena_printf(
				  v->arena,
				  "This is a refresh-only plan, so %s will not take any actions to "
				  "undo these. If you were expecting these changes then you can "
				  "apply this plan to record the updated values in the %s state "
				  "without changing any remote objects.",
				  product_name(), product_name())
			: "Unless you have made equivalent changes to your "
			  "configuration, or ignored the relevant attributes using "
			  "ignore_changes, the following plan may include actions to "
			  "undo or respond to these changes.");
}

const struct diff *plan_drift_diff(struct arena *a, const struct shown *s,
				   const struct shown_change *c)
{
	const bool all = shown_refresh_only(s);
	const struct diff *d;
	struct diff_input in;

	if (!all && c->action == DIFF_NOOP)
		return NULL;
	in = shown_change_values(a, c);
	if (!all && !shown_drift_relevant(a, s, c, &in))
		return NULL;
	d = plan_resource_diff(a, s, c, &in);
	return all || d->action != DIFF_NOOP ? d : NULL;
}

/* Shows the drift that the record tells of, if it matters. */
static bool put_one_drift(struct section *sec, struct str line, bool first)
{
	struct arena a = ARENA_INIT;
	struct buf b = BUF_INIT;
	struct shown_change c;
	const struct diff *d = NULL;

	if (!shown_change_read(&a, line, &c, sec->ds))
		d = plan_drift_diff(&a, sec->s, &c);
	if (d && first)
		put_drift_head(sec->v);
	if (d) {
		plan_resource_text(&b, sec->v, &c, &a, d, true);
		out_str(sec->v->out, buf_view(&b));
		map_put(sec->s->arena, &sec->drift,
			str_dup(sec->s->arena, c.address), sec);
	}
	buf_release(&b);
	arena_release(&a);
	return d != NULL;
}

bool plan_tells_drift(const struct shown *s, const struct plan_counts *n)
{
	return shown_refresh_only(s) || n->shown || s->outputs.len;
}

static bool put_drift(struct section *sec)
{
	size_t shown = 0;

	if (!plan_tells_drift(sec->s, &sec->changes->counts))
		return false;
	for (size_t i = 0; i < sec->s->drift.len; i++)
		shown += put_one_drift(sec, sec->s->drift.items[i], !shown);
	if (shown)
		put_drift_end(sec->v, shown_refresh_only(sec->s));
	return shown > 0;
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
	put_wrapped(
		sec->v,
		arena_printf(
			sec->v->arena,
			"%s used the selected providers to generate the following "
			"execution plan. Resource actions are indicated with the following "
			"symbols:",
			product_name()));
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		if (!sec->changes->by_action[rows[i].action])
			continue;
		buf_set_len(&b, 0);
		diff_symbol(&b, rows[i].action, sec->v->style.color);
		buf_addf(&b, " %s\n", rows[i].text);
		/* This one is not indented, as in OpenTofu. */
		out_str(sec->v->out,
			str_sub(buf_view(&b),
				rows[i].action == DIFF_FORGET_CREATE ? 2 : 0,
				b.len));
	}
	buf_release(&b);
}

static void put_changes(struct section *sec)
{
	struct view *v = sec->v;
	struct buf b = BUF_INIT;

	put(v,
	    sec->s->plan->errored
		    ? arena_printf(
			      v->arena,
			      "\n%s planned the following actions, but then encountered a problem:\n",
			      product_name())
		    : arena_printf(v->arena,
				   "\n%s will perform the following actions:\n",
				   product_name()));
	out_str(v->out, buf_view(&sec->changes->text));
	put(v, "\n");
	plan_counts_text(&b, &sec->changes->counts);
	if (v->style.color) {
		put(v, PAINT_BOLD "Plan:" PAINT_PLAIN);
		out_str(v->out, str_sub(buf_view(&b), 5, b.len));
	} else {
		out_str(v->out, buf_view(&b));
	}
	put(v, "\n");
	buf_release(&b);
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
			struct shown_change c;
			struct diff_input in;
			const struct diff *d;
			struct str name;

			if (shown_change_read(&a, sec->s->outputs.items[i], &c,
					      sec->ds))
				continue;
			name = diff_escaped_name(&a, shown_change_output(&c),
						 false);
			if (!pass && name.n > width)
				width = name.n;
			if (!pass)
				continue;
			in = shown_change_values(&a, &c);
			d = diff_json(&a, &in);
			if (d->action == DIFF_NOOP)
				continue;
			if (b.len)
				buf_putc(&b, '\n');
			diff_symbol(&b, d->action, st.color);
			buf_putc(&b, ' ');
			diff_name(&b, name, width);
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
	const bool destroy = sec->s->plan->what.mode == RUN_DESTROY;
	const char *what = "Your infrastructure matches the configuration.";

	if (sec->s->plan->errored) {
		put(v,
		    arena_printf(
			    v->arena,
			    "\nPlanning failed. %s encountered an error while generating this plan.\n\n",
			    product_name()));
		return;
	}
	if (shown_refresh_only(sec->s) && drift)
		return;
	if (shown_refresh_only(sec->s))
		what = "Your infrastructure still matches the configuration.";
	else if (destroy)
		what = "No objects need to be destroyed.";
	if (drift)
		put_rule(v);
	buf_addf(&b, "\n%sNo changes.%s ", green ? PAINT_BOLD PAINT_GREEN : "",
		 green ? PAINT_PLAIN : "");
	put_bold(&b, v, what);
	buf_puts(&b, "\n\n");
	out_str(v->out, buf_view(&b));
	buf_release(&b);
	put_wrapped(
		v,
		shown_refresh_only(sec->s)
			? arena_printf(
				  v->arena,
				  "%s has checked that the real remote objects still match the "
				  "result of your most recent changes, and found no differences.",
				  product_name())
		: destroy
			? arena_printf(
				  v->arena,
				  "Either you have not created any objects yet or the existing "
				  "objects were already deleted outside of %s.",
				  product_name())
		: drift && sec->s->plan->applyable
			? "Your configuration already matches the changes detected "
			  "above, so applying this plan will only update the state to "
			  "include the changes detected above and won't change any "
			  "real infrastructure."
		: drift ? arena_printf(
				  v->arena,
				  "Your configuration already matches the changes detected above. If "
				  "you'd like to update the %s state to match, create and apply a "
				  "refresh-only plan:\n"
				  "  %s apply -refresh-only",
				  product_name(), product_command())
			: arena_printf(
				  v->arena,
				  "%s has compared your real infrastructure against your "
				  "configuration and found no differences, so no changes are needed.",
				  product_name()));
}

/* --- what is stored, but not shown --- */

/* What was changed outside is shown, from what the state has. */
static bool drift_shown(const struct map *drift, const struct change_entry *e)
{
	return !e->deposed.n && map_has(drift, e->address) && !e->drift_apart;
}

/* Objects of which neither a change nor what was changed outside is shown. */
static void found_objects(struct shown *s, const struct map *drift,
			  struct buf *b)
{
	struct change_reader *r = &s->said.changes;

	for (size_t i = 0; i < r->entries.len; i++) {
		struct change_entry *e = r->entries.entries[i].value;
		const struct str *was;
		struct str provider;
		const bool kept = change_kept_otherwise(r, e, &provider);

		if ((change_is_shown(r, e) && e->action != ACTION_NOOP) ||
		    e->imports)
			continue;
		if (!kept &&
		    (!change_found_otherwise(r, e) || drift_shown(drift, e)))
			continue;
		buf_addf(b, "  - %.*s%s%.*s%s%s", STR_ARG(e->address),
			 e->deposed.n ? " (deposed object " : "",
			 STR_ARG(e->deposed), e->deposed.n ? ")" : "",
			 e->prior.there ? "" : ", which is gone");
		was = map_get(&r->moves, e->address);
		if (was && !e->published)
			buf_addf(b, ", which was %.*s", STR_ARG(*was));
		if (provider.n)
			buf_addf(b, ", as an object of %.*s",
				 STR_ARG(provider));
		buf_putc(b, '\n');
	}
}

/* Outputs of which no change is shown. */
static void found_outputs(const struct shown *s, struct buf *b)
{
	const struct map *all = &s->said.outputs;

	for (size_t i = 0; i < all->len; i++) {
		const struct plan_output *o = all->entries[i].value;

		if (o->prior.p && !o->change.p)
			buf_addf(b, "  - output.%.*s\n", STR_ARG(o->name));
	}
}

void plan_found_text(struct buf *b, struct shown *s, const struct map *drift)
{
	if (!s->tells_found || s->plan->errored)
		return;
	found_objects(s, drift, b);
	if (s->plan->what.mode == RUN_DESTROY)
		found_outputs(s, b);
}

static void put_found(struct section *sec)
{
	struct buf b = BUF_INIT;

	plan_found_text(&b, sec->s, &sec->drift);
	if (b.len) {
		put(sec->v, "\n");
		put_wrapped(sec->v,
			    "Applying this plan also stores what planning "
			    "found otherwise than the state has it. Of these "
			    "nothing is shown above, or not all:");
		put(sec->v, "\n\n");
		out_str(sec->v->out, buf_view(&b));
	}
	buf_release(&b);
}

static void put_plan(struct section *sec)
{
	const struct changes_text *changes = sec->changes;
	struct view *v = sec->v;
	struct arena a = ARENA_INIT;
	struct str outputs;
	bool drift;

	outputs = outputs_of(sec, &a);
	drift = put_drift(sec);
	if (!changes->counts.shown && !outputs.n && sec->s->parts.len) {
		put(v,
		    "\nNone of the changes that are selected does anything.\n");
		arena_release(&a);
		return;
	}
	if (!changes->counts.shown && !outputs.n) {
		put_nothing(sec, drift);
		arena_release(&a);
		return;
	}
	if (drift)
		put_rule(v);
	if (changes->any_action)
		put_legend(sec);
	if (changes->counts.shown)
		put_changes(sec);
	if (outputs.n) {
		put(v, "\nChanges to Outputs:\n");
		out_str(v->out, outputs);
		put(v, "\n");
		if (!changes->any_action && !sec->s->parts.len) {
			put(v, "\n");
			put_wrapped(
				v,
				arena_printf(
					v->arena,
					"You can apply this plan to save these new output values to the %s "
					"state, without changing any real infrastructure.",
					product_name()));
		}
	}
	arena_release(&a);
}

struct str plan_unread_said(struct arena *a, const struct shown *s)
{
	const struct plan_record *plan = s->plan;

	if (plan->unread <= 0)
		return STR_NONE;
	return str_printf(
		a,
		"%lld %s not read again, because of %s: what has changed "
		"there outside of %s is not in this plan.",
		(long long)plan->unread,
		plan->unread == 1 ? "object was" : "objects were",
		!plan->what.minimal_refresh ? "-refresh=older-than"
		: plan->what.refresh_older_than
			? "-minimal-refresh and -refresh=older-than"
			: "-minimal-refresh",
		product_name());
}

/* What is said of the real objects above does not go for these. */
static void put_unread(struct section *sec)
{
	const struct str said = plan_unread_said(sec->v->arena, sec->s);

	if (!said.n)
		return;
	put(sec->v, "\n");
	put_wrapped(sec->v, said.p);
}

void plan_text(struct view *v, struct shown *s)
{
	struct arena a = ARENA_INIT;
	struct diags quiet = DIAGS_INIT(&a);
	struct section sec = {
		.v = v, .s = s, .changes = &s->changes_text, .ds = &quiet
	};

	shown_parts_text(
		v, s, "changes",
		s->select
			? "All outputs are shown."
			: "Outputs that derive from the others stay as they were when this is applied.");
	put_plan(&sec);
	put_unread(&sec);
	put_found(&sec);
	arena_release(&a);
}
