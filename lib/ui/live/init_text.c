/* init_text.c - see live_int.h */
#include <stdlib.h>

#include "ui/live/live_int.h"
#include "base/product.h"
#include "base/visible.h"
#include "ui/view.h"

static bool is_coloured(const struct view *v)
{
	return !v->json && v->style.color;
}

/* --- outcomes --- */

void init_say_empty(struct view *v)
{
	ui_say_bold(v, "",
		    arena_printf(v->arena,
				 "%s initialized in an empty directory!",
				 product_name()));
	ui_say(v,
	       arena_printf(
		       v->arena,
		       "\nThe directory has no %s configuration files. You may begin working\n"
		       "with %s immediately by creating %s configuration files.",
		       product_name(), product_name(), product_name()));
}

void init_say_config_failed(struct view *v)
{
	ui_say_error(
		v,
		arena_printf(
			v->arena,
			"\n%s encountered problems during initialization, including problems\n"
			"with the configuration, described below.\n\n"
			"The %s configuration must be valid before initialization so that\n"
			"%s can determine which modules and providers need to be installed.",
			product_name(), product_name(), product_name()));
}

void init_say_done(struct view *v, bool cloud)
{
	const char *color = is_coloured(v) ? PAINT_BOLD PAINT_GREEN : "";

	ui_say(v, arena_printf(v->arena,
			       "%s%s has been successfully initialized!%s",
			       color, cloud ? "Cloud backend" : product_name(),
			       *color ? PAINT_PLAIN : ""));
	if (str_env("TF_IN_AUTOMATION").n)
		return;
	if (cloud)
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\nYou may now begin working with cloud backend. Try running \"%s plan\" to\n"
			       "see any changes that are required for your infrastructure.\n\n"
			       "If you ever set or change modules or %s Settings, run \"%s init\"\n"
			       "again to reinitialize your working directory.",
			       product_command(), product_name(),
			       product_command()));
	else
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\nYou may now begin working with %s. Try running \"%s plan\" to see\n"
			       "any changes that are required for your infrastructure. All %s commands\n"
			       "should now work.\n\n"
			       "If you ever set or change modules or backend configuration for %s,\n"
			       "rerun this command to reinitialize your working directory. If you forget, other\n"
			       "commands will detect it and remind you to do so if necessary.",
			       product_name(), product_command(),
			       product_name(), product_name()));
}

/* --- providers --- */

/* Reports packages that were put in place. */
static void say_installed(struct view *v, const struct provider_news *n)
{
	const bool color = is_coloured(v);
	struct str key = n->key_id;

	if (n->event == PROVIDER_INSTALLED_UNSIGNED) {
		ui_say(v,
		       arena_printf(v->arena,
				    "- Installed %.*s v%.*s. Signature "
				    "validation was skipped due to the "
				    "registry not containing GPG keys for "
				    "this provider",
				    STR_ARG(n->provider), STR_ARG(n->detail)));
		return;
	}
	if (key.n)
		key = str_printf(v->arena, ", key ID %s%.*s%s",
				 color ? PAINT_PLAIN PAINT_BOLD : "",
				 STR_ARG(key), color ? PAINT_PLAIN : "");
	ui_say(v, arena_printf(v->arena, "- Installed %.*s v%.*s (%.*s%.*s)",
			       STR_ARG(n->provider), STR_ARG(n->detail),
			       STR_ARG(n->how), STR_ARG(key)));
}

static void say_finding(struct view *v, const struct provider_news *n)
{
	const char *text;

	if (n->detail.n)
		text = arena_printf(
			v->arena,
			"- Finding %.*s versions matching \"%.*s\"...",
			STR_ARG(n->provider), STR_ARG(n->detail));
	else
		text = arena_printf(v->arena,
				    "- Finding latest version of %.*s...",
				    STR_ARG(n->provider));
	ui_say(v, text);
}

static const char are_signed[] =
	"\nProviders are signed by their developers.\nIf you'd like "
	"to know more about provider signing, you can read about it "
	"here:\nhttps://opentofu.org/docs/cli/plugins/signing/";

static void say_provider(struct view *v, const struct provider_news *n)
{
	static const char *const formats[] = {
		[PROVIDER_PRESENT] = "- Using previously-installed %.*s v%.*s",
		[PROVIDER_INSTALLING] = "- Installing %.*s v%.*s...",
		[PROVIDER_INSTALLING_TO_CACHE] =
			"- Installing %.*s v%.*s to the shared cache directory...",
		[PROVIDER_IN_CACHE] = ("- Detected previously-installed %.*s "
				       "v%.*s in the shared cache directory"),
		[PROVIDER_FROM_CACHE] =
			"- Using %.*s v%.*s from the shared cache directory",
	};

	switch (n->event) {
	case PROVIDER_PLUGINS:
		ui_say_bold(v, "\n", "Initializing provider plugins...");
		break;
	case PROVIDER_UPGRADE_LOCKED:
		ui_say_error(
			v,
			"The -upgrade flag conflicts with -lockfile=readonly.");
		break;
	case PROVIDER_SIGNED:
		ui_say(v, are_signed);
		break;
	case PROVIDER_FINDING:
		say_finding(v, n);
		break;
	case PROVIDER_LOCK_CREATED:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\n%s has created a lock file .terraform.lock.hcl to record the provider\n"
			       "selections it made above. Include this file in your version control repository\n"
			       "so that %s can guarantee to make the same selections by default when\n"
			       "you run \"%s init\" in the future.",
			       product_name(), product_name(),
			       product_command()));
		break;
	case PROVIDER_LOCK_CHANGED:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\n%s has made some changes to the provider dependency selections recorded\n"
			       "in the .terraform.lock.hcl file. Review those changes and commit them to your\n"
			       "version control system if they represent changes you intended to make.",
			       product_name()));
		break;
	case PROVIDER_BUILTIN:
		ui_say(v, arena_printf(v->arena, "- %.*s is built in to %s",
				       STR_ARG(n->provider), product_name()));
		break;
	case PROVIDER_REUSING:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "- Reusing previous version of %.*s from the dependency lock file",
			       STR_ARG(n->provider)));
		break;
	case PROVIDER_INSTALLED:
	case PROVIDER_INSTALLED_UNSIGNED:
		say_installed(v, n);
		break;
	default:
		ui_say(v,
		       arena_printf(v->arena, formats[n->event],
				    STR_ARG(n->provider), STR_ARG(n->detail)));
		break;
	}
}

/* --- modules --- */

static void say_copying(struct view *v, struct str source)
{
	const bool color = is_coloured(v);

	ui_say(v, arena_printf(v->arena,
			       "%sCopying configuration%s from \"%.*s\"...",
			       color ? PAINT_BOLD : "",
			       color ? PAINT_PLAIN : "", STR_ARG(source)));
}

static void say_download(struct view *v, const struct init_news *n)
{
	ui_say(v, arena_printf(v->arena, "Downloading %.*s%s%.*s for %.*s...",
			       STR_ARG(n->package), n->version.n ? " " : "",
			       STR_ARG(n->version), STR_ARG(n->name)));
}

static void say_module(struct view *v, const struct init_news *n)
{
	ui_say(v, arena_printf(v->arena, "- %s%.*s in %.*s",
			       v->json ? "installing " : "", STR_ARG(n->name),
			       STR_ARG(n->dir)));
}

static void say_vendored(struct view *v, struct str dir)
{
	ui_say(v,
	       arena_printf(
		       v->arena,
		       "\n%.*s has all modules and providers now. Where TFPIPE_VENDOR_DIR "
		       "names it, \"%s init\" takes them from there\n"
		       "and asks nobody.",
		       STR_ARG(dir), product_command()));
}

/* Steps with a fixed text: how it is shown, and the text. */
/* clang-format off */
static const struct step_text {
	enum { STEP_OTHER, STEP_BOLD, STEP_LINE } as;
	const char *before; /* STEP_BOLD: not bold */
	const char *text;
} step_texts[] = {
	[INIT_BACKEND] = { STEP_BOLD, "\n", "Initializing the backend..." },
	[INIT_CLOUD] = { STEP_BOLD, "\n", "Initializing cloud backend..." },
	[INIT_MODULES] = { STEP_BOLD, "", "Initializing modules..." },
	[INIT_MODULES_NEWER] = { STEP_BOLD, "", "Upgrading modules..." },
	[INIT_VENDORED] = { STEP_OTHER, "", "" }, /* the last */
};
/* clang-format on */

/* A line; a message has no full stop at its end. */
static void say_sentence(struct view *v, const char *text)
{
	ui_say_both(v, arena_printf(v->arena, "%s.", text), text);
}

static void say_cloud(struct view *v, const struct backend_news *n)
{
	const struct str old = n->old, new = n->new;

	switch (n->step) {
	case BACKEND_CLOUD_ENTERED:
		say_sentence(
			v,
			arena_printf(
				v->arena,
				"Migrating from backend \"%.*s\" to cloud backend",
				STR_ARG(old)));
		break;
	case BACKEND_CLOUD_CHANGED:
		say_sentence(v, "Cloud backend configuration has changed");
		break;
	case BACKEND_CLOUD_LEFT:
		say_sentence(
			v,
			arena_printf(
				v->arena,
				"Migrating from cloud backend to backend \"%.*s\"",
				STR_ARG(new)));
		break;
	case BACKEND_CLOUD_MOVED:
		ui_say_bold(
			v, "",
			"Migration complete! Your workspaces are as follows:");
		state_say_workspaces(v, &n->workspaces, n->current);
		break;
	default:
		ui_say(v, "Migrating from cloud backend to local state.");
		break;
	}
}

static void say_backend(struct view *v, const struct backend_news *n)
{
	const struct str old = n->old, new = n->new;

	switch (n->step) {
	case BACKEND_CHANGED:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\n%s detected that the backend type changed from \"%.*s\" to \"%.*s\".",
			       product_name(), STR_ARG(old), STR_ARG(new)));
		break;
	case BACKEND_RECONFIGURED:
		ui_say_bold(v, "", "Backend configuration changed!");
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\n%s has detected that the configuration specified for the backend\n"
			       "has changed. %s will now check for existing state in the backends.",
			       product_name(), product_name()));
		break;
	case BACKEND_UNCONFIGURED:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "%s has detected you're unconfiguring your previously set \"%.*s\" backend.",
			       product_name(), STR_ARG(old)));
		break;
	default:
		say_cloud(v, n);
		break;
	}
}

static void say_other(struct view *v, const struct init_news *n)
{
	switch (n->step) {
	case INIT_BACKEND_NEWS:
		say_backend(v, n->backend);
		break;
	case INIT_BACKEND_SET:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\nSuccessfully configured the backend \"%.*s\"! %s will automatically\n"
			       "use this backend unless the backend configuration changes.",
			       STR_ARG(n->name), product_name()));
		break;
	case INIT_BACKEND_UNSET:
		ui_say(v,
		       arena_printf(
			       v->arena,
			       "\n\nSuccessfully unset the backend \"%.*s\". %s will now operate locally.",
			       STR_ARG(n->name), product_name()));
		break;
	case INIT_COPYING:
		say_copying(v, n->name);
		break;
	case INIT_COPIED_MODULE:
		ui_say(v, arena_printf(v->arena, "%s%.*s",
				       v->json ? "installing " : "- ",
				       STR_ARG(n->name)));
		break;
	case INIT_COPIED:
		if (!v->json)
			ui_say(v, "");
		break;
	case INIT_DOWNLOADING:
		say_download(v, n);
		break;
	case INIT_MODULE:
		say_module(v, n);
		break;
	case INIT_PROVIDER:
		say_provider(v, n->provider);
		out_flush(v->out);
		break;
	case INIT_MIRRORED:
		ui_say(v, n->line);
		break;
	case INIT_VENDORED:
		say_vendored(v, n->dir);
		break;
	default:
		break;
	}
}

void init_say_news(struct view *v, const struct init_news *n)
{
	const struct step_text *t = &step_texts[n->step];

	switch (t->as) {
	case STEP_BOLD:
		ui_say_bold(v, t->before, t->text);
		break;
	case STEP_LINE:
		ui_say(v, t->text);
		break;
	case STEP_OTHER:
		say_other(v, n);
		break;
	}
}
