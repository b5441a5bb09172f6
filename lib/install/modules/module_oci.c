/*
 * module_oci.c - packages of modules in OCI registries
 *
 * oci://HOST/NAME?tag=TAG or ?digest=DIGEST: an image manifest, one layer of
 * which is the archive.
 */
#include <unistd.h>

#include "install/modules/modules_int.h"
#include "base/io.h"
#include "install/oci/oci.h"
#include "install/package/kept.h"
#include "install/package/hash.h"
#include "json/tree.h"

#define MODULE "application/vnd.opentofu.modulepkg"
#define ARCHIVE "archive/zip"

/* --- the address --- */

static int set_once(struct arena *a, const char *name, struct str value,
		    struct str *out, struct str *why)
{
	if (out->n)
		*why = str_printf(a, "too many \"%s\" arguments", name);
	else if (!value.n)
		*why = str_printf(a, "%s argument must not be empty", name);
	*out = value;
	return why->n ? -1 : 0;
}

/* Reads the manifest's reference: ?tag= or ?digest=. */
static int read_reference(struct arena *a, struct str query, struct str *out,
			  struct str *why)
{
	struct str tag = STR_NONE, digest = STR_NONE;
	struct str_vec all = { 0 };

	*why = STR_NONE;
	url_parameters(a, query, &all);
	for (size_t i = 0; i + 1 < all.len; i += 2) {
		struct str name = all.items[i], value = all.items[i + 1];

		if (str_is(name, "tag")) {
			if (set_once(a, "tag", value, &tag, why))
				return -1;
		} else if (str_is(name, "digest")) {
			if (set_once(a, "digest", value, &digest, why))
				return -1;
		} else {
			*why = str_printf(a, "unsupported argument \"%.*s\"",
					  STR_ARG(name));
			return -1;
		}
	}
	if (tag.n && digest.n)
		*why = STR("cannot set both \"tag\" and \"digest\" arguments");
	else if (tag.n && !oci_tag_valid(tag))
		*why = str_printf(a, "invalid reference: invalid tag \"%.*s\"",
				  STR_ARG(tag));
	else if (digest.n && !oci_digest_valid(digest))
		*why = str_printf(a, "invalid digest: \"%.*s\"",
				  STR_ARG(digest));
	*out = tag.n ? tag : digest.n ? digest : STR("latest");
	return why->n ? -1 : 0;
}

static int read_address(struct arena *a, const struct package_request *r,
			struct oci_address *at, struct str *why)
{
	const struct url *u = &r->parts;
	struct str path = u->path;

	if (!str_is(u->scheme, "oci")) {
		*why = STR("oci source type only supports oci URL scheme");
		return -1;
	}
	if (r->kind.n) {
		*why = STR("the \"archive\" argument is not allowed for OCI "
			   "sources, because the archive format is detected "
			   "automatically from the image manifest");
		return -1;
	}
	if (r->checksum.n) {
		*why = STR(
			"checksum cannot be specified for directory download");
		return -1;
	}
	if (str_starts(path, "/"))
		path = str_sub(path, 1, path.n);
	*at = (struct oci_address){ u->host, path };
	return oci_address_check(a, *at, why);
}

/* --- the manifest --- */

struct got {
	const struct hosts *hosts;
	const struct json *manifest;
	struct fetch_answer answer;
	struct str why;
};

static void on_manifest(void *data, const struct json *j, struct str why)
{
	struct got *g = data;

	g->manifest = j;
	g->why = why;
}

static int choose_layer(struct arena *a, const struct json *manifest,
			struct oci_descriptor *out, struct str *why)
{
	const struct json *all = json_get(manifest, "layers");
	const struct json *chosen = NULL;
	size_t others = 0;

	for (uint32_t i = 0; all && all->kind == JSON_ARRAY && i < all->len;
	     i++) {
		if (!str_is(json_get_str(&all->items[i], "mediaType"),
			    ARCHIVE)) {
			others++; /* for other readers */
			continue;
		}
		if (chosen) {
			*why = STR("multiple layers with media type \"" ARCHIVE
				   "\"");
			return -1;
		}
		chosen = &all->items[i];
	}
	if (chosen)
		return oci_descriptor_read(a, chosen, out, why);
	*why = STR_CAT(
		a,
		STR("image manifest contains no layers of types supported as module packages"),
		others ? STR(", but has other unsupported formats; this "
			     "OCI artifact might be intended for "
			     "another version")
		       : STR_NONE);
	return -1;
}

/* --- the archive --- */

static void on_blob(void *data, const struct fetch_answer *answer)
{
	struct got *g = data;

	g->answer = *answer;
}

static void on_progress(void *data, int64_t have, int64_t all)
{
	const struct hosts *h = ((const struct got *)data)->hosts;

	h->progress(h->progress_data, 1, have, all);
}

static int unpack(struct module_store *s, const struct package_request *r,
		  const struct oci_descriptor *d, struct str file,
		  struct str *why)
{
	struct package_request zip = *r;
	struct str hex =
		package_file_digest(s->a, file,
				    oci_digest_kind(s->a, d->digest).p);

	zip.kind = STR("zip");
	if (str_eq(hex, oci_digest_hex(d->digest)))
		return module_store_archive(s, &zip, file, why);
	*why = str_printf(
		s->a,
		"invalid blob returned from registry: it does not match digest %.*s",
		STR_ARG(d->digest));
	return -1;
}

static int fetch_blob(struct module_store *s, struct oci_repository *repository,
		      const struct oci_descriptor *d, struct str file,
		      struct str *why)
{
	struct got g = { .hosts = s->o.hosts };

	oci_blob(repository, d, file, 0, on_blob,
		 g.hosts->progress ? on_progress : NULL, &g);
	fetch_run(s->o.hosts->remote.fetch);
	if (!g.answer.error.n && g.answer.status == 200)
		return 0;
	*why = oci_failure(s->a, &g.answer);
	return -1;
}

/* Uses a kept blob of the same digest, wherever it was fetched from. */
static int get_blob(struct module_store *s, const struct package_request *r,
		    struct oci_repository *repository,
		    const struct oci_descriptor *d, struct str *why)
{
	const struct str key = STR_CAT(s->a, STR("oci\n"), d->digest);
	const struct str copy = module_beside(s->a, r->dir, ".kept");
	const struct str file = module_beside(s->a, r->dir, ".archive");
	struct kept_archive kept;
	struct str unused;
	int rc = 0;

	unlink(file.p);
	kept_archive_find(s->a, key, copy, &kept);
	if (!kept.file.n || unpack(s, r, d, kept.file, &unused)) {
		rc = fetch_blob(s, repository, d, file, why) ||
				     unpack(s, r, d, file, why)
			     ? -1
			     : 0;
		if (!rc)
			kept_archive_put(s->a, key, file, STR_NONE);
	}
	io_remove_tree(copy.p);
	unlink(file.p);
	return rc;
}

int module_oci_get(struct module_store *s, const struct package_request *r,
		   struct str *why)
{
	struct oci *o = NULL;
	struct oci_repository *repository;
	struct oci_descriptor layer;
	struct oci_address at;
	struct str reference;
	struct got g = { .manifest = NULL };

	if (read_address(s->a, r, &at, why) ||
	    read_reference(s->a, r->parts.query, &reference, why) ||
	    !(o = module_store_oci(s, why)))
		return -1;
	repository = oci_repository(o, at);
	oci_manifest(repository, reference, OCI_MANIFEST, MODULE, on_manifest,
		     &g);
	fetch_run(s->o.hosts->remote.fetch);
	*why = g.why;
	if (g.manifest && !choose_layer(s->a, g.manifest, &layer, why) &&
	    !get_blob(s, r, repository, &layer, why))
		return 0;
	*why = host_text(s->a, *why);
	return -1;
}
