/* finish.c - the end of a run: conditions, state, summary */
#include "engine/apply/apply_int.h"
#include "addr/walk.h"
#include "base/product.h"
#include "config/module.h"
#include "engine/change/events.h"
#include "engine/run/expand.h"
#include "json/json.h"
#include "json/tree.h"
#include "stream/stream.h"

/* --- conditions, as the plan found them --- */

static void problems_of(struct arena *a, const struct json *instance,
			struct str_vec *out)
{
	const struct json *all = json_get(instance, "problems");

	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++)
		vec_push(a, out, json_get_str(&all->items[i], "message"));
}

/* The instance as the plan's check record shows it. */
static void planned_check(struct apply *ap, struct check_group *g,
			  const struct json *instance, bool settle)
{
	const struct json *at = json_get(instance, "address");
	enum check_status status =
		check_status_from_name(json_get_str(instance, "status"));
	struct arena *a = ap->arena;
	struct diags ignored = DIAGS_INIT(a);
	struct str text = json_get_str(at, "to_display");
	struct str module = json_get_str(at, "module");
	struct instance_addr addr = { .key = KEY_ABSENT };
	struct str_vec problems = { NULL, 0, 0 };
	struct check_object *o;

	if (g->kind == CHECK_RESOURCE)
		instance_addr_parse(a, text, &addr, &ignored);
	else if (module.n)
		module_addr_parse(a, module, &addr.module, &ignored);
	if (!text.n || diags_failed(&ignored))
		return;
	o = checks_object(&ap->run->checks, g, addr.module, addr.key, text);
	if (!settle)
		return;
	problems_of(a, instance, &problems);
	checks_settle(&ap->run->checks, g, o, status, &problems);
}

/* settle: the plan's outcome is the result. */
static int planned_checks(struct apply *ap, bool settle)
{
	for (size_t i = 0; i < ap->in->checked.len; i++) {
		const struct json *j =
			stream_parse(ap->arena, ap->in->checked.items[i],
				     ap->ds);
		const struct json *instances;
		struct check_group *g;

		if (!j)
			return -1;
		g = map_get(&ap->run->checks.groups,
			    json_get_str(json_get(j, "address"), "to_display"));
		instances = json_get(j, "instances");
		if (g && check_status_from_name(json_get_str(j, "status")) !=
				 CHECK_UNKNOWN)
			g->expanded = true;
		for (uint32_t k = 0;
		     g && instances && instances->kind == JSON_ARRAY &&
		     k < instances->len;
		     k++)
			planned_check(ap, g, &instances->items[k], settle);
	}
	return 0;
}

int apply_expect_checks(struct apply *ap)
{
	return planned_checks(ap, false);
}

/* --- resources without instances --- */

/* Collects the managed resources that operations changed: one that is left
 * without objects is gone for good.  Data that could not be read are not. */
static void note_changed(struct apply *ap, struct map *changed)
{
	const struct graph *g = ap->graph->g;

	for (uint32_t i = 0; i < g->nodes.len; i++) {
		const struct apply_node *an = apply_node(ap->graph, i);
		struct buf text = BUF_INIT;

		if (!an->change || !an->begun ||
		    an->change->addr.resource.mode == MODE_DATA)
			continue;
		state_resource_text(&text, an->change->addr.module,
				    &an->change->addr.resource);
		map_put(ap->arena, changed, buf_dup(ap->arena, &text), ap);
		buf_release(&text);
	}
}

static void keep_empty(struct apply *ap, const struct cfg_resource *c,
		       const struct map *changed)
{
	struct diags ignored = DIAGS_INIT(ap->arena);
	struct run_module_vec modules = { NULL, 0, 0 };
	struct cfg_provider_choice choice;
	bool failed = false;

	run_modules(ap->run, c->module, &modules, &failed, &ignored);
	config_provider_choose(c->module, c->provider_ref, c->provider,
			       &choice);
	for (size_t i = 0; !failed && i < modules.len; i++) {
		struct module_addr module = modules.items[i]->addr;
		struct buf text = BUF_INIT;
		struct state_resource *r;

		state_resource_text(&text, module, &c->addr);
		if (!map_has(changed, buf_view(&text))) {
			r = state_resource_make(ap->state, module, &c->addr);
			r->provider = choice.addr;
			r->kept = true;
		}
		buf_release(&text);
	}
}

/* As in OpenTofu, a resource that was expanded is in the state even without
 * instances; those without are removed when a run succeeds.  They mean nothing,
 * but other programs see the modules that they are in. */
static void settle_empty(struct apply *ap, bool failed)
{
	struct map changed = { 0 };

	for (size_t i = 0; !failed && i < ap->state->resources.len; i++)
		ap->state->resources.items[i]->kept = false;
	if (!failed || ap->in->said.plan.what.mode == RUN_DESTROY)
		return;
	note_changed(ap, &changed);
	for (uint32_t i = 0; i < ap->graph->g->nodes.len; i++) {
		const struct apply_node *an = apply_node(ap->graph, i);

		if (an->expands && an->needed && an->begun)
			keep_empty(ap, an->expands, &changed);
	}
}

/* --- the end --- */

void apply_finish(struct apply *ap)
{
	ap->finished = true;
}

static struct event_counts done_counts(const struct apply *ap)
{
	struct event_counts c = ap->events.counts;
	const struct change_vec *all = &ap->in->said.changes.changes;

	for (size_t i = 0; i < all->len; i++) {
		const struct change *ch = all->items[i];

		c.import += ch->import_id.n || ch->import_identity;
		c.forget += ch->action == ACTION_FORGET;
	}
	return c;
}

static void warn_incomplete(struct apply *ap)
{
	if (target_set_narrows(&ap->in->said.plan.what.set))
		diag_warning(
			ap->ds, NULL, "Applied changes may be incomplete",
			"The plan was made with -target or -exclude, so other changes may "
			"be pending, and outputs may not be up to date. \"%s plan\" shows "
			"what is left.",
			product_command());
}

/* Destroying everything is not done when something is left behind. */
static void check_forgotten(struct apply *ap, const struct event_counts *c)
{
	if (ap->in->said.plan.what.mode == RUN_DESTROY && c->forget &&
	    !ap->opts->suppress_forget_errors)
		diag_error(
			ap->ds, NULL,
			"Destroy was successful but left behind forgotten instances",
			"As asked for, %u objects were not destroyed but "
			"only forgotten. They still exist. "
			"-suppress-forget-errors makes this no error.",
			c->forget);
}

void apply_refreshed(struct apply *ap)
{
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
		diag_error(
			ap->ds, NULL, "execution halted",
			"The run was interrupted before everything was done.");
		failed = true;
	}
	/* A refresh-only plan checked everything; its apply does not. */
	if (ap->in->said.plan.what.mode == RUN_REFRESH_ONLY)
		planned_checks(ap, true);
	checks_to_state(ap->state, &ap->run->checks);
	if (!failed)
		check_forgotten(ap, &counts);
	warn_incomplete(ap);
	settle_empty(ap, failed || diags_failed(ap->ds));
	if (apply_write_state(ap, ap->ds)) {
		apply_rescue(ap);
		failed = true;
	}
	/* All that is known by now is saved, or was reported as lost. */
	ap->events.out->out.before = NULL;
	if (!failed && !diags_failed(ap->ds)) {
		event_summary(&ap->events, &counts,
			      ap->opts->destroy ? "destroy" : "apply");
		if (!ap->opts->destroy)
			event_outputs(&ap->events, ap->state);
	}
	out_flush(&ap->events.out->out);
}
