/*
 * tf-fetch - HTTP requests, one a line, beside one another; see tf-fetch(1)
 */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/child.h"
#include "base/confine.h"
#include "base/opts.h"
#include "base/product.h"
#include "net/lines.h"

enum { ONCE = 1 << 16 };

struct tool {
	struct loop *loop;
	struct loop_watch *in;
	struct lines lines;
	struct out out;
	bool eof, done, failed;
};

static void end_if_idle(void *data)
{
	struct tool *t = data;

	/* Nobody is there to read any more. */
	if (t->out.broken || t->out.err)
		t->done = t->failed = true;
	if (t->eof && !t->lines.left)
		t->done = true;
}

static void on_input(void *data, int fd, unsigned events)
{
	struct tool *t = data;
	char some[ONCE];
	ssize_t n;

	(void)events;
	n = read(fd, some, sizeof(some));
	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return;
	if (n < 0 ||
	    (n > 0 && lines_take(&t->lines, (struct str){ some, (size_t)n }))) {
		fprintf(stderr, "tf-fetch: standard input: %s\n",
			n < 0 ? strerror(errno) : "a line is too long");
		t->failed = true;
	}
	if (n <= 0 || t->failed) {
		if (!t->failed)
			lines_end(&t->lines);
		t->eof = true;
		loop_unwatch(t->in);
	}
	end_if_idle(t);
}

static void on_signal(void *data, int sig)
{
	struct tool *t = data;

	(void)sig;
	t->done = t->failed = true;
}

static struct str user_agent(struct arena *a)
{
	struct str more = str_trim(str_env("TF_APPEND_USER_AGENT"));

	return str_printf(a, "%s/%s (compatible; OpenTofu/%s)%s%.*s", PRODUCT,
			  PACKAGE_VERSION, COMPATIBLE_VERSION,
			  more.n ? " " : "", STR_ARG(more));
}

static int run(struct arena *a)
{
	struct tool t = { .loop = loop_new(), .out = OUT_INIT(STDOUT_FILENO) };

	t.lines = (struct lines){ .http = http_new(t.loop, user_agent(a)),
				  .out = &t.out,
				  .answered = end_if_idle,
				  .data = &t,
				  .line = BUF_INIT,
				  .body = BUF_INIT,
				  .arena = ARENA_INIT };
	signal(SIGPIPE, SIG_IGN);
	loop_signal(t.loop, SIGTERM, on_signal, &t);
	loop_signal(t.loop, SIGINT, on_signal, &t);
	loop_signal(t.loop, SIGHUP, on_signal, &t);
	t.in = loop_watch(t.loop, STDIN_FILENO, LOOP_READ, on_input, &t);
	if (!t.lines.http || loop_run(t.loop, &t.done)) {
		fprintf(stderr, "tf-fetch: the HTTP library cannot be used\n");
		t.failed = true;
	}
	http_free(t.lines.http);
	if (out_flush(&t.out))
		t.failed = true;
	out_release(&t.out);
	lines_release(&t.lines);
	loop_free(t.loop);
	return t.failed || t.lines.bad;
}

/* With -below it reads what every program of the system has to, and the
 * certificates that the environment names. */
static void stay(struct arena *a, const struct str_vec *below)
{
	static const char *const system[] = {
		"/etc",
		"/usr",
		"/lib",
		"/lib64",
		"/run",
		"/proc",
		"/sys",
		"/dev",
		"/var",
		"/opt",
		"/nix",
		"/gnu",
		"/etc/resolv.conf",
	};
	static const char *const named[] = { "SSL_CERT_FILE", "SSL_CERT_DIR" };
	enum { SYSTEM = sizeof(system) / sizeof(*system) };
	const char **write = ARENA_ARRAY(a, const char *, below->len + 1);
	const char *read[SYSTEM + 4];
	size_t n = SYSTEM;

	memcpy(read, system, sizeof(system));
	for (size_t i = 0; i < 2; i++)
		if (getenv(named[i]))
			read[n++] = getenv(named[i]);
	read[n++] = child_beside(a, ".");
	read[n] = NULL;
	for (size_t i = 0; i < below->len; i++)
		write[i] = below->items[i].p;
	write[below->len] = NULL;
	confine(&(struct confine){ .below = write,
				   .read = below->len ? read : NULL,
				   .any_file = !below->len,
				   .network = true });
}

int main(int argc, char **argv)
{
	struct str_vec below = { 0 };
	const struct opt options[] = {
		{ "below", OPT_LIST, &below, "DIR",
		  "write files there only, and read no others of the user's" },
		{ 0 },
	};
	const struct opts o = { "tf-fetch", "", options, NULL,
				"Reads requests from standard input, a JSON "
				"object a line, and writes an answer a line." };
	struct arena a = ARENA_INIT;
	struct diags ds = DIAGS_INIT(&a);
	struct str_vec rest = { 0 };
	int rc = 1;

	io_init();
	switch (opts_parse(&a, &o, argc, argv, &rest, NULL, &ds)) {
	case OPTS_DONE:
		rc = 0;
		break;
	case OPTS_BAD:
		fprintf(stderr, "tf-fetch: %.*s\n",
			STR_ARG(ds.items[0].detail));
		break;
	case OPTS_RUN:
		if (rest.len) {
			fprintf(stderr, "tf-fetch: it takes no operands\n");
			break;
		}
		stay(&a, &below);
		rc = run(&a);
		break;
	}
	arena_release(&a);
	return rc;
}
