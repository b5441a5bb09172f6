/* plan_file.c - see plan_file.h */
#include "ui/show/plan_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/io.h"

static int failed(const struct plan_file *f, struct diags *ds)
{
	return diag_error(ds, NULL, "Failed to write plan file",
			  "The plan cannot be saved to %.*s: %s.",
			  STR_ARG(f->name), io_why());
}

static int open_temporary(struct plan_file *f)
{
	f->temporary = arena_printf(f->arena, "%s.XXXXXX", f->path);
	f->fd = mkostemp(f->temporary, O_CLOEXEC); /* mode 0600 */
	return f->fd < 0 ? -1 : 0;
}

static int open_named(struct plan_file *f, const char *name)
{
	char *real;

	if (io_target(name, &real))
		return -1;
	if (real) {
		f->path = arena_strdup(f->arena, real);
		free(real);
		return open_temporary(f);
	}
	f->fd = open(name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	return f->fd < 0 ? -1 : 0;
}

int plan_file_open(struct arena *a, struct str name, struct plan_file *f,
		   struct diags *ds)
{
	*f = (struct plan_file){ .arena = a, .name = name, .fd = -1 };
	if (str_is(name, "-")) {
		f->fd = STDOUT_FILENO;
		return 0;
	}
	return open_named(f, arena_strndup(a, name.p, name.n)) ? failed(f, ds)
							       : 0;
}

int plan_file_close(struct plan_file *f, bool keep, struct diags *ds)
{
	int rc;

	if (f->fd < 0)
		return 0;
	rc = f->path && keep ? fsync(f->fd) : 0;
	if (close(f->fd))
		rc = -1;
	f->fd = -1;
	if (!rc && f->path && keep)
		rc = rename(f->temporary, f->path) || io_sync_names(f->path);
	if (!rc && keep)
		return 0;
	if (rc)
		failed(f, ds);
	if (f->path)
		unlink(f->temporary);
	return rc ? -1 : 0;
}
