/* net_mirror.c - the provider network mirror protocol; see providers.h */
#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "config/source/url.h"
#include "remote/credentials.h"
#include "install/providers/providers.h"
#include "base/product.h"
#include "config/source/version.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

enum { REDIRECTS = 5 };

struct asking {
	struct package_source *r;
	const struct mirror *m;
	struct provider_addr p;
	struct str version, platform;
	versions_fn *on_versions; /* or */
	package_fn *on_package;
	void *data;
	struct str why; /* it was not even asked */
};

static struct str failed(struct asking *q, struct str why)
{
	return str_printf(q->r->a,
			  "failed to query provider mirror %.*s for %.*s: %.*s",
			  STR_ARG(url_redacted(q->r->a, q->m->dir)),
			  STR_ARG(provider_addr_text(q->r->a, q->p)),
			  STR_ARG(why));
}

/* The JSON object of a good answer, or *why. */
static const struct json *read_answer(struct asking *q,
				      const struct fetch_answer *answer,
				      struct str *why)
{
	struct arena *a = q->r->a;
	struct json_error wrong;
	const struct json *j;

	*why = STR_NONE;
	if (answer->status == 401 || answer->status == 403)
		*why = str_printf(
			a,
			"host %.*s rejected the given authentication credentials",
			STR_ARG(url_host_port(a, answer->url)));
	else if (answer->error.n || answer->status != 200)
		*why = failed(q, answer_failure(a, answer));
	else if (!fetch_answer_is_json(answer))
		*why = failed(
			q,
			STR("the answer is not of the type application/json"));
	if (why->n)
		return NULL;
	j = json_parse(a, answer->body, &wrong);
	if (j && j->kind == JSON_OBJECT)
		return j;
	*why = failed(q, STR("the answer is no JSON object"));
	return NULL;
}

/* URL/HOST/NAMESPACE/TYPE/file */
static void ask(struct asking *q, struct str file, fetch_fn *fn)
{
	static const struct fetch_header version = {
		STR_INIT("X-Terraform-Version"), STR_INIT(COMPATIBLE_VERSION)
	};
	const struct cli_hosts *h = services_hosts(q->r->services);
	struct arena *a = q->r->a;
	struct fetch_request request = {
		.url = url_resolve(
			a, q->m->dir,
			str_printf(a, "%.*s/%.*s/%.*s/%.*s", STR_ARG(q->p.host),
				   STR_ARG(q->p.namespace), STR_ARG(q->p.type),
				   STR_ARG(file))),
		.headers = &version,
		.nheaders = 1,
		.redirects = REDIRECTS,
		.seconds = h->seconds,
	};
	struct str why = STR_NONE;

	if (host_token(a, h, host_name(a, url_host_port(a, q->m->dir)),
		       &request.token, &why))
		q->why = failed(
			q,
			str_printf(
				a,
				"failed to determine request credentials: %.*s",
				STR_ARG(why)));
	fetch_start(q->r->fetch, &request, fn, q);
}

static struct asking *asking_new(struct package_source *r,
				 const struct mirror *m, struct provider_addr p,
				 void *data)
{
	struct asking *q = ARENA_NEW(r->a, struct asking);

	q->r = r;
	q->m = m;
	q->p = p;
	q->data = data;
	return q;
}

/* --- versions --- */

static void on_versions(void *data, const struct fetch_answer *answer)
{
	struct asking *q = data;
	struct versions_answer out = { .unknown = answer->status == 404 };
	const struct json *j = NULL, *all;
	struct str why = q->why;

	if (!why.n && !out.unknown)
		j = read_answer(q, answer, &why);
	if (why.n)
		out.problem = (struct problem){
			"Failed to resolve provider packages",
			str_printf(q->r->a,
				   "Could not resolve provider %.*s: %.*s.",
				   STR_ARG(provider_addr_text(q->r->a, q->p)),
				   STR_ARG(why))
		};
	all = json_get(j, "versions");
	for (uint32_t i = 0; all && all->kind == JSON_OBJECT && i < all->len;
	     i++) {
		struct version v;

		/* Ignore names that are no versions: they may be of other
		 * files. */
		if (version_parse(all->members[i].name, &v))
			vec_push(q->r->a, &out.versions,
				 (struct version_offer){ all->members[i].name,
							 { 0 } });
	}
	q->on_versions(q->data, &out);
}

void mirror_versions(struct package_source *r, const struct mirror *m,
		     struct provider_addr p, versions_fn *fn, void *data)
{
	struct asking *q = asking_new(r, m, p, data);

	q->on_versions = fn;
	ask(q, STR("index.json"), on_versions);
}

/* --- packages --- */

static struct problem not_installed(struct asking *q, struct str why)
{
	return (struct problem){
		"Failed to install provider",
		str_printf(q->r->a, "Error while installing %.*s v%.*s: %.*s.",
			   STR_ARG(provider_addr_text(q->r->a, q->p)),
			   STR_ARG(q->version), STR_ARG(why))
	};
}

/* Reads the hashes of this platform; of all platforms if the mirror is
 * trusted. */
static void read_hashes(struct asking *q, const struct json *archives,
			struct package_offer *out)
{
	for (uint32_t i = 0; i < archives->len; i++) {
		const struct json *list =
			json_get(&archives->members[i].value, "hashes");

		if (!out->trust_all_hashes &&
		    !str_eq(archives->members[i].name, q->platform))
			continue;
		for (uint32_t k = 0;
		     list && list->kind == JSON_ARRAY && k < list->len; k++)
			if (list->items[k].kind == JSON_STRING)
				vec_push(q->r->a, &out->hashes,
					 list->items[k].text);
	}
}

static void take_package(struct asking *q, const struct json *j,
			 struct str from, struct package_offer *out)
{
	const struct json *archives = json_get(j, "archives");
	const struct json *mine = json_get(archives, q->platform.p);

	if (!mine || mine->kind != JSON_OBJECT) {
		out->absent = true;
		return;
	}
	out->url = url_resolve(q->r->a, from, json_get_str(mine, "url"));
	if (!out->url.n)
		out->problem = not_installed(
			q,
			failed(q,
			       STR("the address of the archive is none of http or https")));
	out->trust_all_hashes = q->m->trust_all_hashes;
	out->retries = q->m->retries;
	read_hashes(q, archives, out);
}

static void on_package(void *data, const struct fetch_answer *answer)
{
	struct asking *q = data;
	struct package_offer out = { .absent = false };
	const struct json *j = NULL;
	struct str why = q->why;

	if (!why.n)
		j = read_answer(q, answer, &why);
	if (j)
		take_package(q, j, answer->url, &out);
	else
		out.problem = not_installed(q, why);
	q->on_package(q->data, &out);
}

void mirror_package(struct package_source *r, const struct mirror *m,
		    struct provider_addr p, struct str version,
		    struct str platform, package_fn *fn, void *data)
{
	struct asking *q = asking_new(r, m, p, data);

	q->version = version;
	q->platform = str_dup(r->a, platform);
	q->on_package = fn;
	ask(q, str_printf(r->a, "%.*s.json", STR_ARG(version)), on_package);
}
