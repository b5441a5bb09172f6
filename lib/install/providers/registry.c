/*
 * registry.c - the provider registry protocol; see providers.h
 *
 * The host's token is sent with requests for versions and packages, not with
 * those for checksums, signature and archive, which may be on any host.
 */
#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "config/source/url.h"
#include "install/providers/providers.h"
#include "base/product.h"
#include "config/source/version.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

enum {
	MOST_SUMS = 1 << 20,
	MOST_SIGNATURE = 1 << 16,
};

/* One question, and what is known about the registry. */
struct asking {
	struct package_source *r;
	struct provider_addr p;
	struct str version, platform;
	struct service service;
	versions_fn *on_versions; /* or */
	package_fn *on_package;
	void *data;
	struct package_offer offer;
	struct str url; /* of the answer, after redirects */
	int left;       /* files that are on their way */
};

bool registry_protocols_spoken(const struct str_vec *protocols)
{
	for (size_t i = 0; i < protocols->len; i++) {
		struct version v;

		if (version_parse(protocols->items[i], &v) &&
		    (v.seg[0] == 5 || v.seg[0] == 6))
			return true;
	}
	return protocols->len == 0;
}

struct str answer_failure(struct arena *a, const struct fetch_answer *answer)
{
	struct str why = answer->error.n ? answer->error
					 : fetch_status_text(a, answer->status);
	const bool tried = answer->error.n || answer->status == 429 ||
			   (answer->status >= 500 && answer->status != 501);

	if (!answer->error.n && tried)
		why = str_printf(a, "%.*s returned from %.*s", STR_ARG(why),
				 STR_ARG(answer->url));
	if (!tried)
		return why;
	if (answer->tries < 2)
		return str_printf(a, "request failed: %.*s", STR_ARG(why));
	return str_printf(a, "request failed after %d attempts: %.*s",
			  answer->tries, STR_ARG(why));
}

/* --- what goes wrong --- */

static struct problem not_resolved(struct asking *q, struct str why)
{
	return (struct problem){
		"Failed to resolve provider packages",
		str_printf(q->r->a, "Could not resolve provider %.*s: %.*s.",
			   STR_ARG(provider_addr_text(q->r->a, q->p)),
			   STR_ARG(why))
	};
}

/* Scripts look for these words. */
static struct str query_failed(struct asking *q, struct str why)
{
	return str_printf(q->r->a,
			  "could not query provider registry for %.*s: %.*s",
			  STR_ARG(provider_addr_text(q->r->a, q->p)),
			  STR_ARG(why));
}

static struct str unauthorized(struct asking *q)
{
	return str_printf(
		q->r->a,
		q->service.token.n
			? "host %.*s rejected the given authentication credentials"
			: "host %.*s requires authentication credentials",
		STR_ARG(q->p.host));
}

static struct problem no_registry(struct asking *q, const struct service *s)
{
	struct arena *a = q->r->a;

	if (s->status == SERVICE_UNREACHABLE)
		return not_resolved(
			q, str_printf(a, "could not connect to %.*s: %.*s",
				      STR_ARG(q->p.host), STR_ARG(s->why)));
	return (struct problem){
		"Invalid provider registry host",
		str_printf(a,
			   "The host \"%.*s\", named by the provider "
			   "address \"%.*s\", has no provider registry%s.",
			   STR_ARG(q->p.host),
			   STR_ARG(provider_addr_text(a, q->p)),
			   s->status == SERVICE_OTHER_VERSION
				   ? " of the version that is spoken here"
				   : "")
	};
}

/* Ends the question for a package with an error that names it. */
static void give_up(struct asking *q, struct str why)
{
	q->offer.problem = (struct problem){
		"Failed to install provider",
		str_printf(q->r->a, "Error while installing %.*s v%.*s: %.*s.",
			   STR_ARG(provider_addr_text(q->r->a, q->p)),
			   STR_ARG(q->version), STR_ARG(why))
	};
	q->on_package(q->data, &q->offer);
}

/* --- asking --- */

static void ask(struct asking *q, struct str url, fetch_fn *fn)
{
	static const struct fetch_header version = {
		STR_INIT("X-Terraform-Version"), STR_INIT(COMPATIBLE_VERSION)
	};
	const struct cli_hosts *h = services_hosts(q->r->services);
	const struct fetch_request request = {
		.url = url,
		.token = q->service.token,
		.headers = &version,
		.nheaders = 1,
		.retries = h->retries,
		.seconds = h->seconds,
	};

	fetch_start(q->r->fetch, &request, fn, q);
}

/* BASE/NAMESPACE/TYPE/rest */
static struct str endpoint(struct asking *q, struct str rest)
{
	return url_resolve(q->r->a, q->service.url,
			   str_printf(q->r->a, "%.*s/%.*s/%.*s",
				      STR_ARG(q->p.namespace),
				      STR_ARG(q->p.type), STR_ARG(rest)));
}

static struct asking *asking_new(struct package_source *r,
				 struct provider_addr p, void *data)
{
	struct asking *q = ARENA_NEW(r->a, struct asking);

	q->r = r;
	q->p = p;
	q->data = data;
	return q;
}

static const char other_form[] =
	"registry response has a member of another type than it should have";

/* Reads a list of strings; null counts as missing. */
static int read_texts(struct arena *a, const struct json *j, const char *name,
		      struct str_vec *out)
{
	const struct json *list = json_get(j, name);

	return list && list->kind == JSON_NULL ? 0 : json_texts(a, list, out);
}

/* --- versions --- */

/* Fails on any entry that cannot be read: then none is reliable. */
static struct str read_versions(struct asking *q, const struct json *j,
				struct versions_answer *out)
{
	const struct json *list = json_get(j, "versions");
	struct arena *a = q->r->a;

	if (j->kind == JSON_NULL)
		return STR_NONE;
	if (j->kind != JSON_OBJECT ||
	    read_texts(a, j, "warnings", &out->warnings))
		return str_c(other_form);
	if (!list || list->kind == JSON_NULL)
		return STR_NONE;
	if (list->kind != JSON_ARRAY)
		return str_c(other_form);
	for (uint32_t i = 0; i < list->len; i++) {
		struct version_offer o = {
			.version = json_get_str(&list->items[i], "version"),
			.published =
				json_get_str(&list->items[i], "published_at"),
		};
		struct version v;

		if (!version_parse(o.version, &v))
			return str_printf(
				a,
				"registry response includes invalid version string \"%.*s\"",
				STR_ARG(o.version));
		if (read_texts(a, &list->items[i], "protocols", &o.protocols))
			return str_c(other_form);
		vec_push(a, &out->versions, o);
	}
	return STR_NONE;
}

static struct str take_versions(struct asking *q,
				const struct fetch_answer *answer,
				struct versions_answer *out)
{
	struct arena *a = q->r->a;
	struct json_error wrong;
	const struct json *j;
	struct str why;

	if (answer->status == 401 || answer->status == 403)
		return unauthorized(q);
	if (answer->status != 200)
		return query_failed(q, answer_failure(a, answer));
	j = json_parse(a, answer->body, &wrong);
	if (!j)
		return query_failed(q,
				    str_printf(a, "the answer is no JSON: %s",
					       wrong.message));
	why = read_versions(q, j, out);
	return why.n ? query_failed(q, why) : why;
}

static void on_versions(void *data, const struct fetch_answer *answer)
{
	struct asking *q = data;
	struct versions_answer out = { .unknown = answer->status == 404 };
	struct str why = STR_NONE;

	if (!out.unknown)
		why = take_versions(q, answer, &out);
	if (why.n)
		out.problem = not_resolved(q, why);
	q->on_versions(q->data, &out);
}

static void on_versions_service(void *data, const struct service *s)
{
	struct asking *q = data;
	struct versions_answer out = { .unknown = false };

	q->service = *s;
	if (s->status == SERVICE_FOUND) {
		ask(q, endpoint(q, STR("versions")), on_versions);
		return;
	}
	out.problem = no_registry(q, s);
	q->on_versions(q->data, &out);
}

void registry_versions(struct package_source *r, struct provider_addr p,
		       versions_fn *fn, void *data)
{
	struct asking *q = asking_new(r, p, data);

	q->on_versions = fn;
	services_find(r->services, p.host, "providers.v1", on_versions_service,
		      q);
}

/* --- the package of a platform --- */

static void took_file(struct asking *q, const struct fetch_answer *answer,
		      struct str *out, const char *what)
{
	struct arena *a = q->r->a;

	if (answer->error.n || answer->status != 200) {
		struct str why = answer_failure(a, answer);

		if (!q->offer.problem.summary)
			q->offer.problem.detail = str_printf(
				a,
				"failed to retrieve %s for provider: %.*s (%.*s)",
				what, STR_ARG(why),
				STR_ARG(url_host_port(a, answer->url)));
	}
	*out = answer->body;
	if (--q->left)
		return;
	if (q->offer.problem.detail.n)
		give_up(q, query_failed(q, q->offer.problem.detail));
	else
		q->on_package(q->data, &q->offer);
}

static void on_sums(void *data, const struct fetch_answer *answer)
{
	struct asking *q = data;

	took_file(q, answer, &q->offer.sums, "authentication checksums");
}

static void on_signature(void *data, const struct fetch_answer *answer)
{
	struct asking *q = data;

	took_file(q, answer, &q->offer.signature, "cryptographic signature");
}

static void ask_file(struct asking *q, struct str url, int64_t most,
		     fetch_fn *fn)
{
	const struct cli_hosts *h = services_hosts(q->r->services);
	const struct fetch_request request = {
		.url = url,
		.most = most,
		.retries = h->retries,
		.seconds = h->seconds,
	};

	q->left++;
	fetch_start(q->r->fetch, &request, fn, q);
}

static void read_keys(struct asking *q, const struct json *j)
{
	const struct json *list =
		json_get(json_get(j, "signing_keys"), "gpg_public_keys");

	for (uint32_t i = 0; list && list->kind == JSON_ARRAY && i < list->len;
	     i++)
		vec_push(q->r->a, &q->offer.keys,
			 json_get_str(&list->items[i], "ascii_armor"));
}

/* Is it the requested package?  Returns why not. */
static struct str check_package(struct asking *q, const struct json *j)
{
	struct arena *a = q->r->a;
	struct str target =
		str_printf(a, "%.*s_%.*s", STR_ARG(json_get_str(j, "os")),
			   STR_ARG(json_get_str(j, "arch")));

	if (!str_eq(target, q->platform))
		return str_printf(
			a,
			"registry response to request for %.*s archive has incorrect target %.*s",
			STR_ARG(q->platform), STR_ARG(target));
	if (!verify_is_sha256(q->offer.sha256))
		return query_failed(
			q,
			str_printf(
				a,
				"registry response includes invalid SHA256 hash \"%.*s\"",
				STR_ARG(q->offer.sha256)));
	return STR_NONE;
}

static void take_package(struct asking *q, const struct json *j)
{
	struct str sums =
		url_resolve(q->r->a, q->url, json_get_str(j, "shasums_url"));
	struct str signature =
		url_resolve(q->r->a, q->url,
			    json_get_str(j, "shasums_signature_url"));
	struct str_vec protocols = { 0 };
	struct str why;

	if (read_texts(q->r->a, j, "protocols", &protocols)) {
		give_up(q, query_failed(q, str_c(other_form)));
		return;
	}
	if (!registry_protocols_spoken(&protocols)) {
		q->offer.incompatible = true;
		q->on_package(q->data, &q->offer);
		return;
	}
	q->offer.url =
		url_resolve(q->r->a, q->url, json_get_str(j, "download_url"));
	q->offer.filename = json_get_str(j, "filename");
	q->offer.sha256 = json_get_str(j, "shasum");
	q->offer.packages = json_get(j, "packages");
	read_keys(q, j);
	why = check_package(q, j);
	if (!why.n && (!q->offer.url.n || !sums.n || !signature.n))
		why = STR("registry response includes an invalid address: it "
			  "must be one of http or https");
	if (why.n) {
		give_up(q, why);
		return;
	}
	ask_file(q, sums, MOST_SUMS, on_sums);
	ask_file(q, signature, MOST_SIGNATURE, on_signature);
}

static void on_package(void *data, const struct fetch_answer *answer)
{
	struct asking *q = data;
	struct arena *a = q->r->a;
	struct json_error wrong;
	const struct json *j;

	if (answer->status == 404) {
		q->offer.absent = true;
		q->on_package(q->data, &q->offer);
		return;
	}
	if (answer->status == 401 || answer->status == 403)
		return give_up(q, unauthorized(q));
	if (answer->status != 200)
		return give_up(q, query_failed(q, answer_failure(a, answer)));
	j = json_parse(a, answer->body, &wrong);
	if (!j || j->kind != JSON_OBJECT)
		return give_up(
			q,
			query_failed(q, STR("the answer is no JSON object")));
	q->url = answer->url;
	take_package(q, j);
}

static void on_package_service(void *data, const struct service *s)
{
	struct asking *q = data;
	char *platform = arena_strndup(q->r->a, q->platform.p, q->platform.n);

	q->service = *s;
	if (s->status != SERVICE_FOUND) {
		q->offer.problem = no_registry(q, s);
		q->on_package(q->data, &q->offer);
		return;
	}
	*strchr(platform, '_') = '/';
	ask(q,
	    endpoint(q, str_printf(q->r->a, "%.*s/download/%s",
				   STR_ARG(q->version), platform)),
	    on_package);
}

void registry_package(struct package_source *r, struct provider_addr p,
		      struct str version, struct str platform, int retries,
		      package_fn *fn, void *data)
{
	struct asking *q = asking_new(r, p, data);

	q->version = version;
	q->platform = platform;
	q->on_package = fn;
	q->offer.retries = retries;
	services_find(r->services, p.host, "providers.v1", on_package_service,
		      q);
}

/* --- the namespace of a type --- */

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
