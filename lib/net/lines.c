/* lines.c - see lines.h */
#include <stdlib.h>

#include "net/lines.h"
#include "base/base64.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"

enum { REDIRECTS = 10, LONGEST_LINE = 16 << 20 };

struct asked {
	struct lines *lines;
	struct buf id; /* JSON */
	bool raw;      /* the body is to follow the answer's line */
};

/* --- answers --- */

static void begin(struct jw *w, struct str id)
{
	jw_object(w);
	jw_key(w, "id");
	if (id.n)
		jw_raw(w, id);
	else
		jw_null(w);
}

static void end(struct lines *l, struct jw *w, struct str body)
{
	jw_object_end(w);
	buf_putc(w->out, '\n');
	buf_str(w->out, body);
	out_flush(l->out);
}

static void refuse(struct lines *l, struct str id, const char *why)
{
	struct jw w = JW_INIT(&l->out->buf);

	begin(&w, id);
	jw_member_str(&w, "error", str_c(why));
	jw_member_bool(&w, "final", true);
	end(l, &w, STR_NONE);
}

/* Equal names are one header with several values (RFC 9110, 5.3). */
static void write_headers(struct jw *w, const struct http_headers *all)
{
	jw_key(w, "headers");
	jw_object(w);
	for (size_t i = 0; i < all->len; i++) {
		struct str name = all->items[i].name;
		struct buf value = BUF_INIT;
		bool seen = false;

		for (size_t k = 0; k < i; k++)
			seen |= str_eq(all->items[k].name, name);
		if (seen || !str_utf8_valid(name))
			continue;
		for (size_t k = i; k < all->len; k++) {
			if (!str_eq(all->items[k].name, name))
				continue;
			if (k > i)
				buf_puts(&value, ", ");
			buf_str(&value, all->items[k].value);
		}
		jw_key_str(w, name);
		jw_str(w, str_utf8_valid(buf_view(&value)) ? buf_view(&value)
							   : STR(""));
		buf_release(&value);
	}
	jw_object_end(w);
}

static void write_body(struct jw *w, struct str body, bool raw)
{
	struct arena a = ARENA_INIT;

	if (raw)
		jw_member_int(w, "body_size", (int64_t)body.n);
	else if (str_utf8_valid(body))
		jw_member_str(w, "body", body);
	else
		jw_member_str(w, "body64", base64_encode(&a, body));
	arena_release(&a);
}

static void on_done(void *data, const struct http_answer *answer)
{
	struct asked *q = data;
	struct lines *l = q->lines;
	struct jw w = JW_INIT(&l->out->buf);

	begin(&w, buf_view(&q->id));
	jw_member_int(&w, "tries", answer->tries);
	if (answer->error.n) {
		jw_member_str(&w, "error", answer->error);
		if (answer->final)
			jw_member_bool(&w, "final", true);
	} else {
		jw_member_int(&w, "status", answer->status);
		jw_member_str(&w, "url", answer->url);
		write_headers(&w, &answer->headers);
		jw_member_int(&w, "size", answer->size);
		if (!answer->in_file)
			write_body(&w, answer->body, q->raw);
	}
	end(l, &w,
	    q->raw && !answer->in_file && !answer->error.n ? answer->body
							   : STR_NONE);
	l->left--;
	buf_release(&q->id);
	free(q);
	if (l->answered)
		l->answered(l->data);
}

static void on_progress(void *data, int64_t have, int64_t all)
{
	struct asked *q = data;
	struct jw w = JW_INIT(&q->lines->out->buf);

	begin(&w, buf_view(&q->id));
	jw_member_int(&w, "have", have);
	if (all >= 0)
		jw_member_int(&w, "all", all);
	end(q->lines, &w, STR_NONE);
}

/* --- requests --- */

static bool is_clean(struct str s)
{
	for (size_t i = 0; i < s.n; i++)
		if ((unsigned char)s.p[i] < ' ' || s.p[i] == 127)
			return false;
	return true;
}

/* Returns what is wrong with the request; NULL: nothing. */
static const char *check(const struct http_request *r)
{
	if (!r->url.n)
		return "the request has no url";
	if (!is_clean(r->url) || !is_clean(r->method) || !is_clean(r->token) ||
	    !is_clean(r->http_proxy) || !is_clean(r->https_proxy) ||
	    !is_clean(r->no_proxy))
		return "the request has control characters";
	for (size_t i = 0; i < r->headers.len; i++)
		if (!is_clean(r->headers.items[i].name) ||
		    str_chr(r->headers.items[i].name, ':') >= 0 ||
		    !is_clean(r->headers.items[i].value))
			return "a header has characters that it cannot have";
	if (r->most < 0 || r->retries < 0 || r->seconds < 0 ||
	    r->wait_min < 0 || r->wait_max < 0)
		return "a number is below 0";
	return NULL;
}

static void read_headers(struct arena *a, const struct json *j,
			 struct http_headers *out)
{
	if (!j || j->kind != JSON_OBJECT)
		return;
	for (uint32_t i = 0; i < j->len; i++)
		if (j->members[i].value.kind == JSON_STRING)
			vec_push(a, out,
				 (struct http_header){
					 j->members[i].name,
					 j->members[i].value.text });
}

static struct http_request read_request(struct arena *a, const struct json *j)
{
	struct http_request r = {
		.url = json_get_str(j, "url"),
		.method = json_get_str(j, "method"),
		.token = json_get_str(j, "token"),
		.ca = json_get_str(j, "ca"),
		.certificate = json_get_str(j, "certificate"),
		.key = json_get_str(j, "key"),
		.tls_name = json_get_str(j, "tls_name"),
		.insecure = json_get_bool(j, "insecure", false),
		.once = json_get_bool(j, "once", false),
		.http_proxy = json_get_str(j, "http_proxy"),
		.https_proxy = json_get_str(j, "https_proxy"),
		.no_proxy = json_get_str(j, "no_proxy"),
		.to = json_get_str(j, "to"),
		.most = json_get_int(j, "most", 0),
		.retries = json_get_int(j, "retries", 0),
		.redirects = json_get_int(j, "redirects", REDIRECTS),
		.seconds = json_get_int(j, "seconds", 0),
		.wait_min = json_get_int(j, "wait_min", 1),
		.wait_max = json_get_int(j, "wait_max", 30),
	};

	read_headers(a, json_get(j, "headers"), &r.headers);
	return r;
}

/* Takes the body over. */
static void start(struct lines *l, struct arena *a, const struct json *j,
		  struct buf body)
{
	struct http_request r = read_request(a, j);
	const struct json *id = json_get(j, "id");
	struct asked *q = xcalloc(1, sizeof(*q));
	struct jw w = JW_INIT(&q->id);
	const char *wrong = check(&r);

	r.body = body;
	q->lines = l;
	q->raw = json_get_bool(j, "raw", false);
	if (id)
		jw_json(&w, id);
	if (!wrong) {
		l->left++;
		http_start(l->http, &r, on_done,
			   json_get_bool(j, "progress", false) ? on_progress
							       : NULL,
			   q);
		return;
	}
	refuse(l, buf_view(&q->id), wrong);
	buf_release(&r.body);
	buf_release(&q->id);
	free(q);
}

/* Begins the request, unless its body is still to come. */
static void take_line(struct lines *l, struct str line)
{
	struct json_error why;
	const struct json *j = json_parse(&l->arena, line, &why);
	const int64_t size = json_get_int(j, "body_size", 0);
	struct buf body = BUF_INIT;

	if (j && j->kind == JSON_OBJECT && size > 0) {
		l->head = j;
		l->size = (size_t)size;
		l->body = (struct buf)BUF_INIT;
		return;
	}
	if (j && j->kind == JSON_OBJECT) {
		buf_str(&body, json_get_str(j, "body"));
		start(l, &l->arena, j, body);
	} else {
		l->bad = true;
		refuse(l, STR_NONE, "the line is no JSON object");
	}
	arena_release(&l->arena);
}

/* Returns how much of it was taken. */
static size_t take_body(struct lines *l, struct str input)
{
	const size_t left = l->size - l->body.len;
	const size_t n = input.n < left ? input.n : left;

	buf_add(&l->body, input.p, n);
	if (n < left)
		return n;
	start(l, &l->arena, l->head, l->body);
	l->head = NULL;
	l->body = (struct buf)BUF_INIT;
	arena_release(&l->arena);
	return n;
}

int lines_take(struct lines *l, struct str input)
{
	while (input.n) {
		const ptrdiff_t end = l->head ? -1 : str_chr(input, '\n');
		size_t n = input.n;

		if (l->head) {
			n = take_body(l, input);
		} else if (end < 0) {
			buf_str(&l->line, input);
		} else {
			n = (size_t)end + 1;
			buf_add(&l->line, input.p, n - 1);
			take_line(l, buf_view(&l->line));
			buf_set_len(&l->line, 0);
		}
		input = str_sub(input, n, input.n);
	}
	return l->line.len > LONGEST_LINE ? -1 : 0;
}

void lines_end(struct lines *l)
{
	if (l->line.len && !l->head)
		take_line(l, buf_view(&l->line));
	l->bad |= l->head != NULL; /* its body is not whole */
}

void lines_release(struct lines *l)
{
	buf_release(&l->line);
	buf_release(&l->body);
	arena_release(&l->arena);
}
