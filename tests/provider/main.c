/* main.c - terraform-provider-test: the handshake of plugins, then serving */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "provider.h"
#include "secure.h"

#define COOKIE "d602bf8f470bc67ca7faa0386276bbdd4330efaf76d1a219cb4d6991ca9872b2"

static char dir[] = "/tmp/test-provider-XXXXXX";

static int listen_at(struct sockaddr_un *at)
{
	int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);

	const char *given = getenv("PLUGIN_UNIX_SOCKET_DIR");

	if (fd < 0)
		return -1;
	at->sun_family = AF_UNIX;
	if (getenv("TEST_PROVIDER_SOCKET")) {
		/* as plugins' library does it */
		snprintf(at->sun_path, sizeof(at->sun_path), "%s/plugin%ld",
			 given && *given ? given : "/tmp", (long)getpid());
		return bind(fd, (struct sockaddr *)at, sizeof(*at)) ||
				       listen(fd, 8)
			       ? -1
			       : fd;
	}
	if (!mkdtemp(dir))
		return -1;
	snprintf(at->sun_path, sizeof(at->sun_path), "%s/s", dir);
	if (bind(fd, (struct sockaddr *)at, sizeof(*at)) || listen(fd, 8))
		return -1;
	return fd;
}

/* Tells, in the end, who could have connected: the modes of the socket and of
 * its directory. */
static void report(const struct sockaddr_un *at)
{
	const char *file = getenv("TEST_PROVIDER_SOCKET");
	FILE *f = file ? fopen(file, "a") : NULL;
	char *path = strdup(at->sun_path);
	struct stat socket, above;

	if (f && !stat(path, &socket)) {
		*strrchr(path, '/') = '\0';
		if (!stat(path, &above))
			fprintf(f, "%o %o\n", socket.st_mode & 07777,
				above.st_mode & 07777);
	}
	if (f)
		fclose(f);
	free(path);
}

static void on_signal(void *data, int sig)
{
	struct provider *p = data;

	(void)sig;
	p->done = true;
}

/* A line in two parts, the second some time after the first. */
static void print_slowly(const struct buf *line)
{
	const size_t half = line->len / 2;

	fwrite(line->p, 1, half, stdout);
	fflush(stdout);
	usleep(200000);
	fwrite(line->p + half, 1, line->len - half, stdout);
	fflush(stdout);
}

/* Prints the handshake, unless orders spoil the start: start:crash, start:hang,
 * start:nonsense, start:nonsense=N (N characters, and no end of the line),
 * start:status=LINE (another handshake line), start:sleep (in two parts). */
static void handshake(struct provider *p, const struct sockaddr_un *at,
		      struct str certificate)
{
	struct request r = { .p = p, .what = "start", .method = &methods[0] };
	struct buf line = BUF_INIT;
	bool slow = false;

	for (size_t i = 0; i < p->orders.len; i++) {
		const struct order *o = &p->orders.items[i];

		if (!order_applies(o, &r))
			continue;
		if (o->op == OP_CRASH) {
			fprintf(stderr, "panic: no start\n");
			rmdir(dir);
			exit(3);
		}
		if (o->op == OP_LOG) {
			fprintf(stderr, "%.*s\n", STR_ARG(o->arg));
			continue;
		}
		if (o->op == OP_SLEEP) {
			slow = true;
			continue;
		}
		if (o->op == OP_NONSENSE && o->arg.n)
			printf("%0*d", atoi(arena_strndup(&p->arena, o->arg.p,
							  o->arg.n)),
			       0);
		else if (o->op == OP_NONSENSE)
			printf("hello\n");
		else if (o->op == OP_STATUS)
			printf("%.*s\n", STR_ARG(o->arg));
		else if (o->op != OP_HANG)
			continue;
		fflush(stdout);
		return;
	}
	buf_addf(&line, "1|%u|unix|%s|grpc|%.*s\n", p->protocol, at->sun_path,
		 STR_ARG(certificate));
	if (slow)
		print_slowly(&line);
	else
		fwrite(line.p, 1, line.len, stdout);
	fflush(stdout);
	buf_release(&line);
}

static int read_environment(struct provider *p)
{
	const char *protocol = getenv("TEST_PROVIDER_PROTOCOL");
	const char *huge = getenv("TEST_PROVIDER_HUGE");
	const char *orders = getenv("TEST_PROVIDER_DO");
	const char *err;

	p->protocol = protocol && protocol[0] == '5' ? 5 : 6;
	p->dir = getenv("TEST_PROVIDER_DIR");
	p->log = getenv("TEST_PROVIDER_LOG");
	catalogue_make(&p->arena, p->protocol,
		       huge ? (unsigned)strtoul(huge, NULL, 10) : 0,
		       &p->catalogue);
	err = orders_parse(&p->arena, str_c(orders), &p->orders);
	if (err)
		fprintf(stderr, "TEST_PROVIDER_DO: %s\n", err);
	return err ? -1 : 0;
}

/* A client that has a certificate gets TLS, unless TEST_PROVIDER_TLS says
 * otherwise: "none", or "other" for another certificate than the one in the
 * handshake. */
static int make_secure(struct secure **tls, struct buf *certificate)
{
	const char *client = getenv("PLUGIN_CLIENT_CERT");
	const char *how = getenv("TEST_PROVIDER_TLS");
	struct buf unused = BUF_INIT;
	bool other = how && strcmp(how, "other") == 0;

	*tls = NULL;
	if (!client || !*client || (how && strcmp(how, "none") == 0))
		return 0;
	signal(SIGPIPE, SIG_IGN);
	if (other && !secure_new(client, certificate))
		return -1;
	*tls = secure_new(client, other ? &unused : certificate);
	buf_release(&unused);
	return *tls ? 0 : -1;
}

int main(void)
{
	const char *cookie = getenv("TF_PLUGIN_MAGIC_COOKIE");
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	struct provider p = { .arena = ARENA_INIT };
	struct buf certificate = BUF_INIT;
	struct secure *tls;
	int fd;

	if (!cookie || strcmp(cookie, COOKIE)) {
		fprintf(stderr, "This is a provider plugin for tests; it is "
			"not to be run by hand.\n");
		return 1;
	}
	if (read_environment(&p))
		return 1;
	if (make_secure(&tls, &certificate)) {
		fprintf(stderr, "no TLS can be served\n");
		return 1;
	}
	fd = listen_at(&at);
	if (fd < 0) {
		perror("socket");
		return 1;
	}
	p.loop = loop_new();
	loop_signal(p.loop, SIGTERM, on_signal, &p);
	signal(SIGINT, SIG_IGN); /* as plugins do: the client decides */
	serve(p.loop, fd, tls, provider_call, &p);
	handshake(&p, &at, buf_view(&certificate));
	loop_run(p.loop, &p.done);
	report(&at);
	unlink(at.sun_path);
	rmdir(dir);
	/* Calls may be open: they end with the process, and so does what they
	 * hold.  No leak is to be looked for. */
	fflush(NULL);
	_exit(0);
}
