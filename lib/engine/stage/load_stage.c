/* load_stage.c - see stage.h */
#include <unistd.h>

#include "engine/stage/stage.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "funcs/table.h"
#include "state/backend/backend_config.h"
#include "state/backend/workspaces.h"

/* What early evaluation needs beside values. */
static void take_surroundings(struct arena *a, struct config_options *o)
{
	o->data_dir = workdir_data();
	o->workspace = workspace_current(a, o->data_dir);
	o->function = funcs_find;
}

struct config *load_configuration(struct arena *a, const struct input_arg *args,
				  size_t nargs, const struct config_options *o,
				  struct diags *ds)
{
	struct inputs_options io = { .dir = STR("."),
				     .environ = environ,
				     .args = args,
				     .nargs = nargs };
	struct config_options with = *o;
	struct diags first = DIAGS_INIT(a);
	struct map variables = { 0 };
	struct config *c;

	take_surroundings(a, &with);
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

int load_check_sources(struct arena *a, struct config *c, struct inputs *in,
		       struct diags *ds)
{
	struct diags unused = DIAGS_INIT(a); /* others report wrong values */
	struct map variables = { 0 };
	struct config_options o = { .dir = STR("."), .variables = &variables };

	take_surroundings(a, &o);
	inputs_values(a, c->root, in, &variables, &unused);
	return config_check_sources(c, &o, ds);
}

void load_check_backend(struct arena *a, struct config *c,
			const struct input_arg *args, size_t nargs,
			bool warnings, struct diags *ds)
{
	struct inputs_options io = { .dir = STR("."),
				     .environ = environ,
				     .args = args,
				     .nargs = nargs,
				     .sources = &c->sources };
	struct map variables = { 0 };
	struct config_options o = { .dir = STR("."), .variables = &variables };
	const struct diags all = *ds;
	struct diags own = DIAGS_INIT(a);

	if (c->stopped || c->early_missing.len || !all.len)
		return;
	take_surroundings(a, &o);
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
