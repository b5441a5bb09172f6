/* services.c - see remote.h */
#include "remote/remote.h"
#include "config/source/url.h"
#include "remote/credentials.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

/* Larger than any host's document. */
enum { LARGEST_DOCUMENT = 1 << 20, REDIRECTS = 3 };

struct waiting {
	const char *id;
	service_fn *fn;
	void *data;
	struct waiting *next;
};

struct host {
	struct services *services;
	struct str name, base; /* base: of relative addresses */
	struct str token;
	const struct json *found; /* or given by a `host` block */
	struct str why;           /* the host is unreachable */
	bool known;
	struct waiting *first, **last;
};

struct services {
	struct arena *a;
	const struct cli_hosts *config;
	struct fetch *fetch;
	struct loop *loop;
	struct map hosts; /* struct host * */
};

const struct cli_hosts *services_hosts(const struct services *s)
{
	return s->config;
}

/* --- what is known of a host --- */

/* Is there an entry for the id with any version after the dot? */
static bool has_other_version(const struct host *h, const char *id)
{
	struct str name = str_c(id);

	name.n = (size_t)str_chr(name, '.') + 1;
	for (uint32_t i = 0;
	     h->found && h->found->kind == JSON_OBJECT && i < h->found->len;
	     i++)
		if (h->found->members[i].name.n > name.n &&
		    !memcmp(h->found->members[i].name.p, name.p, name.n))
			return true;
	return false;
}

static void answer(const struct host *h, const struct waiting *w)
{
	struct arena *a = h->services->a;
	struct service s = { .token = h->token,
			     .why = h->why,
			     .base = h->base,
			     .entry = json_get(h->found, w->id) };
	struct str url = json_get_str(h->found, w->id);

	if (h->why.n) {
		s.status = SERVICE_UNREACHABLE;
	} else if (url.n) {
		s.url = url_resolve(a, h->base, url);
		s.status = s.url.n ? SERVICE_FOUND : SERVICE_UNREACHABLE;
		if (!s.url.n)
			s.why = str_printf(
				a,
				"its address for %s is none of the web: %.*s",
				w->id, STR_ARG(url));
	} else {
		s.status = has_other_version(h, w->id) ? SERVICE_OTHER_VERSION
						       : SERVICE_NONE;
	}
	w->fn(w->data, &s);
}

static void answer_all(void *data)
{
	struct host *h = data;
	struct waiting *w = h->first;

	h->first = NULL;
	h->last = &h->first;
	for (; w; w = w->next)
		answer(h, w);
}

/* --- asking it --- */

static void read_document(struct host *h, const struct fetch_answer *answer)
{
	struct arena *a = h->services->a;
	struct json_error why;

	if (answer->error.n) /* scripts look for these words */
		h->why =
			str_printf(a,
				   "failed to request discovery document: %.*s",
				   STR_ARG(answer->error));
	else if (answer->status == 404)
		return; /* it has no services */
	else if (answer->status != 200)
		h->why = str_printf(a, "its discovery document: %.*s",
				    STR_ARG(fetch_status_text(a,
							      answer->status)));
	else if (!fetch_answer_is_json(answer))
		h->why = STR(
			"its discovery document is not of the type application/json");
	else if (!(h->found = json_parse(a, answer->body, &why)) ||
		 h->found->kind != JSON_OBJECT)
		h->why = STR("its discovery document is no JSON object");
	h->base = answer->url;
}

static void on_document(void *data, const struct fetch_answer *answer)
{
	struct host *h = data;

	read_document(h, answer);
	h->known = true;
	answer_all(h);
}

static void ask(struct host *h)
{
	const struct services *s = h->services;
	static const struct fetch_header accept = {
		STR_INIT("Accept"), STR_INIT("application/json")
	};
	const struct fetch_request r = {
		.url = h->base,
		.token = h->token,
		.headers = &accept,
		.nheaders = 1,
		.most = LARGEST_DOCUMENT,
		.redirects = REDIRECTS,
		.seconds = s->config->seconds,
	};

	fetch_start(s->fetch, &r, on_document, h);
}

static struct host *host_of(struct services *s, struct str name)
{
	struct host *h = map_get(&s->hosts, name);
	struct str why = STR_NONE;

	if (h)
		return h;
	h = ARENA_NEW(s->a, struct host);
	h->services = s;
	h->name = name;
	h->last = &h->first;
	h->base = str_printf(s->a, "https://%.*s/.well-known/terraform.json",
			     STR_ARG(name));
	map_put(s->a, &s->hosts, name, h);
	h->found = map_get(&s->config->services, name);
	h->known = h->found != NULL;
	if (host_token(s->a, s->config, name, &h->token, &why)) {
		h->why =
			str_printf(s->a, "failed to retrieve credentials: %.*s",
				   STR_ARG(why));
		h->known = true;
	}
	if (!h->known)
		ask(h);
	return h;
}

void services_find(struct services *s, struct str host, const char *id,
		   service_fn *fn, void *data)
{
	struct host *h = host_of(s, host);
	struct waiting *w = ARENA_NEW(s->a, struct waiting);

	*w = (struct waiting){ id, fn, data, NULL };
	if (h->known && !h->first)
		loop_defer(s->loop, answer_all, h);
	*h->last = w;
	h->last = &w->next;
}

struct awaited {
	struct service service;
	bool over;
};

static void on_awaited(void *data, const struct service *s)
{
	*(struct awaited *)data = (struct awaited){ *s, true };
}

struct service services_await(struct services *s, struct str host,
			      const char *id)
{
	struct awaited x = { .service.status = SERVICE_UNREACHABLE };

	services_find(s, host, id, on_awaited, &x);
	loop_run(s->loop, &x.over);
	return x.service;
}

struct services *services_new(struct arena *a, const struct cli_hosts *h,
			      struct fetch *f, struct loop *l)
{
	struct services *s = ARENA_NEW(a, struct services);

	*s = (struct services){ .a = a, .config = h, .fetch = f, .loop = l };
	return s;
}
