/*
 * tf-init - install modules and providers, remember the backend (tf-init(1))
 *
 * The work is in lib/install/init, its messages in lib/ui/live.
 */
#include <errno.h>
#include <unistd.h>

#include "base/opts.h"
#include "base/product.h"
#include "install/init/init.h"
#include "stream/stream.h"
#include "trace/trace.h"
#include "ui/display.h"
#include "ui/live/init_live.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str dir, lockfile, json_into;
	struct str_vec rest, given, vars, var_files;
	bool json, no_color, update, consolidate, ignored, stream;
	struct stream_out out; /* of -stream */
	struct init init;
	struct init_live live;
};

/* The mode, as in struct opt's modes. */
enum {
	INIT = 1,
	VENDOR = 2,
	GET = 4,
	STREAM = 8,
	INSTALLS = INIT | VENDOR | STREAM, /* providers, too */
};

static const char *mode_option(unsigned mode)
{
	return mode == GET      ? "-get-only"
	       : mode == VENDOR ? "-make-vendor"
				: "-stream";
}

static unsigned mode_of(void *tool, const char **synopsis)
{
	const struct tool *t = tool;
	const struct init *i = &t->init;

	*synopsis = i->make_vendor ? "[DIR]" : "";
	return i->get_only      ? GET
	       : i->make_vendor ? VENDOR
	       : t->stream      ? STREAM
				: INIT;
}

/* Refuses options that have no effect in the mode. */
static int check_parts(struct tool *t, const struct opts *o)
{
	const char *unused;
	const unsigned mode = mode_of(t, &unused);
	const struct opt *p = opts_misplaced(o, &t->given, mode);

	if (!p)
		return 0;
	if (p->modes == GET || p->modes == VENDOR)
		return diag_error(&t->ds, NULL, "Unsupported option",
				  "-%s is an option of %s%s.", p->name,
				  mode_option(p->modes),
				  p->value == &t->update
					  ? "; here it is -upgrade"
					  : "");
	return diag_error(&t->ds, NULL, "Unsupported option",
			  "-%s has no effect with %s.", p->name,
			  mode_option(mode));
}

/* tf init reads answers where -stream reads the stream. */
static int check_stream(struct tool *t)
{
	if (t->stream && (t->init.get_only || t->init.make_vendor))
		return diag_error(
			&t->ds, NULL, "Wrong combination of options",
			"-stream, -get-only and -make-vendor exclude one another.");
	if (t->stream && t->init.missing_file.n)
		return diag_error(
			&t->ds, NULL, "Unsupported option",
			"-stream is an option of the filter: run tf-init -stream.");
	return 0;
}

static int check_combinations(struct tool *t, const struct opts *o)
{
	static const char summary[] = "Wrong combination of options";
	const struct str level = t->live.v.display.deprecation;

	if (opts_given(&t->given, "backend") && opts_given(&t->given, "cloud"))
		return diag_error(
			&t->ds, NULL, summary,
			"-backend and -cloud are the same option: use one of them.");
	if (t->init.migrate_state && t->init.reconfigure)
		return diag_error(&t->ds, NULL, summary,
				  "-migrate-state copies states, -reconfigure "
				  "leaves them where they are: use one of "
				  "them.");
	if (t->lockfile.n && !str_is(t->lockfile, "readonly"))
		return diag_error(
			&t->ds, NULL, "Invalid option",
			"-lockfile has one mode, readonly; \"%.*s\" is none.",
			STR_ARG(t->lockfile));
	if (level.n && !str_is(level, "module:all") &&
	    !str_is(level, "module:local") && !str_is(level, "module:none"))
		return diag_error(&t->ds, NULL, "Invalid option",
				  "-deprecation is module:all, module:local or "
				  "module:none; \"%.*s\" is not supported.",
				  STR_ARG(level));
	return check_stream(t) || check_parts(t, o) ? -1 : 0;
}

/* Applies the options, in the directory of -C. */
static int settle(struct tool *t, const struct opts *o)
{
	struct init *i = &t->init;

	if (t->rest.len > i->make_vendor)
		return diag_error(
			&t->ds, NULL, "Unexpected argument", "%s",
			i->make_vendor
				? "At most one operand is taken: the directory for the copies."
				: "No operands are taken; to work in another directory use -chdir before the command, or -C.");
	if (opts_enter(t->dir, &t->ds) || check_combinations(t, o))
		return -1;
	i->upgrade |= t->update;
	i->readonly = str_is(t->lockfile, "readonly");
	i->vendor_dir = t->rest.len ? str_dup(&t->arena, t->rest.items[0])
				    : STR("vendor");
	if (t->json) /* nobody is asked */
		i->missing_file = STR_NONE;
	return 0;
}

static enum opts_result read_options(struct tool *t, int argc, char **argv)
{
	struct init *i = &t->init;
	struct diag_display *display = &t->live.v.display;
	const struct opt table[] = {
		{ "C", OPT_STRING, &t->dir, "DIR",
		  "the root module's directory", OPT_OWN },
		{ "backend", OPT_FLAG, &i->backend, NULL,
		  "remember the backend (default true)", .modes = INSTALLS },
		{ "backend-config", OPT_LIST, &i->backend_config, "ARG",
		  "NAME=VALUE or a file: arguments of the backend",
		  .modes = INSTALLS },
		{ "cloud", OPT_FLAG, &i->backend, NULL, "the same",
		  .modes = INSTALLS },
		{ "compact-warnings", OPT_FLAG, &display->compact_warnings,
		  NULL, "warnings without their detail", .modes = INSTALLS },
		{ "concise", OPT_FLAG, &t->ignored, NULL,
		  "accepted; there is no progress to leave out",
		  .modes = INIT | VENDOR },
		{ "consolidate-errors", OPT_FLAG, &display->consolidate_errors,
		  NULL, "similar errors as one", .modes = INSTALLS },
		{ "consolidate-warnings", OPT_FLAG, &t->consolidate, NULL,
		  "similar warnings as one (default true)", .modes = INSTALLS },
		{ "deprecation", OPT_STRING, &display->deprecation, "LEVEL",
		  "module:none, module:local: whose warnings",
		  .modes = INSTALLS },
		{ "force-copy", OPT_FLAG, &i->force_copy, NULL,
		  "copy states over existing ones", .modes = INSTALLS },
		{ "from-module", OPT_STRING, &i->from_module, "SOURCE",
		  "fill the directory, which is empty, with a module",
		  .modes = INIT | VENDOR },
		{ "get", OPT_FLAG, &i->get, NULL,
		  "install modules (default true)", .modes = INIT | VENDOR },
		{ "get-only", OPT_FLAG, &i->get_only, NULL,
		  "install modules and nothing else", OPT_OWN },
		{ "ignore-remote-version", OPT_FLAG, &i->ignore_remote, NULL,
		  "copy states to workspaces of another version as well",
		  .modes = INIT | VENDOR },
		{ "input", OPT_FLAG, &i->input, NULL,
		  "list what could be asked for (default true)",
		  .modes = INIT | VENDOR },
		{ "json", OPT_FLAG, &t->json, NULL, "speak JSON lines",
		  .modes = INIT | VENDOR | GET },
		{ "json-into", OPT_STRING, &t->json_into, "FILE",
		  "JSON lines to a file as well",
		  .modes = INIT | VENDOR | GET },
		{ "lock", OPT_FLAG, &i->lock, NULL,
		  "lock states that are copied (default true)",
		  .modes = INSTALLS },
		{ "lock-modules", OPT_FLAG, &i->lock_modules, NULL,
		  "write down what modules were installed; with -get-only",
		  OPT_OWN, .modes = GET },
		{ "lock-timeout", OPT_STRING, &i->lock_timeout, "DURATION",
		  "how long to wait for the locks (default 0s)",
		  .modes = INSTALLS },
		{ "lockfile", OPT_STRING, &t->lockfile, "MODE",
		  "readonly: do not change the lock file", .modes = INSTALLS },
		{ "make-vendor", OPT_FLAG, &i->make_vendor, NULL,
		  "copy all modules and providers into a directory", OPT_OWN },
		{ "migrate-state", OPT_FLAG, &i->migrate_state, NULL,
		  "copy states when the backend changed", .modes = INSTALLS },
		{ "missing-file", OPT_STRING, &i->missing_file, "FILE",
		  "list variables without a value there that are needed early",
		  OPT_OWN },
		{ "no-color", OPT_FLAG, &t->no_color, NULL,
		  "no terminal colours" },
		{ "platform", OPT_LIST, &i->platforms, "OS_ARCH",
		  "a platform; without, this one", .modes = VENDOR },
		{ "plugin-dir", OPT_LIST, &i->plugin_dirs, "DIR",
		  "take providers from there only", .modes = INSTALLS },
		{ "reconfigure", OPT_FLAG, &i->reconfigure, NULL,
		  "take the backend as it is now, copy nothing",
		  .modes = INSTALLS },
		{ "stream", OPT_FLAG, &t->stream, NULL,
		  "pass a stream on, install the providers that it needs",
		  OPT_OWN },
		{ "test-directory", OPT_STRING, &i->test_dir, "DIR",
		  "where files of tests are, for the modules of their runs (default tests)" },
		{ "update", OPT_FLAG, &t->update, NULL,
		  "look for newer modules", .modes = GET },
		{ "upgrade", OPT_FLAG, &i->upgrade, NULL,
		  "look for newer modules and providers", .modes = INSTALLS },
		{ "var", OPT_LIST, &t->vars, "NAME=VALUE",
		  "the value of a variable" },
		{ "var-file", OPT_LIST, &t->var_files, "FILE",
		  "values of variables" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { .tool = "tf-init",
				.synopsis = "[DIR]",
				.options = table,
				.mode = mode_of,
				.mode_data = t };
	enum opts_result r = opts_parse(&t->arena, &o, argc, argv, &t->rest,
					&t->given, &t->ds);

	i->nargs = inputs_args(&t->arena, argc, argv, &i->args);
	return r == OPTS_RUN && settle(t, &o) ? OPTS_BAD : r;
}

static int run(struct tool *t, enum opts_result r)
{
	struct init_live *l = &t->live;
	enum init_outcome outcome = INIT_FAILED;

	l->v.display.each_warning = !t->consolidate;
	init_live_start(l, &t->arena, t->json, t->no_color);
	if (t->json)
		init_live_last_words(l);
	if (r == OPTS_DONE)
		return 0;
	if (r == OPTS_RUN) {
		bool shared = !ui_share_into(&l->v, &l->into, &l->into_out,
					     t->json_into, &t->ds);

		if (!t->init.make_vendor)
			ui_version(&l->v);
		if (shared) {
			init_live_follow(l, &t->init);
			outcome = init_run(&t->arena, &t->init, &t->ds);
		}
	}
	return init_live_outcome(l, outcome, &t->ds, t->init.config);
}

/* Standard output is the stream's, so people read on standard error. */
static int run_on_stream(struct tool *t)
{
	struct init_live *l = &t->live;
	const int fd = dup(STDOUT_FILENO);
	bool failed;

	if (fd < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
		return diag_error(&t->ds, NULL, "Cannot write the stream",
				  "No descriptor is left: %s.",
				  strerror(errno));
	l->v.display.each_warning = !t->consolidate;
	init_live_start(l, &t->arena, false, t->no_color);
	init_live_follow(l, &t->init);
	stream_out_init(&t->out, fd, false);
	stream_without_seal(&t->out); /* that of the stage before passes */
	t->init.stream = &t->out;
	failed = init_run(&t->arena, &t->init, &t->ds) != INIT_DONE;
	out_flush(&l->out);
	failed = front_end(&t->out, "tf-init", &t->ds,
			   t->init.config ? &t->init.config->sources : NULL,
			   false, NULL, failed);
	stream_out_release(&t->out);
	close(fd);
	return failed;
}

static const char interrupted[] =
	"\nInstallation was canceled by an interrupt signal.\n";

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .consolidate = true,
			  .init = { .get = true,
				    .backend = true,
				    .input = true,
				    .lock = true } };
	enum opts_result r;
	int rc;

	io_init();
	trace_begin("tf-init");
	io_fail_on_signals(STDERR_FILENO, interrupted, NULL);
	t.ds.arena = &t.arena;
	r = read_options(&t, argc, argv);
	rc = r == OPTS_RUN && t.stream ? run_on_stream(&t) : run(&t, r);
	hosts_end(&t.init.hosts);
	if (init_live_end(&t.live))
		rc = 1;
	arena_release(&t.arena);
	return trace_end(rc);
}
