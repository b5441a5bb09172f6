/* init.c - see init.h */
#include "base/workdir.h"
#include "install/init/init_int.h"
#include "config/load/load.h"
#include "config/load/test.h"
#include "engine/stage/stage.h"
#include "install/backend_init.h"
#include "install/modules/modules.h"
#include "state/backend/backend.h"
#include "remote/remote.h"
#include "state/backend/lock.h"
#include "state/backend/workspaces.h"

void init_tell(struct init *t, enum init_step step, struct str name)
{
	const struct init_news n = { .step = step, .name = name };

	t->told(t->data, &n);
}

void init_tell_download(struct init *t, struct str key, struct str package,
			struct str version)
{
	const struct init_news n = { .step = INIT_DOWNLOADING,
				     .name = key,
				     .package = package,
				     .version = version };

	t->told(t->data, &n);
}

/* --- the lock file --- */

static int read_locks(struct init *t)
{
	return lockfile_read(t->arena, WORKDIR_LOCK_FILE, &t->locks, t->ds);
}

/* --- the backend --- */

static void backend_told(void *data, const struct backend_news *about)
{
	const struct init_news n = { .step = INIT_BACKEND_NEWS,
				     .backend = about };
	struct init *t = data;

	t->told(t->data, &n);
}

/* Without a backend no key is asked for. */
static int set_encryption(struct init *t)
{
	struct remote *rem;

	if (!encryption_asked(t->config))
		return 0;
	rem = ARENA_NEW(t->arena, struct remote);
	rem->a = t->arena;
	t->encryption = encryption_new(t->arena, t->config, &t->o, rem, t->ds);
	return t->encryption ? 0 : -1;
}

static int set_backend(struct init *t)
{
	struct backend_init_options bo = { .workdir = &t->workdir,
					   .config = &t->o,
					   .arguments = t->backend_config,
					   .reconfigure = t->reconfigure,
					   .migrate = t->migrate_state,
					   .force_copy = t->force_copy,
					   .ignore_remote = t->ignore_remote,
					   .encryption = t->encryption,
					   .lock = t->lock,
					   .ask = t->input && !t->stream
							  ? t->ask
							  : NULL,
					   .ask_data = t->data,
					   .told = backend_told,
					   .told_data = t };
	struct backend_init_outcome out;

	if (lock_timeout_option(t->lock_timeout, &bo.lock_timeout_ms, t->ds))
		return -1;
	init_tell(t, t->config->root->cloud ? INIT_CLOUD : INIT_BACKEND,
		  STR_NONE);
	out = backend_init(t->arena, t->config, &bo, t->ds);
	t->current = out.current;
	switch (out.result) {
	case BACKEND_SET:
		/* as OpenTofu, whose last sentence says it */
		if (!t->config->root->cloud)
			init_tell(t, INIT_BACKEND_SET, out.type);
		return 0;
	case BACKEND_UNSET:
		init_tell(t, INIT_BACKEND_UNSET, out.type);
		return 0;
	case BACKEND_UNCHANGED:
		return 0;
	default:
		return -1;
	}
}

/* --- modules --- */

static void downloading(void *data, struct str key, struct str package,
			struct str version)
{
	init_tell_download(data, key, package, version);
}

static void module_installed(void *data, struct str key, struct str dir)
{
	const struct init_news n = { .step = INIT_MODULE,
				     .name = key,
				     .dir = dir };
	struct init *t = data;

	t->told(t->data, &n);
}

static struct str test_directory(const struct init *t)
{
	return t->test_dir.n ? t->test_dir : STR("tests");
}

/* Is a run of the tests about a module of its own? */
static bool tests_have_modules(const struct init *t)
{
	struct diags unused = DIAGS_INIT(t->arena); /* all is read again */
	struct cfg_test_file_vec files = { NULL, 0, 0 };

	test_files(t->config, STR("."), test_directory(t), &files, &unused);
	for (size_t i = 0; i < files.len; i++)
		for (size_t k = 0; k < files.items[i].runs.len; k++)
			if (files.items[i].runs.items[k].alternate)
				return true;
	return false;
}

/* Are modules looked for at all? */
static bool modules_wanted(const struct init *t)
{
	return t->get && (t->config->root->calls.len > 0 || t->lock_modules ||
			  tests_have_modules(t));
}

static int get_modules(struct init *t)
{
	struct install_modules_options io = { .upgrade = t->upgrade,
					      .modules_alone = t->get_only,
					      .readonly = t->readonly,
					      .lock = t->lock_modules,
					      .input = t->input,
					      .hosts = &t->hosts,
					      .downloading = downloading,
					      .installed = module_installed,
					      .data = t };

	t->o.tests = test_directory(t);
	if (modules_wanted(t)) {
		if (!t->get_only)
			init_tell(t,
				  t->upgrade ? INIT_MODULES_NEWER
					     : INIT_MODULES,
				  STR_NONE);
		t->config = install_modules(t->arena, &t->o, &io, t->ds);
	} else {
		t->config = config_load(t->arena, &t->o, t->ds);
	}
	return t->ds->errors ? -1 : 0;
}

/* --- providers --- */

static void provider_told(void *data, const struct provider_news *news)
{
	const struct init_news n = { .step = INIT_PROVIDER, .provider = news };
	struct init *t = data;

	t->told(t->data, &n);
}

/* By the backend that is open: its credentials are looked up once a run. */
static struct state *read_state(struct init *t)
{
	struct state *s;

	if (!t->current)
		return current_state(t->arena, &t->workdir, STR_NONE, t->config,
				     t->encryption, t->ds);
	s = backend_read(t->current, t->ds);
	if (s)
		current_translate(t->arena, &t->workdir, s, t->config);
	return s;
}

static int get_providers(struct init *t)
{
	struct install_providers_options po = {
		.workdir = t->o.workdir,
		.hosts = &t->hosts,
		.plugin_dirs = t->plugin_dirs,
		.upgrade = t->upgrade,
		.readonly = t->readonly,
		.default_host = t->config->default_host,
		.event = provider_told,
		.data = t,
	};
	struct requirement_vec reqs = { 0 };
	struct state *s;
	int rc;

	requirements_collect(t->arena, t->config, &reqs);
	s = t->state ? t->state : read_state(t);
	if (!s)
		return -1;
	/* what it still holds needs its provider, too */
	requirements_of_state(t->arena, s, &reqs);
	if (requirements_check(t->arena, &reqs, po.default_host, t->ds))
		return -1;
	rc = t->backend || t->stream ? 0 : read_locks(t);
	po.locks = t->locks;
	return rc ? -1 : install_providers(t->arena, &reqs, &po, t->ds);
}

/* --- all of it --- */

static void say(struct init *t, const struct diag *items, size_t n, bool again)
{
	for (size_t i = 0; i < n; i++) {
		struct diag d = items[i];

		d.again |= again;
		diags_push(t->ds, d);
	}
}

/* Installs modules even if the backend fails: their errors are reported, and
 * the backend's, or those of the lock file, only if they have none.  For
 * programs, warnings about files are repeated as often as OpenTofu reads them:
 * the root module alone, all to get modules, and all again. */
static enum init_outcome backend_and_modules(struct init *t)
{
	struct diags *ds = t->ds, of_backend = DIAGS_INIT(t->arena);
	const bool wanted = modules_wanted(t);
	bool failed;
	size_t warnings;

	if (t->backend && set_encryption(t))
		return INIT_FAILED;
	t->ds = &of_backend;
	failed = t->backend && (set_backend(t) || read_locks(t));
	t->ds = ds;
	if (get_modules(t) && (wanted || !failed))
		return t->get ? INIT_FAILED : INIT_CONFIG_FAILED;
	if (failed && !wanted)
		diags_clear(ds);
	warnings = ds->len;
	say(t, t->early.items, t->early.len, warnings > 0);
	say(t, of_backend.items, of_backend.len, false);
	if (wanted && !failed)
		say(t, ds->items, warnings, true);
	return failed ? INIT_FAILED : INIT_DONE;
}

/* The backend is not looked at where its state is in the stream already. */
static enum init_outcome work_on_stream(struct init *t)
{
	int rc = init_read_stream(t);

	if (rc)
		return rc > 0 ? INIT_PASSED : INIT_FAILED;
	if ((t->backend && !t->state && set_encryption(t)) ||
	    (t->backend && !t->state && set_backend(t)) || read_locks(t))
		return INIT_FAILED;
	return get_providers(t) ? INIT_FAILED : INIT_DONE;
}

static enum init_outcome work(struct init *t)
{
	enum init_outcome outcome;
	int rc = init_load_root(t);

	if (rc > 0)
		return INIT_LISTED;
	if (rc < 0)
		return t->get_only ? INIT_FAILED : INIT_CONFIG_FAILED;
	if (t->get_only)
		return get_modules(t) ? INIT_FAILED : INIT_PART;
	outcome = backend_and_modules(t);
	if (outcome != INIT_DONE)
		return outcome;
	return get_providers(t) ? INIT_FAILED : INIT_DONE;
}

static enum init_outcome begin(struct init *t)
{
	if (t->make_vendor)
		return init_make_vendor(t) ? INIT_FAILED : INIT_PART;
	if (workspace_check(&t->workdir, t->ds))
		return INIT_FAILED;
	if (t->stream)
		return work_on_stream(t);
	if (t->from_module.n && init_copy(t))
		return INIT_FAILED;
	if (t->from_module.n) /* which is done once */
		t->missing_file = STR_NONE;
	if (files_present() == 0 && !t->get_only)
		return INIT_EMPTY;
	return work(t);
}

enum init_outcome init_run(struct arena *a, struct init *t, struct diags *ds)
{
	enum init_outcome outcome;

	t->arena = a;
	t->ds = ds;
	workdir_open(a, &t->workdir);
	outcome = begin(t);
	if (t->current)
		backend_close(t->current);
	return outcome;
}
