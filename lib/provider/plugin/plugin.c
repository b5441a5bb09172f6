/* plugin.c - see plugin.h: starting a plugin, calling it, ending it */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/file_path.h"
#include "crypto/crypto.h"
#include "provider/plugin/plugin_int.h"
#include "provider/proto/tfplugin.pb-c.h"

enum {
	PATIENCE_MS = 60 * 1000, /* for the handshake */
	SHUTDOWN_MS = 2000,      /* for a graceful end */
	POLL_MS = 100,           /* how soon a signal is noticed */
};

/* --- calls --- */

static void got_message(void *data, struct str message)
{
	struct queued *q = data;

	buf_set_len(&q->answer, 0);
	buf_str(&q->answer, message);
}

static void answer(struct queued *q, int status, struct str text)
{
	struct str message = { "", 0 };

	if (status == GRPC_OK && q->answer.len)
		message = buf_view(&q->answer);
	q->fn(q->data, status, text, message);
	buf_release(&q->message);
	buf_release(&q->answer);
	buf_release(&q->text);
	free(q);
}

static void answer_late(void *data)
{
	struct queued *q = data;

	answer(q, q->status, buf_view(&q->text));
}

void plugin_answer(struct queued *q, int status, struct str text)
{
	if (!q->p->waiting || q->urgent) {
		answer(q, status, text);
		return;
	}
	q->status = status;
	buf_str(&q->text, text);
	loop_defer(q->p->loop, answer_late, q);
}

static void got_end(void *data, int status, struct str text)
{
	plugin_answer(data, status, text);
}

void plugin_submit(struct queued *q)
{
	static const struct grpc_handler handler = { got_message, got_end };
	const char *path =
		q->p->handshake.protocol == 5 ? q->method->v5 : q->method->v6;

	grpc_start(q->p->grpc, path, buf_view(&q->message), &handler, q);
	buf_release(&q->message);
}

static void flush_late(void *data)
{
	struct plugin *p = data;

	p->flushing = false;
	plugin_flush(p);
}

static void call(struct plugin *p, const struct plugin_method *m,
		 struct str message, plugin_answer_fn *fn, void *data,
		 bool urgent)
{
	struct queued *q = xcalloc(1, sizeof(*q));

	q->p = p;
	q->method = m;
	q->fn = fn;
	q->data = data;
	q->urgent = urgent;
	buf_str(&q->message, message);
	switch (p->state) {
	case PLUGIN_STARTING:
		*p->queue_tail = q;
		p->queue_tail = &q->next;
		break;
	case PLUGIN_DEAD:
		q->status = GRPC_UNAVAILABLE;
		buf_str(&q->text, p->death);
		loop_defer(p->loop, answer_late, q);
		break;
	case PLUGIN_READY:
		plugin_submit(q);
		/* Write all calls of one turn together. */
		if (!p->flushing) {
			p->flushing = true;
			loop_at_turn_end(p->loop, flush_late, p);
		}
	}
}

void plugin_call(struct plugin *p, const struct plugin_method *m,
		 struct str message, plugin_answer_fn *fn, void *data)
{
	call(p, m, message, fn, data, false);
}

void plugin_call_now(struct plugin *p, const struct plugin_method *m,
		     struct str message, plugin_answer_fn *fn, void *data)
{
	call(p, m, message, fn, data, true);
}

/* --- what the plugin writes on its standard output and error --- */

static void got_stdio(void *data, struct str message)
{
	struct plugin *p = data;
	Tfplugin__StdioData *m =
		tfplugin__stdio_data__unpack(NULL, message.n,
					     (const uint8_t *)message.p);

	if (!m)
		return;
	plugin_log_write(&p->log, LOG_WARN, p->log_name,
			 (struct str){ (const char *)m->data.data,
				       m->data.len });
	tfplugin__stdio_data__free_unpacked(m, NULL);
}

static void got_nothing(void *data, struct str message)
{
	(void)data, (void)message;
}

static void stdio_end(void *data, int status, struct str text)
{
	(void)data, (void)status, (void)text; /* it need not have the service */
}

void plugin_ready(struct plugin *p)
{
	static const struct grpc_handler stdio = { got_stdio, stdio_end };
	struct str none = { "", 0 };

	p->watch[FD_SOCKET] = loop_watch(p->loop, p->fds[FD_SOCKET], LOOP_READ,
					 p->serve[FD_SOCKET], p);
	grpc_start(p->grpc, "/plugin.GRPCStdio/StreamStdio", none, &stdio, p);
}

/* --- starting --- */

static void on_out(void *data, int fd, unsigned events)
{
	(void)fd, (void)events;
	plugin_serve(data, FD_OUT);
}

static void on_err(void *data, int fd, unsigned events)
{
	(void)fd, (void)events;
	plugin_serve(data, FD_ERR);
}

static void on_socket(void *data, int fd, unsigned events)
{
	(void)fd;
	if (events & (LOOP_READ | LOOP_HANGUP))
		plugin_serve(data, FD_SOCKET);
	else
		plugin_flush(data);
}

static void on_process(void *data, int fd, unsigned events)
{
	(void)fd, (void)events;
	plugin_serve(data, FD_PROCESS);
}

static void out_of_patience(void *data)
{
	struct plugin *p = data;

	p->patience = NULL;
	plugin_fail(p, STR("it printed no handshake in time"));
}

/* How the log names it. */
static struct str log_name(struct plugin *p, const struct plugin_spec *s)
{
	return str_printf(&p->arena, "provider.%.*s",
			  STR_ARG(s->exe ? file_path_name(str_c(s->exe))
					 : s->name));
}

static int start_process(struct plugin *p, const struct plugin_spec *s)
{
	const char *const argv[] = { s->exe, NULL };
	struct handshake_env env = { .quiet = p->log.level == LOG_OFF };
	struct child_options o = {
		.argv = argv,
		.in = CHILD_NULL,
		.out = CHILD_PIPE,
		.err = CHILD_PIPE,
		.own_group = true,
	};

	if (s->tls) {
		p->tls = tls_new(&p->arena, &env.client_certificate);
		if (!p->tls) {
			errno = ENOTSUP;
			return -1;
		}
	}
	if (handshake_socket_dir(&p->arena, &p->socket_dir))
		return -1;
	env.socket_dir = p->socket_dir;
	o.env = handshake_environment(&p->arena, &env);
	if (child_start(&o, &p->child) < 0)
		return -1;
	p->fds[FD_OUT] = p->child.out;
	p->fds[FD_ERR] = p->child.err;
	for (int i = FD_OUT; i <= FD_ERR; i++)
		fcntl(p->fds[i], F_SETFL,
		      fcntl(p->fds[i], F_GETFL) | O_NONBLOCK);
	/* Without a pidfd the end of its output shows that it ended. */
	p->fds[FD_PROCESS] = (int)syscall(SYS_pidfd_open, p->child.pid, 0);
	if (p->fds[FD_PROCESS] >= 0)
		fcntl(p->fds[FD_PROCESS], F_SETFD, FD_CLOEXEC);
	return 0;
}

static void watch_all(struct plugin *p)
{
	for (int i = 0; i < NFDS; i++)
		if (p->fds[i] >= 0)
			p->watch[i] = loop_watch(p->loop, p->fds[i], LOOP_READ,
						 p->serve[i], p);
}

static struct plugin *plugin_new(struct loop *l, const struct plugin_spec *s)
{
	static loop_fd_fn *const serve[NFDS] = { on_out, on_err, on_socket,
						 on_process };
	struct plugin *p = xcalloc(1, sizeof(*p));

	p->serve = serve;
	p->loop = l;
	p->child.pid = -1;
	p->queue_tail = &p->queue;
	for (int i = 0; i < NFDS; i++)
		p->fds[i] = -1;
	p->name = str_dup(&p->arena, s->name);
	p->log_name = log_name(p, s);
	plugin_log_open(&p->log);
	return p;
}

static void plugin_free(struct plugin *p)
{
	loop_cancel(p->patience);
	loop_cancel(p->grace);
	loop_forget(p->loop, p);
	for (int i = 0; i < NFDS; i++)
		plugin_close_fd(p, i);
	grpc_free(p->grpc);
	tls_free(p->tls);
	buf_release(&p->out);
	buf_release(&p->line[0]);
	buf_release(&p->line[1]);
	buf_release(&p->panic);
	plugin_log_close(&p->log);
	arena_release(&p->arena);
	free(p);
}

static int attach(struct plugin *p, const struct plugin_spec *s)
{
	p->handshake = s->reattach->handshake;
	p->handshake.address = str_dup(&p->arena, p->handshake.address);
	p->keep_alive = s->reattach->test;
	plugin_connect(p);
	return p->state == PLUGIN_READY ? 0 : -1;
}

struct plugin *plugin_start(struct loop *l, const struct plugin_spec *s,
			    struct diags *ds)
{
	struct plugin *p = plugin_new(l, s);

	if (s->reattach && attach(p, s) == 0)
		return p;
	if (s->reattach && s->exe) { /* not any more: a new one */
		plugin_free(p);
		p = plugin_new(l, s);
	} else if (s->reattach) {
		diag_error(ds, NULL, "Failed to instantiate provider",
			   "The provider %.*s, which TF_REATTACH_PROVIDERS "
			   "says is running, cannot be reached: %.*s.",
			   STR_ARG(s->name), STR_ARG(p->death));
		plugin_free(p);
		return NULL;
	}
	if (start_process(p, s) < 0) {
		diag_error(ds, NULL, "Failed to instantiate provider",
			   "The provider %.*s cannot be started: %s: %s.",
			   STR_ARG(s->name), s->exe, strerror(errno));
		plugin_free(p);
		return NULL;
	}
	watch_all(p);
	p->patience = loop_after(l, s->start_ms ? s->start_ms : PATIENCE_MS,
				 out_of_patience, p);
	p->patience_ms = s->start_ms ? s->start_ms : PATIENCE_MS;
	return p;
}

struct loop *plugin_loop(const struct plugin *p)
{
	return p->loop;
}

const struct handshake *plugin_address(const struct plugin *p)
{
	return p->state == PLUGIN_READY ? &p->handshake : NULL;
}

int plugin_protocol(const struct plugin *p)
{
	return p->handshake.protocol;
}

struct str plugin_death(const struct plugin *p)
{
	return p->death;
}

struct str plugin_panic(const struct plugin *p)
{
	return buf_view(&p->panic);
}

/* --- outside of the loop --- */

/* Has a signal to stop arrived?  The loop has them blocked. */
static bool stop_pending(void)
{
	sigset_t pending;

	sigemptyset(&pending);
	sigpending(&pending);
	return sigismember(&pending, SIGINT) == 1 ||
	       sigismember(&pending, SIGTERM) == 1;
}

static int wait_for(struct plugin *p, const bool *done)
{
	uint64_t left = p->patience_ms;

	plugin_flush(p);
	while (done ? !*done : p->state == PLUGIN_STARTING) {
		if (p->state == PLUGIN_DEAD || stop_pending())
			return -1;
		if (plugin_poll(p, POLL_MS) > 0)
			continue;
		if (p->state != PLUGIN_STARTING)
			continue;
		left = left > POLL_MS ? left - POLL_MS : 0;
		if (!left)
			plugin_fail(p, STR("it printed no handshake in time"));
	}
	return 0;
}

int plugin_wait(struct plugin *p, const bool *done)
{
	int rc;

	p->waiting = true;
	rc = wait_for(p, done);
	p->waiting = false;
	return rc;
}

/* --- the end --- */

/* A socket of a process that was killed stays behind. */
static void unlink_socket(struct plugin *p)
{
	if (p->handshake.protocol && !p->handshake.tcp && p->child.pid > 0)
		unlink(arena_strndup(&p->arena, p->handshake.address.p,
				     p->handshake.address.n));
	if (p->socket_dir)
		scratch_remove(&p->arena, p->socket_dir);
}

static void ask_to_end(struct plugin *p)
{
	static const struct grpc_handler shutdown = { got_nothing, stdio_end };
	struct str none = { "", 0 };

	if (p->state != PLUGIN_READY || p->keep_alive)
		return;
	grpc_start(p->grpc, "/plugin.GRPCController/Shutdown", none, &shutdown,
		   NULL);
	plugin_flush(p);
}

/* Is there something to wait for after asking it to end? */
static bool ending(const struct plugin *p)
{
	return p->child.pid > 0 ? !p->reaped : p->state == PLUGIN_READY;
}

void plugin_end(struct plugin *p)
{
	if (!p || p->closing)
		return;
	p->closing = true;
	ask_to_end(p);
}

void plugin_gone(struct plugin *p)
{
	if (!p->gone)
		return;
	loop_cancel(p->grace);
	p->grace = NULL;
	loop_defer(p->loop, p->gone, p->gone_data);
	p->gone = NULL;
}

static void make_it_end(void *data)
{
	struct plugin *p = data;

	p->grace = NULL;
	kill(-p->child.pid, SIGKILL);
}

void plugin_retire(struct plugin *p, loop_fn *gone, void *data)
{
	const bool asked = p->state == PLUGIN_READY && !p->reaped;

	plugin_end(p);
	p->gone = gone;
	p->gone_data = data;
	/* Without a descriptor its end cannot be observed: closing waits. */
	if (!asked || p->fds[FD_PROCESS] < 0)
		plugin_gone(p);
	else
		p->grace = loop_after(p->loop, SHUTDOWN_MS, make_it_end, p);
}

void plugin_close(struct plugin *p)
{
	if (!p)
		return;
	plugin_end(p);
	if (p->state == PLUGIN_READY && !p->keep_alive)
		for (int ms = 0; ms < SHUTDOWN_MS && ending(p); ms += 20)
			while (ending(p) && plugin_poll(p, 20) > 0)
				;
	if (p->child.pid > 0 && !p->reaped) {
		kill(-p->child.pid, SIGKILL);
		waitpid(p->child.pid, NULL, 0);
		p->reaped = true;
	}
	unlink_socket(p);
	plugin_free(p);
}
