/* installed.c - see installed.h */
#include <limits.h>
#include <stdlib.h>
#include <unistd.h>

#include "install/providers/installed.h"
#include "addr/provider.h"
#include "base/product.h"
#include "base/workdir.h"
#include "install/cli_config.h"
#include "install/providers/requirements.h"
#include "install/providers/providers_int.h"

struct installed_scan {
	struct provider_source base;
	bool read, failed; /* the two files */
	struct cli_config cli;
	struct lockfile locks;
	struct str providers; /* DATA_DIR/providers */
};

static int read_files(struct installed_scan *in, struct arena *a,
		      struct diags *ds)
{
	if (in->read)
		return in->failed ? -1 : 0;
	in->read = true;
	in->failed = cli_config_read(a, &in->cli, ds) ||
		     lockfile_read(a, WORKDIR_LOCK_FILE, &in->locks, ds);
	return in->failed ? -1 : 0;
}

static int not_installed(struct diags *ds, struct str name, struct str why)
{
	return diag_error(
		ds, NULL, "Required plugins are not installed",
		"What is installed is not what the lock file selects:\n"
		"  - %.*s: %.*s\n\n"
		"Run \"%s init\" to install it.",
		STR_ARG(name), STR_ARG(why), product_command());
}

static int find_override(struct arena *a, struct provider_addr p,
			 struct str dir, struct provider_package *out,
			 struct diags *ds)
{
	out->exe = package_program(a, dir, p);
	if (out->exe.n)
		return 0;
	return diag_error(ds, NULL, "Failed to instantiate provider",
			  "The development override of %.*s, \"%.*s\", has no "
			  "program named terraform-provider-%.*s.",
			  STR_ARG(provider_addr_text(a, p)), STR_ARG(dir),
			  STR_ARG(p.type));
}

static int find_locked(struct installed_scan *in, struct arena *a,
		       struct provider_addr p, const struct lock *lock,
		       struct provider_package *out, struct diags *ds)
{
	struct str name = provider_addr_text(a, p);
	struct str dir = package_dir(a, in->providers, p, lock->version,
				     platform_name(a));

	out->version = lock->version;
	out->exe = package_program(a, dir, p);
	if (!out->exe.n)
		return not_installed(ds, name,
				     str_printf(a,
						"version %.*s is not in %.*s",
						STR_ARG(lock->version),
						STR_ARG(in->providers)));
	out->hash = package_hash_kept(a, dir);
	if (!out->hash.n)
		return not_installed(ds, name,
				     STR("its package cannot be read"));
	if (lock->hashes.len && !str_vec_has(&lock->hashes, out->hash))
		return not_installed(
			ds, name,
			str_printf(
				a,
				"the package of version %.*s has none of the checksums in the lock file",
				STR_ARG(lock->version)));
	return 0;
}

static int find(struct provider_source *s, struct arena *a,
		struct provider_addr p, struct provider_package *out,
		struct diags *ds)
{
	struct installed_scan *in = (struct installed_scan *)s;
	struct str name = provider_addr_text(a, p);
	const struct str *override;
	const struct lock *lock;

	*out = (struct provider_package){ .exe = STR_NONE };
	if (read_files(in, a, ds))
		return -1;
	override = map_get(&in->cli.overrides, name);
	if (override)
		return find_override(a, p, *override, out, ds);
	lock = lockfile_find(&in->locks, p);
	if (lock)
		return find_locked(in, a, p, lock, out, ds);
	return diag_error(
		ds, NULL, "Inconsistent dependency lock file",
		"The lock file selects no version of a provider that is needed:\n"
		"  - %.*s\n\n"
		"Run \"%s init\" to select and install one.",
		STR_ARG(name), product_command());
}

struct provider_source *installed_source(struct arena *a,
					 const struct workdir *w,
					 struct str default_host)
{
	struct installed_scan *in = ARENA_NEW(a, struct installed_scan);

	in->base.find = find;
	in->base.workdir = w;
	in->providers = workdir_path(a, w, WORKDIR_PROVIDERS);
	in->base.arena = a;
	in->base.default_host = default_host;
	return &in->base;
}

enum { USUAL_LIMIT = 50 };

int installed_limit(struct provider_source *s, long given, struct diags *ds)
{
	const char *text = getenv("TFPIPE_MAX_PROVIDERS");
	long n = given == NO_LIMIT_GIVEN ? USUAL_LIMIT : given;
	char *end = NULL;

	if (given == NO_LIMIT_GIVEN && text && *text) {
		n = strtol(text, &end, 10);
		if (*end)
			n = -1;
	}
	if (n < 0 || n > INT_MAX)
		return diag_error(ds, NULL, "Invalid limit of providers",
				  "%s is how many provider processes there may "
				  "be at a time: a whole number, 0 for no "
				  "limit.",
				  end ? "TFPIPE_MAX_PROVIDERS"
				      : "-max-providers");
	s->max_processes = (unsigned)n;
	return 0;
}

/* Started by another program, or under development? */
static bool is_elsewhere(struct installed_scan *in, struct str name)
{
	const char *running = getenv("TF_REATTACH_PROVIDERS");

	return map_has(&in->cli.overrides, name) || (running && *running);
}

/* l: NULL if there is none.  Scripts look for the words of both errors. */
static int check_installed(struct installed_scan *in, struct arena *a,
			   struct provider_addr p, const struct lock *l,
			   struct diags *ds)
{
	struct str name = provider_addr_text(a, p);
	struct str dir;

	if (!l)
		return diag_error(
			ds, NULL, "Missing required provider",
			"The configuration requires the provider %.*s, which is not "
			"installed. Run \"%s init\" to install it.",
			STR_ARG(name), product_command());
	dir = package_dir(a, in->providers, p, l->version, platform_name(a));
	if (package_program(a, dir, p).n)
		return 0;
	return diag_error(
		ds, NULL,
		arena_printf(
			a,
			"%.*s: there is no package for %.*s %.*s cached in %.*s",
			STR_ARG(name), STR_ARG(name), STR_ARG(l->version),
			STR_ARG(in->providers)),
		"Run \"%s init\" to install it.", product_command());
}

/* Says what is wrong with the lock of a provider; l: NULL if there is none. */
static void check_selected(struct arena *a, const struct requirement *r,
			   const struct lock *l, struct buf *wrong)
{
	struct str name = provider_addr_text(a, r->provider);
	struct version v;

	if (!l)
		buf_addf(wrong,
			 "\n  - %.*s: required by this configuration, and no "
			 "version is selected",
			 STR_ARG(name));
	else if (version_parse(l->version, &v) &&
		 !version_allowed_of_provider(&r->all, &v))
		buf_addf(wrong,
			 "\n  - %.*s: version %.*s is selected, which \"%.*s\" "
			 "does not allow",
			 STR_ARG(name), STR_ARG(l->version),
			 STR_ARG(requirement_text(a, r)));
}

int installed_check(struct provider_source *s, struct arena *a,
		    const struct config *c, bool validate, struct diags *ds)
{
	struct installed_scan *in = (struct installed_scan *)s;
	struct requirement_vec reqs = { 0 };
	struct buf wrong = BUF_INIT;
	const size_t errors = ds->errors;

	requirements_collect(a, c, &reqs);
	for (size_t i = 0; i < reqs.len; i++) {
		struct provider_addr p = reqs.items[i]->provider;
		struct str name = provider_addr_text(a, p);

		if (provider_is_builtin(p))
			continue;
		if (read_files(in, a, ds))
			break;
		if (is_elsewhere(in, name))
			continue;
		if (validate)
			check_installed(in, a, p, lockfile_find(&in->locks, p),
					ds);
		else
			check_selected(a, reqs.items[i],
				       lockfile_find(&in->locks, p), &wrong);
	}
	if (wrong.len)
		diag_error(
			ds, NULL, "Inconsistent dependency lock file",
			"The lock file does not fit the configuration:%.*s\n\n"
			"Run \"%s init\" to select and install what is missing; -upgrade "
			"selects other versions, too.",
			STR_ARG(buf_view(&wrong)), product_command());
	buf_release(&wrong);
	return ds->errors == errors ? 0 : -1;
}

int installed_locked(struct provider_source *s, struct arena *a,
		     struct diags *ds)
{
	struct installed_scan *in = (struct installed_scan *)s;
	const size_t errors = ds->errors;

	if (read_files(in, a, ds))
		return -1;
	for (size_t i = 0; i < in->locks.locks.len; i++) {
		const struct lock *l = &in->locks.locks.items[i];

		if (!is_elsewhere(in, provider_addr_text(a, l->provider)))
			check_installed(in, a, l->provider, l, ds);
	}
	return ds->errors == errors ? 0 : -1;
}

void installed_warn_overrides(struct arena *a, struct diags *ds)
{
	struct diags quiet = DIAGS_INIT(a);
	struct cli_config cli = { 0 };

	if (!cli_config_read(a, &cli, &quiet))
		cli_config_warn_overrides(
			&cli,
			"\n\nWhat holds with them need not hold with published "
			"releases.",
			ds);
}
