/*
 * tf-login - tokens of hosts: obtained and kept, or removed (tf-login(1))
 *
 * The work is in lib/install/hosts, its messages and questions in lib/ui/live.
 */
#include "base/opts.h"
#include "base/product.h"
#include "install/cli_config.h"
#include "install/hosts/login.h"
#include "trace/trace.h"
#include "ui/live/init_live.h"
#include "ui/view.h"

struct tool {
	struct arena arena;
	struct diags ds;
	struct str json_into;
	struct str_vec rest, ignored;
	bool logout, json, no_color, input, consolidate;
	struct cli_config cli;
	struct hosts hosts;
	struct out out, err, into_out;
	struct view v, into;
};

/* Shows the diagnostics so far, none of which is an error. */
static void say_warnings(struct tool *t)
{
	ui_diags(&t->v, &t->ds, NULL);
	t->ds = (struct diags)DIAGS_INIT(&t->arena);
}

static int run(struct tool *t)
{
	struct login l = { .cli = &t->cli.hosts, .hosts = &t->hosts };
	int rc;

	if (!t->logout && (!t->input || t->json))
		return diag_error(
			&t->ds, NULL, "Login is an interactive command",
			"\"%s login\" asks, so it needs input. Where nobody answers, a "
			"token can be put into the CLI configuration or a variable "
			"TF_TOKEN_host.",
			product_command());
	if (login_host(&t->arena, &l, t->rest.items[0], &t->ds) ||
	    cli_config_read(&t->arena, &t->cli, &t->ds))
		return -1;
	say_warnings(t);
	hosts_ready_services(&t->arena, &t->hosts, &t->cli.hosts);
	login_live_follow(&t->v, &l);
	if (t->logout) {
		rc = login_forget(&t->arena, &l, &t->ds);
		if (!rc)
			login_live_forgotten(&t->v, &l);
		return rc < 0 ? -1 : 0;
	}
	if (login_run(&t->arena, &l, &t->ds))
		return -1;
	say_warnings(t);
	login_live_done(&t->v, &l);
	return 0;
}

static enum opts_result options(struct tool *t, int argc, char **argv)
{
	struct diag_display *d = &t->v.display;
	/* in front, where tf puts it: -help ends the reading of options */
	const char *about = argc > 1 && strcmp(argv[1], "-logout") == 0
				    ? "Removes the token of a host."
				    : "Obtains a token of a host and keeps it.";
	const struct opt table[] = {
		{ "compact-warnings", OPT_FLAG, &d->compact_warnings, NULL,
		  "warnings without their detail" },
		{ "consolidate-errors", OPT_FLAG, &d->consolidate_errors, NULL,
		  "similar errors as one" },
		{ "consolidate-warnings", OPT_FLAG, &t->consolidate, NULL,
		  "similar warnings as one (default true)" },
		{ "input", OPT_FLAG, &t->input, NULL,
		  "ask (default true); without, nothing can be obtained" },
		{ "json", OPT_FLAG, &t->json, NULL,
		  "with -logout: speak JSON lines" },
		{ "json-into", OPT_STRING, &t->json_into, "FILE",
		  "JSON lines to a file as well" },
		{ "logout", OPT_FLAG, &t->logout, NULL,
		  "remove the token of the host", OPT_OWN },
		{ "no-color", OPT_FLAG, &t->no_color, NULL,
		  "no terminal colours" },
		{ "var", OPT_LIST, &t->ignored, "NAME=VALUE",
		  "accepted; a login has no variables" },
		{ "var-file", OPT_LIST, &t->ignored, "FILE", "the same" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-login", "HOST", table, NULL, about };
	enum opts_result r =
		opts_parse(&t->arena, &o, argc, argv, &t->rest, NULL, &t->ds);

	if (r == OPTS_RUN && t->rest.len != 1) {
		diag_error(&t->ds, NULL, "Unexpected argument",
			   "\"%s %s\" takes one operand, the name of the host.",
			   product_command(), t->logout ? "logout" : "login");
		r = OPTS_BAD;
	}
	d->each_warning = !t->consolidate;
	ui_standard(&t->v, &t->arena, &t->out, &t->err, t->json, t->no_color);
	if (r == OPTS_RUN &&
	    ui_share_into(&t->v, &t->into, &t->into_out, t->json_into, &t->ds))
		r = OPTS_BAD;
	return r;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT,
			  .input = true,
			  .consolidate = true };
	enum opts_result r;
	int rc;

	io_init();
	trace_begin("tf-login");
	t.ds.arena = &t.arena;
	r = options(&t, argc, argv);
	rc = r == OPTS_BAD;
	if (r == OPTS_RUN) {
		ui_version(&t.v);
		rc = run(&t) || diags_failed(&t.ds);
	}
	ui_diags(&t.v, &t.ds, NULL);
	if (diags_written(&t.arena, &t.out) ||
	    (t.v.into && diags_written(&t.arena, &t.into_out)))
		rc = 1;
	hosts_end(&t.hosts);
	out_release(&t.out);
	out_release(&t.err);
	out_release(&t.into_out);
	arena_release(&t.arena);
	return trace_end(rc);
}
