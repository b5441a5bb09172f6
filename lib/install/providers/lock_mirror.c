/* lock_mirror.c - see requirements.h */
#include <errno.h>
#include <string.h>

#include "base/workdir.h"
#include "install/providers/requirements.h"
#include "addr/provider.h"
#include "install/providers/providers_int.h"
#include "install/package/unpack.h"

struct locker {
	struct arena *a;
	const struct lock_mirror_options *o;
	struct diags *ds;
	struct lockfile locks;
	struct requirement_vec wanted;
	struct lockfile old; /* as it was before */
	struct fetched_packages found;
	struct buf missing; /* a line for each that there is no package of */
};

/* "hashicorp/random", with the host where it is another. */
static struct str short_name(struct locker *l, struct provider_addr p)
{
	if (!str_eq(p.host, l->o->default_host))
		return provider_addr_text(l->a, p);
	return str_printf(l->a, "%.*s/%.*s", STR_ARG(p.namespace),
			  STR_ARG(p.type));
}

static const struct requirement *required(const struct requirement_vec *all,
					  struct provider_addr p)
{
	for (size_t i = 0; i < all->len; i++)
		if (provider_addr_equal(all->items[i]->provider, p))
			return all->items[i];
	return NULL;
}

static int choose_wanted(struct locker *l, const struct config *c)
{
	struct diags quiet = DIAGS_INIT(l->a); /* of what is said already */
	struct requirement_vec all = { 0 };

	requirements_collect(l->a, c, &all);
	for (size_t i = 0; !l->o->providers.len && i < all.len; i++)
		if (!provider_is_builtin(all.items[i]->provider))
			vec_push(l->a, &l->wanted, all.items[i]);
	for (size_t i = 0; i < l->o->providers.len; i++) {
		struct str source = l->o->providers.items[i], why;
		const struct requirement *r = NULL;
		struct provider_addr p;

		if (!provider_addr_parse(l->a, source, l->o->default_host, &p,
					 &why))
			r = required(&all, p);
		if (!r)
			return diag_error(
				l->ds, NULL, "Invalid provider argument",
				"This configuration does not require a provider \"%.*s\".",
				STR_ARG(source));
		vec_push(l->a, &l->wanted, (struct requirement *)r);
	}
	lockfile_adopt(l->a, &l->locks, &l->wanted, l->ds);
	lockfile_adopt(l->a, &l->old, &l->wanted, &quiet);
	return 0;
}

static struct str hash_of(struct locker *l, const struct package *p)
{
	return p->dir.n ? package_hash(l->a, p->dir)
			: unpack_hash(l->a, p->archive);
}

static int find_one(struct locker *l, const struct requirement *r,
		    struct str platform)
{
	struct lock *lock = lockfile_find(&l->locks, r->provider);
	struct package_vec all = { 0 };
	struct fetched_package f = { .r = r, .platform = platform };
	const struct package *package;
	struct str hash;
	struct str name = short_name(l, r->provider);

	packages_list(l->a, l->o->dir, r->provider, platform, &all);
	package =
		package_choose(r, lock && lock->version.n ? lock : NULL, &all);
	if (!package) {
		buf_addf(&l->missing,
			 "%s- %.*s: there is no package of it for %.*s",
			 l->missing.len ? "\n" : "",
			 STR_ARG(provider_addr_text(l->a, r->provider)),
			 STR_ARG(platform));
		return 0;
	}
	l->o->say(l->o->data,
		  arena_printf(l->a, "- Fetching %.*s %.*s for %.*s...",
			       STR_ARG(name), STR_ARG(package->version_text),
			       STR_ARG(platform)));
	hash = hash_of(l, package);
	if (!hash.n)
		return diag_error(l->ds, NULL,
				  "Could not retrieve providers for locking",
				  "Cannot read the package of %.*s: %s.",
				  STR_ARG(name), strerror(errno));
	l->o->say(
		l->o->data,
		arena_printf(l->a,
			     "- Retrieved %.*s %.*s for %.*s (unauthenticated)",
			     STR_ARG(name), STR_ARG(package->version_text),
			     STR_ARG(platform)));
	f.version = package->version_text;
	vec_push(l->a, &f.hashes, hash);
	vec_push(l->a, &l->found, f);
	return 0;
}

static bool has_hash(const struct lock *lock, struct str hash)
{
	for (size_t i = 0; i < lock->hashes.len; i++)
		if (str_eq(lock->hashes.items[i], hash))
			return true;
	return false;
}

/* Compares with the lock file from before this run. */
static const char *news_of(struct locker *l, const struct fetched_package *f)
{
	const struct lock *was = lockfile_find(&l->old, f->r->provider);

	if (!was)
		return "This was a new provider and the checksums for this "
		       "platform are now tracked in the lock file";
	for (size_t i = 0; i < f->hashes.len; i++)
		if (!has_hash(was, f->hashes.items[i]))
			return "Additional checksums for this platform are now tracked in the lock file";
	return "All checksums for this platform were already tracked in the lock file";
}

static void add_hashes(struct locker *l, const struct fetched_package *f)
{
	struct lock *lock = lockfile_find(&l->locks, f->r->provider);
	struct lock fresh = { .provider = f->r->provider,
			      .version = f->version,
			      .constraints = requirement_text(l->a, f->r) };

	if (!lock) {
		vec_push(l->a, &l->locks.locks, fresh);
		lock = lockfile_find(&l->locks, f->r->provider);
	}
	lock->constraints = fresh.constraints;
	for (size_t i = 0; i < f->hashes.len; i++)
		if (!has_hash(lock, f->hashes.items[i]))
			vec_push(l->a, &lock->hashes, f->hashes.items[i]);
	l->o->say(l->o->data,
		  arena_printf(l->a, "- Obtained %.*s checksums for %.*s; %s",
			       STR_ARG(short_name(l, f->r->provider)),
			       STR_ARG(f->platform), news_of(l, f)));
}

/* --- from hosts --- */

static void fetch_event(void *data, const struct provider_news *n)
{
	struct locker *l = data;

	if (n->event == PROVIDER_INSTALLING)
		l->o->say(l->o->data,
			  arena_printf(l->a, "- Fetching %.*s %.*s for %.*s...",
				       STR_ARG(n->provider), STR_ARG(n->detail),
				       STR_ARG(n->platform)));
	if (n->event == PROVIDER_INSTALLED)
		l->o->say(l->o->data,
			  arena_printf(
				  l->a,
				  "- Retrieved %.*s %.*s for %.*s (%.*s%s%.*s)",
				  STR_ARG(n->provider), STR_ARG(n->detail),
				  STR_ARG(n->platform), STR_ARG(n->how),
				  n->key_id.n ? ", key ID " : "",
				  STR_ARG(n->key_id)));
}

static int fetch_all(struct locker *l, const struct str_vec *platforms)
{
	static const char summary[] =
		"Could not retrieve providers for locking";
	const struct fetch_packages_options o = {
		.reqs = &l->wanted,
		.platforms = platforms,
		.locks = &l->locks,
		.net_mirror = l->o->net_mirror,
		.summaries = { summary, summary, summary, summary, summary },
		.event = fetch_event,
		.data = l,
		.default_host = l->o->default_host,
	};

	return fetch_packages(l->a, &o, &l->found, l->ds);
}

int lock_platforms_check(const struct str_vec *platforms, struct diags *ds)
{
	for (size_t i = 0; i < platforms->len; i++) {
		struct str p = platforms->items[i];
		ptrdiff_t cut = str_chr(p, '_');

		if (cut < 1 || (size_t)cut + 1 == p.n || str_chr(p, '/') >= 0)
			return diag_error(
				ds, NULL, "Invalid target platform",
				"\"%.*s\" is not of the form OS_ARCH, as linux_amd64.",
				STR_ARG(p));
	}
	return 0;
}

static int find_all(struct locker *l)
{
	struct str_vec platforms = l->o->platforms;

	if (lock_platforms_check(&platforms, l->ds))
		return -1;
	if (!platforms.len)
		vec_push(l->a, &platforms, platform_name(l->a));
	if (!l->o->dir.n)
		return fetch_all(l, &platforms);
	for (size_t p = 0; p < platforms.len; p++)
		for (size_t i = 0; i < l->wanted.len; i++)
			if (find_one(l, l->wanted.items[i], platforms.items[p]))
				return -1;
	if (l->missing.len)
		return diag_error(l->ds, NULL,
				  "Could not retrieve providers for locking",
				  "The directory \"%.*s\" does not have what "
				  "is required:\n%.*s",
				  STR_ARG(l->o->dir), (int)l->missing.len,
				  l->missing.p);
	return 0;
}

int lock_options_check(const struct lock_mirror_options *o, struct diags *ds)
{
	if (o->net_mirror.n && o->dir.n)
		return diag_error(
			ds, NULL, "Invalid installation method options",
			"-fs-mirror and -net-mirror exclude each other.");
	if (o->net_mirror.n && !str_starts(o->net_mirror, "https://"))
		return diag_error(
			ds, NULL, "Invalid network mirror URL",
			"-net-mirror takes an address that begins with https://.");
	return 0;
}

int lock_providers(struct arena *a, const struct config *c,
		   const struct lock_mirror_options *o, bool *changed,
		   struct diags *ds)
{
	struct locker l = { .a = a, .o = o, .ds = ds, .missing = BUF_INIT };
	struct str before;
	int rc = -1;

	if (lockfile_read(a, WORKDIR_LOCK_FILE, &l.locks, ds) ||
	    lockfile_read(a, WORKDIR_LOCK_FILE, &l.old, ds) ||
	    choose_wanted(&l, c))
		goto out;
	before = lockfile_text(a, &l.locks);
	if (find_all(&l))
		goto out;
	for (size_t i = 0; i < l.found.len; i++)
		add_hashes(&l, &l.found.items[i]);
	*changed = !str_eq(before, lockfile_text(a, &l.locks));
	rc = *changed ? lockfile_write(WORKDIR_LOCK_FILE,
				       lockfile_text(a, &l.locks), ds)
		      : 0;
out:
	buf_release(&l.missing);
	return rc;
}
