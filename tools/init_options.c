/* init_options.c - the options of tf-init */
#include "tf-init.h"

#include <errno.h>
#include <unistd.h>

#include "install/providers/remote.h"

static void init_view(struct tool *t)
{
	ui_standard(&t->v, &t->arena, &t->out, &t->err, t->json, t->no_color);
	t->v.display.each_warning = !t->consolidate;
	if (t->json || !t->v.style.color)
		return;
	status_init(&t->status, t->out.fd);
	t->out.before = t->err.before = status_clear;
	t->out.before_data = t->err.before_data = &t->status;
}

/* Hosts, and programs that asked them, have a part in what is said. */
void init_diags(struct tool *t)
{
	for (size_t i = 0; i < t->ds.len; i++)
		t->ds.items[i].detail = host_text(&t->arena,
						  t->ds.items[i].detail);
	ui_diags(&t->v, &t->ds, t->config ? &t->config->sources : NULL);
}

/* Installing modules alone takes what is about modules alone. */
static int check_get(struct tool *t)
{
	static const char *const others[] = {
		"backend", "backend-config", "cloud", "compact-warnings",
		"concise", "consolidate-errors", "consolidate-warnings",
		"deprecation", "force-copy", "from-module", "get",
		"ignore-remote-version", "input", "lock", "lock-timeout",
		"lockfile", "migrate-state", "plugin-dir", "reconfigure",
		"upgrade", NULL
	};

	if (!t->get_only && opts_given(&t->given, "update"))
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "-update is an option of -get-only; here it "
				  "is -upgrade.");
	if (!t->make_vendor && t->platforms.len)
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "-platform is an option of -make-vendor.");
	if (!t->get_only && t->lock_modules)
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "-lock-modules is an option of -get-only.");
	for (size_t i = 0; t->get_only && others[i]; i++)
		if (opts_given(&t->given, others[i]))
			return diag_error(&t->ds, NULL, "Unsupported option",
					  "-%s has no effect where modules "
					  "alone are installed.", others[i]);
	return 0;
}

static int check_combinations(struct tool *t)
{
	static const char summary[] = "Wrong combination of options";

	if (opts_given(&t->given, "backend") && opts_given(&t->given, "cloud"))
		return diag_error(&t->ds, NULL, summary,
				  "-backend and -cloud are the same option: "
				  "use one of them.");
	if (t->migrate_state && t->reconfigure)
		return diag_error(&t->ds, NULL, summary,
				  "-migrate-state copies states, -reconfigure "
				  "leaves them where they are: use one of "
				  "them.");
	if (t->lockfile.n && !str_is(t->lockfile, "readonly"))
		return diag_error(&t->ds, NULL, "Invalid option",
				  "-lockfile has one mode, readonly; "
				  "\"%.*s\" is none.", STR_ARG(t->lockfile));
	if (t->v.display.deprecation.n &&
	    !str_is(t->v.display.deprecation, "module:all") &&
	    !str_is(t->v.display.deprecation, "module:none"))
		return diag_error(&t->ds, NULL, "Invalid option",
				  "-deprecation is module:all or "
				  "module:none; \"%.*s\" is not supported.",
				  STR_ARG(t->v.display.deprecation));
	return check_get(t);
}

int init_options(struct tool *t, int argc, char **argv)
{
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory" },
		{ "backend", OPT_FLAG, &t->backend, NULL,
		  "remember the backend (default true)" },
		{ "backend-config", OPT_LIST, &t->backend_config, "ARG",
		  "NAME=VALUE or a file: arguments of the backend" },
		{ "cloud", OPT_FLAG, &t->backend, NULL, "the same" },
		{ "compact-warnings", OPT_FLAG,
		  &t->v.display.compact_warnings, NULL,
		  "warnings without their detail" },
		{ "concise", OPT_FLAG, &t->ignored, NULL,
		  "accepted; there is no progress to leave out" },
		{ "consolidate-errors", OPT_FLAG,
		  &t->v.display.consolidate_errors, NULL,
		  "similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &t->consolidate, NULL,
		  "similar warnings as one (default true)" },
		{ "deprecation", OPT_STRING, &t->v.display.deprecation,
		  "LEVEL", "module:none: not what modules deprecate" },
		{ "force-copy", OPT_FLAG, &t->force_copy, NULL,
		  "copy states over existing ones" },
		{ "from-module", OPT_STRING, &t->from_module, "SOURCE",
		  "fill the directory, which is empty, with a module" },
		{ "get", OPT_FLAG, &t->get, NULL,
		  "install modules (default true)" },
		{ "get-only", OPT_FLAG, &t->get_only, NULL,
		  "install modules and nothing else" },
		{ "ignore-remote-version", OPT_FLAG, &t->ignored, NULL,
		  "accepted; no backend here has a version" },
		{ "input", OPT_FLAG, &t->input, NULL,
		  "list what could be asked for (default true)" },
		{ "json", OPT_FLAG, &t->json, NULL, "speak JSON lines" },
		{ "json-into", OPT_STRING, &t->json_into, "FILE",
		  "JSON lines to a file as well" },
		{ "lock", OPT_FLAG, &t->lock, NULL,
		  "lock states that are copied (default true)" },
		{ "lock-modules", OPT_FLAG, &t->lock_modules, NULL,
		  "write down what modules were installed; with -get-only" },
		{ "lock-timeout", OPT_STRING, &t->lock_timeout, "DURATION",
		  "how long to wait for the locks (default 0s)" },
		{ "lockfile", OPT_STRING, &t->lockfile, "MODE",
		  "readonly: do not change the lock file" },
		{ "make-vendor", OPT_FLAG, &t->make_vendor, NULL,
		  "copy all modules and providers into a directory" },
		{ "migrate-state", OPT_FLAG, &t->migrate_state, NULL,
		  "copy states when the backend changed" },
		{ "missing-file", OPT_STRING, &t->missing_file, "FILE",
		  "list variables without a value there that are needed "
		  "early" },
		{ "no-color", OPT_FLAG, &t->no_color, NULL,
		  "no terminal colours" },
		{ "platform", OPT_LIST, &t->platforms, "OS_ARCH",
		  "with -make-vendor: a platform; without, this one" },
		{ "plugin-dir", OPT_LIST, &t->plugin_dirs, "DIR",
		  "take providers from there only" },
		{ "reconfigure", OPT_FLAG, &t->reconfigure, NULL,
		  "take the backend as it is now, copy nothing" },
		{ "test-directory", OPT_REFUSED, NULL, NULL,
		  "files of tests are not read" },
		{ "update", OPT_FLAG, &t->update, NULL,
		  "with -get-only: as -upgrade" },
		{ "upgrade", OPT_FLAG, &t->upgrade, NULL,
		  "look for newer modules and providers" },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "the value of a variable" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "values of variables" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-init", "[DIR]", table, NULL };
	enum opts_result r = opts_parse(&t->arena, &o, argc, argv, &t->rest,
					&t->given, &t->ds);

	t->nargs = inputs_args(&t->arena, argc, argv, &t->args);
	if (r == OPTS_RUN && t->rest.len > t->make_vendor) {
		diag_error(&t->ds, NULL, "Unexpected argument",
			   "tf-init takes no operands: the directory is given "
			   "with -C.");
		r = OPTS_BAD;
	}
	if (r == OPTS_RUN && t->dir.p && chdir(t->dir.p)) {
		diag_error(&t->ds, NULL, "Cannot change to the directory",
			   "%s: %s.", t->dir.p, strerror(errno));
		r = OPTS_BAD;
	}
	if (r == OPTS_RUN && check_combinations(t))
		r = OPTS_BAD;
	t->upgrade |= t->update;
	init_view(t);
	if (r == OPTS_RUN && ui_share_into(&t->v, &t->into, &t->into_out,
					   t->json_into, &t->ds))
		r = OPTS_BAD;
	if (r == OPTS_BAD)
		init_diags(t);
	return r == OPTS_RUN ? -1 : r == OPTS_BAD;
}
