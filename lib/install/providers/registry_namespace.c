/* registry_namespace.c - finding the namespace of a type; see providers.h */
#include "install/providers/providers_int.h"
#include "config/source/url.h"
#include "install/providers/providers.h"
#include "addr/provider.h"
#include "base/product.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

struct namespace_question {
	struct package_source *r;
	struct provider_addr p;
	namespace_fn *fn;
	void *data;
};

/* Of a provider of the type that was asked for. */
static struct str namespace_of(struct namespace_question *q, struct str source)
{
	struct provider_addr p;
	struct str why;

	return source.n &&
			       !provider_addr_parse(q->r->a, source, q->p.host,
						    &p, &why) &&
			       str_eq(p.type, q->p.type)
		       ? p.namespace
		       : STR_NONE;
}

static void on_answer(void *data, const struct fetch_answer *answer)
{
	struct namespace_question *q = data;
	struct json_error wrong;
	const struct json *j = NULL;
	struct str moved, id;

	if (!answer->error.n && answer->status == 200)
		j = json_parse(q->r->a, answer->body, &wrong);
	id = namespace_of(q, json_get_str(j, "id"));
	moved = namespace_of(q, json_get_str(j, "moved_to"));
	q->fn(q->data, moved.n ? moved : id);
}

/* BASE/-/TYPE/versions */
static void on_service(void *data, const struct service *s)
{
	static const struct fetch_header version = {
		STR_INIT("X-Terraform-Version"), STR_INIT(COMPATIBLE_VERSION)
	};
	struct namespace_question *q = data;
	const struct cli_hosts *h = services_hosts(q->r->services);
	const struct fetch_request request = {
		.url = url_resolve(q->r->a, s->url,
				   str_printf(q->r->a, "-/%.*s/versions",
					      STR_ARG(q->p.type))),
		.token = s->token,
		.headers = &version,
		.nheaders = 1,
		.retries = h->retries,
		.seconds = h->seconds,
	};

	if (s->status == SERVICE_FOUND)
		fetch_start(q->r->fetch, &request, on_answer, q);
	else
		q->fn(q->data, STR_NONE);
}

void registry_namespace(struct package_source *r, struct provider_addr p,
			namespace_fn *fn, void *data)
{
	struct namespace_question *q =
		ARENA_NEW(r->a, struct namespace_question);

	*q = (struct namespace_question){ r, p, fn, data };
	services_find(r->services, p.host, "providers.v1", on_service, q);
}
