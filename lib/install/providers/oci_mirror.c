/*
 * oci_mirror.c - providers in OCI registries; see providers.h
 *
 * A tag is a version, in which _ stands for +.  It names an index manifest,
 * which has an image manifest for each platform, and that has the archive as a
 * layer.
 */
#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "install/providers/providers.h"
#include "config/source/version.h"
#include "install/oci/oci.h"
#include "json/tree.h"

#define PROVIDER "application/vnd.opentofu.provider"
#define PROVIDER_TARGET "application/vnd.opentofu.provider-target"
#define ARCHIVE "archive/zip"

struct asking {
	struct package_source *r;
	const struct mirror *m;
	struct provider_addr p;
	struct str version, platform;
	struct oci_repository *repository; /* NULL: why says it */
	struct str why;
	versions_fn *on_versions; /* or */
	package_fn *on_package;
	void *data;
};

static struct asking *asking_new(struct package_source *r,
				 const struct mirror *m, struct provider_addr p,
				 void *data)
{
	struct asking *q = ARENA_NEW(r->a, struct asking);
	struct oci_address at;

	*q = (struct asking){ .r = r, .m = m, .p = p, .data = data };
	if (!oci_template_address(r->a, m->dir, p, &at, &q->why))
		q->repository = oci_repository(r->oci, at);
	else
		q->why = str_printf(r->a, "selecting the OCI repository: %.*s",
				    STR_ARG(q->why));
	return q;
}

/* Adds the repository to the reason of a failure. */
static struct str failed(struct asking *q, struct str why)
{
	struct arena *a = q->r->a;

	if (!q->repository)
		return why;
	return str_printf(a, "OCI repository %.*s: %.*s",
			  STR_ARG(oci_address_text(a, oci_repository_address(
							      q->repository))),
			  STR_ARG(why));
}

static struct str with_char(struct arena *a, struct str s, char from, char to)
{
	char *p = arena_strndup(a, s.p ? s.p : "", s.n);

	for (size_t i = 0; i < s.n; i++)
		if (p[i] == from)
			p[i] = to;
	return (struct str){ p, s.n };
}

/* --- versions --- */

/* Is it the canonical text of a version?  "2" (the newest of it) and "v2.0.0"
 * are tags for other readers. */
static bool is_version(struct arena *a, struct str s)
{
	struct version v;

	return version_parse(s, &v) && v.given <= 3 &&
	       str_eq(version_text(a, &v), s);
}

static void on_tags(void *data, const struct oci_tags *t)
{
	struct asking *q = data;
	struct arena *a = q->r->a;
	struct versions_answer out = { .unknown = t->unknown };

	if (t->why.n)
		out.problem = (struct problem){
			"Failed to resolve provider packages",
			str_printf(a, "Could not resolve provider %.*s: %.*s.",
				   STR_ARG(provider_addr_text(a, q->p)),
				   STR_ARG(failed(q, t->why)))
		};
	for (size_t i = 0; !t->why.n && i < t->tags.len; i++) {
		struct version_offer one = {
			.version = with_char(a, t->tags.items[i], '_', '+')
		};

		if (is_version(a, one.version))
			vec_push(a, &out.versions, one);
	}
	q->on_versions(q->data, &out);
}

static void no_tags(void *data)
{
	struct asking *q = data;

	on_tags(q, &(struct oci_tags){ .why = q->why });
}

void oci_mirror_versions(struct package_source *r, const struct mirror *m,
			 struct provider_addr p, versions_fn *fn, void *data)
{
	struct asking *q = asking_new(r, m, p, data);

	q->on_versions = fn;
	if (q->repository)
		oci_tags(q->repository, on_tags, q);
	else
		loop_defer(r->loop, no_tags, q);
}

/* --- packages --- */

static void offer(struct asking *q, const struct package_offer *out)
{
	q->on_package(q->data, out);
}

static void refuse(struct asking *q, struct str why)
{
	struct arena *a = q->r->a;
	struct package_offer out = {
		.problem = { "Failed to install provider",
			     str_printf(
				     a,
				     "Error while installing %.*s v%.*s: %.*s.",
				     STR_ARG(provider_addr_text(a, q->p)),
				     STR_ARG(q->version),
				     STR_ARG(failed(q, why))) }
	};

	offer(q, &out);
}

static bool is_platform(const struct asking *q, const struct oci_descriptor *d)
{
	return str_eq(STR_CAT(q->r->a, d->os, STR("_"), d->architecture),
		      q->platform);
}

/* Finds the layer that is the archive; there must be exactly one of its
 * type. */
static struct str choose_layer(struct asking *q, const struct json *j,
			       struct oci_descriptor *out)
{
	const struct json *all = json_get(j, "layers");
	struct oci_descriptor d;
	size_t n = 0, others = 0;
	struct str why;

	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++) {
		if (!str_is(json_get_str(&all->items[i], "mediaType"),
			    ARCHIVE)) {
			others++;
			continue;
		}
		if (oci_descriptor_read(q->r->a, &all->items[i], &d, &why))
			return why;
		n++;
		*out = d;
	}
	if (n > 1)
		return STR(
			"ambiguous manifest declares multiple eligible provider packages");
	if (!n)
		return others ? STR("image manifest contains no layers of type \"" ARCHIVE
				    "\", but has other "
				    "unsupported formats; this OCI artifact "
				    "might be intended for another version")
			      : STR("image manifest contains no layers of type \"" ARCHIVE
				    "\"");
	if (!str_starts(out->digest, "sha256:"))
		return STR("the digest of the archive is none of sha256");
	if (out->has_platform && !is_platform(q, out))
		return str_printf(
			q->r->a,
			"selected OCI artifact is for %.*s_%.*s, but was expected to be for %.*s",
			STR_ARG(out->os), STR_ARG(out->architecture),
			STR_ARG(q->platform));
	return STR_NONE;
}

static void on_image(void *data, const struct json *j, struct str why)
{
	struct asking *q = data;
	struct arena *a = q->r->a;
	struct oci_descriptor *d = ARENA_NEW(a, struct oci_descriptor);
	struct package_offer out = { .blob = d,
				     .repository = q->repository,
				     .retries = q->m->retries };

	if (j)
		why = choose_layer(q, j, d);
	if (why.n)
		return refuse(q, why);
	out.url = oci_blob_url(q->repository, d);
	vec_push(a, &out.hashes,
		 STR_CAT(a, STR("zh:"), oci_digest_hex(d->digest)));
	offer(q, &out);
}

static struct str tag_of(const struct asking *q)
{
	return with_char(q->r->a, q->version, '+', '_');
}

/* The manifest for a platform in an index, and what else the index has. */
struct found {
	struct oci_descriptor image;
	size_t images, other_platforms;
	struct str other_type;
};

static struct str look_at(struct asking *q, const struct json *j,
			  struct found *f)
{
	struct str type = json_get_str(j, "artifactType"), why;
	struct oci_descriptor d;

	if (!str_is(type, PROVIDER_TARGET)) { /* for other readers */
		if (type.n)
			f->other_type = type;
		return STR_NONE;
	}
	if (oci_descriptor_read(q->r->a, j, &d, &why))
		return why;
	if (!str_is(d.media_type, OCI_MANIFEST))
		return str_printf(
			q->r->a,
			"provider image manifest has unsupported media type \"%.*s\"",
			STR_ARG(d.media_type));
	if (!d.has_platform)
		return STR(
			"provider image manifest lacks the required platform constraints");
	/* Manifests for a version of an OS are not supported yet. */
	if (d.os_version.n || !is_platform(q, &d)) {
		f->other_platforms++;
		return STR_NONE;
	}
	f->images++;
	f->image = d;
	return STR_NONE;
}

static struct str nothing_found(struct asking *q, const struct found *f)
{
	if (f->images)
		return str_printf(
			q->r->a,
			"ambiguous manifest has multiple descriptors for platform %.*s",
			STR_ARG(q->platform));
	if (f->other_type.n)
		return str_printf(
			q->r->a,
			"provider image manifest has unsupported artifact type \"%.*s\"",
			STR_ARG(f->other_type));
	return STR("provider image manifest has unsupported artifact type; is "
		   "this a container image, rather than a provider?");
}

static void on_index(void *data, const struct json *j, struct str why)
{
	struct asking *q = data;
	const struct json *all = json_get(j, "manifests");
	struct found f = { .images = 0 };

	if (!j)
		why = str_printf(q->r->a, "tag \"%.*s\": %.*s",
				 STR_ARG(tag_of(q)), STR_ARG(why));
	for (uint32_t i = 0;
	     !why.n && all && all->kind == JSON_ARRAY && i < all->len; i++)
		why = look_at(q, &all->items[i], &f);
	if (why.n)
		refuse(q, why);
	else if (f.images == 1)
		oci_manifest_of(q->repository, &f.image, on_image, q);
	else if (!f.images && f.other_platforms)
		offer(q, &(struct package_offer){ .absent = true });
	else
		refuse(q, nothing_found(q, &f));
}

static void no_package(void *data)
{
	struct asking *q = data;

	refuse(q, q->why);
}

void oci_mirror_package(struct package_source *r, const struct mirror *m,
			struct provider_addr p, struct str version,
			struct str platform, package_fn *fn, void *data)
{
	struct asking *q = asking_new(r, m, p, data);

	q->version = version;
	q->platform = str_dup(r->a, platform);
	q->on_package = fn;
	if (q->repository)
		oci_manifest(q->repository, tag_of(q), OCI_INDEX, PROVIDER,
			     on_index, q);
	else
		loop_defer(r->loop, no_package, q);
}
