/* carry_out.c - a request, from the first try to connect to its end */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/signalfd.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ssh/ssh_int.h"

enum {
	LOST = 255, /* what ssh ends with when something is wrong */
	LARGEST = 1 << 30,
};

/* --- what is taken there --- */

static int upload(struct ssh_link *l, struct ssh_failure *f)
{
	const struct ssh_request *r = l->r;
	struct stat st;

	if (r->has_content)
		return ssh_upload_file(l, STR_NONE,
				       r->content.p ? r->content : STR(""),
				       r->destination, false, f);
	if (stat(arena_strndup(l->a, r->source.p, r->source.n), &st))
		return ssh_fail(f, "the source cannot be read",
				str_printf(l->a, "%.*s: %s", STR_ARG(r->source),
					   io_why()));
	return S_ISDIR(st.st_mode)
		       ? ssh_upload_directory(l, r->source, r->destination, f)
		       : ssh_upload_file(l, r->source, STR_NONE, r->destination,
					 false, f);
}

/* --- scripts --- */

/* All of them before anybody is asked for anything. */
static int read_scripts(struct ssh_link *l, struct str *texts,
			struct ssh_failure *f)
{
	const struct ssh_scripts *all = &l->r->scripts;

	for (size_t i = 0; i < all->len; i++) {
		const struct ssh_script *s = &all->items[i];

		texts[i] = s->text;
		if (s->path.n &&
		    io_read_regular(l->a,
				    arena_strndup(l->a, s->path.p, s->path.n),
				    LARGEST, &texts[i]))
			return ssh_fail(f, "Failed to open script",
					str_printf(l->a, "%.*s: %s",
						   STR_ARG(s->path), io_why()));
		if (texts[i].n < 2)
			return ssh_fail(f, "a script is empty", s->path);
		if (!str_starts(texts[i], "#!") && !l->r->windows)
			texts[i] = STR_CAT(l->a, STR("#!/bin/sh\n"), texts[i]);
	}
	return 0;
}

static struct str script_path(struct ssh_link *l)
{
	struct str rest = l->r->script_path;
	struct buf b = BUF_INIT;
	ptrdiff_t at;
	uint32_t n = 0;

	(void)io_random(&n, sizeof(n));
	while ((at = str_find(rest, STR("%RAND%"))) >= 0) {
		buf_str(&b, str_sub(rest, 0, (size_t)at));
		buf_int(&b, n >> 1);
		rest = str_sub(rest, (size_t)at + 6, rest.n);
	}
	buf_str(&b, rest);
	return buf_take(l->a, &b);
}

static int run_script(struct ssh_link *l, struct str text,
		      struct ssh_failure *f)
{
	struct str path = script_path(l), command = path;
	struct ssh_failure ignored = { STR_NONE, STR_NONE };
	int status = 0;

	if (ssh_upload_file(l, STR_NONE, text, path, !l->r->windows, f)) {
		f->what = STR_CAT(l->a, STR("Failed to upload script: "),
				  f->what);
		return -1;
	}
	if (l->stops)
		return ssh_fail(f, "interrupted", STR_NONE);
	if (!l->r->windows)
		command = ssh_quote(l->a, path);
	if (ssh_run(l, command, &status, f))
		return -1;
	l->doubtful = WIFEXITED(status) && WEXITSTATUS(status) == LOST;
	if (status)
		return ssh_fail(
			f,
			arena_printf(l->a, "error executing the script: %.*s",
				     STR_ARG(child_status_text(l->a, status))),
			path);
	/* What the script said stays nowhere, if that can be had. */
	(void)ssh_upload_file(l, STR_NONE, STR(""), path, false, &ignored);
	return 0;
}

static int run_scripts(struct ssh_link *l, const struct str *texts,
		       struct ssh_failure *f)
{
	for (size_t i = 0; i < l->r->scripts.len; i++) {
		if (l->stops)
			return ssh_fail(f, "interrupted", STR_NONE);
		if (run_script(l, texts[i], f))
			return -1;
	}
	return 0;
}

/* --- all of it --- */

/* If the connection is what failed, that is what is to be told. */
static void look_for_loss(struct ssh_link *l, struct ssh_failure *f)
{
	struct pollfd p = { .events = POLLIN };
	int ready;

	if (l->ends || !l->doubtful)
		return;
	p.fd = (int)syscall(SYS_pidfd_open, l->master.pid, 0);
	/* It may end a little later than the session. */
	ready = p.fd < 0 ? 0 : poll(&p, 1, 500);
	if (ready > 0)
		ssh_fail(f, "the connection is lost",
			 str_trim(ssh_memory_text(l->a, l->errors)));
	if (p.fd >= 0)
		close(p.fd);
}

static int with_link(struct ssh_link *l, struct ssh_failure *f)
{
	const struct ssh_request *r = l->r;
	struct str *texts = ARENA_ARRAY(l->a, struct str, r->scripts.len + 1);
	int rc;

	if (r->runs && read_scripts(l, texts, f))
		return -1;
	if (ssh_connect(l, r->runs, f))
		return -1;
	if (l->stops)
		return ssh_fail(f, "interrupted", STR_NONE);
	rc = r->runs ? run_scripts(l, texts, f) : upload(l, f);
	if (rc)
		look_for_loss(l, f);
	return rc;
}

static int open_signals(void)
{
	static const int handled[] = { SIGINT, SIGTERM, SIGHUP };
	sigset_t set;

	sigemptyset(&set);
	for (size_t i = 0; i < 3; i++)
		sigaddset(&set, handled[i]);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	return signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
}

int ssh_carry_out(struct arena *a, const struct ssh_request *r, struct out *out,
		  struct ssh_failure *f)
{
	char self[4096];
	const ssize_t n = readlink("/proc/self/exe", self, sizeof(self));
	struct ssh_link l = { .a = a,
			      .r = r,
			      .out = out,
			      .config = str_env("TFPIPE_SSH_CONFIG"),
			      .signals = open_signals(),
			      .master = { -1, -1, -1, -1 },
			      .errors = -1,
			      .control = -1 };
	int rc;

	if (l.signals < 0 || n <= 0)
		return ssh_fail(f, "/proc or signals cannot be used",
				str_c(io_why()));
	l.askpass = str_dup(a, (struct str){ self, (size_t)n });
	rc = with_link(&l, f);
	ssh_disconnect(&l);
	close(l.signals);
	return rc;
}
