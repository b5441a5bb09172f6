/*
 * oci_request.c - one request to a registry
 *
 * Redirects are followed here, for credentials belong to an origin: registries
 * send blobs from other hosts, and other ports of their own.
 */
#include "install/oci/oci.h"
#include "config/source/url.h"
#include "install/oci/oci_int.h"
#include "json/read.h"
#include "json/tree.h"

static void go(struct oci_request *q);

static void fail(struct oci_request *q, struct str why)
{
	q->fn(q->data, &(struct fetch_answer){ .error = why });
}

/* --- redirects --- */

static bool same_origin(struct arena *a, struct str x, struct str y)
{
	struct str hosts[] = { url_host_port(a, x), url_host_port(a, y) };

	for (size_t i = 0; i < 2; i++)
		if (str_ends(hosts[i], ":443"))
			hosts[i].n -= strlen(":443");
	return str_starts(x, "https://") && str_starts(y, "https://") &&
	       hosts[0].n && str_eq(hosts[0], hosts[1]);
}

static bool is_redirect(const struct fetch_answer *answer)
{
	switch (answer->status) {
	case 301:
	case 302:
	case 303:
	case 307:
	case 308:
		return fetch_answer_header(answer, "location").n > 0;
	default:
		return false;
	}
}

static void follow(struct oci_request *q, const struct fetch_answer *answer)
{
	struct arena *a = q->r->oci->a;
	struct str to =
		url_resolve(a, q->url, fetch_answer_header(answer, "location"));

	if (!to.n)
		return fail(q,
			    STR("a redirect leads to what is no web address"));
	if (++q->hops > FETCH_REDIRECTS)
		return fail(q, str_printf(a, "stopped after %d redirects",
					  FETCH_REDIRECTS));
	q->away |= !same_origin(a, q->url, to);
	q->url = to;
	go(q);
}

/* --- one hop --- */

static void on_authorized(void *data, struct str why)
{
	struct oci_request *q = data;

	if (why.n)
		fail(q, why);
	else
		go(q);
}

static void on_answer(void *data, const struct fetch_answer *answer)
{
	struct oci_request *q = data;

	if (!answer->error.n && is_redirect(answer))
		return follow(q, answer);
	if (answer->status == 401 && !q->away && !q->asked && !q->elsewhere) {
		q->asked = true;
		oci_authorize(q->r,
			      fetch_answer_header(answer, "www-authenticate"),
			      on_authorized, q);
		return;
	}
	if (!answer->error.n && answer->status == 200 && q->size &&
	    answer->size != q->size)
		return fail(
			q,
			str_printf(
				q->r->oci->a,
				"the answer has %lld bytes, where %lld were announced",
				(long long)answer->size, (long long)q->size));
	q->fn(q->data, answer);
}

static void on_progress(void *data, int64_t have, int64_t all)
{
	const struct oci_request *q = data;

	q->progress(q->data, have, all);
}

static void go(struct oci_request *q)
{
	struct str known =
		q->elsewhere ? q->authorization : q->r->authorization;
	struct fetch_header headers[2];
	struct fetch_request ask = {
		.url = q->url,
		.headers = headers,
		.to = q->to,
		.most = q->most,
		.retries = q->retries,
		.redirects = FETCH_NO_REDIRECTS,
	};

	if (q->accept.n)
		headers[ask.nheaders++] =
			(struct fetch_header){ STR("Accept"), q->accept };
	if (known.n && !q->away)
		headers[ask.nheaders++] =
			(struct fetch_header){ STR("Authorization"), known };
	fetch_start_progress(q->r->oci->fetch, &ask, on_answer,
			     q->progress ? on_progress : NULL, q);
}

void oci_send(const struct oci_request *q)
{
	struct arena *a = q->r->oci->a;
	struct oci_request *own = arena_dup(a, q, sizeof(*q));

	own->url = str_dup(a, q->url);
	own->accept = str_dup(a, q->accept);
	own->to = str_dup(a, q->to);
	go(own);
}

/* --- what went wrong --- */

/* The most of a registry's error messages that is repeated. */
enum { MOST_ERRORS = 5, LONGEST_ERROR = 500 };

static void add_error(struct buf *b, const struct json *j)
{
	struct str code = json_get_str(j, "code");
	struct str text = json_get_str(j, "message");

	if (!code.n || code.n + text.n > LONGEST_ERROR)
		return;
	buf_addf(b, ": %.*s", STR_ARG(code));
	if (text.n)
		buf_addf(b, " (%.*s)", STR_ARG(text));
}

/* Leaves out addresses after a redirect: they may hold signatures. */
struct str oci_failure(struct arena *a, const struct fetch_answer *answer)
{
	struct buf b = BUF_INIT;
	struct json_error unread;
	const struct json *j = NULL, *all;
	struct str out;

	if (answer->error.n) {
		buf_str(&b, answer->error);
	} else {
		buf_str(&b, fetch_status_text(a, answer->status));
		j = json_parse(a, answer->body, &unread);
	}
	all = json_get(j, "errors");
	for (uint32_t i = 0;
	     all && all->kind == JSON_ARRAY && i < all->len && i < MOST_ERRORS;
	     i++)
		add_error(&b, &all->items[i]);
	out = buf_dup(a, &b);
	buf_release(&b);
	return out;
}
