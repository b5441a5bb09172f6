/* providers.c - see providers.h */
#include "install/providers.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "base/product.h"
#include "install/cli_config.h"
#include "install/places.h"
#include "install/lockfile.h"
#include "install/packages.h"
#include "install/unpack.h"

static const char lock_path[] = ".terraform.lock.hcl";

struct installer {
	struct arena *a;
	const struct install_providers_options *o;
	struct cli_config cli;
	struct places places;
	struct lockfile locks;     /* as they were */
	struct lockfile new_locks;
	struct str_vec incomplete; /* with hashes of this platform only */
	struct str platform;
	struct str installed;      /* DATA_DIR/providers */
	struct diags *ds;
};

static void tell(struct installer *in, enum provider_event e,
		 const struct requirement *r, struct str detail)
{
	struct str name = r ? provider_addr_display(in->a, r->provider,
						    in->o->default_host)
			    : STR_NONE;

	if (in->o->event)
		in->o->event(in->o->data, e, name, detail);
}

/* --- finding --- */

static int not_found(struct installer *in, const struct requirement *r,
		     const struct lock *lock, bool any,
		     const struct buf *searched)
{
	struct str name = provider_addr_text(in->a, r->provider);
	struct str places = searched->len ? buf_view(searched) : STR(" none");

	if (!any)
		return diag_error(in->ds, NULL,
				  "Failed to query available provider "
				  "packages",
				  "There is no package of the provider %.*s. "
				  "Searched:%.*s", STR_ARG(name),
				  STR_ARG(places));
	if (lock)
		return diag_error(in->ds, NULL,
				  "Failed to resolve provider packages",
				  "Version %.*s of %.*s, which the lock file "
				  "selects, is not there any more. "
				  "Searched:%.*s", STR_ARG(lock->version),
				  STR_ARG(name), STR_ARG(places));
	return diag_error(in->ds, NULL, "Failed to resolve provider packages",
			  "No version of %.*s that is there satisfies "
			  "\"%.*s\". Searched:%.*s", STR_ARG(name),
			  STR_ARG(requirement_text(in->a, r)),
			  STR_ARG(places));
}

/* --- hashes --- */

static bool has_hash(const struct lock *l, struct str hash)
{
	for (size_t i = 0; i < l->hashes.len; i++)
		if (str_eq(l->hashes.items[i], hash))
			return true;
	return false;
}

/* Does the lock file vouch for the package in dir? */
static bool is_locked(struct installer *in, const struct lock *lock,
		      struct str dir, struct str *hash)
{
	struct stat st;

	if (!lock || !lock->hashes.len || stat(dir.p, &st) ||
	    !S_ISDIR(st.st_mode))
		return false;
	*hash = package_hash(in->a, dir);
	return hash->n && has_hash(lock, *hash);
}

/* Hashes of other schemes or platforms cannot be checked here; if there is
 * none of ours among them, the package is not the one that was locked. */
static int check_hash(struct installer *in, const struct requirement *r,
		      const struct lock *old, const struct package *p,
		      struct str hash)
{
	struct str name = provider_addr_display(in->a, r->provider,
						in->o->default_host);
	struct str from = p->dir.n ? p->dir : p->archive;

	if (!hash.n)
		return diag_error(in->ds, NULL, "Failed to install provider",
				  "The package of %.*s in %.*s cannot be read: "
				  "%s.", STR_ARG(name), STR_ARG(from),
				  strerror(errno));
	if (!old || !old->hashes.len || !str_eq(old->version, p->version_text) ||
	    has_hash(old, hash))
		return 0;
	return diag_error(in->ds, NULL, "Failed to install provider",
			  "The package of %.*s %.*s in %.*s is none of those "
			  "that the lock file allows (its hash is %.*s).",
			  STR_ARG(name), STR_ARG(p->version_text),
			  STR_ARG(from), STR_ARG(hash));
}

static void write_lock(struct installer *in, const struct requirement *r,
		       const struct lock *old, struct str version,
		       struct str hash)
{
	struct lock l = { .provider = r->provider, .version = version };

	l.constraints = requirement_text(in->a, r);
	if (old && str_eq(old->version, version))
		for (size_t i = 0; i < old->hashes.len; i++)
			vec_push(in->a, &l.hashes, old->hashes.items[i]);
	if (!has_hash(&l, hash))
		vec_push(in->a, &l.hashes, hash);
	if (l.hashes.len == 1)
		vec_push(in->a, &in->incomplete,
			 provider_addr_display(in->a, r->provider,
					       in->o->default_host));
	vec_push(in->a, &in->new_locks.locks, l);
}

/* --- installing --- */

/* Below the data directory, or the plugin cache. */
static struct str place_of(struct installer *in, const struct requirement *r,
			   struct str root, struct str version)
{
	return package_dir(in->a, root, r->provider, version, in->platform);
}

static int cannot_install(struct installer *in, struct str to,
			  struct str from)
{
	return diag_error(in->ds, NULL, "Failed to install provider",
			  "%.*s cannot be made from %.*s: %s.", STR_ARG(to),
			  STR_ARG(from), strerror(errno));
}

static int make_parent(struct installer *in, struct str path)
{
	char *parent = arena_strdup(in->a, path.p);

	*strrchr(parent, '/') = '\0';
	return io_make_dirs(parent, 0777);
}

static int link_package(struct installer *in, struct str from, struct str to)
{
	char *real = realpath(from.p, NULL);
	int rc = 0;

	if (!real || make_parent(in, to) || remove_tree(to.p) ||
	    symlink(real, to.p))
		rc = cannot_install(in, to, from);
	free(real);
	return rc;
}

/* Puts the package at `to`, once its hash was found good. */
static int place_package(struct installer *in, const struct requirement *r,
			 const struct lock *old, const struct package *p,
			 struct str to, struct str *hash)
{
	struct str tmp;
	int rc;

	if (p->dir.n) {
		*hash = package_hash(in->a, p->dir);
		return check_hash(in, r, old, p, *hash) ||
				       link_package(in, p->dir, to)
			       ? -1
			       : 0;
	}
	tmp = str_printf(in->a, "%.*s.%ld.tmp", STR_ARG(to), (long)getpid());
	if (make_parent(in, to))
		return cannot_install(in, to, p->archive);
	rc = unpack_zip(p->archive, tmp, in->ds);
	if (!rc) {
		*hash = package_hash(in->a, tmp);
		rc = check_hash(in, r, old, p, *hash);
	}
	if (!rc && (remove_tree(to.p) || rename(tmp.p, to.p)))
		rc = cannot_install(in, to, p->archive);
	remove_tree(tmp.p);
	return rc;
}

static int link_cached(struct installer *in, const struct requirement *r,
		       const struct lock *old, struct str version,
		       struct str hash)
{
	struct str from = place_of(in, r, in->cli.plugin_cache, version);

	if (link_package(in, from, place_of(in, r, in->installed, version)))
		return -1;
	tell(in, PROVIDER_FROM_CACHE, r, version);
	write_lock(in, r, old, version, hash);
	return 0;
}

static int install_package(struct installer *in, const struct requirement *r,
			   const struct lock *old, const struct package *p)
{
	bool cached = in->cli.plugin_cache.n > 0;
	struct str root = cached ? in->cli.plugin_cache : in->installed;
	struct str hash;

	tell(in, cached ? PROVIDER_INSTALLING_TO_CACHE : PROVIDER_INSTALLING,
	     r, p->version_text);
	if (place_package(in, r, old, p,
			  place_of(in, r, root, p->version_text), &hash))
		return -1;
	tell(in, PROVIDER_INSTALLED, r, p->version_text);
	if (cached)
		return link_cached(in, r, old, p->version_text, hash);
	write_lock(in, r, old, p->version_text, hash);
	return 0;
}

/* A version that is installed already, or in the plugin cache, as locked.
 * 1: it is neither. */
static int use_present(struct installer *in, const struct requirement *r,
		       const struct lock *lock, struct str version)
{
	struct str hash;

	if (!lock || !str_eq(lock->version, version))
		return 1;
	if (is_locked(in, lock, place_of(in, r, in->installed, version),
		      &hash)) {
		tell(in, PROVIDER_PRESENT, r, version);
		write_lock(in, r, lock, version, hash);
		return 0;
	}
	if (!in->cli.plugin_cache.n ||
	    !is_locked(in, lock,
		       place_of(in, r, in->cli.plugin_cache, version), &hash))
		return 1;
	tell(in, PROVIDER_IN_CACHE, r, version);
	return link_cached(in, r, lock, version, hash);
}

static int lock_forbidden(struct installer *in, const struct requirement *r,
			  const struct lock *lock)
{
	return diag_error(in->ds, NULL, "Failed to resolve provider packages",
			  "The lock file has version %.*s of %.*s, which "
			  "\"%.*s\" does not allow. Run \"" COMMAND
			  " init -upgrade\" to choose another.",
			  STR_ARG(lock->version),
			  STR_ARG(provider_addr_text(in->a, r->provider)),
			  STR_ARG(requirement_text(in->a, r)));
}

static int install_one(struct installer *in, const struct requirement *r)
{
	struct lock *old = lockfile_find(&in->locks, r->provider);
	struct lock *lock = in->o->upgrade ? NULL : old;
	struct package_vec all = { 0 };
	struct buf searched = BUF_INIT;
	const struct package *p;
	struct version v;
	int rc = 1;

	tell(in, lock ? PROVIDER_REUSING : PROVIDER_FINDING, r,
	     requirement_text(in->a, r));
	if (lock && version_parse(lock->version, &v) &&
	    !version_allowed(&r->all, &v))
		return lock_forbidden(in, r, lock);
	if (lock)
		rc = use_present(in, r, lock, lock->version);
	if (rc <= 0)
		return rc;
	if (!lock && places_check(in->a, &in->places, r->provider, in->ds))
		return -1;
	places_search(in->a, &in->places, r->provider, &all, &searched);
	p = package_choose(r, lock, &all);
	if (!p) {
		rc = not_found(in, r, lock, all.len > 0, &searched);
	} else {
		rc = lock ? 1 : use_present(in, r, old, p->version_text);
		if (rc > 0)
			rc = install_package(in, r, old, p);
	}
	buf_release(&searched);
	return rc;
}

/* --- the lock file --- */

/* Are the same providers locked?  With `exactly`, also the same versions and
 * hashes.  Constraints are a note to people: they alone change no file. */
static bool same_locks(struct lockfile *x, struct lockfile *y, bool exactly)
{
	if (x->locks.len != y->locks.len)
		return false;
	for (size_t i = 0; i < x->locks.len; i++) {
		const struct lock *a = &x->locks.items[i];
		const struct lock *b = lockfile_find(y, a->provider);

		if (!b)
			return false;
		if (!exactly)
			continue;
		if (!str_eq(a->version, b->version) ||
		    a->hashes.len != b->hashes.len)
			return false;
		for (size_t k = 0; k < a->hashes.len; k++)
			if (!has_hash(b, a->hashes.items[k]))
				return false;
	}
	return true;
}

static void warn_incomplete(struct installer *in)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < in->incomplete.len; i++)
		buf_addf(&names, "\n  - %.*s",
			 STR_ARG(in->incomplete.items[i]));
	if (names.len)
		diag_warning(in->ds, NULL,
			     "Incomplete lock file information for providers",
			     "The packages came from a local directory, so the "
			     "lock file knows their hashes for %.*s only:%.*s"
			     "\n\n\"" COMMAND " providers lock\" adds those of "
			     "other platforms.",
			     STR_ARG(in->platform), STR_ARG(buf_view(&names)));
	buf_release(&names);
}

static int save_locks(struct installer *in)
{
	/* Written only when it says something else: people keep it under
	 * version control. */
	if (same_locks(&in->locks, &in->new_locks, true))
		return 0;
	if (in->o->readonly && !same_locks(&in->locks, &in->new_locks, false))
		return diag_error(in->ds, NULL,
				  "Provider dependency changes detected",
				  "The lock file would have to change, but "
				  "-lockfile=readonly forbids it.");
	if (in->o->readonly) {
		diag_warning(in->ds, NULL, "Provider lock file not updated",
			     "What was chosen differs from the lock file, "
			     "which -lockfile=readonly left as it is.");
		return 0;
	}
	warn_incomplete(in);
	tell(in, in->locks.locks.len ? PROVIDER_LOCK_CHANGED
				     : PROVIDER_LOCK_CREATED,
	     NULL, STR_NONE);
	return lockfile_write(lock_path, lockfile_text(in->a, &in->new_locks),
			      in->ds);
}

/* A built-in provider is there or not, in the one version there is. */
static int check_builtin(struct installer *in, const struct requirement *r)
{
	static const char summary[] = "Invalid dependency on built-in provider";
	struct str name = provider_addr_text(in->a, r->provider);

	if (!str_is(r->provider.type, "terraform"))
		return diag_error(in->ds, NULL, summary,
				  "There is no built-in provider %.*s.",
				  STR_ARG(name));
	if (r->texts.len)
		return diag_error(in->ds, NULL, summary,
				  "%.*s is built in, so that its version "
				  "cannot be chosen: leave \"%.*s\" out.",
				  STR_ARG(name),
				  STR_ARG(requirement_text(in->a, r)));
	tell(in, PROVIDER_BUILTIN, r, STR_NONE);
	return 0;
}

int install_providers(struct arena *a, const struct requirement_vec *reqs,
		      const struct install_providers_options *o,
		      struct diags *ds)
{
	struct installer in = { .a = a, .o = o, .ds = ds };
	int rc = 0;

	in.platform = package_platform(a);
	in.installed = str_printf(a, "%.*s/providers", STR_ARG(o->data_dir));
	rc = cli_config_read(a, &in.cli, ds) ||
	     lockfile_read(a, lock_path, &in.locks, ds);
	if (in.locks.source)
		sources_put(a, o->sources, in.locks.source);
	if (rc)
		return -1;
	in.places = (struct places){ &in.cli, &o->plugin_dirs, in.platform };
	cli_config_warn_overrides(&in.cli, "", in.ds);
	tell(&in, PROVIDER_PLUGINS, NULL, STR_NONE);
	for (size_t i = 0; i < reqs->len; i++)
		if (provider_is_builtin(reqs->items[i]->provider))
			rc |= check_builtin(&in, reqs->items[i]);
	if (rc)
		return -1;
	for (size_t i = 0; i < reqs->len; i++) {
		const struct requirement *r = reqs->items[i];

		if (!provider_is_builtin(r->provider) &&
		    !map_has(&in.cli.overrides,
				  provider_addr_text(a, r->provider)))
			rc |= install_one(&in, r);
	}
	return rc ? -1 : save_locks(&in);
}
