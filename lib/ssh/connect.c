/*
 * connect.c - the connection: an ssh that others run their sessions through
 *
 * Its socket is in a directory of ours until ssh is connected; then only a
 * descriptor leads to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "ssh/ssh_int.h"
#include "base/clock.h"
#include "json/write.h"

enum {
	FIRST_PAUSE = 1000,
	LONGEST_PAUSE = 20000,
	/* Of the path of a socket, with what ssh adds to it for a while. */
	LONGEST_DIR = 70,
};

/* --- what is told --- */

void ssh_tell(struct ssh_link *l, struct str line)
{
	struct jw w = JW_INIT(&l->out->buf);

	jw_object(&w);
	jw_member_str(&w, "output", line);
	jw_object_end(&w);
	buf_putc(&l->out->buf, '\n');
	(void)out_flush(l->out);
}

static void tell_text(struct ssh_link *l, const char *name, struct str value,
		      bool secret)
{
	if (secret && l->r->discreet)
		value = STR("(sensitive value)");
	ssh_tell(l, str_printf(l->a, "  %s: %.*s", name, STR_ARG(value)));
}

static void tell_whether(struct ssh_link *l, const char *name, bool is)
{
	tell_text(l, name, is ? STR("true") : STR("false"), false);
}

static void tell_hop(struct ssh_link *l, const struct ssh_hop *h)
{
	tell_text(l, "Host", h->host, true);
	tell_text(l, "User", h->user.n ? h->user : STR("root"), true);
	tell_whether(l, "Password", h->password.n);
	tell_whether(l, "Private key", h->private_key.n);
	tell_whether(l, "Certificate", h->certificate.n);
	tell_whether(l, "SSH Agent", l->r->agent);
	tell_whether(l, "Checking Host Key", h->host_key.n);
}

static void tell_try(struct ssh_link *l)
{
	const struct ssh_request *r = l->r;

	ssh_tell(l, STR("Connecting to remote host via SSH..."));
	tell_hop(l, &r->target);
	tell_text(l, "Target Platform",
		  r->windows ? STR("windows") : STR("unix"), false);
	if (r->bastion.host.n) {
		ssh_tell(l, STR("Using configured bastion host..."));
		tell_hop(l, &r->bastion);
	}
	if (!r->proxy.host.n)
		return;
	ssh_tell(l, STR("Using configured proxy host..."));
	tell_text(l, "ProxyHost", r->proxy.host, true);
	tell_text(l, "ProxyPort", str_int(l->a, r->proxy.port), false);
	tell_text(l, "ProxyUserName", r->proxy.user, true);
	tell_whether(l, "ProxyUserPassword", r->proxy.password.n);
}

/* --- one try --- */

static int make_dir(struct ssh_link *l, struct ssh_failure *f)
{
	const char *tmp = getenv("TMPDIR");
	char *path;

	if (!tmp || *tmp != '/' || strlen(tmp) > LONGEST_DIR)
		tmp = "/tmp";
	path = arena_printf(l->a, "%s/tfpipe-ssh-XXXXXX", tmp);
	if (!mkdtemp(path))
		return ssh_fail(f, "a directory for a socket cannot be made",
				str_c(io_why()));
	l->dir = path;
	return 0;
}

static void remove_dir(struct ssh_link *l)
{
	if (l->dir) {
		(void)unlink(arena_printf(l->a, "%s/s", l->dir));
		(void)rmdir(l->dir);
	}
	l->dir = NULL;
}

void ssh_disconnect(struct ssh_link *l)
{
	(void)ssh_end(&l->master, true);
	if (l->control >= 0)
		close(l->control);
	if (l->errors >= 0)
		close(l->errors);
	l->control = l->errors = -1;
	remove_dir(l);
}

/* Its word that it is connected, or its end. */
static enum ssh_waited wait_for_word(struct ssh_link *l, uint64_t deadline,
				     bool *connected)
{
	struct pollfd p = { .fd = l->master.out, .events = POLLIN };
	enum ssh_waited w = ssh_wait(l, &p, 1, deadline);
	char c;

	*connected = w == SSH_READY && read(l->master.out, &c, 1) == 1;
	return w;
}

static int take_socket(struct ssh_link *l, struct ssh_failure *f)
{
	l->control = open(arena_printf(l->a, "%s/s", l->dir),
			  O_PATH | O_CLOEXEC | O_NOFOLLOW);
	if (l->control < 0)
		return ssh_fail(f, "ssh has made no socket", str_c(io_why()));
	remove_dir(l);
	return 0;
}

static enum ssh_waited try_once(struct ssh_link *l, const char *const *argv,
				const char *const *env, uint64_t deadline,
				bool *connected, struct ssh_failure *f)
{
	struct child_options o = { .out = CHILD_PIPE, .err = CHILD_FD };
	enum ssh_waited w;

	*connected = false;
	l->errors = ssh_memory(l->a, STR_NONE, NULL);
	o.fd[2] = l->errors;
	if (l->errors < 0 || ssh_start(l, argv, &o, env, &l->master)) {
		ssh_fail(f, "the program ssh cannot be started",
			 str_c(io_why()));
		return SSH_ENDED;
	}
	w = wait_for_word(l, deadline, connected);
	if (*connected)
		return w;
	ssh_end(&l->master, w != SSH_READY);
	*f = (struct ssh_failure){ STR("the connection failed"),
				   str_trim(ssh_memory_text(l->a, l->errors)) };
	close(l->errors);
	l->errors = -1;
	return w;
}

/* --- all tries --- */

/* With what the last try came to. */
static int give_up(struct ssh_link *l, struct ssh_failure *last,
		   enum ssh_waited w, struct ssh_failure *f)
{
	const char *why = w == SSH_LATE ? "timeout" : "interrupted";

	f->what = str_c(why);
	if (last->what.n)
		f->what = str_printf(l->a, "%s - last error: %.*s", why,
				     STR_ARG(last->what));
	f->detail = last->detail;
	return -1;
}

static int try_until(struct ssh_link *l, const char *const *argv,
		     const char *const *env, bool tells, struct ssh_failure *f)
{
	const uint64_t deadline = clock_ms() + (uint64_t)l->r->timeout;
	struct ssh_failure last = { STR_NONE, STR_NONE };
	uint64_t pause = FIRST_PAUSE;

	for (;;) {
		struct ssh_failure now = { STR_NONE, STR_NONE };
		uint64_t next;
		enum ssh_waited w;
		bool connected;

		if (tells)
			tell_try(l);
		w = try_once(l, argv, env, deadline, &connected, &now);
		if (connected)
			return take_socket(l, f);
		if (w == SSH_ENDED && !l->ends) {
			*f = now;
			return -1;
		}
		/* What it said until the time was over says more. */
		if (now.detail.n || !last.what.n)
			last = now;
		if (w != SSH_READY)
			return give_up(l, &last, w, f);
		next = clock_ms() + pause;
		w = ssh_wait(l, NULL, 0, next < deadline ? next : deadline);
		if (w != SSH_LATE || next >= deadline)
			return give_up(l, &last, w, f);
		pause = pause * 2 < LONGEST_PAUSE ? pause * 2 : LONGEST_PAUSE;
	}
}

int ssh_connect(struct ssh_link *l, bool tells, struct ssh_failure *f)
{
	const struct ssh_hop *t = &l->r->target;
	const char *argv[] = { "ssh", "-F", NULL, "--", "there", NULL };
	const char *path, *const *env;

	if (l->r->timeout <= 0)
		return ssh_fail(f, "timeout", STR_NONE);
	if (make_dir(l, f) || ssh_config(l, &path, &env, f))
		return -1;
	argv[2] = path;
	if (l->config.n)
		argv[4] = arena_strndup(l->a, t->host.p, t->host.n);
	if (try_until(l, argv, env, tells, f))
		return -1;
	if (tells)
		ssh_tell(l, STR("Connected!"));
	return 0;
}
