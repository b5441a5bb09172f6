/* packed_mirror.c - see requirements.h */
#include <dirent.h>
#include <errno.h>
#include <stdlib.h>

#include "install/providers/requirements.h"
#include "addr/provider.h"
#include "base/io.h"
#include "base/product.h"
#include "base/workdir.h"
#include "install/providers/providers_int.h"
#include "install/package/unpack.h"
#include "json/write.h"

struct maker {
	struct arena *a;
	const struct packed_mirror_options *o;
	struct diags *ds;
	struct lockfile locks;
	struct cli_config cli; /* if it counts */
	struct requirement_vec wanted;
	struct fetched_packages found;
};

/* An archive of the provider's directory. */
struct archive {
	struct str file, version, platform;
};
struct archives VEC_OF(struct archive);

static void say(struct maker *m, const char *line)
{
	m->o->say(m->o->data, line);
}

static struct str name_of(struct maker *m, struct provider_addr p)
{
	return provider_addr_display(m->a, p, m->o->default_host);
}

/* --- what is wanted --- */

static int choose_wanted(struct maker *m, const struct config *c)
{
	struct requirement_vec all = { 0 };
	int rc = 0;

	requirements_collect(m->a, c, &all);
	lockfile_adopt(m->a, &m->locks, &all, m->ds);
	for (size_t i = 0; i < all.len; i++) {
		struct provider_addr p = all.items[i]->provider;

		if (provider_is_builtin(p))
			say(m,
			    arena_printf(
				    m->a,
				    "- Skipping %.*s because it is built in to %s CLI",
				    STR_ARG(name_of(m, p)), product_name()));
		else if (map_has(&m->cli.overrides,
				 provider_addr_text(m->a, p)))
			continue;
		else if (m->locks.locks.len && !lockfile_find(&m->locks, p))
			rc = diag_error(
				m->ds, NULL, "Provider not found in lockfile",
				"The lock file has no version of %.*s: run \"%s init\".",
				STR_ARG(provider_addr_text(m->a, p)),
				product_command());
		else
			vec_push(m->a, &m->wanted, all.items[i]);
	}
	return rc;
}

static void fetch_event(void *data, const struct provider_news *n)
{
	struct maker *m = data;

	if (n->event == PROVIDER_INSTALLING)
		say(m,
		    arena_printf(
			    m->a,
			    "- Mirroring %.*s v%.*s: downloading package for %.*s...",
			    STR_ARG(n->provider), STR_ARG(n->detail),
			    STR_ARG(n->platform)));
	if (n->event == PROVIDER_INSTALLED)
		say(m,
		    arena_printf(
			    m->a,
			    "- Mirrored %.*s v%.*s for %.*s: package authenticated: %.*s",
			    STR_ARG(n->provider), STR_ARG(n->detail),
			    STR_ARG(n->platform), STR_ARG(n->how)));
}

static int fetch_all(struct maker *m)
{
	struct str_vec platforms = m->o->platforms;
	const struct fetch_packages_options o = {
		.reqs = &m->wanted,
		.platforms = &platforms,
		.locks = &m->locks,
		.archives = m->o->dir,
		.summaries = { "Provider not available",
			       "Inconsistent dependency lock file",
			       "Provider release not available",
			       "Cannot download provider release",
			       "Invalid provider package" },
		.event = fetch_event,
		.data = m,
		.default_host = m->o->default_host,
		.cli = m->o->configured ? &m->cli : NULL,
	};

	if (!platforms.len)
		vec_push(m->a, &platforms, platform_name(m->a));
	return fetch_packages(m->a, &o, &m->found, m->ds);
}

/* --- indexes --- */

/* terraform-provider-TYPE_VERSION_OS_ARCH.zip */
static bool read_name(struct maker *m, struct provider_addr p, struct str name,
		      struct archive *out)
{
	struct str before =
		str_printf(m->a, "terraform-provider-%.*s_", STR_ARG(p.type));
	struct version v;
	ptrdiff_t cut;
	struct str rest;

	if (!str_starts(name, before.p) || !str_ends(name, ".zip"))
		return false;
	rest = str_sub(name, before.n, name.n - strlen(".zip"));
	cut = str_chr(rest, '_');
	if (cut < 1)
		return false;
	*out = (struct archive){ .file = name,
				 .version = str_sub(rest, 0, (size_t)cut),
				 .platform = str_sub(rest, (size_t)cut + 1,
						     rest.n) };
	return version_parse(out->version, &v) &&
	       str_chr(out->platform, '_') > 0;
}

static int by_file(const void *x, const void *y)
{
	return str_cmp(((const struct archive *)x)->file,
		       ((const struct archive *)y)->file);
}

static void list_archives(struct maker *m, struct provider_addr p,
			  struct str dir, struct archives *out)
{
	DIR *d = opendir(dir.p);
	struct dirent *e;
	struct archive one;

	while (d && (e = readdir(d)))
		if (read_name(m, p, str_dup(m->a, str_c(e->d_name)), &one))
			vec_push(m->a, out, one);
	if (d)
		closedir(d);
	if (out->len)
		qsort(out->items, out->len, sizeof(*out->items), by_file);
}

/* Writes an archive's hashes; for one from before this run, its files'. */
static void put_hashes(struct maker *m, struct provider_addr p,
		       const struct archive *one, struct str dir, struct jw *w)
{
	struct str_vec hashes = { 0 };

	for (size_t i = 0; i < m->found.len; i++) {
		const struct fetched_package *f = &m->found.items[i];

		if (provider_addr_equal(f->r->provider, p) &&
		    str_eq(f->version, one->version) &&
		    str_eq(f->platform, one->platform))
			hashes = f->hashes;
	}
	if (!hashes.len)
		vec_push(m->a, &hashes,
			 unpack_hash(m->a,
				     STR_CAT(m->a, dir, STR("/"), one->file)));
	str_sort(hashes.items, hashes.len);
	jw_key(w, "hashes");
	jw_array(w);
	for (size_t i = 0; i < hashes.len; i++)
		if (!i || !str_eq(hashes.items[i], hashes.items[i - 1]))
			jw_str(w, hashes.items[i]);
	jw_array_end(w);
}

static int write_index(struct maker *m, struct str dir, struct str name,
		       const struct buf *text)
{
	struct str path =
		str_printf(m->a, "%.*s/%.*s.json", STR_ARG(dir), STR_ARG(name));

	if (!io_replace_file(path.p, text->p, text->len, 0644))
		return 0;
	return diag_error(m->ds, NULL, "Failed to update indexes",
			  "%.*s cannot be written: %s.", STR_ARG(path),
			  strerror(errno));
}

/* VERSION.json: the archives of the version, from `from` on. */
static int write_version(struct maker *m, struct provider_addr p,
			 struct str dir, const struct archives *all,
			 struct str version)
{
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .indent = 2 };
	int rc;

	jw_object(&w);
	jw_key(&w, "archives");
	jw_object(&w);
	for (size_t i = 0; i < all->len; i++) {
		if (!str_eq(all->items[i].version, version))
			continue;
		jw_key_str(&w, all->items[i].platform);
		jw_object(&w);
		put_hashes(m, p, &all->items[i], dir, &w);
		jw_member_str(&w, "url", all->items[i].file);
		jw_object_end(&w);
	}
	jw_object_end(&w);
	jw_object_end(&w);
	rc = write_index(m, dir, version, &b);
	buf_release(&b);
	return rc;
}

static int write_indexes(struct maker *m, struct provider_addr p)
{
	struct str dir = str_printf(m->a, "%.*s/%.*s/%.*s/%.*s",
				    STR_ARG(m->o->dir), STR_ARG(p.host),
				    STR_ARG(p.namespace), STR_ARG(p.type));
	struct archives all = { 0 };
	struct buf b = BUF_INIT;
	struct jw w = { .out = &b, .indent = 2 };
	int rc = 0;

	list_archives(m, p, dir, &all);
	jw_object(&w);
	jw_key(&w, "versions");
	jw_object(&w);
	for (size_t i = 0; i < all.len; i++) {
		if (i && str_eq(all.items[i].version, all.items[i - 1].version))
			continue;
		jw_key_str(&w, all.items[i].version);
		jw_object(&w);
		jw_object_end(&w);
		rc |= write_version(m, p, dir, &all, all.items[i].version);
	}
	jw_object_end(&w);
	jw_object_end(&w);
	/* Last, so that it names only files that exist. */
	rc |= all.len ? write_index(m, dir, STR("index"), &b) : 0;
	buf_release(&b);
	return rc;
}

int mirror_providers(struct arena *a, const struct config *c,
		     const struct packed_mirror_options *o, struct diags *ds)
{
	struct maker m = { .a = a, .o = o, .ds = ds };
	int rc;

	if (lock_platforms_check(&o->platforms, ds) ||
	    lockfile_read(a, WORKDIR_LOCK_FILE, &m.locks, ds) ||
	    (o->configured && cli_config_read(a, &m.cli, ds)))
		return -1;
	cli_config_warn_overrides(&m.cli,
				  "\n\nThe directory has no packages "
				  "of them.",
				  ds);
	rc = choose_wanted(&m, c);
	rc |= fetch_all(&m);
	for (size_t i = 0; i < m.wanted.len; i++)
		rc |= write_indexes(&m, m.wanted.items[i]->provider);
	return rc;
}
