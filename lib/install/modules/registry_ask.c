/* registry_ask.c - see modules_int.h */
#include "base/product.h"
#include "config/source/url.h"
#include "install/modules/modules_int.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

/* --- asking --- */

/* 0, or -1 with *why. */
static int find_service(struct module_store *s, struct str host,
			struct service *out, struct str *why)
{
	struct services *services = module_store_services(s, why);

	if (!services)
		return -1;
	*out = services_await(services, host, "modules.v1");
	if (out->status == SERVICE_FOUND)
		return 0;
	if (out->status == SERVICE_UNREACHABLE)
		*why = str_printf(s->a, "%.*s cannot be asked: %.*s",
				  STR_ARG(host), STR_ARG(out->why));
	else
		*why = str_printf(
			s->a, "%.*s has no module registry%s", STR_ARG(host),
			out->status == SERVICE_OTHER_VERSION
				? " of the version that is spoken here"
				: "");
	return -1;
}

/* MODULE/rest */
static int question(struct module_store *s, const struct registry_module *m,
		    struct str rest, struct registry_question *out,
		    struct str *why)
{
	struct service service;

	if (find_service(s, m->host, &service, why))
		return -1;
	if (!str_ends(service.url, "/"))
		service.url = STR_CAT(s->a, service.url, STR("/"));
	out->url = url_resolve(s->a, service.url,
			       STR_CAT(s->a, m->path, STR("/"), rest));
	out->token = service.token;
	return 0;
}

int registry_ask_versions(struct module_store *s,
			  const struct registry_module *m,
			  struct registry_question *out, struct str *why)
{
	return question(s, m, STR("versions"), out, why);
}

int registry_ask_location(struct module_store *s,
			  const struct registry_module *m,
			  struct registry_question *out, struct str *why)
{
	return question(s, m, STR_CAT(s->a, m->version, STR("/download")), out,
			why);
}

static struct fetch_request request(struct module_store *s,
				    const struct registry_question *q)
{
	static const struct fetch_header version = {
		STR_INIT("X-Terraform-Version"), STR_INIT(COMPATIBLE_VERSION)
	};
	const struct cli_hosts *hosts = services_hosts(s->o.hosts->services);

	return (struct fetch_request){ .url = q->url,
				       .token = q->token,
				       .headers = &version,
				       .nheaders = 1,
				       .retries = hosts->retries,
				       .seconds = hosts->seconds };
}

int registry_ask(struct module_store *s, const struct registry_question *q,
		 struct fetch_answer *answer, struct str *why)
{
	const struct fetch_request r = request(s, q);

	if (!fetch_wait(s->o.hosts->remote.fetch, &r, answer))
		return 0;
	*why = answer->error;
	return -1;
}

void registry_ask_start(struct module_store *s,
			const struct registry_question *q, fetch_fn *answered,
			void *data)
{
	const struct fetch_request r = request(s, q);

	fetch_start(s->o.hosts->remote.fetch, &r, answered, data);
}

/* --- versions --- */

const struct json *registry_take_versions(struct module_store *s,
					  const struct registry_module *m,
					  const struct fetch_answer *answer)
{
	struct json_error error;
	const struct json *j = json_parse(s->a, answer->body, &error);

	if (!j || !registry_versions_valid(j))
		return NULL;
	map_put(s->a, &s->versions, str_dup(s->a, m->package), (void *)j);
	return j;
}

/* --- places --- */

/* An address, or one relative to what was asked. */
static int read_indirect(struct module_store *s, struct str text,
			 struct str base, struct location *out, struct str *why)
{
	struct str resolved = text;

	if (!text.n) {
		*why = STR(
			"registry did not return a location for this package");
		return -1;
	}
	if (text.p[0] == '/' || str_starts(text, "./") ||
	    str_starts(text, "../"))
		resolved = url_resolve(s->a, base, text);
	if (resolved.n && !module_address_detect(s->a, resolved, &out->at, why))
		return 0;
	*why = str_printf(s->a,
			  "registry returned invalid package location \"%.*s\"",
			  STR_ARG(text));
	return -1;
}

static int read_direct(struct module_store *s, struct str text, struct str base,
		       const struct json *with_token, struct location *out,
		       struct str *why)
{
	out->direct = true;
	out->with_token = with_token->kind == JSON_BOOL && with_token->boolean;
	out->url = url_resolve(s->a, base, text);
	if (out->url.n && with_token->kind == JSON_BOOL &&
	    str_chr(out->url, '#') < 0)
		return 0;
	*why = str_printf(s->a,
			  "registry returned invalid package URL \"%.*s\"",
			  STR_ARG(text));
	return -1;
}

static int read_location(struct module_store *s,
			 const struct fetch_answer *answer, struct str base,
			 struct location *out, struct str *why)
{
	struct str header = fetch_answer_header(answer, "x-terraform-get");
	const struct json *j, *with_token;
	struct json_error error;
	struct str text;

	if (answer->status == 204)
		return read_indirect(s, header, base, out, why);
	if (answer->status != 200) {
		*why = STR_CAT(s->a, STR("error getting download location: "),
			       fetch_status_text(s->a, answer->status));
		return -1;
	}
	j = json_parse(s->a, answer->body, &error);
	if (!j || j->kind != JSON_OBJECT) {
		*why = STR("the answer is no JSON object");
		return -1;
	}
	with_token = json_get(j, "use_registry_credentials");
	text = json_get_str(j, "location");
	if (with_token)
		return read_direct(s, text, base, with_token, out, why);
	return read_indirect(s, text.n ? text : header, base, out, why);
}

struct str registry_release(struct arena *a, const struct registry_module *m)
{
	return STR_CAT(a, m->package, STR(" "), m->version);
}

const struct location *registry_take_location(struct module_store *s,
					      const struct registry_module *m,
					      const struct registry_question *q,
					      const struct fetch_answer *answer,
					      struct str *why)
{
	struct location *l = ARENA_NEW(s->a, struct location);

	l->token = q->token;
	if (read_location(s, answer, q->url, l, why))
		return NULL;
	map_put(s->a, &s->locations, registry_release(s->a, m), l);
	return l;
}

const struct location *registry_location(const struct module_store *s,
					 const struct registry_module *m)
{
	return map_get(&s->locations, registry_release(s->a, m));
}
