/* providers.c - see providers.h */
#include "install/providers.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/io.h"
#include "install/cli_config.h"
#include "install/lockfile.h"
#include "install/packages.h"

static const char lock_path[] = ".terraform.lock.hcl";

struct installer {
	struct arena *a;
	const struct install_providers_options *o;
	struct cli_config cli;
	struct lockfile locks;     /* as they were */
	struct lockfile new_locks;
	struct str_vec incomplete; /* with hashes of this platform only */
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

/* Packages of p in all directories that serve it, newest first within each. */
static void find_packages(struct installer *in, struct provider_addr p,
			  struct package_vec *out, struct buf *searched)
{
	const struct str_vec *dirs = &in->o->plugin_dirs;

	for (size_t i = 0; i < dirs->len; i++) {
		packages_list(in->a, dirs->items[i], p, out);
		buf_addf(searched, "\n  - %.*s", STR_ARG(dirs->items[i]));
	}
	for (size_t i = 0; !dirs->len && i < in->cli.mirrors.len; i++) {
		const struct mirror *m = &in->cli.mirrors.items[i];

		if (!mirror_serves(m, p))
			continue;
		packages_list(in->a, m->dir, p, out);
		buf_addf(searched, "\n  - %.*s", STR_ARG(m->dir));
	}
}

static int not_found(struct installer *in, const struct requirement *r,
		     const char *why, const struct buf *searched)
{
	struct str name = provider_addr_text(in->a, r->provider);

	return diag_error(in->ds, NULL,
			  "Failed to query available provider packages",
			  "%s of the provider %.*s. This version installs "
			  "providers from directories; it looked in:%.*s",
			  why, STR_ARG(name),
			  STR_ARG(searched->len ? buf_view(searched)
						: STR(" none")));
}

/* The locked version if there is one, else the newest that is allowed. */
static const struct package *choose(const struct requirement *r,
				    const struct lock *lock,
				    const struct package_vec *all)
{
	const struct package *best = NULL;
	struct version locked;

	if (lock && !version_parse(lock->version, &locked))
		lock = NULL;
	for (size_t i = 0; i < all->len; i++) {
		const struct package *p = &all->items[i];

		if (lock ? version_cmp(&p->version, &locked) != 0
			 : !version_allowed(&r->all, &p->version))
			continue;
		/* A pre-release is chosen only by name. */
		if (!lock && p->version.prerelease.n && !r->all.len)
			continue;
		if (!best || version_cmp(&p->version, &best->version) > 0)
			best = p;
	}
	return best;
}

/* --- installing --- */

static struct str installed_dir(struct installer *in, struct provider_addr p,
				struct str version)
{
	return str_printf(in->a, "%.*s/providers/%.*s/%.*s/%.*s/%.*s/%.*s",
			  STR_ARG(in->o->data_dir), STR_ARG(p.host),
			  STR_ARG(p.namespace), STR_ARG(p.type),
			  STR_ARG(version),
			  STR_ARG(package_platform(in->a)));
}

static int link_package(struct installer *in, const struct requirement *r,
			const struct package *p)
{
	struct str to = installed_dir(in, r->provider, p->version_text);
	char *real = realpath(p->dir.p, NULL), *parent, *slash;
	int rc = -1;

	parent = arena_strdup(in->a, to.p);
	slash = strrchr(parent, '/');
	*slash = '\0';
	if (real && !io_make_dirs(parent, 0777) &&
	    (!unlink(to.p) || errno == ENOENT) && !symlink(real, to.p))
		rc = 0;
	if (rc)
		diag_error(in->ds, NULL, "Failed to install provider",
			   "%.*s cannot be linked to %.*s: %s.", STR_ARG(to),
			   STR_ARG(p->dir), strerror(errno));
	free(real);
	return rc;
}

static bool has_hash(const struct lock *l, struct str hash)
{
	for (size_t i = 0; i < l->hashes.len; i++)
		if (str_eq(l->hashes.items[i], hash))
			return true;
	return false;
}

/* Hashes of other schemes or platforms cannot be checked here; if there is
 * none of ours among them, the package is not the one that was locked. */
static int check_hash(struct installer *in, const struct requirement *r,
		      const struct lock *old, const struct package *p,
		      struct str hash)
{
	struct str name = provider_addr_display(in->a, r->provider,
						in->o->default_host);

	if (!hash.n)
		return diag_error(in->ds, NULL, "Failed to install provider",
				  "The package of %.*s in %.*s cannot be read: "
				  "%s.", STR_ARG(name), STR_ARG(p->dir),
				  strerror(errno));
	if (!old || !old->hashes.len || !str_eq(old->version, p->version_text) ||
	    has_hash(old, hash))
		return 0;
	return diag_error(in->ds, NULL, "Failed to install provider",
			  "The package of %.*s %.*s in %.*s is none of those "
			  "that the lock file allows (its hash is %.*s).",
			  STR_ARG(name), STR_ARG(p->version_text),
			  STR_ARG(p->dir), STR_ARG(hash));
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

/* What is installed already, as locked. */
static bool is_present(struct installer *in, const struct requirement *r,
		       const struct lock *lock, struct package *out)
{
	struct stat st;

	if (!lock)
		return false;
	out->version_text = lock->version;
	out->dir = installed_dir(in, r->provider, lock->version);
	return stat(out->dir.p, &st) == 0 && S_ISDIR(st.st_mode);
}

static int install_found(struct installer *in, const struct requirement *r,
			 const struct lock *old, const struct package *p)
{
	struct str hash = package_hash(in->a, p->dir);

	tell(in, PROVIDER_INSTALLING, r, p->version_text);
	if (check_hash(in, r, old, p, hash) || link_package(in, r, p))
		return -1;
	tell(in, PROVIDER_INSTALLED, r, p->version_text);
	write_lock(in, r, old, p->version_text, hash);
	return 0;
}

static int install_one(struct installer *in, const struct requirement *r)
{
	struct lock *old = lockfile_find(&in->locks, r->provider);
	struct lock *lock = in->o->upgrade ? NULL : old;
	struct package_vec all = { 0 };
	struct buf searched = BUF_INIT;
	const struct package *p;
	struct package present;
	struct version v;
	int rc;

	tell(in, lock ? PROVIDER_REUSING : PROVIDER_FINDING, r,
	     requirement_text(in->a, r));
	if (lock && version_parse(lock->version, &v) &&
	    !version_allowed(&r->all, &v))
		return diag_error(in->ds, NULL,
				  "Failed to resolve provider packages",
				  "The lock file has version %.*s of %.*s, "
				  "which \"%.*s\" does not allow. Run init "
				  "-upgrade to choose another.",
				  STR_ARG(lock->version),
				  STR_ARG(provider_addr_text(in->a,
							     r->provider)),
				  STR_ARG(requirement_text(in->a, r)));
	if (is_present(in, r, lock, &present)) {
		struct str hash = package_hash(in->a, present.dir);

		if (check_hash(in, r, old, &present, hash))
			return -1;
		tell(in, PROVIDER_PRESENT, r, present.version_text);
		write_lock(in, r, old, present.version_text, hash);
		return 0;
	}
	find_packages(in, r->provider, &all, &searched);
	p = choose(r, lock, &all);
	if (p)
		rc = install_found(in, r, old, p);
	else
		rc = not_found(in, r,
			       all.len ? "There is no suitable package"
				       : "There is no package", &searched);
	buf_release(&searched);
	return rc;
}

static void override_warning(struct installer *in)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < in->cli.overrides.len; i++)
		buf_addf(&names, "\n - %.*s in %.*s",
			 STR_ARG(in->cli.overrides.entries[i].key),
			 STR_ARG(*(struct str *)
					 in->cli.overrides.entries[i].value));
	if (names.len)
		diag_warning(in->ds, NULL,
			     "Provider development overrides are in effect",
			     "These providers are taken from where they are "
			     "developed, not installed:%.*s",
			     STR_ARG(buf_view(&names)));
	buf_release(&names);
}

/* --- the lock file --- */

static int save_locks(struct installer *in)
{
	struct str text = lockfile_text(in->a, &in->new_locks);
	struct buf names = BUF_INIT;

	/* Written only when it says something else: people keep it under
	 * version control. */
	if (str_eq(text, lockfile_text(in->a, &in->locks)))
		return 0;
	if (in->o->readonly) {
		if (in->new_locks.locks.len != in->locks.locks.len)
			return diag_error(in->ds, NULL,
					  "Provider dependency changes "
					  "detected",
					  "The lock file would have to change, "
					  "but -lockfile=readonly forbids it.");
		diag_warning(in->ds, NULL, "Provider lock file not updated",
			     "What was chosen differs from the lock file, "
			     "which -lockfile=readonly left as it is.");
		return 0;
	}
	for (size_t i = 0; i < in->incomplete.len; i++)
		buf_addf(&names, "\n  - %.*s",
			 STR_ARG(in->incomplete.items[i]));
	if (names.len)
		diag_warning(in->ds, NULL,
			     "Incomplete lock file information for providers",
			     "The packages came from a local directory, so the "
			     "lock file knows their hashes for %.*s only:%.*s",
			     STR_ARG(package_platform(in->a)),
			     STR_ARG(buf_view(&names)));
	buf_release(&names);
	tell(in, in->locks.locks.len ? PROVIDER_LOCK_CHANGED
				     : PROVIDER_LOCK_CREATED,
	     NULL, STR_NONE);
	return lockfile_write(lock_path, text, in->ds);
}

int install_providers(struct arena *a, const struct requirement_vec *reqs,
		      const struct install_providers_options *o,
		      struct diags *ds)
{
	struct installer in = { .a = a, .o = o, .ds = ds };
	int rc = 0;

	if (cli_config_read(a, &in.cli, ds) ||
	    lockfile_read(a, lock_path, &in.locks, ds))
		return -1;
	override_warning(&in);
	tell(&in, PROVIDER_PLUGINS, NULL, STR_NONE);
	for (size_t i = 0; i < reqs->len; i++) {
		const struct requirement *r = reqs->items[i];

		if (provider_is_builtin(r->provider))
			tell(&in, PROVIDER_BUILTIN, r, STR_NONE);
		else if (!map_has(&in.cli.overrides,
				  provider_addr_text(a, r->provider)))
			rc |= install_one(&in, r);
	}
	return rc ? -1 : save_locks(&in);
}
