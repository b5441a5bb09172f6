/*
 * http.c - see http.h
 *
 * A transfer is tried again as often as its request says, and a try makes as
 * many hops as redirects say (hop.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

#include "net/net_int.h"

/* --- the end of a transfer --- */

static void transfer_free(struct transfer *t)
{
	struct http *h = t->http;

	transfer_end_hop(t);
	loop_cancel(t->pause);
	body_drop(t);
	if (t->prev)
		t->prev->next = t->next;
	else
		h->first = t->next;
	if (t->next)
		t->next->prev = t->prev;
	buf_release(&t->body);
	buf_release(&t->r.body);
	arena_release(&t->arena);
	free(t);
}

static void report(struct transfer *t, const struct http_answer *answer)
{
	t->done(t->data, answer);
	transfer_free(t);
}

static void fail_finally(struct transfer *t, struct str why, bool final)
{
	report(t, &(struct http_answer){
			  .error = why, .final = final, .tries = t->tries });
}

static void fail(struct transfer *t, struct str why)
{
	fail_finally(t, why, true);
}

static void read_headers(struct transfer *t, struct http_headers *out)
{
	struct curl_header *h = NULL;

	while ((h = curl_easy_nextheader(t->easy, CURLH_HEADER, -1, h)))
		vec_push(&t->arena, out,
			 (struct http_header){
				 str_lower(&t->arena, str_c(h->name)),
				 str_dup(&t->arena, str_c(h->value)) });
}

static void succeed(struct transfer *t, long status)
{
	struct http_answer answer = {
		.status = (int)status,
		.tries = t->tries,
		.size = t->size,
		.url = url_public(&t->arena, t->url),
		.body = buf_view(&t->body),
		.in_file = t->r.to.n && status == 200,
	};

	read_headers(t, &answer.headers);
	if (answer.in_file && body_file(t)) /* an empty body */
		return fail(t, str_c(strerror(t->failed)));
	if (answer.in_file && close(t->fd)) {
		t->fd = -1;
		return fail(t, str_c(strerror(errno)));
	}
	if (answer.in_file) {
		t->fd = -1;
		t->made = false; /* it stays */
	}
	report(t, &answer);
}

/* --- tries and hops --- */

static void go_on(void *data)
{
	struct transfer *t = data;

	t->pause = NULL;
	if (transfer_begin(t))
		fail(t, STR("the request cannot be made"));
}

/* The pause before the next try: what the host asks for, within bounds, or a
 * delay that doubles. */
static uint64_t pause_of(struct transfer *t)
{
	int64_t first = t->r.wait_min;
	const int64_t longest = t->r.wait_max;
	curl_off_t asked = 0;

	for (int i = 1; i < t->tries && first && first < longest; i++)
		first *= 2;
	if (t->easy)
		curl_easy_getinfo(t->easy, CURLINFO_RETRY_AFTER, &asked);
	if (asked > 0 && asked < longest)
		first = asked;
	return (uint64_t)(first > longest ? longest : first) * 1000;
}

static void try_again(struct transfer *t)
{
	uint64_t ms = pause_of(t);

	transfer_end_hop(t);
	t->tries++;
	t->hops = 0;
	t->get = false;
	t->url = (char *)t->r.url.p;
	t->pause = loop_after(t->http->loop, ms, go_on, t);
}

/* Errors that another try cannot change: of the peer's identity, the request or
 * this machine. */
static bool is_final(CURLcode code)
{
	switch (code) {
	case CURLE_PEER_FAILED_VERIFICATION:
	case CURLE_SSL_CACERT_BADFILE:
	case CURLE_UNSUPPORTED_PROTOCOL:
	case CURLE_URL_MALFORMAT:
	case CURLE_WRITE_ERROR:
	case CURLE_ABORTED_BY_CALLBACK:
		return true;
	default:
		return false;
	}
}

static bool is_passing(long status)
{
	return status == 429 || (status >= 500 && status != 501);
}

static bool is_redirect(long status)
{
	return status == 301 || status == 302 || status == 303 ||
	       status == 307 || status == 308;
}

static bool ran_out_of_time(struct transfer *t)
{
	curl_off_t total = 0;

	curl_easy_getinfo(t->easy, CURLINFO_TOTAL_TIME_T, &total);
	return t->r.seconds > 0 && total / 1000 + 50 >= t->r.seconds * 1000;
}

/* What became of a connection, in the words of the library that OpenTofu asks
 * with: programs look for them to know whether another run may succeed.  NULL:
 * no words of this kind. */
static const char *known_words(struct transfer *t, CURLcode code)
{
	curl_off_t connected = 0, secured = 0;
	struct str reason;
	long e = 0;

	switch (code) {
	case CURLE_COULDNT_RESOLVE_HOST:
		return "dial tcp: no such host";
	case CURLE_COULDNT_CONNECT:
		curl_easy_getinfo(t->easy, CURLINFO_OS_ERRNO, &e);
		if (!e)
			return NULL;
		reason = str_lower(&t->arena, str_c(strerror((int)e)));
		return arena_printf(&t->arena, "dial tcp: connect: %.*s",
				    STR_ARG(reason));
	case CURLE_OPERATION_TIMEDOUT:
		if (ran_out_of_time(t))
			return "context deadline exceeded, Client.Timeout exceeded "
			       "while awaiting headers";
		curl_easy_getinfo(t->easy, CURLINFO_CONNECT_TIME_T, &connected);
		if (!connected)
			return "dial tcp: i/o timeout";
		curl_easy_getinfo(t->easy, CURLINFO_APPCONNECT_TIME_T,
				  &secured);
		if (url_is_tls(t->url) && !secured)
			return "net/http: TLS handshake timeout";
		return "read tcp: i/o timeout";
	case CURLE_SSL_CONNECT_ERROR:
	case CURLE_SEND_ERROR:
	case CURLE_RECV_ERROR:
		return strstr(t->why, strerror(ECONNRESET))
			       ? "read tcp: read: connection reset by peer"
			       : NULL;
	default:
		return NULL;
	}
}

static const char *why_failed(struct transfer *t, CURLcode code)
{
	const char *why = t->why[0] ? t->why : curl_easy_strerror(code);
	const char *known = known_words(t, code);

	return known ? arena_printf(&t->arena, "%s (%s)", why, known) : why;
}

static void failed_hop(struct transfer *t, CURLcode code)
{
	const char *why;

	if (t->failed == EFBIG)
		why = arena_printf(&t->arena,
				   "the answer is larger than %lld bytes",
				   (long long)body_limit(t, t->r.to.n > 0));
	else if (t->failed)
		why = arena_printf(&t->arena, "%.*s: %s", STR_ARG(t->r.to),
				   strerror(t->failed));
	else if (!is_final(code) && t->tries <= t->r.retries)
		return try_again(t);
	else
		why = why_failed(t, code);
	fail_finally(t, str_dup(&t->arena, str_c(why)),
		     t->failed || is_final(code));
}

/* false: the redirect has no usable target, or may not be followed. */
static bool follow(struct transfer *t, long status)
{
	struct curl_header *h;
	char *next;

	if (!is_redirect(status) || t->r.redirects < 0 ||
	    curl_easy_header(t->easy, "location", 0, CURLH_HEADER, -1, &h))
		return false;
	next = url_join(&t->arena, t->url, h->value);
	if (!next) {
		fail(t, STR("a redirect leads to what is no web address"));
		return true;
	}
	if (++t->hops > t->r.redirects) {
		fail(t, str_printf(&t->arena, "stopped after %lld redirects",
				   (long long)t->r.redirects));
		return true;
	}
	transfer_end_hop(t);
	if (status <= 303 && !str_is(t->r.method, "HEAD"))
		t->get = true;
	t->url = next;
	go_on(t);
	return true;
}

void transfer_ended(struct transfer *t, CURLcode code)
{
	long status = transfer_status(t);

	if (!code && !t->headed) {
		code = CURLE_GOT_NOTHING;
		snprintf(t->why, sizeof(t->why),
			 "the answer ends within its headers");
	}
	if (code) {
		failed_hop(t, code);
		return;
	}
	if (follow(t, status))
		return;
	if (is_passing(status) && t->tries <= t->r.retries)
		try_again(t);
	else
		succeed(t, status);
}

/* --- beginning --- */

static void copy_request(struct transfer *t, const struct http_request *r)
{
	struct arena *a = &t->arena;
	struct str *const texts[] = { &t->r.method,      &t->r.token,
				      &t->r.to,          &t->r.ca,
				      &t->r.certificate, &t->r.key,
				      &t->r.http_proxy,  &t->r.https_proxy,
				      &t->r.no_proxy,    &t->r.tls_name };

	t->r = *r;
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i]->p)
			*texts[i] = str_dup(a, *texts[i]);
	t->r.headers = (struct http_headers){ 0 };
	for (size_t i = 0; i < r->headers.len; i++)
		vec_push(a, &t->r.headers,
			 (struct http_header){
				 str_dup(a, r->headers.items[i].name),
				 str_dup(a, r->headers.items[i].value) });
}

static void bad_address(void *data)
{
	struct transfer *t = data;

	t->pause = NULL;
	fail(t, STR("this is no web address"));
}

void http_start(struct http *h, const struct http_request *r,
		http_done_fn *done, http_progress_fn *progress, void *data)
{
	struct transfer *t = xcalloc(1, sizeof(*t));

	*t = (struct transfer){ .http = h,
				.next = h->first,
				.done = done,
				.progress = progress,
				.data = data,
				.fd = -1,
				.tries = 1,
				.body = BUF_INIT };
	t->arena = (struct arena)ARENA_INIT;
	if (h->first)
		h->first->prev = t;
	h->first = t;
	copy_request(t, r);
	t->url = url_join(&t->arena, NULL,
			  arena_strndup(&t->arena, r->url.p ? r->url.p : "",
					r->url.n));
	t->r.url = str_c(t->url);
	t->host = t->url ? url_host(&t->arena, t->url) : STR_NONE;
	t->pause = loop_after(h->loop, 0, t->url ? go_on : bad_address, t);
}

struct http *http_new(struct loop *l, struct str user_agent)
{
	struct http *h = xcalloc(1, sizeof(*h));

	h->loop = l;
	h->user_agent = xstrdup(user_agent.p);
	if (curl_global_init(CURL_GLOBAL_DEFAULT) || multi_attach(h)) {
		free(h->user_agent);
		free(h);
		return NULL;
	}
	return h;
}

void http_free(struct http *h)
{
	if (!h)
		return;
	while (h->first)
		transfer_free(h->first);
	multi_detach(h);
	free(h->user_agent);
	free(h);
	curl_global_cleanup();
}
