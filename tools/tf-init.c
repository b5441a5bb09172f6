/*
 * tf-init - install modules and providers, remember the backend (tf-init(1))
 *
 * What is said on the way is what people and programs know from `tofu init`;
 * the work is in lib/install.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "tf-init.h"

#include "base/product.h"
#include "funcs/funcs.h"
#include "install/backend_init.h"
#include "install/modules/modules.h"
#include "install/providers/providers.h"
#include "state/backend/backend.h"
#include "state/backend/encryption.h"

/* --- saying --- */

static void say(struct tool *t, const char *text)
{
	ui_say(&t->v, text);
}

static int failed(struct tool *t)
{
	init_diags(t);
	return 1;
}

static int config_failed(struct tool *t)
{
	static const char text[] =
		"\n" PRODUCT " encountered problems during initialization, "
		"including problems\nwith the configuration, described "
		"below.\n\nThe " PRODUCT " configuration must be valid "
		"before initialization so that\n" PRODUCT " can determine "
		"which modules and providers need to be installed.";

	ui_say_error(&t->v, text);
	return failed(t);
}

/* --- what is there --- */

static const struct func *find_function(void *data, struct str name)
{
	(void)data;
	return funcs_lookup(name);
}

/* Variables of the root module without a value that its constants, the sources
 * of its modules and the backend need. */
static void find_missing(struct tool *t, struct str_vec *names)
{
	struct arena *a = &t->arena;
	struct diags unused = DIAGS_INIT(a);
	struct config_options o = t->o;
	struct attribute_vec attrs = { 0 };
	const struct cfg_module *root;
	struct config *c;

	o.root_only = true;
	c = config_load(a, &o, &unused);
	root = c->root;
	if (root->backend && t->backend)
		body_attributes(a, root->backend->body, &attrs, &unused);
	for (size_t i = 0; i < attrs.len; i++)
		config_static_value(c, &o, attrs.items[i].expr, "backend",
				    &unused);
	*names = c->early_missing;
	for (size_t i = 0; i < root->variables.len; i++) {
		const struct cfg_variable *v = root->variables.entries[i].value;
		bool listed = false;

		for (size_t k = 0; k < names->len; k++)
			listed |= str_eq(names->items[k], v->name);
		if (!listed && v->constant && !v->default_value.root &&
		    !map_has(&t->variables, v->name))
			vec_push(a, names, v->name);
	}
}

/* For whoever asks, and runs this again.  Is there any? */
static bool write_missing(struct tool *t)
{
	struct str_vec names = { 0 };

	if (!t->missing_file.n || !t->input || t->json)
		return false;
	find_missing(t, &names);
	if (names.len)
		inputs_write_missing(t->missing_file, t->config->root, &names,
				     &t->ds);
	return names.len > 0;
}

/* Values of root variables, for sources that use them.  Others may be wrong.
 * 1: those that have none are listed, which was all there is to do. */
static int collect_variables(struct tool *t)
{
	struct arena *a = &t->arena;
	struct inputs_options io = { .dir = STR("."), .environ = environ,
				     .args = t->args, .nargs = t->nargs,
				     .sources = &t->config->sources };

	struct diags unused = DIAGS_INIT(a);
	struct inputs in = { 0 };

	if (inputs_collect(a, &io, &in, &t->ds))
		return -1;
	inputs_values(a, t->config->root, &in, &t->variables, &unused);
	t->o.variables = &t->variables;
	if (write_missing(t))
		return 1;
	return inputs_check_constants(a, &in, t->config->root, &t->ds);
}

int init_load_root(struct tool *t)
{
	int rc;

	t->o.dir = STR(".");
	t->o.data_dir = str_c(getenv("TF_DATA_DIR"));
	if (!t->o.data_dir.n)
		t->o.data_dir = STR(".terraform");
	t->o.workspace = workspace_current(&t->arena, t->o.data_dir);
	t->o.function = find_function;
	t->o.root_only = true;
	t->config = config_load(&t->arena, &t->o, &t->ds);
	t->o.root_only = false;
	if (t->ds.errors && !t->get_only)
		return -1;
	/* Loading all of it will say again what is wrong with the root
	 * module. */
	t->ds = (struct diags)DIAGS_INIT(&t->arena);
	rc = collect_variables(t);
	if (rc == 0)
		t->ds = (struct diags)DIAGS_INIT(&t->arena);
	return rc;
}

/* --- the parts of the work --- */

static int init_backend(struct tool *t)
{
	struct backend_init_options bo = { .config = &t->o,
					   .arguments = t->backend_config,
					   .reconfigure = t->reconfigure,
					   .migrate = t->migrate_state,
					   .force_copy = t->force_copy,
					   .lock = t->lock };

	if (t->lock_timeout.n &&
	    lock_timeout_parse(t->lock_timeout, &bo.lock_timeout_ms))
		return diag_error(&t->ds, NULL,
				  "Failed to parse command-line flags",
				  "-lock-timeout is a duration such as 10s or "
				  "1m30s, not \"%.*s\".",
				  STR_ARG(t->lock_timeout));

	ui_say_bold(&t->v, "\n", "Initializing the backend...");
	switch (backend_init(&t->arena, t->config, &bo, &t->ds)) {
	case BACKEND_SET:
	case BACKEND_RESET:
		say(t, "\nSuccessfully configured the backend \"local\"! "
		       PRODUCT " will automatically\nuse this backend unless "
		       "the backend configuration changes.");
		return 0;
	case BACKEND_UNSET:
		say(t, "\n\nSuccessfully unset the backend \"local\". "
		       PRODUCT " will now operate locally.");
		return 0;
	case BACKEND_UNCHANGED:
		return 0;
	default:
		return -1;
	}
}

void init_downloading(void *data, struct str key, struct str package,
		      struct str version)
{
	struct tool *t = data;

	say(t, arena_printf(&t->arena, "Downloading %.*s%s%.*s for %.*s...",
			    STR_ARG(package), version.n ? " " : "",
			    STR_ARG(version), STR_ARG(key)));
}

static void module_installed(void *data, struct str key, struct str dir)
{
	struct tool *t = data;

	say(t, arena_printf(&t->arena, "- %s%.*s in %.*s",
			    t->json ? "installing " : "", STR_ARG(key),
			    STR_ARG(dir)));
}

static int get_modules(struct tool *t)
{
	struct install_modules_options io = { .upgrade = t->upgrade,
					      .modules_alone = t->get_only,
					      .readonly = str_is(t->lockfile,
								 "readonly"),
					      .lock = t->lock_modules,
					      .input = t->input,
					      .hosts = &t->hosts,
					      .downloading = init_downloading,
					      .installed = module_installed,
					      .data = t };
	bool any = t->config->root->calls.len > 0;

	if ((any || t->lock_modules) && t->get) {
		if (!t->get_only)
			ui_say_bold(&t->v, "", t->upgrade
						? "Upgrading modules..."
						: "Initializing modules...");
		t->config = install_modules(&t->arena, &t->o, &io, &t->ds);
	} else {
		t->config = config_load(&t->arena, &t->o, &t->ds);
	}
	return t->ds.errors ? -1 : 0;
}

/* What is said of packages that were put in place. */
static void provider_installed(struct tool *t, const struct provider_news *n)
{
	const bool color = !t->json && t->v.style.color;
	struct str key = n->key_id;

	if (n->event == PROVIDER_INSTALLED_UNSIGNED) {
		say(t, arena_printf(&t->arena, "- Installed %.*s v%.*s. "
					       "Signature validation was "
					       "skipped due to the registry "
					       "not containing GPG keys for "
					       "this provider",
				    STR_ARG(n->provider), STR_ARG(n->detail)));
		return;
	}
	if (key.n)
		key = str_printf(&t->arena, ", key ID %s%.*s%s",
				 color ? "\033[0m\033[1m" : "", STR_ARG(key),
				 color ? "\033[0m" : "");
	say(t, arena_printf(&t->arena, "- Installed %.*s v%.*s (%.*s%.*s)",
			    STR_ARG(n->provider), STR_ARG(n->detail),
			    STR_ARG(n->how), STR_ARG(key)));
}

static void provider_finding(struct tool *t, const struct provider_news *n)
{
	const char *text;

	if (n->detail.n)
		text = arena_printf(&t->arena, "- Finding %.*s versions "
					       "matching \"%.*s\"...",
				    STR_ARG(n->provider), STR_ARG(n->detail));
	else
		text = arena_printf(&t->arena, "- Finding latest version of "
					       "%.*s...",
				    STR_ARG(n->provider));
	say(t, text);
}

/* Those about no provider. */
static const char *const news_texts[] = {
	[PROVIDER_LOCK_CREATED] =
		"\n" PRODUCT " has created a lock file .terraform.lock.hcl to "
		"record the provider\nselections it made above. Include this "
		"file in your version control repository\nso that " PRODUCT
		" can guarantee to make the same selections by default "
		"when\nyou run \"" COMMAND " init\" in the future.",
	[PROVIDER_LOCK_CHANGED] =
		"\n" PRODUCT " has made some changes to the provider "
		"dependency selections recorded\nin the .terraform.lock.hcl "
		"file. Review those changes and commit them to your\nversion "
		"control system if they represent changes you intended to "
		"make.",
	[PROVIDER_SIGNED] =
		"\nProviders are signed by their developers.\nIf you'd like "
		"to know more about provider signing, you can read about it "
		"here:\nhttps://opentofu.org/docs/cli/plugins/signing/",
};

static void provider_event(void *data, const struct provider_news *n)
{
	static const char *const formats[] = {
		[PROVIDER_PRESENT] = "- Using previously-installed %.*s v%.*s",
		[PROVIDER_INSTALLING] = "- Installing %.*s v%.*s...",
		[PROVIDER_INSTALLING_TO_CACHE] =
			"- Installing %.*s v%.*s to the shared cache "
			"directory...",
		[PROVIDER_IN_CACHE] = "- Detected previously-installed %.*s "
				      "v%.*s in the shared cache directory",
		[PROVIDER_FROM_CACHE] = "- Using %.*s v%.*s from the shared "
					"cache directory",
	};
	struct tool *t = data;

	switch (n->event) {
	case PROVIDER_PLUGINS:
		ui_say_bold(&t->v, "\n", "Initializing provider plugins...");
		break;
	case PROVIDER_LOCK_CREATED:
	case PROVIDER_LOCK_CHANGED:
	case PROVIDER_SIGNED:
		say(t, news_texts[n->event]);
		break;
	case PROVIDER_FINDING:
		provider_finding(t, n);
		break;
	case PROVIDER_BUILTIN:
		say(t, arena_printf(&t->arena, "- %.*s is built in to " PRODUCT,
				    STR_ARG(n->provider)));
		break;
	case PROVIDER_REUSING:
		say(t, arena_printf(&t->arena, "- Reusing previous version of "
					       "%.*s from the dependency lock "
					       "file", STR_ARG(n->provider)));
		break;
	case PROVIDER_INSTALLED:
	case PROVIDER_INSTALLED_UNSIGNED:
		provider_installed(t, n);
		break;
	default:
		say(t, arena_printf(&t->arena, formats[n->event],
				    STR_ARG(n->provider), STR_ARG(n->detail)));
		break;
	}
	out_flush(&t->out);
}

/* What the state still holds needs its provider, too. */
static int add_state_providers(struct tool *t, struct requirement_vec *reqs)
{
	struct backend_options bo = { .dir = STR("."),
				      .data_dir = t->o.data_dir,
				      .workspace = t->o.workspace };
	struct backend *be;
	struct state *s;

	if (backend_saved(&t->arena, &bo, &t->ds))
		return -1;
	be = backend_open(&t->arena, &bo, &t->ds);
	if (!be)
		return -1;
	s = backend_read(be, &t->ds);
	for (size_t i = 0; s && i < s->resources.len; i++)
		requirements_add(&t->arena, reqs,
				 s->resources.items[i]->provider.provider);
	backend_close(be);
	return s ? 0 : -1;
}

static int get_providers(struct tool *t)
{
	struct install_providers_options po = {
		.data_dir = t->o.data_dir,
		.hosts = &t->hosts,
		.plugin_dirs = t->plugin_dirs,
		.upgrade = t->upgrade,
		.readonly = str_is(t->lockfile, "readonly"),
		.default_host = t->config->default_host,
		.sources = &t->config->sources,
		.event = provider_event,
		.data = t,
	};
	struct requirement_vec reqs = { 0 };

	if (t->upgrade && po.readonly) {
		ui_say_error(&t->v, "The -upgrade flag conflicts with "
				    "-lockfile=readonly.");
		return -1;
	}
	requirements_collect(&t->arena, t->config, &reqs);
	if (add_state_providers(t, &reqs))
		return -1;
	return install_providers(&t->arena, &reqs, &po, &t->ds);
}

static void say_done(struct tool *t)
{
	bool color = !t->json && t->v.style.color;

	if (!t->json)
		say(t, "");
	init_diags(t);
	say(t, color ? "\033[1m\033[32m" PRODUCT " has been successfully "
		       "initialized!\033[0m"
		     : PRODUCT " has been successfully initialized!");
	if (str_c(getenv("TF_IN_AUTOMATION")).n)
		return;
	say(t, "\nYou may now begin working with " PRODUCT ". Try running \""
	       COMMAND " plan\" to see\nany changes that are required for your "
	       "infrastructure. All " PRODUCT
	       " commands\nshould now work.\n\nIf you ever set or change "
	       "modules or backend configuration for " PRODUCT
	       ",\nrerun this command to reinitialize your working "
	       "directory. If you forget, other\ncommands will detect it and "
	       "remind you to do so if necessary.");
}

static int run(struct tool *t)
{
	int rc;

	if (t->make_vendor)
		return init_make_vendor(t) ? failed(t) : (init_diags(t), 0);
	if (!t->get_only)
		ui_version(&t->v);
	if (workspace_check(&t->ds))
		return failed(t);
	if (t->from_module.n && init_from_module(t))
		return failed(t);
	if (t->from_module.n) /* which is done once */
		t->missing_file = STR_NONE;
	if (files_present(".") == 0 && !t->get_only) {
		ui_say_bold(&t->v, "",
			    PRODUCT " initialized in an empty directory!");
		say(t, "\nThe directory has no " PRODUCT " configuration files. "
		       "You may begin working\nwith " PRODUCT " immediately by "
		       "creating " PRODUCT " configuration files.");
		return 0;
	}
	rc = init_load_root(t);
	if (rc > 0)
		return 1;
	if (rc < 0)
		return t->get_only ? failed(t) : config_failed(t);
	if (t->get_only)
		return get_modules(t) ? failed(t) : (init_diags(t),
						     0);
	if (t->backend && (encryption_refuse(t->config, &t->ds) ||
			   init_backend(t)))
		return failed(t);
	if (get_modules(t))
		return t->get ? failed(t) : config_failed(t);
	if (get_providers(t))
		return failed(t);
	say_done(t);
	return 0;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .get = true, .backend = true,
			  .input = true, .lock = true, .consolidate = true };
	int rc;

	io_init();
	t.ds.arena = &t.arena;
	rc = init_options(&t, argc, argv);
	init_progress(&t);
	if (rc < 0)
		rc = run(&t);
	if (out_flush(&t.out) || (t.v.into && out_flush(&t.into_out)))
		rc = 1;
	hosts_end(&t.hosts);
	status_clear(&t.status);
	out_release(&t.out);
	out_release(&t.err);
	out_release(&t.into_out);
	arena_release(&t.arena);
	return rc;
}
