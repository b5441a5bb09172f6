/* load.c - see load.h */
#include "engine/stage/load.h"

#include <stdlib.h>
#include <unistd.h>

#include "config/load/load.h"
#include "engine/run/inputs.h"
#include "state/backend/backend_config.h"

struct config *load_configuration(struct arena *a, int argc, char **argv,
				  const struct config_options *o,
				  struct diags *ds)
{
	struct inputs_options io = { .dir = STR("."), .environ = environ };
	struct config_options with = *o;
	struct diags first = DIAGS_INIT(a);
	struct map variables = { 0 };
	struct input_arg *args;
	struct config *c;

	with.data_dir = str_c(getenv("TF_DATA_DIR"));
	c = config_load(a, &with, &first);
	if (c->early_values || first.len) {
		io.nargs = inputs_args(a, argc, argv, &args);
		io.args = args;
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

void load_check_backend(struct arena *a, struct config *c, bool warnings,
			struct diags *ds)
{
	const struct config_options o = {
		.dir = STR("."), .data_dir = str_c(getenv("TF_DATA_DIR"))
	};
	const struct diags all = *ds;
	struct diags own = DIAGS_INIT(a);

	if (c->stopped || c->early_missing.len || !all.len ||
	    !backend_check(a, c, &o, &own))
		return;
	*ds = (struct diags)DIAGS_INIT(a);
	for (size_t i = 0; warnings && i < c->root_diags; i++)
		if (!all.items[i].again && all.items[i].severity == SEV_WARNING)
			diags_push(ds, all.items[i]);
	diags_append(ds, &own);
}
