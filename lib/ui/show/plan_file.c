/* plan_file.c - see show.h */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/show/show.h"
#include "base/child.h"
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

int plan_file_seal(struct plan_file *f, struct diags *ds)
{
	const char *const argv[] = { child_beside(f->arena, "tf-state"),
				     "seal-plan", NULL };
	const struct child_options o = { .argv = argv,
					 .in = CHILD_PIPE,
					 .out = CHILD_INHERIT,
					 .err = CHILD_INHERIT };
	const int out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
	struct child c;
	int rc;

	/* The child's standard output is the file. */
	if (out < 0 || dup2(f->fd, STDOUT_FILENO) < 0)
		return failed(f, ds);
	rc = child_start(&o, &c);
	dup2(out, STDOUT_FILENO);
	close(out);
	if (rc)
		return failed(f, ds);
	f->sealer = c.pid;
	f->file = f->fd;
	f->fd = c.in;
	return 0;
}

/* Ends the child that seals: what it reads ends, and so does the plan.  -1: it
 * has said why. */
static int end_sealer(struct plan_file *f, bool keep)
{
	int status;

	if (!f->sealer)
		return 0;
	if (!keep)
		kill(f->sealer, SIGKILL);
	close(f->fd);
	f->fd = f->file;
	while (waitpid(f->sealer, &status, 0) < 0)
		if (errno != EINTR)
			return -1;
	f->sealer = 0;
	return keep && status ? -1 : 0;
}

int plan_file_close(struct plan_file *f, bool keep, struct diags *ds)
{
	int rc;

	if (f->fd < 0)
		return 0;
	if (end_sealer(f, keep)) {
		close(f->fd);
		f->fd = -1;
		if (f->path)
			unlink(f->temporary);
		diags_fail_quietly(ds);
		return -1;
	}
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
