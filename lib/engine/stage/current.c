/* current.c - see current.h */
#include "engine/stage/current.h"

#include <stdlib.h>
#include <unistd.h>

#include "config/load/files.h"
#include "engine/stage/load.h"
#include "funcs/table.h"
#include "state/backend/backend.h"
#include "state/backend/backend_config.h"
#include "state/backend/encryption.h"
#include "state/backend/saved.h"
#include "state/backend/workspace.h"
#include "state/edit/translate.h"

static struct str data_dir(void)
{
	struct str dir = str_c(getenv("TF_DATA_DIR"));

	return dir.n ? dir : STR(".terraform");
}

int current_check(struct arena *a, struct config *c, struct inputs *in,
		  struct diags *ds)
{
	struct map variables = { 0 };
	struct config_options o = { .dir = STR("."),
				    .data_dir = data_dir(),
				    .variables = &variables,
				    .function = funcs_find };

	if (workspace_check(ds) || encryption_refuse(c, ds))
		return -1;
	o.workspace = workspace_current(a, o.data_dir);
	inputs_values(a, c->root, in, &variables, ds);
	return backend_check(a, c, &o, ds);
}

int current_check_dir(struct arena *a, int argc, char **argv, bool named,
		      struct config **loaded, struct diags *ds)
{
	static const char *const words[] = { "encryption", NULL };
	struct inputs_options io = { .dir = STR("."), .environ = environ };
	struct config_options o = { .dir = STR("."),
				    .data_dir = data_dir(),
				    .root_only = true,
				    .stepwise = true };
	struct diags own = DIAGS_INIT(a);
	struct inputs in = { 0 };
	struct input_arg *args;

	if (encryption_in_environment())
		return encryption_refuse(NULL, ds);
	io.nargs = inputs_args(a, argc, argv, &args);
	io.args = args;
	if (!files_mention(".", words) &&
	    (named || !backend_check_needed(a, o.dir, o.data_dir)))
		return inputs_args_check(a, &io, ds);
	*loaded = config_load(a, &o, &own);
	io.sources = &(*loaded)->sources;
	/* Warnings of the configuration are others' to give, and so are errors
	 * where the backend is not. */
	if (!(*loaded)->stopped)
		diags_clear(&own);
	if (!diags_failed(&own) && named)
		return encryption_refuse(*loaded, ds);
	if (!diags_failed(&own) && !inputs_collect(a, &io, &in, &own))
		return current_check(a, *loaded, &in, ds);
	diags_append(ds, &own);
	return -1;
}

static struct backend *open_current(struct arena *a, struct str path,
				    struct diags *ds)
{
	struct backend_options o = { .dir = STR("."),
				     .state_path = path,
				     .data_dir = data_dir() };

	if (workspace_check(ds))
		return NULL;
	o.workspace = workspace_current(a, o.data_dir);
	return backend_saved(a, &o, ds) ? NULL : backend_open(a, &o, ds);
}

bool current_asks_hosts(struct arena *a, struct str path)
{
	struct diags later = DIAGS_INIT(a); /* opening it again reports it */
	struct backend *b = open_current(a, path, &later);
	bool asks = b && (backend_asks(b) ||
			  (backend_is_remote(b) && backend_interrupted(b)));

	if (b)
		backend_close(b);
	return asks;
}

void current_translate(struct arena *a, struct state *s, const struct config *c)
{
	const struct config_options o = { .dir = STR("."),
					  .data_dir = data_dir() };
	struct diags unused = DIAGS_INIT(a); /* others look at its mistakes */

	if (!state_translatable(s))
		return;
	if (!c && files_present(".") > 0)
		c = config_load(a, &o, &unused);
	state_translate(s, c);
}

struct state *current_state(struct arena *a, struct str path,
			    const struct config *c, struct diags *ds)
{
	struct backend *b = open_current(a, path, ds);
	struct state *state;

	if (!b)
		return NULL;
	state = backend_read(b, ds);
	backend_close(b);
	if (state)
		current_translate(a, state, c);
	return state;
}

int current_load(struct arena *a, int argc, char **argv, bool stepwise,
		 struct config **c, struct state **s, struct diags *ds)
{
	struct config_options o = { .dir = STR("."), .stepwise = stepwise };
	struct inputs_options io = { .dir = STR("."), .environ = environ };
	struct inputs in = { 0 };
	struct input_arg *args;

	if (workspace_check(ds))
		return -1;
	io.nargs = inputs_args(a, argc, argv, &args);
	io.args = args;
	*c = load_configuration(a, args, io.nargs, &o, ds);
	if (diags_failed(ds))
		return -1;
	io.sources = &(*c)->sources;
	if (inputs_collect(a, &io, &in, ds) || current_check(a, *c, &in, ds))
		return -1;
	*s = current_state(a, STR_NONE, *c, ds);
	return *s ? 0 : -1;
}

struct state *current_state_ahead(struct arena *a, struct str path)
{
	struct diags later = DIAGS_INIT(a); /* reading again reports it */
	struct backend *b = open_current(a, path, &later);
	struct state *state = NULL;

	if (!b)
		return NULL;
	if (!backend_interrupted(b) && !backend_asks(b))
		state = backend_read(b, &later);
	backend_close(b);
	return later.len ? NULL : state;
}
