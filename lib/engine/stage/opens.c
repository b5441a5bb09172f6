/*
 * opens.c - by what saved plans and states are opened: the encryption of the
 * working directory (stage.h)
 *
 * Programs that read saved files need no more than this of a directory: nothing
 * here knows of backends.
 */
#include "engine/stage/stage.h"
#include "base/workdir.h"
#include "config/load/load.h"
#include "funcs/table.h"
#include "remote/remote.h"

void current_options(struct arena *a, const struct workdir *w,
		     const struct config *c, struct inputs *in,
		     struct config_options *o, struct diags *ds)
{
	struct map *variables = ARENA_NEW(a, struct map);

	*o = (struct config_options){ .dir = STR("."),
				      .workdir = w,
				      .variables = variables,
				      .function = funcs_find };
	if (c && c->root)
		inputs_values(a, c->root, in, variables, ds);
}

int current_encryption(struct arena *a, struct workdir *w, struct config *c,
		       struct inputs *in, bool warn, struct encryption **e,
		       struct diags *ds)
{
	struct diags own = DIAGS_INIT(a);
	struct config_options o;
	struct remote *rem;

	*e = NULL;
	if (!encryption_asked(c))
		return 0;
	current_options(a, w, c, in, &o, ds);
	rem = ARENA_NEW(a, struct remote);
	rem->a = a;
	*e = encryption_new(a, c, &o, rem, &own);
	if (warn || !*e)
		diags_append(ds, &own);
	return *e ? 0 : -1;
}

int current_asking(struct arena *a, struct workdir *w, int argc, char **argv,
		   bool needed, struct config **loaded, struct inputs *in,
		   struct diags *ds)
{
	struct config_options o = { .dir = STR("."),
				    .workdir = w,
				    .root_only = true,
				    .stepwise = true };
	struct diags own = DIAGS_INIT(a);
	struct inputs_options io;
	struct input_arg *args;
	const size_t nargs = inputs_args(a, argc, argv, &args);

	io = inputs_given(args, nargs, NULL);
	if (!needed && !encryption_mentioned("."))
		return inputs_args_check(a, &io, ds);
	*loaded = config_load(a, &o, &own);
	io.sources = &(*loaded)->sources;
	/* Warnings of the configuration are others' to give, and so are errors
	 * where the backend is not. */
	if (!(*loaded)->stopped)
		diags_clear(&own);
	if (!diags_failed(&own) && !inputs_collect(a, &io, in, &own))
		return 0;
	diags_append(ds, &own);
	return -1;
}

int current_opens(struct arena *a, struct workdir *w, int argc, char **argv,
		  int fd, struct config **loaded, struct encryption **e,
		  struct diags *ds)
{
	struct inputs in = { 0 };

	if (*loaded || !saved_is_file(fd))
		return 0;
	if (current_asking(a, w, argc, argv, false, loaded, &in, ds))
		return -1;
	return *loaded ? current_encryption(a, w, *loaded, &in, false, e, ds)
		       : 0;
}
