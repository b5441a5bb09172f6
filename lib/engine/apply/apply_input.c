/*
 * apply_input.c - a plan stream taken in
 *
 * The state is not: it is read again under the lock, and only what the plan
 * found otherwise (prior_state) is kept as lines until then.
 */
#include "engine/apply/apply.h"
#include "config/record/records.h"
#include "config/module.h"
#include "state/file/file.h"

void apply_input_init(struct apply_input *in, struct arena *a)
{
	*in = (struct apply_input){ .arena = a };
	in->config = config_new(a);
	in->header = state_new(a);
	plan_reader_init(&in->said, a, false);
}

void apply_input_release(struct apply_input *in)
{
	if (in->config)
		arena_release(&in->config->scratch);
	plan_reader_release(&in->said);
}

int apply_read(void *data, struct str kind, struct str line, struct diags *ds)
{
	struct apply_input *in = data;
	int rc;

	if (in->config->test &&
	    inputs_read(in->arena, kind, line, &in->tested, ds) < 0)
		return -1;
	/* By far the most frequent kinds first. */
	rc = plan_reader_record(&in->said, kind, line, ds);
	if (rc < 0)
		return -1;
	if (str_is(kind, "prior_state"))
		vec_push(in->arena, &in->prior, str_dup(in->arena, line));
	if (!rc)
		return 0;
	if (str_is(kind, "check_result")) {
		vec_push(in->arena, &in->checked, str_dup(in->arena, line));
		return 0;
	}
	if (str_is(kind, "edited"))
		return overrides_read(in->arena, &in->overrides,
				      str_dup(in->arena, line), NULL, ds);
	/* Of tf-graph's, until the plan says what they were. */
	if (str_is(kind, "options") && !in->said.have_plan)
		return selectors_read(in->arena, line, &in->said.plan.what, ds);
	if (str_is(kind, "state"))
		return state_read_record(in->header, NULL, kind, line, ds) < 0
			       ? -1
			       : 0;
	rc = config_read_record(in->config, kind, line, ds);
	return rc < 0 ? -1 : 0;
}

int apply_read_finish(struct apply_input *in, struct diags *ds)
{
	if (!in->said.have_plan)
		return diag_error(
			ds, NULL, "Not a plan",
			"The input holds no plan: run tf-plan before tf-apply.");
	if (in->said.plan.errored)
		return diag_error(
			ds, NULL, "Cannot apply incomplete plan",
			"There were errors when the plan was made, so it cannot be applied.");
	return config_finish(in->config, ds) ||
			       plan_reader_finish(&in->said, ds)
		       ? -1
		       : 0;
}
