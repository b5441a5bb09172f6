/*
 * vars.c - variables: what the plan has, and what is given again
 *
 * Ephemeral variables are not in the plan, so they must be given now; the
 * others may be, if the values are the same.
 */
#include "engine/apply/apply_int.h"
#include "base/diag.h"
#include "engine/run/inputs.h"
#include "value/value.h"

static bool is_ephemeral(const struct apply_input *in, struct str name)
{
	return str_vec_has(&in->said.plan.ephemeral_variables, name);
}

static int mismatch(struct arena *a, const struct cfg_variable *v,
		    const struct input *planned, const struct input *given,
		    struct diags *ds)
{
	struct diags quiet = DIAGS_INIT(a);
	const struct value *x = input_value(a, v, planned, &quiet);
	const struct value *y = input_value(a, v, given, &quiet);

	if (value_equal_unmarked(x, y))
		return 0;
	return diag_error(ds, NULL,
			  "Mismatch between input and plan variable value",
			  "The variable \"%.*s\" was given a value that is not "
			  "the one in the plan.",
			  STR_ARG(v->name));
}

static int merge_one(struct apply_input *in, const struct inputs *given,
		     const struct cfg_variable *v, struct inputs *out,
		     struct diags *ds)
{
	struct input *planned =
		map_get(&in->said.plan.variables.by_name, v->name);
	struct input *now = map_get(&given->by_name, v->name);

	if (planned && now && now->value &&
	    mismatch(in->arena, v, planned, now, ds))
		return -1;
	if (planned || (now && now->value && is_ephemeral(in, v->name))) {
		map_put(in->arena, &out->by_name, v->name,
			planned ? planned : now);
		return 0;
	}
	if (!is_ephemeral(in, v->name) || v->default_value.root)
		return 0;
	diag_coded(ds, SEV_ERROR, DIAG_VARIABLE_MISSING, &v->at,
		   "The variable \"%.*s\" is ephemeral, so its value is not in "
		   "the plan: it must be given when the plan is made and again "
		   "when it is applied.",
		   STR_ARG(v->name));
	return -1;
}

/* Required variables may come from the plan, so only errors of those that are
 * given count; warnings count for saved plans only: tf-plan has given them
 * otherwise. */
static bool counts(const struct diag *d, bool saved)
{
	return d->severity == SEV_ERROR ? d->code != DIAG_VARIABLE_MISSING
					: saved;
}

int apply_variables(struct apply_input *in, struct inputs *given,
		    struct inputs *out, bool saved, struct diags *ds)
{
	const struct cfg_module *root = in->config->root;
	struct diags parse = DIAGS_INIT(in->arena);
	size_t errors = ds->errors;

	*out = (struct inputs){ 0 };
	inputs_parse(in->arena, given, root, &parse);
	for (size_t i = 0; i < parse.len; i++)
		if (counts(&parse.items[i], saved))
			diags_push(ds, parse.items[i]);
	for (size_t i = 0; i < in->said.plan.variables.by_name.len; i++) {
		struct str name =
			in->said.plan.variables.by_name.entries[i].key;

		if (!map_has(&root->variables, name))
			diag_error(
				ds, NULL, "Missing variable in configuration",
				"The plan has a value for the variable \"%.*s\", which is not declared.",
				STR_ARG(name));
	}
	for (size_t i = 0; i < root->variables.len; i++)
		merge_one(in, given, root->variables.entries[i].value, out, ds);
	return ds->errors > errors ? -1 : 0;
}
