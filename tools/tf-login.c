/*
 * tf-login - tokens of hosts: obtained and kept, or removed (tf-login(1))
 *
 * What is said on the way is what people know from `tofu login`; the work is in
 * lib/install (oauth.h, callback.h, token_store.h).  A token is in memory, in a
 * pipe to tf-fetch or the credentials helper, and in the file that keeps it.
 */
#include <stdlib.h>
#include <unistd.h>

#include "tf-login.h"

#include "base/product.h"

/* The one host whose users may give their password to a program. */
static const char password_host[] = "app.terraform.io";

/* --- what the host has --- */

struct found {
	struct tool *t;
	struct service service;
	bool over;
};

static void on_service(void *data, const struct service *s)
{
	struct found *f = data;

	f->service = *s;
	f->over = true;
}

static struct service find_service(struct tool *t, const char *id)
{
	struct found f = { .t = t };

	services_find(t->hosts.services, t->host, id, on_service, &f);
	loop_run(t->hosts.loop, &f.over);
	return f.service;
}

static const char other_version[] =
	"The host %.*s gives tokens, but in a way that only newer versions know.";

/* 1: it has none; -1: it cannot be asked at all. */
static int find_oauth(struct tool *t, struct oauth_client *c)
{
	static const char summary[] = "Host does not support OpenTofu login";
	struct service s = find_service(t, "login.v1");
	struct str why = STR_NONE;

	if (s.status == SERVICE_UNREACHABLE && !s.entry)
		return diag_error(&t->ds, NULL,
				  arena_printf(&t->arena,
					       "Service discovery failed for "
					       "%.*s", STR_ARG(t->host)),
				  "%.*s: %.*s.", STR_ARG(t->host),
				  STR_ARG(s.why));
	if (!s.entry) {
		if (s.status == SERVICE_OTHER_VERSION)
			diag_warning(&t->ds, NULL, summary, other_version,
				     STR_ARG(t->host));
		return 1;
	}
	if (!oauth_client_read(&t->arena, &s, c, &why))
		return 0;
	diag_warning(&t->ds, NULL, summary, "The host %.*s: %.*s.",
		     STR_ARG(t->host), STR_ARG(why));
	return 1;
}

/* A service whose users make tokens themselves, on a page of it. */
static int find_tokens(struct tool *t, struct str *url)
{
	static const char summary[] = "Host does not support OpenTofu tokens "
				      "API";
	struct service s = find_service(t, "tfe.v2");

	*url = s.url;
	switch (s.status) {
	case SERVICE_FOUND:
		return 0;
	case SERVICE_NONE:
		return diag_error(&t->ds, NULL, summary,
				  "The host %.*s offers no way to make tokens.",
				  STR_ARG(t->host));
	case SERVICE_OTHER_VERSION:
		return diag_error(&t->ds, NULL, summary, other_version,
				  STR_ARG(t->host));
	default:
		return diag_error(&t->ds, NULL, summary, "The host %.*s: %.*s.",
				  STR_ARG(t->host), STR_ARG(s.why));
	}
}

/* --- both commands --- */

static int get_token(struct tool *t, const struct oauth_client *c,
		     struct str service, struct str *token)
{
	if (service.n)
		return login_by_page(t, service, token);
	if (c->code)
		return login_by_code(t, c, token);
	if (c->password && str_is(t->host, password_host))
		return login_by_password(t, c, token);
	return diag_error(&t->ds, NULL, "Host does not support OpenTofu login",
			  "The host %.*s gives tokens, but in no way that is "
			  "known here.", STR_ARG(t->host));
}

static int configured(struct tool *t, const char *command)
{
	return diag_error(&t->ds, NULL,
			  arena_printf(&t->arena, "Credentials for %.*s are "
						  "manually configured",
				       STR_ARG(t->host)),
			  "A file of the CLI configuration has them, which "
			  "\"" COMMAND " %s\" does not change: remove them "
			  "there, after revoking the token.", command);
}

static int login(struct tool *t)
{
	struct str service = STR_NONE, token, why = STR_NONE;
	struct oauth_client c = { .min_port = 0 };
	int rc = find_oauth(t, &c);

	if (rc < 0)
		return -1;
	if (rc > 0)
		find_tokens(t, &service);
	if (t->place == TOKEN_OTHER)
		configured(t, "login");
	if (diags_failed(&t->ds) || get_token(t, &c, service, &token))
		return -1;
	if (token_store(&t->arena, &t->cli.hosts, t->host, token, &why))
		return diag_error(&t->ds, NULL, "Failed to save API token",
				  "The host has given a token, but it cannot "
				  "be kept: %.*s.", STR_ARG(why));
	ui_diags(&t->v, &t->ds, &t->cli.sources);
	t->ds = (struct diags)DIAGS_INIT(&t->arena);
	login_line(t);
	if (str_is(t->host, password_host))
		login_success(t, STR("Logged in to cloud backend"), "\n");
	else if (service.n)
		login_success(t, str_printf(&t->arena, "Logged in to the cloud "
						       "backend (%.*s)",
					    STR_ARG(t->host)), "\n");
	else
		login_success(t, STR(PRODUCT " has obtained and saved an API "
					     "token."),
			      arena_printf(&t->arena,
					   "\n\nThe new API token will be used "
					   "for any future " PRODUCT " command "
					   "that must make\nauthenticated "
					   "requests to %.*s.\n",
					   STR_ARG(t->host)));
	return 0;
}

static int logout(struct tool *t)
{
	struct str why = STR_NONE;

	switch (t->place) {
	case TOKEN_OTHER:
		return configured(t, "logout");
	case TOKEN_NOWHERE:
		login_say(t, "No credentials for %.*s are stored.\n",
			  "No credentials for %.*s are stored",
			  STR_ARG(t->host));
		return 0;
	case TOKEN_HELPER:
		login_say(t, "Removing the stored credentials for %.*s from "
			     "the configured\n\"%.*s\" credentials helper.\n",
			  "Removing the stored credentials for %.*s from the "
			  "configured \"%.*s\" credentials helper",
			  STR_ARG(t->host), STR_ARG(t->cli.hosts.helper));
		break;
	case TOKEN_FILE:
		login_say(t, "Removing the stored credentials for %.*s from "
			     "the following file:\n    %.*s\n",
			  "Removing the stored credentials for %.*s from the "
			  "following file: %.*s", STR_ARG(t->host),
			  STR_ARG(token_file(&t->arena)));
		break;
	}
	if (token_forget(&t->arena, &t->cli.hosts, t->host, &why))
		return diag_error(&t->ds, NULL, "Failed to remove API token",
				  "The token cannot be removed: %.*s.",
				  STR_ARG(why));
	login_success(t, str_printf(&t->arena, PRODUCT " has removed the "
					       "stored API token for %.*s.",
				    STR_ARG(t->host)), "\n");
	return 0;
}

static int run(struct tool *t)
{
	struct str why;

	if (!t->logout && (!t->input || t->json))
		return diag_error(&t->ds, NULL, "Login is an interactive "
						"command",
				  "\"" COMMAND " login\" asks, so it needs "
				  "input. Where nobody answers, a token can be "
				  "put into the CLI configuration or a variable "
				  "TF_TOKEN_host.");
	if (host_check(&t->arena, t->rest.items[0], &t->host, &why))
		return diag_error(&t->ds, NULL, "Invalid hostname",
				  "\"%.*s\" is no name of a host: %.*s.",
				  STR_ARG(t->rest.items[0]), STR_ARG(why));
	if (cli_config_read(&t->arena, &t->cli, &t->ds))
		return -1;
	ui_diags(&t->v, &t->ds, &t->cli.sources);
	t->ds = (struct diags)DIAGS_INIT(&t->arena);
	hosts_ready_services(&t->arena, &t->hosts, &t->cli.hosts);
	t->place = token_place(&t->arena, &t->cli.hosts, t->host);
	return t->logout ? logout(t) : login(t);
}

/* --- the command line --- */

static enum opts_result options(struct tool *t, int argc, char **argv)
{
	struct diag_display *d = &t->v.display;
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
		  "remove the token of the host" },
		{ "no-color", OPT_FLAG, &t->no_color, NULL,
		  "no terminal colours" },
		{ "var", OPT_LIST, &t->ignored, "NAME=VALUE",
		  "accepted; a login has no variables" },
		{ "var-file", OPT_LIST, &t->ignored, "FILE",
		  "the same" },
		{ NULL, 0, NULL, NULL, NULL },
	};
	const struct opts o = { "tf-login", "HOST", table, NULL,
				"Obtains a token of a host and keeps it." };
	enum opts_result r = opts_parse(&t->arena, &o, argc, argv, &t->rest,
					NULL, &t->ds);

	if (r == OPTS_RUN && t->rest.len != 1) {
		diag_error(&t->ds, NULL, "Unexpected argument",
			   "\"" COMMAND " %s\" takes one operand, the name of "
			   "the host.", t->logout ? "logout" : "login");
		r = OPTS_BAD;
	}
	d->each_warning = !t->consolidate;
	ui_standard(&t->v, &t->arena, &t->out, &t->err, t->json, t->no_color);
	if (r == OPTS_RUN && ui_share_into(&t->v, &t->into, &t->into_out,
					   t->json_into, &t->ds))
		r = OPTS_BAD;
	return r;
}

int main(int argc, char **argv)
{
	struct tool t = { .arena = ARENA_INIT, .input = true,
			  .consolidate = true };
	enum opts_result r;
	int rc;

	io_init();
	t.ds.arena = &t.arena;
	r = options(&t, argc, argv);
	rc = r == OPTS_BAD;
	if (r == OPTS_RUN) {
		ui_version(&t.v);
		rc = run(&t) || diags_failed(&t.ds);
	}
	ui_diags(&t.v, &t.ds, &t.cli.sources);
	if (out_flush(&t.out) || (t.v.into && out_flush(&t.into_out)))
		rc = 1;
	hosts_end(&t.hosts);
	out_release(&t.out);
	out_release(&t.err);
	out_release(&t.into_out);
	arena_release(&t.arena);
	return rc;
}
