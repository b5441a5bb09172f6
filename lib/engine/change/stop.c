/* stop.c - see events.h */
#include <signal.h>

#include "engine/change/events.h"
#include "base/product.h"

static void tell(struct events *e, bool at_once)
{
	struct arena a = ARENA_INIT;
	const char *text;

	if (!e)
		return;
	if (at_once) {
		event_log(e, "Two interrupts received. Exiting immediately. "
			     "Note that data loss may have occurred.");
		return;
	}
	text = arena_printf(
		&a,
		"\nInterrupt received.\n"
		"Please wait for %s to exit or data loss may occur.\n"
		"Gracefully shutting down...\n",
		product_name());
	event_log(e, text);
	arena_release(&a);
	event_log(e, "Stopping operation...");
}

static void on_signal(void *data, int sig)
{
	struct stop_requests *s = data;
	unsigned n;

	if (sig == SIGUSR1)
		s->handed_on++;
	else if (sig != SIGHUP || !s->hung_up)
		s->direct++;
	s->hung_up |= sig == SIGHUP;
	n = s->direct > s->handed_on ? s->direct : s->handed_on;
	for (; s->seen < n && s->seen < 2; s->seen++) {
		tell(s->events, s->seen == 1);
		s->stop(s->data, s->seen == 1);
	}
}

enum { NSIGNALS = 4 };

static const int signals[NSIGNALS] = { SIGINT, SIGTERM, SIGHUP, SIGUSR1 };

void stop_hold(void)
{
	sigset_t held;

	sigemptyset(&held);
	for (int i = 0; i < NSIGNALS; i++)
		sigaddset(&held, signals[i]);
	sigprocmask(SIG_BLOCK, &held, NULL);
}

bool stop_waits(void)
{
	sigset_t waiting;

	sigemptyset(&waiting);
	sigpending(&waiting);
	for (int i = 0; i < NSIGNALS; i++)
		if (sigismember(&waiting, signals[i]) == 1)
			return true;
	return false;
}

void stop_listen(struct stop_requests *s, struct loop *l)
{
	for (int i = 0; i < NSIGNALS; i++)
		loop_signal(l, signals[i], on_signal, s);
}
