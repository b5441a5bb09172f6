/*
 * fetch_text.c - requests and answers as tf-fetch(1) has them, and as people
 * read them; see fetch.h
 */
#include <stdlib.h>

#include "remote/fetch.h"
#include "remote/remote_int.h"
#include "json/json.h"
#include "json/tree.h"
#include "json/write.h"

/* --- lines --- */

static void write_headers(struct jw *w, const struct fetch_request *r)
{
	if (!r->nheaders)
		return;
	jw_key(w, "headers");
	jw_object(w);
	for (size_t i = 0; i < r->nheaders; i++) {
		jw_key_str(w, r->headers[i].name);
		jw_str(w, r->headers[i].value);
	}
	jw_object_end(w);
}

static void write_connection(struct jw *w, const struct fetch_request *r)
{
	const struct fetch_tls tls =
		r->tls ? *r->tls : (struct fetch_tls){ .ca = { 0 } };
	const struct fetch_proxies proxies =
		r->proxies ? *r->proxies : (struct fetch_proxies){ { 0 } };
	const struct {
		const char *name;
		struct str text;
	} texts[] = { { "ca", tls.ca },
		      { "certificate", tls.certificate },
		      { "key", tls.key },
		      { "tls_name", tls.name },
		      { "http_proxy", proxies.http },
		      { "https_proxy", proxies.https },
		      { "no_proxy", proxies.none } };

	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].text.n || (i >= 4 && texts[i].text.p))
			jw_member_str(w, texts[i].name, texts[i].text);
	if (tls.insecure)
		jw_member_bool(w, "insecure", true);
	if (r->once)
		jw_member_bool(w, "once", true);
}

void fetch_write(struct buf *to, const struct fetch_request *r, size_t id,
		 bool progress)
{
	const struct {
		const char *name;
		struct str text;
	} texts[] = { { "url", r->url },
		      { "method", r->method },
		      { "token", r->token },
		      { "to", r->to } };
	struct jw w = JW_INIT(to);

	jw_object(&w);
	jw_member_int(&w, "id", (int64_t)id);
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++)
		if (texts[i].text.n)
			jw_member_str(&w, texts[i].name, texts[i].text);
	write_headers(&w, r);
	write_connection(&w, r);
	jw_member_int(&w, "most", r->most);
	jw_member_int(&w, "retries", r->retries);
	if (r->waits) {
		jw_member_int(&w, "wait_min", r->wait_min);
		jw_member_int(&w, "wait_max", r->wait_max);
	}
	jw_member_int(&w, "redirects",
		      r->redirects ? r->redirects : FETCH_REDIRECTS);
	jw_member_int(&w, "seconds", r->seconds);
	if (progress)
		jw_member_bool(&w, "progress", true);
	jw_member_bool(&w, "raw", true);
	if (r->body.n)
		jw_member_int(&w, "body_size", (int64_t)r->body.n);
	jw_object_end(&w);
	buf_putc(to, '\n');
	buf_str(to, r->body);
}

static void read_headers(struct arena *a, const struct json *j,
			 struct fetch_answer *out)
{
	struct fetch_header *all;

	if (!j || j->kind != JSON_OBJECT)
		return;
	all = ARENA_ARRAY(a, struct fetch_header, j->len);
	for (uint32_t i = 0; i < j->len; i++)
		if (j->members[i].value.kind == JSON_STRING)
			all[out->nheaders++] = (struct fetch_header){
				j->members[i].name, j->members[i].value.text
			};
	out->headers = all;
}

void fetch_read(struct arena *a, const struct json *j, struct fetch_answer *out)
{
	*out = (struct fetch_answer){
		.error = json_get_str(j, "error"),
		.final = json_get_bool(j, "final", false),
		.status = (int)json_get_int(j, "status", 0),
		.tries = (int)json_get_int(j, "tries", 1),
		.url = json_get_str(j, "url"),
		.size = json_get_int(j, "size", 0),
	};
	read_headers(a, json_get(j, "headers"), out);
}

/* --- for people --- */

struct str fetch_answer_header(const struct fetch_answer *answer,
			       const char *name)
{
	for (size_t i = 0; i < answer->nheaders; i++)
		if (str_is(answer->headers[i].name, name))
			return answer->headers[i].value;
	return STR_NONE;
}

bool fetch_answer_is_json(const struct fetch_answer *answer)
{
	struct str type = fetch_answer_header(answer, "content-type");
	size_t n = 0;

	while (n < type.n && type.p[n] != ';')
		n++;
	return str_is(str_trim(str_sub(type, 0, n)), "application/json");
}

static int by_name(const void *x, const void *y)
{
	return str_cmp(((const struct fetch_header *)x)->name,
		       ((const struct fetch_header *)y)->name);
}

void fetch_sort_headers(struct fetch_header *headers, size_t n)
{
	if (n)
		qsort(headers, n, sizeof(*headers), by_name);
}

struct str fetch_status_text(struct arena *a, int status)
{
	static const struct {
		int status;
		const char *text;
	} all[] = {
		{ 200, "OK" },
		{ 204, "No Content" },
		{ 301, "Moved Permanently" },
		{ 302, "Found" },
		{ 303, "See Other" },
		{ 304, "Not Modified" },
		{ 307, "Temporary Redirect" },
		{ 308, "Permanent Redirect" },
		{ 400, "Bad Request" },
		{ 401, "Unauthorized" },
		{ 402, "Payment Required" },
		{ 403, "Forbidden" },
		{ 404, "Not Found" },
		{ 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" },
		{ 408, "Request Timeout" },
		{ 409, "Conflict" },
		{ 410, "Gone" },
		{ 418, "I'm a teapot" },
		{ 422, "Unprocessable Entity" },
		{ 423, "Locked" },
		{ 425, "Too Early" },
		{ 429, "Too Many Requests" },
		{ 451, "Unavailable For Legal Reasons" },
		{ 500, "Internal Server Error" },
		{ 501, "Not Implemented" },
		{ 502, "Bad Gateway" },
		{ 503, "Service Unavailable" },
		{ 504, "Gateway Timeout" },
		{ 507, "Insufficient Storage" },
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(*all); i++)
		if (all[i].status == status)
			return str_printf(a, "%d %s", status, all[i].text);
	return str_int(a, status);
}

struct str host_text(struct arena *a, struct str s)
{
	struct buf b = BUF_INIT;

	for (size_t i = 0; i < s.n;) {
		size_t n = utf8_len(s.p + i, s.n - i);
		uint32_t c = n ? utf8_rune(s.p + i, n) : 0;

		if ((c < ' ' && c != '\n' && c != '\t') ||
		    (c >= 0x7f && c < 0xa0))
			buf_putc(&b, '?');
		else
			buf_add(&b, s.p + i, n);
		i += n ? n : 1;
	}
	return buf_take(a, &b);
}
