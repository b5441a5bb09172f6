/* root.c - the root module, and the values that its sources may use */
#include <stdlib.h>
#include <unistd.h>

#include "engine/run/inputs_missing.h"
#include "engine/run/inputs_parse.h"
#include "funcs/table.h"

#include "config/load/load.h"
#include "engine/stage/missing.h"
#include "install/init/root_int.h"
#include "state/backend/backend.h"
#include "state/backend/workspace.h"

static const struct func *find_function(void *data, struct str name)
{
	(void)data;
	return funcs_lookup(name);
}

/* For a caller that asks for the values and runs this again.  Is there any? */
static bool write_missing(struct init *t)
{
	struct str_vec names = { 0 };

	if (!t->missing_file.n || !t->input)
		return false;
	missing_early(t->arena, &t->o, t->backend, &names);
	if (names.len)
		inputs_write_missing(t->missing_file, t->config->root, &names,
				     t->ds);
	return names.len > 0;
}

static struct inputs_options inputs_given(struct init *t)
{
	return (struct inputs_options){ .dir = STR("."),
					.environ = environ,
					.args = t->args,
					.nargs = t->nargs,
					.sources = &t->config->sources };
}

/* Values of root variables, for sources that use them.  Others may be wrong. */
static int collect_variables(struct init *t)
{
	struct arena *a = t->arena;
	struct inputs_options io = inputs_given(t);
	struct diags unused = DIAGS_INIT(a);
	struct inputs in = { 0 };

	if (inputs_collect(a, &io, &in, t->ds))
		return -1;
	inputs_values(a, t->config->root, &in, &t->variables, &unused);
	t->o.variables = &t->variables;
	if (write_missing(t))
		return 1;
	return inputs_check_constants(a, &in, t->config->root, t->ds);
}

int init_load_root(struct init *t)
{
	struct inputs_options io;
	int rc;

	t->o.dir = STR(".");
	t->o.data_dir = str_c(getenv("TF_DATA_DIR"));
	if (!t->o.data_dir.n)
		t->o.data_dir = STR(".terraform");
	t->o.workspace = workspace_current(t->arena, t->o.data_dir);
	t->o.function = find_function;
	t->o.root_only = true;
	t->config = config_load(t->arena, &t->o, t->ds);
	t->o.root_only = false;
	if (t->ds->errors && !t->get_only) {
		io = inputs_given(t);
		inputs_unreadable(t->arena, &io, t->ds);
		return -1;
	}
	/* Loading all of it will report the root module's errors again. */
	t->early = *t->ds;
	*t->ds = (struct diags)DIAGS_INIT(t->arena);
	rc = collect_variables(t);
	if (rc == 0)
		*t->ds = (struct diags)DIAGS_INIT(t->arena);
	return rc;
}
