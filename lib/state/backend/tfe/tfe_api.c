/* tfe_api.c - requests to the TFE API; see tfe_int.h */
#include <stdlib.h>

#include "state/backend/tfe/tfe_int.h"
#include "json/read.h"
#include "json/tree.h"
#include "base/product.h"
#include "remote/remote.h"
#include "remote/credentials.h"

static const struct str type = STR_INIT("application/vnd.api+json");

enum { RATE_TRIES = 30, RATE_WAIT_MS = 1000 };

bool tfe_done(const struct tfe_answer *r)
{
	return r->status >= 200 && r->status < 300;
}

struct str tfe_path(struct backend *b, const char *what, struct str name)
{
	const struct tfe *t = b->data;
	struct str org = remote_escape(b->arena, t->organization, false);

	if (!name.n)
		return str_printf(b->arena, "organizations/%.*s/%s",
				  STR_ARG(org), what);
	name = remote_escape(b->arena, name, false);
	return str_printf(b->arena, "organizations/%.*s/%s/%.*s", STR_ARG(org),
			  what, STR_ARG(name));
}

struct str tfe_own_path(struct backend *b, const char *what)
{
	const struct tfe *t = b->data;
	struct str id = remote_escape(b->arena, t->id, false);

	return str_printf(b->arena, "workspaces/%.*s/%s", STR_ARG(id), what);
}

/* --- answers --- */

/* "title\n\ndetail", of each error that a document has. */
static struct str errors_of(struct arena *a, const struct json *j)
{
	const struct json *all = json_get(j, "errors");
	struct buf out = BUF_INIT;

	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++) {
		struct str title = json_get_str(&all->items[i], "title");
		struct str detail = json_get_str(&all->items[i], "detail");

		if (all->items[i].kind == JSON_STRING)
			title = all->items[i].text;
		if (out.len)
			buf_putc(&out, '\n');
		buf_str(&out, title);
		if (detail.n)
			buf_addf(&out, "%s%.*s", title.n ? "\n\n" : "",
				 STR_ARG(detail));
	}
	return host_text(a, buf_take(a, &out));
}

static struct str why_of(struct arena *a, const struct tfe_answer *r)
{
	struct str text = errors_of(a, r->json);

	if (r->status == 401)
		return STR("unauthorized");
	if (r->status == 404)
		return STR("resource not found");
	return text.n ? text : fetch_status_text(a, r->status);
}

static void pause_over(void *data)
{
	*(bool *)data = true;
}

/* Too many requests: the host did nothing with this one, so that another try
 * is safe whatever it asks for. */
static bool wait_for_rate(struct backend *b, int status, int *tries)
{
	bool over = false;

	if (status != 429 || ++*tries > RATE_TRIES)
		return false;
	loop_after(b->remote.loop, RATE_WAIT_MS, pause_over, &over);
	loop_run(b->remote.loop, &over);
	return true;
}

static int ask(struct backend *b, const struct fetch_request *r,
	       struct tfe_answer *out)
{
	struct fetch_answer answer;
	struct json_error unread;
	int tries = 0;

	do {
		if (fetch_wait(remote_fetch(&b->remote), r, &answer)) {
			*out = (struct tfe_answer){ .tries = answer.tries,
						    .why = answer.error };
			return -1;
		}
	} while (wait_for_rate(b, answer.status, &tries));
	*out = (struct tfe_answer){ .status = answer.status,
				    .tries = answer.tries,
				    .body = answer.body };
	if (str_starts(str_lower(b->arena,
				 fetch_answer_header(&answer, "content-type")),
		       "application/vnd.api+json"))
		out->json = json_parse(b->arena, answer.body, &unread);
	if (!tfe_done(out))
		out->why = why_of(b->arena, out);
	return 0;
}

int tfe_ask(struct backend *b, const char *method, struct str path,
	    struct str body, int retries, struct tfe_answer *out)
{
	const struct tfe *t = b->data;
	const struct fetch_header headers[] = {
		{ STR("Accept"), type },
		{ STR("Content-Type"), type },
	};
	const struct fetch_request r = {
		.url = STR_CAT(b->arena, t->base, path),
		.method = str_c(method),
		.headers = headers,
		.nheaders = body.n ? 2 : 1,
		.token = t->token,
		.body = body,
		.retries = retries,
		.once = !retries,
		.waits = true,
		.wait_min = TFE_WAIT_MIN,
		.wait_max = TFE_WAIT_MAX,
	};

	return ask(b, &r, out);
}

/* https://HOST:PORT, with what comes before the path. */
static struct str origin(struct str url)
{
	const ptrdiff_t at = str_find(url, STR("://"));
	size_t n = at < 0 ? 0 : (size_t)at + 3;

	while (n < url.n && !strchr("/?#", url.p[n]))
		n++;
	return str_sub(url, 0, n);
}

int tfe_page(struct backend *b, struct str path, int64_t *page,
	     struct tfe_answer *out)
{
	int64_t next;

	if (*page > 1)
		path = str_printf(b->arena, "%.*s%cpage%%5Bnumber%%5D=%lld",
				  STR_ARG(path),
				  str_chr(path, '?') < 0 ? '?' : '&',
				  (long long)*page);
	if (tfe_ask(b, "GET", path, STR_NONE, TFE_RETRIES, out))
		return -1;
	next = json_get_int(json_get(json_get(out->json, "meta"), "pagination"),
			    "next-page", 0);
	*page = next > *page ? next : 0;
	return 0;
}

int tfe_object(struct backend *b, const char *method, struct str url,
	       struct str body, struct tfe_answer *out)
{
	static const struct fetch_header up[] = {
		{ STR_INIT("Accept"), STR_INIT("application/json, */*") },
		{ STR_INIT("Content-Type"),
		  STR_INIT("application/octet-stream") },
	};
	static const struct fetch_header down = {
		STR_INIT("Accept"), STR_INIT("application/json")
	};
	const struct tfe *t = b->data;
	const struct fetch_request r = {
		.url = url,
		.method = str_c(method),
		.headers = body.n ? up : &down,
		.nheaders = body.n ? 2 : 1,
		.token = !body.n && str_eq(origin(url), origin(t->base))
				 ? t->token
				 : STR_NONE,
		.body = body,
		.most = INT64_MAX,
		.retries = TFE_RETRIES,
		.waits = true,
		.wait_min = TFE_WAIT_MIN,
		.wait_max = TFE_WAIT_MAX,
	};

	return ask(b, &r, out);
}

/* --- the host --- */

bool tfe_forced_local(void)
{
	const char *local = getenv("TF_FORCE_LOCAL_BACKEND");

	return local && *local;
}

static const char *service_id(const struct tfe *t)
{
	return !t->cloud && tfe_forced_local() ? "state.v2" : "tfe.v2";
}

static int no_token(struct backend *b, struct diags *ds)
{
	const struct tfe *t = b->data;

	return diag_error(
		ds, NULL, "Required token could not be found",
		"There is no token for %.*s. Get one with:\n\n    %s login %.*s",
		STR_ARG(t->host), product_command(), STR_ARG(t->host));
}

static int no_service(struct backend *b, const struct service *s,
		      const char *id, struct diags *ds)
{
	const struct tfe *t = b->data;
	const char *summary;

	if (s->status == SERVICE_UNREACHABLE)
		return diag_error(
			ds, NULL,
			arena_printf(
				ds->arena,
				"Failed to request discovery document of %.*s",
				STR_ARG(t->host)),
			"The host cannot be asked for its services: %.*s.",
			STR_ARG(s->why));
	summary = arena_printf(ds->arena,
			       "Host %.*s does not provide a %s service",
			       STR_ARG(t->host), id);
	return diag_error(ds, NULL, summary,
			  "The backend \"%s\" needs that service. See that the "
			  "\"hostname\" is right.",
			  b->ops->type);
}

int tfe_discover(struct backend *b, struct diags *ds)
{
	struct tfe *t = b->data;
	struct diags quiet = DIAGS_INIT(b->arena);
	struct str host, why = STR_NONE;
	const char *id = service_id(t);
	struct service service;

	if (t->base.n)
		return 0;
	if (host_check(b->arena, t->host, &host, &why))
		return diag_error(ds, NULL, "Invalid hostname",
				  "The host \"%.*s\" cannot be asked: %.*s.",
				  STR_ARG(t->host), STR_ARG(why));
	if (cli_hosts_load(b->arena, &t->cli, &quiet))
		return diag_error(ds, NULL, "Invalid CLI configuration",
				  "The CLI configuration, which may have the "
				  "token of %.*s, has errors: %.*s.",
				  STR_ARG(t->host),
				  STR_ARG(quiet.items[quiet.len - 1].summary));
	if (!t->token.n)
		host_token(b->arena, &t->cli, host, &t->token, &why);
	if (b->version.n) { /* found by who handed the state on */
		const size_t at = (size_t)str_chr(b->version, ' ');

		t->id = str_sub(b->version, 0, at);
		t->base = str_sub(b->version, at + 1, b->version.n);
		return t->token.n ? 0 : no_token(b, ds);
	}
	remote_fetch(&b->remote);
	service = services_await(services_new(b->arena, &t->cli,
					      b->remote.fetch, b->remote.loop),
				 host, id);
	if (service.status != SERVICE_FOUND)
		return no_service(b, &service, id, ds);
	if (!t->token.n)
		return no_token(b, ds);
	t->base = service.url;
	if (!str_ends(t->base, "/"))
		t->base = STR_CAT(b->arena, t->base, STR("/"));
	return 0;
}
