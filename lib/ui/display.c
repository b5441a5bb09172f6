/* display.c - see display.h */
#include <errno.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ui/display.h"

const struct opt_group display_group = {
	"Incompatible options",
	"-display asks for text, -records for records: use only one of them."
};

static bool end(struct display *d)
{
	int status = 0;

	close(d->child.in);
	while (waitpid(d->child.pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status);
}

int display_start(struct arena *a, struct display *d, bool json, const char *op,
		  bool show_sensitive, struct diags *ds)
{
	const char *const argv[] = { child_beside(a, "tf-ui"),
				     arena_printf(a, "-op=%s", op),
				     show_sensitive ? "-show-sensitive" : NULL,
				     NULL };
	const struct child_options o = {
		.argv = argv,
		.in = CHILD_PIPE,
		.out = CHILD_INHERIT,
		.err = CHILD_INHERIT,
	};

	if (d->refused || (!d->asked && (json || !isatty(STDOUT_FILENO))))
		return STDOUT_FILENO;
	if (child_start(&o, &d->child)) {
		diag_warning(ds, NULL, "Cannot start the display",
			     "%s: %s. There are records instead.", argv[0],
			     strerror(errno));
		return STDOUT_FILENO;
	}
	signal(SIGPIPE, SIG_IGN); /* front_end prints what it does not show */
	d->running = true;
	d->end = end;
	return d->child.in;
}
