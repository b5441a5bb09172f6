/* providers.c - see providers.h, and providers_int.h for how it goes */
#include <errno.h>
#include <signal.h>

#include "install/providers/providers_int.h"
#include "addr/provider.h"
#include "base/product.h"
#include "base/workdir.h"

static void tell(struct installer *in, const struct provider_news *n)
{
	if (in->o->event)
		in->o->event(in->o->data, n);
}

static struct str name_of(struct installer *in, const struct requirement *r)
{
	return provider_addr_display(in->a, r->provider, in->o->default_host);
}

void job_tell(struct install_job *j, enum provider_event e, struct str detail)
{
	const struct provider_news n = {
		.event = e,
		.provider = name_of(j->in, j->r),
		.detail = detail,
		.platform = j->platform,
		.key_id = j->auth.key_id,
		.how = j->auth.how.n ? j->auth.how : STR("unauthenticated"),
	};

	tell(j->in, &n);
}

/* --- requests --- */

static void on_signal(void *data, int sig)
{
	struct installer *in = data;

	(void)sig;
	in->stopped = in->idle = true;
}

static const int signals[] = { SIGINT, SIGTERM, SIGHUP };
enum { SIGNALS = sizeof(signals) / sizeof(*signals) };

/* Handles signals, so that unfinished work is removed before the end. */
static void watch_signals(struct installer *in)
{
	for (size_t i = 0; i < SIGNALS; i++)
		loop_signal(in->loop, signals[i], on_signal, in);
}

/* Ignores more signals after the first one. */
static void ignore_signals(void)
{
	for (size_t i = 0; i < SIGNALS; i++)
		signal(signals[i], SIG_IGN);
}

int installer_ready(struct installer *in, struct diags *ds)
{
	if (in->workers)
		return 0;
	if (!in->loop) {
		hosts_ready_services(in->a, in->o->hosts, &in->cli.hosts);
		in->loop = in->o->hosts->remote.loop;
		watch_signals(in); /* before there is anything to put away */
	}
	if (owned_dir_make(in->a, &in->own))
		return diag_error(
			ds, NULL, "Failed to install provider",
			"A temporary directory %.*s cannot be made: %s.",
			STR_ARG(in->own.path), strerror(errno));
	in->scratch = in->own.path;
	in->remote.a = in->a;
	in->remote.fetch = in->o->hosts->remote.fetch;
	in->remote.services = in->o->hosts->services;
	in->remote.loop = in->o->hosts->remote.loop;
	in->remote.oci = oci_new(in->a, in->remote.fetch, &in->cli.oci);
	in->workers = workers_new(in->a, in->loop, 0);
	return 0;
}

void installer_end(struct installer *in)
{
	if (!in->loop)
		return;
	workers_free(in->workers);
	for (size_t i = 0; i < in->njobs; i++)
		job_drop(&in->jobs[i]);
	remote_stop(&in->o->hosts->remote);
	if (in->scratch.n)
		owned_dir_remove(&in->own);
	/* The loop kept signals from ending this early; after one, ignore
	 * more. */
	if (in->stopped)
		ignore_signals();
	hosts_end(in->o->hosts);
}

void job_goes_on(struct install_job *j)
{
	struct installer *in = j->in;

	in->idle = --in->busy == 0 || in->stopped;
}

/* Waits until all requests have their answers. */
static void wait_for_answers(struct installer *in)
{
	in->idle = in->busy == 0 || in->stopped;
	if (in->loop && !in->idle)
		loop_run(in->loop, &in->idle);
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
			if (!str_vec_has(&b->hashes, a->hashes.items[k]))
				return false;
	}
	return true;
}

static void warn_incomplete(struct installer *in)
{
	struct buf names = BUF_INIT;

	for (size_t i = 0; i < in->njobs; i++)
		if (in->jobs[i].incomplete)
			buf_addf(&names, "\n  - %.*s",
				 STR_ARG(name_of(in, in->jobs[i].r)));
	if (names.len)
		diag_warning(
			in->ds, NULL,
			"Incomplete lock file information for providers",
			"The lock file has the hashes of these providers for %.*s only, as "
			"no registry told those for other platforms:%.*s\n\n"
			"To add those for another platform, such as darwin_arm64, run:\n"
			"  %s providers lock -platform=darwin_arm64",
			STR_ARG(in->platform), STR_ARG(buf_view(&names)),
			product_command());
	buf_release(&names);
}

static int save_locks(struct installer *in)
{
	/* Write it only if its content changes: people keep it under version
	 * control. */
	if (same_locks(&in->locks, &in->new_locks, true))
		return 0;
	if (in->o->readonly && !same_locks(&in->locks, &in->new_locks, false))
		return diag_error(
			in->ds, NULL, "Provider dependency changes detected",
			"The lock file would have to change, but -lockfile=readonly forbids it.");
	if (in->o->readonly) {
		diag_warning(in->ds, NULL, "Provider lock file not updated",
			     "What was chosen differs from the lock file, "
			     "which -lockfile=readonly left as it is.");
		return 0;
	}
	warn_incomplete(in);
	tell(in,
	     &(struct provider_news){
		     .event = in->locks.locks.len ? PROVIDER_LOCK_CHANGED
						  : PROVIDER_LOCK_CREATED });
	return lockfile_write(WORKDIR_LOCK_FILE,
			      lockfile_text(in->a, &in->new_locks), in->ds);
}

/* --- all providers --- */

/* Checks that the built-in provider exists; it has only one version. */
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
	tell(in, &(struct provider_news){ .event = PROVIDER_BUILTIN,
					  .provider = name_of(in, r) });
	return 0;
}

static int check_all_builtin(struct installer *in,
			     const struct requirement_vec *reqs)
{
	int rc = 0;

	for (size_t i = 0; i < reqs->len; i++)
		if (provider_is_builtin(reqs->items[i]->provider))
			rc |= check_builtin(in, reqs->items[i]);
	return rc;
}

static void make_jobs(struct installer *in, const struct requirement_vec *reqs)
{
	in->jobs = ARENA_ARRAY(in->a, struct install_job, reqs->len);
	for (size_t i = 0; i < reqs->len; i++) {
		const struct requirement *r = reqs->items[i];
		struct install_job *j = &in->jobs[in->njobs];

		if (provider_is_builtin(r->provider) ||
		    map_has(&in->cli.overrides,
			    provider_addr_text(in->a, r->provider)))
			continue;
		*j = (struct install_job){ .in = in,
					   .r = r,
					   .platform = in->platform,
					   .claim = -1,
					   .old = lockfile_find(&in->locks,
								r->provider) };
		j->lock = in->o->upgrade ? NULL : j->old;
		j->ds = (struct diags)DIAGS_INIT(in->a);
		in->njobs++;
	}
}

static void install_chosen(struct install_job *j)
{
	struct installer *in = j->in;
	const struct package *p = j->chosen;
	struct diags quiet = DIAGS_INIT(in->a); /* then it is done here */
	const bool unlocked = job_may_use_unlocked(j);

	if (!unlocked && !p->dir.n && !p->archive.n) {
		job_fetch(j);
		return;
	}
	if (in->put) {
		j->done = true;
		in->put(j);
		return;
	}
	job_tell(j,
		 in->cli.plugin_cache.n ? PROVIDER_INSTALLING_TO_CACHE
					: PROVIDER_INSTALLING,
		 p->version_text);
	if (!unlocked && p->archive.n && !installer_ready(in, &quiet)) {
		job_unpack_beside(j);
		return;
	}
	j->done = true;
	if (unlocked)
		job_use_unlocked(j);
	else
		job_install(j);
}

int installer_run(struct installer *in)
{
	int rc = 0;

	for (size_t i = 0; i < in->njobs; i++)
		job_find(&in->jobs[i]);
	wait_for_answers(in);
	for (size_t i = 0; i < in->njobs && !in->stopped; i++)
		if (!in->jobs[i].done)
			job_choose(&in->jobs[i]);
	for (size_t i = 0; i < in->njobs && !in->stopped; i++)
		if (!in->jobs[i].done)
			install_chosen(&in->jobs[i]);
	wait_for_answers(in);
	if (in->stopped)
		return diag_error(
			in->ds, NULL,
			"Provider installation was canceled by an interrupt signal.",
			NULL);
	for (size_t i = 0; i < in->njobs; i++)
		rc |= diags_failed(&in->jobs[i].ds);
	return rc ? -1 : 0;
}

static int run_jobs(struct installer *in)
{
	int rc = installer_run(in);

	for (size_t i = 0; i < in->njobs; i++)
		diags_append(in->ds, &in->jobs[i].ds);
	if (in->any_signed)
		tell(in, &(struct provider_news){ .event = PROVIDER_SIGNED });
	return rc;
}

int install_providers(struct arena *a, const struct requirement_vec *reqs,
		      const struct install_providers_options *o,
		      struct diags *ds)
{
	struct installer in = { .a = a, .o = o, .ds = ds };
	int rc;

	owned_dir_sweep(a);
	in.platform = platform_name(a);
	in.installed = workdir_path(a, o->workdir, WORKDIR_PROVIDERS);
	if (cli_config_read(a, &in.cli, ds))
		return -1;
	in.locks = o->locks;
	cli_config_warn_overrides(&in.cli, "", in.ds);
	if (o->upgrade && o->readonly) {
		tell(&in, &(struct provider_news){
				  .event = PROVIDER_UPGRADE_LOCKED });
		return -1;
	}
	if (!o->upgrade)
		lockfile_adopt(a, &in.locks, reqs, ds);
	tell(&in, &(struct provider_news){ .event = PROVIDER_PLUGINS });
	if (check_all_builtin(&in, reqs))
		return -1;
	make_jobs(&in, reqs);
	rc = run_jobs(&in);
	installer_end(&in);
	return rc ? -1 : save_locks(&in);
}
