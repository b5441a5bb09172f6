/*
 * opens.c - by what saved plans and states are opened: the encryption of the
 * working directory (stage.h)
 *
 * Programs that read saved files need no more than this of a directory: nothing
 * here knows of backends.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

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
	if (!needed && !encryption_mentioned())
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

/* What opens that of fd, if it is a file. */
static int look(struct saved_files *f, int fd, struct diags *ds)
{
	struct inputs in = { 0 };

	if (f->looked || !saved_is_file(fd))
		return 0;
	f->looked = true;
	workdir_open(f->arena, &f->workdir);
	if (current_asking(f->arena, &f->workdir, f->argc, f->argv, false,
			   &f->config, &in, ds))
		return -1;
	return f->config ? current_encryption(f->arena, &f->workdir, f->config,
					      &in, false, &f->encryption, ds)
			 : 0;
}

int saved_files_find(struct str name, struct diags *ds)
{
	const int fd = str_is(name, "-") ? STDIN_FILENO
					 : open(name.p, O_RDONLY | O_CLOEXEC);

	return fd >= 0 ? fd
		       : diag_error(ds, NULL, "Cannot read the input",
				    "%.*s: %s.", STR_ARG(name),
				    strerror(errno));
}

int saved_files_open(struct saved_files *f, int fd, struct str name,
		     struct saved *out, struct diags *ds)
{
	return look(f, fd, ds) ? -1
			       : saved_open(f->encryption, fd, name, out, ds);
}

int saved_files_stream(struct saved_files *f, int fd, struct str name,
		       struct saved *out, struct diags *ds)
{
	return look(f, fd, ds) ? -1
			       : saved_stream(f->encryption, fd, name, out, ds);
}
