/*
 * http.c - state behind a URL: GET reads it, POST (or another method) stores
 * it, LOCK and UNLOCK at addresses of their own
 *
 * As OpenTofu's backend "http" has it: a lock is its info, sent as the body; a
 * store names it in the query (?ID=); 409 and 423 say that another holds it,
 * with that one's info as their body.
 */
#include "base/base64.h"
#include "crypto/crypto.h"
#include "state/backend/backend_int.h"

enum { GET, STORE, LOCK, UNLOCK, NKINDS };

struct http_backend {
	struct str url[NKINDS], method[NKINDS]; /* no URL: nothing is locked */
	struct fetch_tls tls;
	struct fetch_header *headers; /* of each request */
	size_t nheaders;
	int64_t retries, wait_min, wait_max;
};

static const char *const whats[NKINDS] = { "get state", "upload state", "lock",
					   "unlock" };

/* --- settings --- */

/* How many bytes of s come before one of stops. */
static size_t until(struct str s, const char *stops)
{
	size_t n = 0;

	while (n < s.n && !strchr(stops, s.p[n]))
		n++;
	return n;
}

/* As messages may have it: a query may hold a token, and a user a password. */
static struct str url_shown(struct backend *b, struct str url)
{
	const size_t scheme = str_starts(url, "https") ? 8 : 7;
	struct str rest = str_sub(url, scheme, url.n);
	struct str host = str_sub(rest, 0, until(rest, "/?#"));
	ptrdiff_t at;

	rest = str_sub(rest, host.n, rest.n);
	rest = str_sub(rest, 0, until(rest, "?#"));
	while ((at = str_chr(host, '@')) >= 0)
		host = str_sub(host, (size_t)at + 1, host.n);
	return STR_CAT(b->arena, str_sub(url, 0, scheme), host, rest);
}

static int read_url(struct backend *b, int kind, const char *name,
		    struct diags *ds)
{
	struct http_backend *h = b->data;
	struct str url = argument_text(b, name);
	const size_t n = until(url, ":");
	const struct str scheme = str_lower(b->arena, str_sub(url, 0, n));

	h->url[kind] = STR_CAT(b->arena, scheme, str_sub(url, n, url.n));
	if ((!url.n && kind != GET) || str_starts(h->url[kind], "http://") ||
	    str_starts(h->url[kind], "https://"))
		return 0;
	return argument_error(b, ds, name, "must be HTTP or HTTPS");
}

static bool is_name(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if (!strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
			    s.p[i]))
			return false;
	return s.n != 0;
}

static bool is_text(struct str s)
{
	bool blank = true;

	for (size_t i = 0; i < s.n; i++) {
		if ((unsigned char)s.p[i] > 127)
			return false;
		blank &= s.p[i] == ' ' || s.p[i] == '\t';
	}
	return !blank;
}

static int check_header(struct backend *b, struct str name,
			const struct value *v, bool user, struct diags *ds)
{
	char lower[16] = "";

	for (size_t i = 0; i < name.n && i < sizeof(lower) - 1; i++)
		lower[i] =
			(char)(name.p[i] |
			       (name.p[i] >= 'A' && name.p[i] <= 'Z' ? 32 : 0));
	if (!is_name(name))
		return argument_error(
			b, ds, "headers",
			"has the name \"%.*s\", which may have letters, digits, - and _ only",
			STR_ARG(name));
	if (!value_usable(v) || !is_text(v->string))
		return argument_error(
			b, ds, "headers",
			"has a value for \"%.*s\" that is blank or not of ASCII characters",
			STR_ARG(name));
	if (strcmp(lower, "content-type") == 0 ||
	    strcmp(lower, "content-md5") == 0)
		return argument_error(b, ds, "headers",
				      "must not have \"%.*s\": it is reserved",
				      STR_ARG(name));
	if (user && strcmp(lower, "authorization") == 0)
		return argument_error(b, ds, "headers",
				      "cannot have \"%.*s\" beside a username",
				      STR_ARG(name));
	return 0;
}

static int read_headers(struct backend *b, struct diags *ds)
{
	const struct value *all = argument_value(b, "headers");
	struct str user = argument_text(b, "username");
	struct str password = argument_text(b, "password");
	const size_t n = all ? all->len : 0;
	struct http_backend *h = b->data;

	h->headers = ARENA_ARRAY(b->arena, struct fetch_header, n + 3);
	for (size_t i = 0; i < n; i++) {
		if (check_header(b, all->keys[i], all->elems[i], user.n != 0,
				 ds))
			return -1;
		h->headers[h->nheaders++] =
			(struct fetch_header){ all->keys[i],
					       all->elems[i]->string };
	}
	if (user.n)
		h->headers[h->nheaders++] = (struct fetch_header){
			STR("Authorization"),
			STR_CAT(b->arena, STR("Basic "),
				base64_encode(b->arena,
					      STR_CAT(b->arena, user, STR(":"),
						      password)))
		};
	return 0;
}

static int read_tls(struct backend *b, struct diags *ds)
{
	struct http_backend *h = b->data;

	h->tls.ca = argument_text(b, "client_ca_certificate_pem");
	h->tls.certificate = argument_text(b, "client_certificate_pem");
	h->tls.key = argument_text(b, "client_private_key_pem");
	if (h->tls.ca.n &&
	    str_find(h->tls.ca, STR("-----BEGIN CERTIFICATE-----")) < 0)
		return argument_error(b, ds, "client_ca_certificate_pem",
				      "has no certificate in PEM");
	if (!h->tls.certificate.n != !h->tls.key.n)
		return argument_error(
			b, ds,
			h->tls.key.n ? "client_certificate_pem"
				     : "client_private_key_pem",
			"must be set, too: a certificate needs its key");
	return argument_flag(b, "skip_cert_verification", &h->tls.insecure, ds);
}

static int http_open(struct backend *b, struct diags *ds)
{
	struct http_backend *h = ARENA_NEW(b->arena, struct http_backend);

	b->data = h;
	if (arguments_required(b, ds) || read_url(b, GET, "address", ds) ||
	    read_url(b, LOCK, "lock_address", ds) ||
	    read_url(b, UNLOCK, "unlock_address", ds))
		return -1;
	h->url[STORE] = h->url[GET];
	h->method[GET] = STR("GET");
	h->method[STORE] = argument_text(b, "update_method");
	h->method[LOCK] = argument_text(b, "lock_method");
	h->method[UNLOCK] = argument_text(b, "unlock_method");
	b->name = url_shown(b, h->url[GET]);
	return read_headers(b, ds) || read_tls(b, ds) ||
			       argument_number(b, "retry_max", &h->retries,
					       ds) ||
			       argument_number(b, "retry_wait_min",
					       &h->wait_min, ds) ||
			       argument_number(b, "retry_wait_max",
					       &h->wait_max, ds)
		       ? -1
		       : 0;
}

static void http_close(struct backend *b)
{
	(void)b;
}

/* --- requests --- */

/* 0: there is an answer.  -1: none, *why says so. */
static int ask(struct backend *b, int kind, struct str url, struct str body,
	       struct fetch_answer *answer, struct str *why)
{
	struct http_backend *h = b->data;
	struct fetch_request r = {
		.url = url,
		.method = h->method[kind],
		.headers = h->headers,
		.nheaders = h->nheaders,
		.body = body,
		.tls = &h->tls,
		.most = INT64_MAX,
		.retries = h->retries > 0 ? (int)h->retries : 0,
		.waits = true,
		.wait_min = (int)h->wait_min,
		.wait_max = (int)h->wait_max,
	};

	if (body.n) {
		h->headers[r.nheaders++] =
			(struct fetch_header){ STR("Content-Type"),
					       STR("application/json") };
		h->headers[r.nheaders++] = (struct fetch_header){
			STR("Content-MD5"), digest_base64(b->arena, "md5", body)
		};
	}
	if (!fetch_wait(remote_fetch(&b->remote), &r, answer))
		return 0;
	*why = str_printf(b->arena, "Failed to %s: %.*s", whats[kind],
			  STR_ARG(answer->error));
	return -1;
}

static struct str status_why(struct backend *b, int status)
{
	if (status == 401)
		return STR("HTTP remote state endpoint requires auth");
	if (status == 403)
		return STR("HTTP remote state endpoint invalid auth");
	if (status == 500)
		return STR("HTTP remote state internal server error");
	return str_printf(b->arena, "Unexpected HTTP response code %d", status);
}

static int http_fetch(struct backend *b, struct str *out, struct diags *ds)
{
	struct http_backend *h = b->data;
	struct fetch_answer answer = { 0 };
	struct str why;

	*out = STR_NONE;
	if (ask(b, GET, h->url[GET], STR_NONE, &answer, &why))
		return backend_load_error(b, why, ds);
	if (answer.status == 204 || answer.status == 404)
		return 0;
	if (answer.status != 200)
		return backend_load_error(b, status_why(b, answer.status), ds);
	*out = answer.body;
	return 0;
}

/* With the lock's ID in the query, whose names are sorted then. */
static struct str store_url(struct backend *b)
{
	struct http_backend *h = b->data;
	struct str url = h->url[STORE];
	const ptrdiff_t q = str_chr(url, '?');
	const struct str id = STR_CAT(b->arena, STR("ID="), b->lock.id);
	struct str base, rest;
	struct buf out = BUF_INIT;
	bool put = false;

	if (!h->url[LOCK].n || !b->locked)
		return url;
	if (q < 0)
		return STR_CAT(b->arena, url, STR("?"), id);
	base = str_sub(url, 0, (size_t)q + 1);
	rest = str_sub(url, (size_t)q + 1, url.n);
	buf_str(&out, base);
	while (rest.n || !put) {
		const ptrdiff_t end = str_chr(rest, '&');
		const size_t n = end < 0 ? rest.n : (size_t)end;
		struct str one = str_sub(rest, 0, n);

		if (out.len > base.n)
			buf_putc(&out, '&');
		if (!put && (!rest.n || str_cmp(one, STR("ID=")) > 0)) {
			buf_str(&out, id);
			put = true;
			continue;
		}
		buf_str(&out, one);
		rest = str_sub(rest, end < 0 ? n : n + 1, rest.n);
	}
	return buf_take(b->arena, &out);
}

static int http_store(struct backend *b, struct str text, struct diags *ds)
{
	struct fetch_answer answer = { 0 };
	struct str why;

	if (!ask(b, STORE, store_url(b), text, &answer, &why)) {
		if (answer.status == 200 || answer.status == 201 ||
		    answer.status == 204)
			return 0;
		why = str_printf(b->arena, "HTTP error: %d", answer.status);
	}
	return backend_store_error(b, why, ds);
}

/* --- locks --- */

/* What cannot be told apart from a lock that we hold is removed; -1: nobody
 * answers that, either. */
static int take_back(struct backend *b, struct str info)
{
	struct http_backend *h = b->data;
	struct fetch_answer answer = { 0 };
	struct str ignored;

	return h->url[UNLOCK].n
		       ? ask(b, UNLOCK, h->url[UNLOCK], info, &answer, &ignored)
		       : 0;
}

static enum lock_result http_lock(struct backend *b, struct lock_info *mine,
				  struct lock_info *holder, const char **why,
				  struct diags *ds)
{
	struct http_backend *h = b->data;
	struct fetch_answer answer = { 0 };
	struct buf info = BUF_INIT;
	enum lock_result result = LOCK_FAILED;
	struct str error;

	if (!h->url[LOCK].n)
		return LOCK_TAKEN;
	lock_info_write(&info, mine);
	if (ask(b, LOCK, h->url[LOCK], buf_view(&info), &answer, &error)) {
		/* its answer may be lost */
		if (take_back(b, buf_view(&info)))
			backend_lock_left(b, mine->id, error, ds);
		else
			backend_lock_error(b, error, ds);
	} else if (answer.status == 200) {
		result = LOCK_TAKEN;
	} else if (answer.status == 409 || answer.status == 423) {
		result = LOCK_HELD;
		if (lock_info_read(b->arena, answer.body, holder))
			*why = "HTTP remote state already locked, failed to unmarshal body";
		else if (str_eq(holder->id, mine->id))
			result = LOCK_TAKEN; /* the first answer was lost */
		else
			*why = arena_printf(
				b->arena,
				"HTTP remote state already locked: ID=%.*s",
				STR_ARG(holder->id));
	} else {
		backend_lock_error(b, status_why(b, answer.status), ds);
	}
	buf_release(&info);
	return result;
}

static int unlock(struct backend *b, const struct lock_info *l, struct str *why)
{
	struct http_backend *h = b->data;
	struct fetch_answer answer = { 0 };
	struct buf info = BUF_INIT;
	int rc;

	if (!h->url[UNLOCK].n)
		return 0;
	lock_info_write(&info, l);
	rc = ask(b, UNLOCK, h->url[UNLOCK], buf_view(&info), &answer, why);
	buf_release(&info);
	if (!rc && answer.status != 200) {
		*why = str_printf(b->arena, "Unexpected HTTP response code %d",
				  answer.status);
		rc = -1;
	}
	return rc;
}

static int http_unlock(struct backend *b, struct diags *ds)
{
	const struct http_backend *h = b->data;
	struct str why;

	return h->url[LOCK].n && unlock(b, &b->lock, &why)
		       ? backend_unlock_error(b, why, ds)
		       : 0;
}

/* The protocol has no question for it: who runs under a lock is handed it. */
static bool http_is_locked(struct backend *b, struct lock_info *holder)
{
	(void)b;
	(void)holder;
	return false;
}

static int http_force_unlock(struct backend *b, struct str id, bool forced,
			     struct diags *ds)
{
	const struct lock_info l = { .id = id,
				     .created = STR("0001-01-01T00:00:00Z") };
	struct str why;

	(void)forced;
	if (!unlock(b, &l, &why))
		return 0;
	return diag_error_line(ds, "Failed to unlock state: %.*s",
			       STR_ARG(why));
}

const struct backend_ops backend_http = {
	.type = "http",
	.remote = true,
	.one_workspace = true,
	.open = http_open,
	.close = http_close,
	.fetch = http_fetch,
	.store = http_store,
	.lock = http_lock,
	.unlock = http_unlock,
	.is_locked = http_is_locked,
	.force_unlock = http_force_unlock,
};
