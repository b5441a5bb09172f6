/* browser.c - see hosts_int.h */
#include <stdlib.h>
#include <sys/wait.h>

#include "install/hosts/hosts_int.h"
#include "base/child.h"

struct opening {
	bool over;
	int status;
};

static void on_browser(void *data, pid_t pid, int wait_status)
{
	struct opening *o = data;

	(void)pid;
	o->status = wait_status;
	o->over = true;
}

bool browser_open(struct loop *l, struct str address)
{
	const char *const usual[] = { "xdg-open", "x-www-browser",
				      "www-browser", "wslview", NULL };
	const char *const given[] = { getenv("BROWSER"), NULL };
	const char *const *programs = given[0] && *given[0] ? given : usual;
	struct opening o = { .status = -1 };

	for (; *programs; programs++) {
		const char *argv[] = { *programs, address.p, NULL };
		const struct child_options co = { .argv = argv };
		struct child c;

		if (child_start(&co, &c))
			continue;
		loop_child(l, c.pid, on_browser, &o);
		loop_run(l, &o.over);
		return WIFEXITED(o.status) && WEXITSTATUS(o.status) == 0;
	}
	return false;
}
