/* install.c - putting a package into its place; see providers_int.h */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "base/io.h"
#include "config/source/url.h"
#include "install/package/unpack.h"

/* --- hashes --- */

/* Does the lock file vouch for the package in dir? */
static bool is_locked(struct install_job *j, struct str dir, struct str *hash)
{
	struct arena *a = j->in->a;

	if (!j->old || !j->old->hashes.len ||
	    !package_program(a, dir, j->r->provider).n)
		return false;
	*hash = package_hash_kept(a, dir);
	return hash->n && str_vec_has(&j->old->hashes, *hash);
}

static struct str package_place(const struct install_job *j)
{
	const struct package *p = j->chosen;

	if (p->dir.n)
		return p->dir;
	return p->archive.n ? p->archive : url_redacted(j->in->a, j->offer.url);
}

/* Hashes of other schemes or platforms cannot be checked here; if none of them
 * is this package's, it is not the one that was locked.  The archive's own hash
 * will do, too. */
int job_check_hash(struct install_job *j, struct str hash)
{
	struct installer *in = j->in;
	struct str name = provider_addr_display(in->a, j->r->provider,
						in->o->default_host);
	struct str from = package_place(j);

	if (!hash.n)
		return diag_error(
			&j->ds, NULL, "Failed to install provider",
			"The package of %.*s in %.*s cannot be read: %s.",
			STR_ARG(name), STR_ARG(from), strerror(errno));
	if (!j->old || !j->old->hashes.len ||
	    !str_eq(j->old->version, j->chosen->version_text) ||
	    str_vec_has(&j->old->hashes, hash) ||
	    (j->auth.zip_hash.n &&
	     str_vec_has(&j->old->hashes, j->auth.zip_hash)))
		return 0;
	return diag_error(&j->ds, NULL, "Failed to install provider",
			  "The package of %.*s %.*s in %.*s is none of those "
			  "that the lock file allows (its hash is %.*s).",
			  STR_ARG(name), STR_ARG(j->chosen->version_text),
			  STR_ARG(from), STR_ARG(hash));
}

static void add_hashes(struct install_job *j, struct lock *l,
		       const struct str_vec *hashes)
{
	for (size_t i = 0; i < hashes->len; i++)
		if (!str_vec_has(&l->hashes, hashes->items[i]))
			vec_push(j->in->a, &l->hashes, hashes->items[i]);
}

/* Does the lock lack other platforms' hashes?  Those are known if the hashes
 * are vouched for, or if the old lock had more than this package's. */
static bool is_incomplete(const struct install_job *j,
			  const struct str_vec *local, struct str hash)
{
	size_t known = 0;

	if (j->auth.vouched.len)
		return false;
	if (!j->old || !str_eq(j->old->version, j->chosen->version_text))
		return true;
	for (size_t i = 0; i < local->len; i++)
		known += str_vec_has(&j->old->hashes, local->items[i]);
	return j->old->hashes.len ==
		       known + str_vec_has(&j->old->hashes, hash) &&
	       j->old->hashes.len <= local->len + 1;
}

static void write_lock(struct install_job *j, struct str version,
		       struct str hash)
{
	struct installer *in = j->in;
	struct lock l = { .provider = j->r->provider, .version = version };

	l.constraints = requirement_text(in->a, j->r);
	if (j->old && str_eq(j->old->version, version))
		add_hashes(j, &l, &j->old->hashes);
	if (!str_vec_has(&l.hashes, hash))
		vec_push(in->a, &l.hashes, hash);
	if (j->chosen)
		j->incomplete = is_incomplete(j, &j->auth.local, hash);
	add_hashes(j, &l, &j->auth.local);
	add_hashes(j, &l, &j->auth.vouched);
	vec_push(in->a, &in->new_locks.locks, l);
}

/* --- directories --- */

/* Below the data directory, or the plugin cache. */
static struct str place_of(const struct install_job *j, struct str root,
			   struct str version)
{
	return package_dir(j->in->a, root, j->r->provider, version,
			   j->platform);
}

static int cannot_install(struct install_job *j, struct str to, struct str from)
{
	return diag_error(&j->ds, NULL, "Failed to install provider",
			  "%.*s cannot be made from %.*s: %s.", STR_ARG(to),
			  STR_ARG(from), io_why());
}

static int make_parent(struct install_job *j, struct str path)
{
	char *parent = arena_strdup(j->in->a, path.p);

	*strrchr(parent, '/') = '\0';
	return io_make_dirs(parent, 0777);
}

/* Removes the empty directories above a package that failed. */
static void drop_parents(struct install_job *j, struct str path,
			 struct str root)
{
	char *parent = arena_strdup(j->in->a, path.p), *slash;

	while ((slash = strrchr(parent, '/')) &&
	       (size_t)(slash - parent) >= root.n) {
		*slash = '\0';
		if (io_rmdir(parent))
			break;
	}
}

/* Replaces `to` in one step if the system can: others may install at the same
 * time, or run the program in it. */
static int move_into_place(struct str tmp, struct str to)
{
	if (rename(tmp.p, to.p) == 0)
		return 0;
	if (errno != ENOTEMPTY && errno != EEXIST && errno != ENOTDIR &&
	    errno != EISDIR)
		return -1;
	if (io_exchange(tmp.p, to.p) == 0)
		return 0; /* tmp is the old one now */
	if (errno != EINVAL && errno != ENOSYS)
		return -1;
	return io_remove_tree(to.p) || rename(tmp.p, to.p) ? -1 : 0;
}

static struct str temporary(struct install_job *j, struct str to)
{
	return str_printf(j->in->a, "%.*s.%ld.tmp", STR_ARG(to),
			  (long)getpid());
}

/* The root of packages that are unpacked, or linked to. */
static struct str own_root(const struct install_job *j)
{
	const struct installer *in = j->in;

	return in->cli.plugin_cache.n ? in->cli.plugin_cache : in->installed;
}

static struct str own_place(struct install_job *j)
{
	return place_of(j, own_root(j), j->chosen->version_text);
}

static int link_claimed(struct install_job *j, const char *from, struct str to)
{
	const struct str tmp = temporary(j, to);
	const int claim = place_claim(j->in->a, to);
	int rc = io_remove_tree(tmp.p) || symlink(from, tmp.p) ||
		 move_into_place(tmp, to);
	const int saved = errno;

	io_remove_tree(tmp.p);
	if (claim >= 0)
		close(claim);
	errno = saved;
	return rc;
}

/* Makes `to` a link to `from`, which is below root.  Links in it stay, so that
 * what they lead to may be changed where they are. */
static int link_package(struct install_job *j, struct str root, struct str from,
			struct str to)
{
	struct arena *a = j->in->a;
	char *real = realpath(str_dup(a, root).p, NULL);
	int rc = 0;

	if (!real || make_parent(j, to) ||
	    link_claimed(j, arena_printf(a, "%s%s", real, from.p + root.n), to))
		rc = cannot_install(j, to, from);
	free(real);
	return rc;
}

static int check_program(struct install_job *j, struct str dir)
{
	if (package_program(j->in->a, dir, j->r->provider).n)
		return 0;
	return diag_error(&j->ds, NULL, "Failed to install provider",
			  "The package of %.*s in %.*s has no program named "
			  "terraform-provider-%.*s.",
			  STR_ARG(provider_addr_text(j->in->a, j->r->provider)),
			  STR_ARG(package_place(j)),
			  STR_ARG(j->r->provider.type));
}

/* Is the same package there already?  Then it stays: others may use it. */
static bool is_same(struct install_job *j, struct str to, struct str hash)
{
	struct stat st;

	return lstat(to.p, &st) == 0 && S_ISDIR(st.st_mode) &&
	       str_eq(package_hash(j->in->a, to), hash);
}

struct str job_temporary(struct install_job *j)
{
	return temporary(j, own_place(j));
}

void job_drop(struct install_job *j)
{
	if (!j->tmp.n)
		return;
	io_remove_tree(j->tmp.p);
	if (j->claim >= 0)
		close(j->claim);
	j->claim = -1;
	if (!j->in->put)
		drop_parents(j, own_place(j), own_root(j));
	j->tmp = STR_NONE;
}

int job_unpack(struct install_job *j)
{
	const struct package *p = j->chosen;
	struct str to = own_place(j), hash;

	if (make_parent(j, to) || io_remove_tree(j->tmp.p)) {
		cannot_install(j, to, package_place(j));
		job_drop(j);
		return -1;
	}
	j->claim = place_claim(j->in->a, to);
	if (!unpack_zip(p->archive.n ? p->archive : j->archive, j->tmp, &hash,
			&j->ds) &&
	    !job_check_hash(j, hash) && !check_program(j, j->tmp)) {
		j->found.hash = hash;
		j->found.same = is_same(j, to, hash);
		return 0;
	}
	job_drop(j);
	return -1;
}

/* Places the archive's package, which a worker may have unpacked. */
static int place_unpacked(struct install_job *j, struct str to,
			  struct str *hash)
{
	int rc = 0;

	if (!j->tmp.n) {
		j->tmp = job_temporary(j);
		if (job_unpack(j))
			return -1;
	}
	*hash = j->found.hash;
	if (!j->found.same && move_into_place(j->tmp, to))
		rc = cannot_install(j, to, package_place(j));
	job_drop(j);
	return rc;
}

/* Puts the package at `to`, once its hash was found good. */
static int place_package(struct install_job *j, struct str to, struct str *hash)
{
	const struct package *p = j->chosen;
	struct str root;

	if (!p->dir.n)
		return place_unpacked(j, to, hash);
	root = j->places.items[p->place]->dir;
	*hash = package_hash(j->in->a, p->dir);
	return job_check_hash(j, *hash) || link_package(j, root, p->dir, to)
		       ? -1
		       : 0;
}

static int link_cached(struct install_job *j, struct str version,
		       struct str hash)
{
	struct installer *in = j->in;
	struct str cache = in->cli.plugin_cache,
		   from = place_of(j, cache, version);

	job_tell(j, PROVIDER_FROM_CACHE, version);
	if (link_package(j, cache, from, place_of(j, in->installed, version)))
		return -1;
	write_lock(j, version, hash);
	return 0;
}

int job_install(struct install_job *j)
{
	struct installer *in = j->in;
	struct str version = j->chosen->version_text, hash;
	struct str to = own_place(j);

	if (place_package(j, to, &hash)) {
		drop_parents(j, to, own_root(j));
		return -1;
	}
	job_tell(j,
		 j->auth.skipped ? PROVIDER_INSTALLED_UNSIGNED
				 : PROVIDER_INSTALLED,
		 version);
	if (in->cli.plugin_cache.n)
		return link_cached(j, version, hash);
	write_lock(j, version, hash);
	return 0;
}

bool job_may_use_unlocked(const struct install_job *j)
{
	const struct installer *in = j->in;
	const struct str_vec *allowed = job_allowed_hashes(j);
	struct str cache = in->cli.plugin_cache;

	return in->cli.unlocked_cache && cache.n && !in->put &&
	       !(allowed && allowed->len) &&
	       package_program(in->a,
			       place_of(j, cache, j->chosen->version_text),
			       j->r->provider)
		       .n;
}

int job_use_unlocked(struct install_job *j)
{
	struct installer *in = j->in;
	struct str version = j->chosen->version_text,
		   dir = place_of(j, in->cli.plugin_cache, version),
		   hash = package_hash(in->a, dir);

	if (job_check_hash(j, hash))
		return -1;
	job_tell(j, PROVIDER_INSTALLED, version);
	return link_cached(j, version, hash);
}

int job_use_present(struct install_job *j, struct str version)
{
	struct installer *in = j->in;
	struct str hash;

	if (!j->old || !str_eq(j->old->version, version))
		return 1;
	if (is_locked(j, place_of(j, in->installed, version), &hash)) {
		job_tell(j, PROVIDER_PRESENT, version);
		write_lock(j, version, hash);
		return 0;
	}
	if (!in->cli.plugin_cache.n ||
	    !is_locked(j, place_of(j, in->cli.plugin_cache, version), &hash))
		return 1;
	job_tell(j, PROVIDER_IN_CACHE, version);
	return link_cached(j, version, hash);
}
