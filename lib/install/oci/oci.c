/* oci.c - see oci.h */
#include "config/source/url.h"
#include "install/oci/oci_int.h"
#include "install/oci/oci.h"
#include "json/read.h"
#include "json/tree.h"

/* Media types that a tag may resolve to. */
#define MANIFESTS \
	"application/vnd.docker.distribution.manifest.v2+json, " \
	"application/vnd.docker.distribution.manifest.list.v2+json, " OCI_MANIFEST \
	", " OCI_INDEX ", " \
	"application/vnd.oci.artifact.manifest.v1+json"

enum {
	MOST_MANIFEST = (5 << 20) - 1, /* bytes; OpenTofu's limit of "4 MiB" */
	MOST_PAGE = 4 << 20,
	MOST_PAGES = 1000,
	MOST_TAGS = 100000,
	MOST_LIST = 64 << 20,
};
static const int64_t most_blob = (int64_t)2 << 30;

/* --- repositories --- */

struct oci *oci_new(struct arena *a, struct fetch *f,
		    const struct oci_settings *settings)
{
	struct oci *o = ARENA_NEW(a, struct oci);

	*o = (struct oci){ .a = a, .fetch = f, .settings = settings };
	return o;
}

/* The registry of Docker has a name that is not its host's. */
static struct str host_of(struct str domain)
{
	return str_is(domain, "docker.io") ? STR("registry-1.docker.io")
					   : domain;
}

struct oci_repository *oci_repository(struct oci *o, struct oci_address at)
{
	struct str text = oci_address_text(o->a, at);
	struct oci_repository *r = map_get(&o->repositories, text);

	if (r)
		return r;
	r = ARENA_NEW(o->a, struct oci_repository);
	*r = (struct oci_repository){
		.oci = o,
		.at = { str_dup(o->a, at.domain), str_dup(o->a, at.name) },
		.url = STR_CAT(o->a, STR("https://"), host_of(at.domain),
			       STR("/v2/"), at.name),
	};
	map_put(o->a, &o->repositories, text, r);
	return r;
}

struct oci_address oci_repository_address(const struct oci_repository *r)
{
	return r->at;
}

/* --- tags --- */

struct listing {
	struct oci_repository *r;
	struct oci_tags out;
	struct str url;
	int pages;
	size_t bytes;
	oci_tags_fn *fn;
	void *data;
};

static void end_listing(struct listing *l, struct str why)
{
	l->out.why = why;
	l->fn(l->data, &l->out);
}

/* Does the registry not know the repository?  It answers with a code, whatever
 * the status, or with 404 and no code. */
static bool is_unknown(struct arena *a, const struct fetch_answer *answer)
{
	struct json_error unread;
	const struct json *j = json_parse(a, answer->body, &unread);
	const struct json *all = json_get(j, "errors");

	if (!all || all->kind != JSON_ARRAY || !all->len)
		return answer->status == 404;
	for (uint32_t i = 0; i < all->len; i++) {
		struct str code = json_get_str(&all->items[i], "code");

		if (str_is(code, "NAME_UNKNOWN") ||
		    str_is(code, "NAME_INVALID"))
			return true;
	}
	return false;
}

static struct str take_tags(struct listing *l, struct str text)
{
	struct arena *a = l->r->oci->a;
	struct json_error wrong;
	const struct json *j = json_parse(a, text, &wrong);
	const struct json *all = json_get(j, "tags");

	l->bytes += text.n;
	if (!j || j->kind != JSON_OBJECT ||
	    (all && all->kind != JSON_ARRAY && all->kind != JSON_NULL))
		return STR("the answer is no list of tags");
	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++)
		if (all->items[i].kind == JSON_STRING)
			vec_push(a, &l->out.tags, all->items[i].text);
	return l->out.tags.len > MOST_TAGS || l->bytes > MOST_LIST
		       ? STR("the list of tags has no end")
		       : STR_NONE;
}

static void on_tags(void *data, const struct fetch_answer *answer);

static void ask_tags(struct listing *l)
{
	oci_send(&(struct oci_request){ .r = l->r,
					.url = l->url,
					.most = MOST_PAGE,
					.fn = on_tags,
					.data = l });
}

/* Link: <ADDRESS>; rel="next" */
static struct str next_page(struct listing *l,
			    const struct fetch_answer *answer, struct str *why)
{
	struct arena *a = l->r->oci->a;
	struct str link = fetch_answer_header(answer, "link"), to;
	ptrdiff_t end = str_chr(link, '>');

	if (!link.n)
		return STR_NONE;
	to = link.p[0] == '<' && end > 0
		     ? url_resolve(a, l->url, str_sub(link, 1, (size_t)end))
		     : STR_NONE;
	if (!str_starts(to, "https://") ||
	    !str_eq(url_host_port(a, to), url_host_port(a, l->url)))
		*why = STR("the next page of tags is not at the registry");
	else if (++l->pages >= MOST_PAGES || str_eq(to, l->url))
		*why = STR("the list of tags has no end");
	return to;
}

static void on_tags(void *data, const struct fetch_answer *answer)
{
	struct listing *l = data;
	struct arena *a = l->r->oci->a;
	struct str why = STR_NONE, next;

	if (!answer->error.n && answer->status != 200 &&
	    is_unknown(a, answer)) {
		l->out.unknown = true;
		return end_listing(l, STR_NONE);
	}
	if (answer->error.n || answer->status != 200)
		why = oci_failure(a, answer);
	else
		why = take_tags(l, answer->body);
	if (why.n)
		return end_listing(l, why);
	next = next_page(l, answer, &why);
	if (why.n || !next.n)
		return end_listing(l, why);
	l->url = next;
	ask_tags(l);
}

void oci_tags(struct oci_repository *r, oci_tags_fn *fn, void *data)
{
	struct arena *a = r->oci->a;
	struct listing *l = ARENA_NEW(a, struct listing);

	*l = (struct listing){ .r = r,
			       .fn = fn,
			       .data = data,
			       .url = STR_CAT(a, r->url, STR("/tags/list")) };
	ask_tags(l);
}

/* --- manifests --- */

int oci_descriptor_read(struct arena *a, const struct json *j,
			struct oci_descriptor *out, struct str *why)
{
	const struct json *platform = json_get(j, "platform");

	*out = (struct oci_descriptor){
		.media_type = json_get_str(j, "mediaType"),
		.artifact_type = json_get_str(j, "artifactType"),
		.digest = json_get_str(j, "digest"),
		.size = json_get_int(j, "size", -1),
		.has_platform = platform && platform->kind == JSON_OBJECT,
		.os = json_get_str(platform, "os"),
		.architecture = json_get_str(platform, "architecture"),
		.os_version = json_get_str(platform, "os.version"),
	};
	if (!oci_digest_valid(out->digest))
		*why = str_printf(a, "invalid digest \"%.*s\"",
				  STR_ARG(out->digest));
	else if (out->size <= 0 || out->size > most_blob)
		*why = str_printf(
			a, "the size of %.*s is not from 1 byte to 2 GiB",
			STR_ARG(out->digest));
	else
		return 0;
	return -1;
}

struct wanting {
	struct oci_repository *r;
	struct str digest; /* empty: a tag's */
	int64_t size;      /* -1: not known */
	struct str media_type, artifact_type;
	oci_manifest_fn *fn;
	void *data;
};

/* Without parameters (; charset=...). */
static struct str media_type_of(const struct fetch_answer *answer)
{
	struct str s = fetch_answer_header(answer, "content-type");
	ptrdiff_t end = str_chr(s, ';');

	return str_trim(end < 0 ? s : str_sub(s, 0, (size_t)end));
}

static struct str wrong_media_type(struct arena *a, struct str got,
				   struct str want)
{
	if (str_is(got, OCI_MANIFEST))
		return STR(
			"it is an image manifest where an index manifest is needed");
	if (str_is(got, OCI_INDEX))
		return STR(
			"it is an index manifest where an image manifest is needed");
	return str_printf(
		a, "unsupported media type \"%.*s\" where \"%.*s\" is needed",
		STR_ARG(got), STR_ARG(want));
}

static struct str wrong_artifact(struct arena *a, struct str got,
				 struct str want)
{
	if (str_is(got, "application/vnd.opentofu.modulepkg"))
		return STR(
			"the selected OCI artifact is the package of a module");
	if (str_starts(got, "application/vnd.opentofu.provider"))
		return STR("the selected OCI artifact is the package of a "
			   "provider, or another part of one");
	return str_printf(
		a,
		"unsupported OCI artifact type \"%.*s\" where \"%.*s\" is needed",
		STR_ARG(got), STR_ARG(want));
}

/* Checks the body's size and digest.  Returns what is wrong, or STR_NONE. */
static struct str check_bytes(const struct wanting *w,
			      const struct fetch_answer *answer)
{
	struct arena *a = w->r->oci->a;
	struct str told = fetch_answer_header(answer, "docker-content-digest");

	if (w->size >= 0 && (int64_t)answer->body.n != w->size)
		return str_printf(
			a, "its size is %zu bytes, where %lld were announced",
			answer->body.n, (long long)w->size);
	if (told.n && !oci_digest_valid(told))
		return str_printf(a, "invalid digest \"%.*s\" in the answer",
				  STR_ARG(told));
	if (w->digest.n && !oci_digest_matches(a, w->digest, answer->body))
		return str_printf(a,
				  "manifest content does not match digest %.*s",
				  STR_ARG(w->digest));
	if (told.n && !oci_digest_matches(a, told, answer->body))
		return str_printf(
			a,
			"manifest content does not match digest %.*s, which the answer names",
			STR_ARG(told));
	return STR_NONE;
}

static const struct json *read_manifest(const struct wanting *w,
					const struct fetch_answer *answer,
					struct str *why)
{
	struct arena *a = w->r->oci->a;
	struct str type = media_type_of(answer);
	struct json_error wrong;
	const struct json *j;

	*why = STR_NONE;
	if (answer->error.n || answer->status != 200)
		*why = oci_failure(a, answer);
	else if (!str_eq(type, w->media_type))
		*why = wrong_media_type(a, type, w->media_type);
	else
		*why = check_bytes(w, answer);
	if (why->n)
		return NULL;
	j = json_parse(a, answer->body, &wrong);
	if (!j || j->kind != JSON_OBJECT) {
		*why = STR("invalid manifest content");
		return NULL;
	}
	type = json_get_str(j, "mediaType");
	if (!str_eq(type, w->media_type)) {
		*why = wrong_media_type(a, type, w->media_type);
		return NULL;
	}
	type = json_get_str(j, "artifactType");
	if (str_eq(type, w->artifact_type))
		return j;
	*why = wrong_artifact(a, type, w->artifact_type);
	return NULL;
}

static void on_manifest(void *data, const struct fetch_answer *answer)
{
	struct wanting *w = data;
	struct str why;
	const struct json *j = read_manifest(w, answer, &why);

	w->fn(w->data, j, why);
}

static void ask_manifest(const struct wanting *from, struct str reference,
			 struct str accept)
{
	struct oci_repository *r = from->r;
	struct arena *a = r->oci->a;

	oci_send(&(struct oci_request){
		.r = r,
		.accept = accept,
		.most = MOST_MANIFEST,
		.url = STR_CAT(a, r->url, STR("/manifests/"), reference),
		.fn = on_manifest,
		.data = arena_dup(a, from, sizeof(*from)) });
}

/* Accepts all kinds, to report a wrong one: some registries convert kinds that
 * are not accepted. */
void oci_manifest(struct oci_repository *r, struct str reference,
		  const char *media_type, const char *artifact_type,
		  oci_manifest_fn *fn, void *data)
{
	const struct wanting w = {
		.r = r,
		.size = -1,
		.fn = fn,
		.data = data,
		.digest = oci_digest_valid(reference)
				  ? str_dup(r->oci->a, reference)
				  : STR_NONE,
		.media_type = str_c(media_type),
		.artifact_type = str_c(artifact_type),
	};

	ask_manifest(&w, reference, STR(MANIFESTS));
}

void oci_manifest_of(struct oci_repository *r, const struct oci_descriptor *d,
		     oci_manifest_fn *fn, void *data)
{
	const struct wanting w = {
		.r = r,
		.digest = d->digest,
		.size = d->size,
		.media_type = d->media_type,
		.artifact_type = d->artifact_type,
		.fn = fn,
		.data = data,
	};

	ask_manifest(&w, d->digest, d->media_type);
}

/* --- blobs --- */

struct str oci_blob_url(struct oci_repository *r,
			const struct oci_descriptor *d)
{
	return STR_CAT(r->oci->a, r->url, STR("/blobs/"), d->digest);
}

void oci_blob(struct oci_repository *r, const struct oci_descriptor *d,
	      struct str to, int retries, fetch_fn *fn,
	      fetch_progress_fn *progress, void *data)
{
	oci_send(&(struct oci_request){ .r = r,
					.url = oci_blob_url(r, d),
					.to = to,
					.most = d->size,
					.size = d->size,
					.retries = retries,
					.fn = fn,
					.progress = progress,
					.data = data });
}
