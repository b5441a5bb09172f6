/* finish.c - the end of a run: conditions, state, summary */
#include "engine/apply/apply_int.h"

#include "json/json.h"

/* --- which conditions are to be expected --- */

static struct check_group *group_of(struct apply *ap, const struct json *j,
				    struct str text)
{
	struct checks *c = &ap->run->checks;
	struct buf address = BUF_INIT;
	struct check_group *g;

	(void)j;
	buf_str(&address, text);
	g = map_get(&c->groups, buf_view(&address));
	buf_release(&address);
	return g;
}

/* The instance as the plan's check record shows it. */
static void expect(struct apply *ap, struct check_group *g,
		   const struct json *instance)
{
	const struct json *at = json_get(instance, "address");
	struct arena *a = ap->arena;
	struct diags ignored = DIAGS_INIT(a);
	struct str text = json_get_str(at, "to_display");
	struct str module = json_get_str(at, "module");
	struct instance_addr addr = { .key = KEY_ABSENT };
	struct check_object *o;

	if (g->kind == CHECK_RESOURCE)
		instance_addr_parse(a, text, &addr, &ignored);
	else if (module.n)
		module_addr_parse(a, module, &addr.module, &ignored);
	if (!text.n || diags_failed(&ignored))
		return;
	o = checks_object(&ap->run->checks, g, addr.module, addr.key, text);
	/* A variable has the value it was planned with: what was found of it
	 * holds, whether or not it is needed now. */
	if (g->kind == CHECK_VARIABLE &&
	    str_is(json_get_str(instance, "status"), "pass"))
		for (size_t i = 0; i < g->total; i++)
			checks_report(&ap->run->checks, o, CHECK_PASS,
				      STR_NONE);
}

int apply_expect_checks(struct apply *ap)
{
	for (size_t i = 0; i < ap->in->checked.len; i++) {
		const struct json *j = stream_parse(
			ap->arena, ap->in->checked.items[i], ap->ds);
		const struct json *address, *instances;
		struct check_group *g;

		if (!j)
			return -1;
		address = json_get(j, "address");
		instances = json_get(j, "instances");
		g = group_of(ap, address, json_get_str(address, "to_display"));
		for (uint32_t k = 0; g && instances &&
				     instances->kind == JSON_ARRAY &&
				     k < instances->len; k++)
			expect(ap, g, &instances->items[k]);
	}
	return 0;
}

/* --- the end --- */

void apply_finish(struct apply *ap)
{
	ap->finished = true;
}

static struct event_counts done_counts(const struct apply *ap)
{
	struct event_counts c = ap->events.counts;
	const struct change_vec *all = &ap->in->changes.changes;

	for (size_t i = 0; i < all->len; i++) {
		const struct change *ch = all->items[i];

		c.import += ch->import_id.n || ch->import_identity;
		c.forget += ch->action == ACTION_FORGET;
	}
	return c;
}

static void warn_incomplete(struct apply *ap)
{
	if (ap->in->targets.len || ap->in->excludes.len)
		diag_warning(ap->ds, NULL, "Applied changes may be incomplete",
			     "The plan was made with -target or -exclude, so "
			     "other changes may be pending, and outputs may "
			     "not be up to date. \"tf plan\" shows what is "
			     "left.");
}

/* Destroying everything is not done when something is left behind. */
static void check_forgotten(struct apply *ap, const struct event_counts *c)
{
	if (ap->in->mode == RUN_DESTROY && c->forget &&
	    !ap->opts->suppress_forget_errors)
		diag_error(ap->ds, NULL, "Destroy was successful but left "
			   "behind forgotten instances",
			   "As asked for, %u objects were not destroyed but "
			   "only forgotten. They still exist. "
			   "-suppress-forget-errors makes this no error.",
			   c->forget);
}

void apply_refreshed(struct apply *ap)
{
	size_t objects = 0;

	for (size_t i = 0; i < ap->state->resources.len; i++) {
		const struct state_resource *r = ap->state->resources.items[i];

		if (r->addr.mode == MODE_MANAGED)
			objects += r->instances.len;
	}
	if (!objects)
		diag_warning(ap->ds, NULL, "Empty or non-existent state",
			     "No objects are tracked in the state, so there is "
			     "nothing to refresh.");
	ap->state->checks.len = 0;
	ap->state->checks_known = false;
	if (!apply_write_state(ap, ap->ds))
		event_outputs(&ap->events, ap->state);
	out_flush(&ap->events.out->out);
}

void apply_end(struct apply *ap, bool failed)
{
	struct event_counts counts = done_counts(ap);

	loop_cancel(ap->persist);
	if (ap->interrupted) {
		diag_error(ap->ds, NULL, "execution halted",
			   "The run was interrupted before everything was "
			   "done.");
		failed = true;
	}
	checks_to_state(ap->state, &ap->run->checks);
	if (!failed)
		check_forgotten(ap, &counts);
	warn_incomplete(ap);
	if (apply_write_state(ap, ap->ds))
		failed = true;
	if (!failed && !diags_failed(ap->ds)) {
		event_summary(&ap->events, &counts,
			      ap->opts->destroy ? "destroy" : "apply");
		if (!ap->opts->destroy)
			event_outputs(&ap->events, ap->state);
	}
	out_flush(&ap->events.out->out);
}
