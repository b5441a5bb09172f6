/* load_stage.c - see stage.h */
#include "engine/stage/stage.h"
#include "config/load/load.h"
#include "funcs/table.h"
#include "state/backend/backend_config.h"

struct config *load_configuration(struct arena *a, const struct input_arg *args,
				  size_t nargs, const struct config_options *o,
				  struct diags *ds)
{
	struct inputs_options io = inputs_given(args, nargs, NULL);
	struct config_options with = *o;
	struct diags first = DIAGS_INIT(a);
	struct map variables = { 0 };
	struct config *c;

	with.function = funcs_find;
	c = config_load(a, &with, &first);
	if (c->early_values || first.len) {
		io.sources = &c->sources;
		if (!inputs_unreadable(a, &io, &first) && c->early_values &&
		    !inputs_early(a, c->root, &io, &variables, &first)) {
			with.variables = &variables;
			return config_load(a, &with, ds);
		}
	}
	diags_append(ds, &first);
	return c;
}

int load_check_sources(struct arena *a, const struct workdir *w,
		       struct config *c, struct inputs *in, struct diags *ds)
{
	struct diags unused = DIAGS_INIT(a); /* others report wrong values */
	struct map variables = { 0 };
	const struct config_options o = { .dir = STR("."),
					  .workdir = w,
					  .variables = &variables,
					  .function = funcs_find };

	inputs_values(a, c->root, in, &variables, &unused);
	return config_check_sources(c, &o, ds);
}

void load_check_backend(struct arena *a, const struct workdir *w,
			struct config *c, const struct input_arg *args,
			size_t nargs, bool warnings, struct diags *ds)
{
	const struct inputs_options io = inputs_given(args, nargs, &c->sources);
	struct map variables = { 0 };
	const struct config_options o = { .dir = STR("."),
					  .workdir = w,
					  .variables = &variables,
					  .function = funcs_find };
	const struct diags all = *ds;
	struct diags own = DIAGS_INIT(a);

	if (c->stopped || c->early_missing.len || !all.len)
		return;
	if (inputs_early(a, c->root, &io, &variables, &own))
		return;
	diags_clear(&own);
	if (!backend_check(a, c, &o, &own))
		return;
	*ds = (struct diags)DIAGS_INIT(a);
	for (size_t i = 0; warnings && i < c->root_diags; i++)
		if (!all.items[i].again && all.items[i].severity == SEV_WARNING)
			diags_push(ds, all.items[i]);
	diags_append(ds, &own);
}
