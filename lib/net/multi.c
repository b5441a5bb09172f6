/* multi.c - libcurl's descriptors and timers in the event loop */
#include "net/net_int.h"

/* Ends the transfers that are finished; their callbacks may begin others. */
static void collect(struct http *h)
{
	CURLMsg *m;
	int left;

	while ((m = curl_multi_info_read(h->multi, &left))) {
		struct transfer *t = NULL;
		CURLcode code = m->data.result;

		if (m->msg != CURLMSG_DONE)
			continue;
		curl_easy_getinfo(m->easy_handle, CURLINFO_PRIVATE, &t);
		transfer_ended(t, code);
	}
}

static void on_socket(void *data, int fd, unsigned events)
{
	struct http *h = data;
	int running, mask = 0;

	if (events & LOOP_READ)
		mask |= CURL_CSELECT_IN;
	if (events & LOOP_WRITE)
		mask |= CURL_CSELECT_OUT;
	/* Read the rest of a connection that was closed. */
	if (events & LOOP_HANGUP)
		mask |= CURL_CSELECT_IN | CURL_CSELECT_ERR;
	curl_multi_socket_action(h->multi, fd, mask, &running);
	collect(h);
}

static void on_timer(void *data)
{
	struct http *h = data;
	int running;

	h->timer = NULL;
	curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
	collect(h);
}

static int want_timer(CURLM *multi, long ms, void *data)
{
	struct http *h = data;

	(void)multi;
	loop_cancel(h->timer);
	h->timer =
		ms < 0 ? NULL : loop_after(h->loop, (uint64_t)ms, on_timer, h);
	return 0;
}

static int want_socket(CURL *easy, curl_socket_t fd, int what, void *data,
		       void *watch)
{
	struct http *h = data;
	struct loop_watch *w = watch;
	unsigned events = (what & CURL_POLL_IN ? LOOP_READ : 0) |
			  (what & CURL_POLL_OUT ? LOOP_WRITE : 0);

	(void)easy;
	if (what == CURL_POLL_REMOVE) {
		loop_unwatch(w);
		curl_multi_assign(h->multi, fd, NULL);
		return 0;
	}
	if (w) {
		loop_watch_set(w, events);
		return 0;
	}
	w = loop_watch(h->loop, fd, events, on_socket, h);
	curl_multi_assign(h->multi, fd, w);
	return 0;
}

int multi_attach(struct http *h)
{
	/* As many as browsers open to a host. */
	static const long of_host = 8, in_all = 64;

	h->multi = curl_multi_init();
	if (!h->multi)
		return -1;
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
	curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, want_timer);
	curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
	curl_multi_setopt(h->multi, CURLMOPT_MAX_HOST_CONNECTIONS, of_host);
	curl_multi_setopt(h->multi, CURLMOPT_MAX_TOTAL_CONNECTIONS, in_all);
	return 0;
}

void multi_detach(struct http *h)
{
	if (h->multi)
		curl_multi_cleanup(h->multi);
	loop_cancel(h->timer);
}
