/* plan_reader.c - see plan_reader.h */
#include "engine/stage/plan_reader.h"
#include "base/visible.h"
#include "engine/change/record.h"
#include "json/read.h"
#include "state/file/file.h"
#include "value/value.h"
#include "value/marks.h"

static const char wrong[] = "Inconsistent plan";
static const char prefix[] = "output.";

void plan_reader_init(struct plan_reader *r, struct arena *a, bool shown_only)
{
	*r = (struct plan_reader){
		.arena = a,
		.changes = { .arena = a, .shown_only = shown_only },
	};
	r->plan.workspace = STR("default");
}

void plan_reader_release(struct plan_reader *r)
{
	change_reader_release(&r->changes);
}

/* --- the records --- */

static struct plan_output *output_of(struct plan_reader *r, struct str line)
{
	struct str address =
		json_slice_str(r->arena, json_slice_get(line, "address"));
	struct plan_output *o;
	struct str name;

	if (!str_starts(address, prefix))
		return NULL; /* of another module */
	name = str_sub(address, sizeof(prefix) - 1, address.n);
	o = map_get(&r->outputs, name);
	if (o)
		return o;
	o = ARENA_NEW(r->arena, struct plan_output);
	o->name = str_dup(r->arena, visible_word(r->arena, name));
	map_put(r->arena, &r->outputs, str_dup(r->arena, name), o);
	return o;
}

static int once(const char *kind, struct str name, bool again, struct diags *ds)
{
	return again ? diag_error(ds, NULL, wrong,
				  "There are two %s records%s%.*s.", kind,
				  name.n ? " for output." : "", STR_ARG(name))
		     : 0;
}

static int read_line(struct plan_reader *r, const char *kind, struct str *to,
		     const struct plan_output *o, struct str line,
		     struct diags *ds)
{
	if (once(kind, o->name, to->p != NULL, ds))
		return -1;
	*to = str_dup(r->arena, line);
	return 0;
}

static void read_declared(struct plan_reader *r, struct str line)
{
	struct plan_output *o = output_of(r, line);

	if (!o)
		return;
	o->declared = true;
	o->sensitive = str_is(json_slice_get(line, "sensitive"), "true");
}

static int read_change(struct plan_reader *r, struct plan_output *o,
		       struct str line, struct diags *ds)
{
	struct output_change c;

	if (read_line(r, "output_change", &o->change, o, line, ds) ||
	    output_change_read(r->arena, line, &c, ds))
		return -1;
	o->changes = c.action != ACTION_NOOP;
	map_put(r->arena, &r->planned_outputs, o->name, (void *)c.after);
	return 0;
}

static int read_output(struct plan_reader *r, struct str kind, struct str line,
		       struct diags *ds)
{
	struct plan_output *o = output_of(r, line);

	if (!o)
		return diag_error(
			ds, NULL, wrong,
			"A %.*s record has no \"address\" of an output.",
			STR_ARG(kind));
	if (str_is(kind, "output_change"))
		return read_change(r, o, line, ds);
	return str_is(kind, "previous_output")
		       ? read_line(r, "previous_output", &o->previous, o, line,
				   ds)
		       : read_line(r, "prior_output", &o->prior, o, line, ds);
}

static int read_module_output(struct plan_reader *r, struct str line,
			      struct diags *ds)
{
	struct str address;
	const struct value *v;

	if (module_output_read(r->arena, line, &address, &v, ds) ||
	    once("module_output", address, map_has(&r->module_outputs, address),
		 ds))
		return -1;
	map_put(r->arena, &r->module_outputs, address, (void *)v);
	return 0;
}

static int read_plan(struct plan_reader *r, struct str line, struct diags *ds)
{
	if (once("plan", STR_NONE, r->have_plan, ds))
		return -1;
	r->have_plan = true;
	return plan_record_read(r->arena, line, &r->plan, ds);
}

int plan_reader_record(struct plan_reader *r, struct str kind, struct str line,
		       struct diags *ds)
{
	const int rc = change_read_record(&r->changes, kind, line, ds);

	if (rc <= 0)
		return rc;
	if (str_is(kind, "plan"))
		return read_plan(r, line, ds);
	if (str_is(kind, "output_change") || str_is(kind, "previous_output") ||
	    str_is(kind, "prior_output"))
		return read_output(r, kind, line, ds);
	if (str_is(kind, "module_output"))
		return read_module_output(r, line, ds);
	if (str_is(kind, "output"))
		read_declared(r, line);
	if (str_is(kind, "state")) {
		if (once("state", STR_NONE, r->have_state, ds))
			return -1;
		r->have_state = true;
	}
	return 1;
}

/* --- do they agree? --- */

/* The record of what there is before the apply: destroying goes by what the
 * configuration makes of the outputs now. */
static const char *kind_before(const struct plan_reader *r,
			       const struct plan_output *o)
{
	return r->plan.what.mode == RUN_DESTROY && o->prior.p
		       ? "prior_output"
		       : "previous_output";
}

/* That value, unmarked; NULL: there is none. */
static const struct value *value_before(struct plan_reader *r,
					const struct plan_output *o,
					bool *sensitive, struct diags *ds)
{
	struct state *was = state_new(r->arena);
	const struct str kind = str_c(kind_before(r, o));
	const struct str line =
		str_is(kind, "prior_output") ? o->prior : o->previous;
	const struct value *v;

	*sensitive = false;
	if (!line.p || state_read_record(was, was, kind, line, ds))
		return NULL;
	v = state_output(was, o->name);
	*sensitive = v && value_has_mark_deep(v, MARK_SENSITIVE);
	return v ? value_unmark_deep(r->arena, v, NULL) : NULL;
}

/* Is the action what becomes of the one when it turns into the other?  An
 * update may be of what is said about the output alone. */
static bool fits(const struct output_change *c, const struct plan_output *o,
		 bool there, enum run_mode mode)
{
	if (mode == RUN_DESTROY && c->action != ACTION_DELETE)
		return false;
	switch (c->action) {
	case ACTION_NOOP:
		return o->declared && value_wholly_known(c->after) &&
		       (value_is_null(c->after)
				? !there
				: value_equal_unmarked(c->before, c->after));
	case ACTION_CREATE:
		return o->declared && !there;
	case ACTION_UPDATE:
		return o->declared && (there || value_is_null(c->after));
	case ACTION_DELETE:
		return value_is_null(c->after) &&
		       (mode == RUN_DESTROY || !o->declared);
	default:
		return false;
	}
}

static int check_change(struct plan_reader *r, const struct plan_output *o,
			struct diags *ds)
{
	struct output_change c;
	struct published said, again;
	const char *member = "actions";
	const struct value *was;
	bool sensitive;

	if (published_read(o->change, &said) ||
	    output_change_read(r->arena, o->change, &c, ds))
		return -1;
	was = value_before(r, o, &sensitive, ds);
	c.before = was ? was : &value_null_dynamic;
	c.sensitive = sensitive || (o->sensitive && c.action != ACTION_DELETE);
	if (fits(&c, o, was != NULL, r->plan.what.mode)) {
		published_read(output_change_text(r->arena, &c), &again);
		member = published_differs(r->arena, &said, &again);
	}
	if (!member)
		return 0;
	return diag_error(ds, NULL, wrong,
			  "What the output_change record of %.*s says is not "
			  "what would be stored, or not what the state has: "
			  "\"%s\" is another.",
			  STR_ARG(o->name), member);
}

/* Whoever looks at them finds the same wrong with them. */
static void check_values(struct plan_reader *r, const struct plan_output *o,
			 struct diags *ds)
{
	struct state *s = state_new(r->arena);

	if (o->previous.p)
		state_read_record(s, NULL, STR("previous_output"), o->previous,
				  ds);
	if (o->prior.p)
		state_read_record(s, s, STR("prior_output"), o->prior, ds);
}

/* Applying takes out of the state what is not declared, or destroyed, and puts
 * into it what is: not without telling. */
static int check_told(struct plan_reader *r, const struct plan_output *o,
		      struct diags *ds)
{
	const bool destroy = r->plan.what.mode == RUN_DESTROY;
	bool sensitive;

	if (target_set_narrows(&r->plan.what.set) ||
	    ((destroy || !o->declared) && !value_before(r, o, &sensitive, ds)))
		return 0;
	return diag_error(ds, NULL, wrong,
			  "There is no output_change record for output.%.*s, "
			  "which the apply would change.",
			  STR_ARG(o->name));
}

/* What a plan of the mode does. */
static bool mode_allows(enum run_mode mode, const struct change_entry *e)
{
	if (!e->planned || mode == RUN_NORMAL)
		return true;
	return e->action == ACTION_NOOP ||
	       (mode == RUN_DESTROY &&
		(e->action == ACTION_DELETE || e->action == ACTION_FORGET));
}

/* *found: planning found something otherwise than the state has it. */
static int check_mode(struct plan_reader *r, bool *found, struct diags *ds)
{
	const struct map *all = &r->changes.entries;
	const enum run_mode mode = r->plan.what.mode;

	for (size_t i = 0; i < all->len; i++) {
		struct change_entry *e = all->entries[i].value;

		*found |= mode == RUN_REFRESH_ONLY &&
			  change_found_otherwise(&r->changes, e) &&
			  !change_only_moved(&r->changes, e);
		if (!mode_allows(mode, e))
			return diag_error(
				ds, NULL, wrong,
				"The plan is of mode %s, which does not do what it plans for %.*s.",
				run_mode_name(mode), STR_ARG(e->address));
	}
	return 0;
}

/* Whether there is something to do follows from what there is; but of what is
 * only refreshed not all is looked at. */
static int check_applyable(struct plan_reader *r, bool does, struct diags *ds)
{
	if (does && !r->plan.applyable)
		return diag_error(
			ds, NULL, wrong,
			"The plan record says that there is nothing to apply, but there is.");
	if (r->plan.what.mode != RUN_REFRESH_ONLY)
		r->plan.applyable = does;
	return 0;
}

int plan_reader_finish(struct plan_reader *r, struct diags *ds)
{
	const size_t errors = ds->errors;
	bool does = r->changes.does, found = false;

	r->changes.destroys = r->plan.what.mode == RUN_DESTROY;
	change_read_finish(&r->changes, ds);
	for (size_t i = 0; i < r->outputs.len; i++) {
		const struct plan_output *o = r->outputs.entries[i].value;

		check_values(r, o, ds);
		does |= o->changes;
		if (o->change.p)
			check_change(r, o, ds);
		else
			check_told(r, o, ds);
	}
	if (!check_mode(r, &found, ds))
		check_applyable(r,
				does || (found &&
					 r->plan.what.mode == RUN_REFRESH_ONLY),
				ds);
	return ds->errors > errors ? -1 : 0;
}
