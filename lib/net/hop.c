/* hop.c - one request by libcurl: its options, and the destination of the
 * body */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <strings.h>
#include <unistd.h>

#include "net/net_int.h"
#include "base/clock.h"
#include "base/io.h"

enum {
	CONNECT_SECONDS = 30,
	SILENCE_SECONDS = 60,
	PROGRESS_MS = 100,
	ERROR_BODY = 64 << 10, /* of an answer that is not wanted */
};
static const int64_t most_in_memory = (int64_t)16 << 20;

/* --- the body --- */

int body_file(struct transfer *t)
{
	if (t->fd >= 0)
		return 0;
	t->fd = open(t->r.to.p, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	if (t->fd < 0)
		t->failed = errno;
	else
		t->made = true;
	return t->fd < 0 ? -1 : 0;
}

/* Empties the body: another try begins anew. */
static void forget_body(struct transfer *t)
{
	t->size = 0;
	t->failed = 0;
	buf_set_len(&t->body, 0);
	if (t->fd >= 0 && (ftruncate(t->fd, 0) || lseek(t->fd, 0, SEEK_SET)))
		t->failed = errno;
}

void body_drop(struct transfer *t)
{
	if (t->fd >= 0)
		close(t->fd);
	if (t->made)
		unlink(t->r.to.p);
	t->fd = -1;
	t->made = false;
}

/* 0 until the answer has a status. */
long transfer_status(struct transfer *t)
{
	long status = 0;

	curl_easy_getinfo(t->easy, CURLINFO_RESPONSE_CODE, &status);
	return status;
}

int64_t body_limit(const struct transfer *t, bool file)
{
	if (t->r.most)
		return t->r.most;
	return file ? INT64_MAX : most_in_memory;
}

/* The library takes an answer that ends within its headers for a whole one. */
static size_t on_header(char *p, size_t size, size_t n, void *data)
{
	struct transfer *t = data;

	n *= size;
	if (n >= 5 && memcmp(p, "HTTP/", 5) == 0)
		t->headed = false; /* what came before was of an answer 1xx */
	else if (n && (*p == '\r' || *p == '\n'))
		t->headed = true;
	return n;
}

static size_t on_body(char *p, size_t size, size_t n, void *data)
{
	struct transfer *t = data;
	const bool good = transfer_status(t) == 200, file = good && t->r.to.n;

	n *= size;
	if ((int64_t)n > body_limit(t, file) - t->size)
		t->failed = EFBIG;
	if (!good && t->r.to.n && t->size > ERROR_BODY)
		return n; /* of an error some text will do */
	if (t->failed || (file && body_file(t)))
		return 0;
	t->size += (int64_t)n;
	if (!file)
		buf_add(&t->body, p, n);
	else if (io_write_all(t->fd, p, n))
		t->failed = errno;
	return t->failed ? 0 : n;
}

static int on_progress(void *data, curl_off_t all, curl_off_t have,
		       curl_off_t up_all, curl_off_t up)
{
	struct transfer *t = data;
	int64_t now;

	(void)up_all;
	(void)up;
	if (!t->progress || have == t->told_size || transfer_status(t) != 200)
		return 0;
	now = (int64_t)clock_ms();
	if (now - t->told >= PROGRESS_MS || have == all) {
		t->told = now;
		t->told_size = have;
		t->progress(t->data, have, all > 0 ? all : -1);
	}
	return 0;
}

/* --- what is sent --- */

static bool is_name(struct str name, const char *of)
{
	return name.n == strlen(of) && !strncasecmp(name.p, of, name.n);
}

static bool is_secret(struct str name)
{
	static const char *const names[] = { "authorization", "cookie",
					     "proxy-authorization" };

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (is_name(name, names[i]))
			return true;
	return false;
}

static void add_header(struct transfer *t, const char *line)
{
	struct curl_slist *more = curl_slist_append(t->sent, line);

	if (more)
		t->sent = more;
}

/* May the host see what is meant for the request's own?  A redirect from TLS to
 * plain HTTP loses secrets, like one to another host. */
static bool is_home(const struct transfer *t, struct str host)
{
	return str_eq(host, t->host) &&
	       (url_is_tls(t->url) || !url_is_tls(t->r.url.p));
}

static void set_headers(struct transfer *t, struct str host)
{
	const bool home = is_home(t, host);
	const bool safe = url_is_tls(t->url) || host_is_loopback(host);
	bool typed = false;

	for (size_t i = 0; i < t->r.headers.len; i++) {
		const struct http_header *h = &t->r.headers.items[i];

		typed |= is_name(h->name, "content-type");
		if (home || !is_secret(h->name))
			add_header(t, arena_printf(&t->arena, "%.*s%s %.*s",
						   STR_ARG(h->name),
						   h->value.n ? ":" : ";",
						   STR_ARG(h->value)));
	}
	/* The library would name a type, and wait for a leave to send what is
	 * large. */
	if (!typed)
		add_header(t, "Content-Type:");
	add_header(t, "Expect:");
	if (t->r.token.n && home && safe)
		add_header(t,
			   arena_printf(&t->arena, "Authorization: Bearer %.*s",
					STR_ARG(t->r.token)));
	curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->sent);
}

static void set_method(struct transfer *t)
{
	struct str m = t->get && !str_is(t->r.method, "HEAD") ? STR("GET")
							      : t->r.method;

	if (str_is(m, "HEAD")) {
		curl_easy_setopt(t->easy, CURLOPT_NOBODY, 1L);
		return;
	}
	/* What makes something says how much of it there is, also nothing. */
	if (!t->get && (t->r.body.len || str_is(m, "POST") ||
			str_is(m, "PUT") || str_is(m, "PATCH"))) {
		curl_easy_setopt(t->easy, CURLOPT_POSTFIELDSIZE_LARGE,
				 (curl_off_t)t->r.body.len);
		curl_easy_setopt(t->easy, CURLOPT_POSTFIELDS,
				 t->r.body.len ? t->r.body.p : "");
	}
	if (m.n)
		curl_easy_setopt(t->easy, CURLOPT_CUSTOMREQUEST, m.p);
}

/* Differs from the library: the variable in capitals counts for http, too, and
 * requests to this machine use no proxy. */
static void set_proxy(const struct transfer *t, struct str host)
{
	const bool tls = url_is_tls(t->url);
	const struct str own = tls ? t->r.https_proxy : t->r.http_proxy;
	const char *plain = getenv("http_proxy");

	if (!plain && !getenv("REQUEST_METHOD"))
		plain = getenv("HTTP_PROXY");
	if (host_is_loopback(host))
		curl_easy_setopt(t->easy, CURLOPT_PROXY, "");
	else if (own.p)
		curl_easy_setopt(t->easy, CURLOPT_PROXY, own.p);
	else if (!tls && plain)
		curl_easy_setopt(t->easy, CURLOPT_PROXY, plain);
	if (t->r.no_proxy.p)
		curl_easy_setopt(t->easy, CURLOPT_NOPROXY, t->r.no_proxy.p);
}

static void set_blob(CURL *easy, CURLoption option, struct str text)
{
	struct curl_blob blob = { (char *)text.p, text.n, CURL_BLOB_NOCOPY };

	if (text.n)
		curl_easy_setopt(easy, option, &blob);
}

/* libcurl takes the name from the URL: so that has it, and the connection goes
 * where the URL said. */
static void set_name(struct transfer *t)
{
	char *host = NULL, *port = NULL, *url = NULL;
	const struct str name = t->r.tls_name; /* ends with NUL */
	CURLU *u = curl_url();
	struct str to;

	if (u && !curl_url_set(u, CURLUPART_URL, t->url, CURLU_PATH_AS_IS) &&
	    !curl_url_get(u, CURLUPART_HOST, &host, 0) &&
	    !curl_url_get(u, CURLUPART_PORT, &port, CURLU_DEFAULT_PORT) &&
	    !curl_url_set(u, CURLUPART_HOST, name.p, 0) &&
	    !curl_url_get(u, CURLUPART_URL, &url, 0)) {
		curl_easy_setopt(t->easy, CURLOPT_URL, url);
		to = str_printf(&t->arena, "%.*s:%s:%s:%s", STR_ARG(name), port,
				host, port);
		t->connect = curl_slist_append(NULL, to.p);
		curl_easy_setopt(t->easy, CURLOPT_CONNECT_TO, t->connect);
		to = str_printf(&t->arena, "Host: %s:%s", host, port);
		t->sent = curl_slist_append(t->sent, to.p);
		curl_easy_setopt(t->easy, CURLOPT_HTTPHEADER, t->sent);
	}
	curl_free(host);
	curl_free(port);
	curl_free(url);
	curl_url_cleanup(u);
}

static void set_trust(struct transfer *t, struct str host)
{
	const struct str file = str_env("SSL_CERT_FILE");
	const struct str dir = str_env("SSL_CERT_DIR");
	CURL *e = t->easy;

	if (file.n)
		curl_easy_setopt(e, CURLOPT_CAINFO, file.p);
	if (dir.n)
		curl_easy_setopt(e, CURLOPT_CAPATH, dir.p);
	if (t->r.ca.n) { /* nobody else */
		curl_easy_setopt(e, CURLOPT_CAPATH, NULL);
		set_blob(e, CURLOPT_CAINFO_BLOB, t->r.ca);
	}
	if (is_home(t, host)) {
		set_blob(e, CURLOPT_SSLCERT_BLOB, t->r.certificate);
		set_blob(e, CURLOPT_SSLKEY_BLOB, t->r.key);
		if (t->r.tls_name.n && url_is_tls(t->url))
			set_name(t);
	}
	if (t->r.insecure) {
		curl_easy_setopt(e, CURLOPT_SSL_VERIFYPEER, 0L);
		curl_easy_setopt(e, CURLOPT_SSL_VERIFYHOST, 0L);
	}
	curl_easy_setopt(e, CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2);
}

static void set_options(struct transfer *t)
{
	CURL *e = t->easy;

	curl_easy_setopt(e, CURLOPT_PRIVATE, t);
	curl_easy_setopt(e, CURLOPT_URL, t->url);
	/* A request on a used connection that ends is made again on another. */
	curl_easy_setopt(e, CURLOPT_FRESH_CONNECT, t->r.once ? 1L : 0L);
	/* The name of an object may have dots between slashes. */
	curl_easy_setopt(e, CURLOPT_PATH_AS_IS, 1L);
	curl_easy_setopt(e, CURLOPT_NOSIGNAL, 1L);
	curl_easy_setopt(e, CURLOPT_ERRORBUFFER, t->why);
	curl_easy_setopt(e, CURLOPT_PROTOCOLS_STR, "http,https");
	curl_easy_setopt(e, CURLOPT_NETRC, (long)CURL_NETRC_IGNORED);
	curl_easy_setopt(e, CURLOPT_USERAGENT, t->http->user_agent);
	curl_easy_setopt(e, CURLOPT_HEADERFUNCTION, on_header);
	curl_easy_setopt(e, CURLOPT_HEADERDATA, t);
	curl_easy_setopt(e, CURLOPT_WRITEFUNCTION, on_body);
	curl_easy_setopt(e, CURLOPT_WRITEDATA, t);
	curl_easy_setopt(e, CURLOPT_CONNECTTIMEOUT, (long)CONNECT_SECONDS);
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_LIMIT, 1L);
	curl_easy_setopt(e, CURLOPT_LOW_SPEED_TIME, (long)SILENCE_SECONDS);
	if (t->r.seconds > 0)
		curl_easy_setopt(e, CURLOPT_TIMEOUT, (long)t->r.seconds);
	if (!t->r.to.n) /* archives are as they are */
		curl_easy_setopt(e, CURLOPT_ACCEPT_ENCODING, "");
	if (t->progress) {
		curl_easy_setopt(e, CURLOPT_NOPROGRESS, 0L);
		curl_easy_setopt(e, CURLOPT_XFERINFOFUNCTION, on_progress);
		curl_easy_setopt(e, CURLOPT_XFERINFODATA, t);
	}
}

void transfer_end_hop(struct transfer *t)
{
	if (t->easy) {
		curl_multi_remove_handle(t->http->multi, t->easy);
		curl_easy_cleanup(t->easy);
	}
	curl_slist_free_all(t->sent);
	curl_slist_free_all(t->connect);
	t->connect = NULL;
	t->easy = NULL;
	t->sent = NULL;
}

int transfer_begin(struct transfer *t)
{
	struct str host = url_host(&t->arena, t->url);

	forget_body(t);
	t->why[0] = '\0';
	t->headed = false;
	t->easy = curl_easy_init();
	if (!t->easy)
		return -1;
	set_options(t);
	set_method(t);
	set_headers(t, host);
	set_proxy(t, host);
	set_trust(t, host);
	return curl_multi_add_handle(t->http->multi, t->easy) ? -1 : 0;
}
