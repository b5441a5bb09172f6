/*
 * read.c - a plan stream taken in
 *
 * The state is not: it is read again under the lock, and only what the plan
 * found otherwise (prior_state) is kept as lines until then.
 */
#include "engine/apply/read.h"

#include "config/record/finish.h"
#include "config/record/records_read.h"
#include "config/tree.h"
#include "engine/apply/apply.h"
#include "state/file/record.h"
#include "state/file/record_read.h"

void apply_input_init(struct apply_input *in, struct arena *a)
{
	*in = (struct apply_input){ .arena = a };
	in->config = config_new(a);
	in->header = state_new(a);
	in->changes.arena = a;
	in->plan.workspace = STR("default");
}

void apply_input_release(struct apply_input *in)
{
	if (in->config)
		arena_release(&in->config->scratch);
}

static int read_output(struct apply_input *in, struct str line,
		       struct diags *ds)
{
	struct output_change c;

	if (output_change_read(in->arena, line, &c, ds))
		return -1;
	if (c.after)
		map_put(in->arena, &in->outputs, c.name, (void *)c.after);
	return 0;
}

int apply_read(void *data, struct str kind, struct str line, struct diags *ds)
{
	struct apply_input *in = data;
	int rc;

	/* By far the most frequent kinds first. */
	if (str_is(kind, "previous_run_state"))
		return 0;
	rc = change_read_record(&in->changes, kind, line, ds);
	if (rc <= 0)
		return rc;
	if (str_is(kind, "prior_state")) {
		vec_push(in->arena, &in->prior, str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "prior_output")) {
		vec_push(in->arena, &in->prior_outputs,
			 str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "check_result")) {
		vec_push(in->arena, &in->checked, str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "plan")) {
		in->have_plan = true;
		return plan_record_read(in->arena, line, &in->plan, ds);
	}
	if (str_is(kind, "edited"))
		return overrides_read(in->arena, &in->overrides,
				      str_dup(in->arena, line), NULL, ds);
	if (str_is(kind, "output_change"))
		return read_output(in, line, ds);
	/* Of tf-graph's, until the plan says what they were. */
	if (str_is(kind, "options") && !in->have_plan)
		return selectors_read(in->arena, line, &in->plan.what, ds);
	if (str_is(kind, "state"))
		return state_read_record(in->header, NULL, kind, line, ds) < 0
			       ? -1
			       : 0;
	rc = config_read_record(in->config, kind, line, ds);
	return rc < 0 ? -1 : 0;
}

int apply_read_finish(struct apply_input *in, struct diags *ds)
{
	if (!in->have_plan)
		return diag_error(ds, NULL, "Not a plan",
				  "The input holds no plan: run tf-plan before "
				  "tf-apply.");
	if (in->plan.errored)
		return diag_error(
			ds, NULL, "Cannot apply incomplete plan",
			"There were errors when the plan was made, so "
			"it cannot be applied.");
	if (config_finish(in->config, ds) ||
	    change_read_finish(&in->changes, ds))
		return -1;
	return 0;
}
