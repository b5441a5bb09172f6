/* login.c - see login.h */
#include <signal.h>

#include "base/product.h"
#include "install/hosts/hosts_int.h"
#include "config/source/url.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"

/* --- ways to a token --- */

static void tell(const struct login *l, enum login_step step, struct str text)
{
	l->told(l->data, l, step, text);
}

static int consent(struct login *l, enum login_step way)
{
	struct str said;

	tell(l, way, STR_NONE);
	if (l->ask(l->data, l, LOGIN_ASK_CONSENT, &said, l->ds))
		said = STR_NONE;
	if (str_is(str_lower(l->arena, said), "yes"))
		return 0;
	return diag_error(l->ds, NULL, "Login cancelled",
			  "Nobody has confirmed it with 'yes'.");
}

/* --- the authorization code grant --- */

struct waiting {
	struct str code;
	bool over, stopped;
};

static void on_code(void *data, struct str code)
{
	struct waiting *w = data;

	w->code = code;
	w->over = true;
}

static void on_signal(void *data, int sig)
{
	struct waiting *w = data;

	(void)sig;
	w->stopped = w->over = true;
}

static int ask_token(struct login *l, const struct oauth_client *c,
		     struct str form, const char *summary, struct str *token)
{
	static const struct fetch_header type = {
		STR_INIT("Content-Type"),
		STR_INIT("application/x-www-form-urlencoded")
	};
	const struct fetch_request r = {
		.url = c->token,
		.method = STR("POST"),
		.body = form,
		.headers = &type,
		.nheaders = 1,
		.most = 1 << 20,
		/* secrets go only to whom the host names */
		.redirects = FETCH_NO_REDIRECTS,
	};
	struct fetch_answer answer;
	struct str why = STR_NONE;

	fetch_wait(l->hosts->remote.fetch, &r, &answer);
	if (!oauth_token(l->arena, &answer, token, &why))
		return 0;
	return diag_error(l->ds, NULL, summary,
			  "The host %.*s has given no token: %.*s.",
			  STR_ARG(l->host), STR_ARG(why));
}

static int wait_for_code(struct login *l, struct waiting *w)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		loop_signal(l->hosts->remote.loop, signals[i], on_signal, w);
	tell(l, LOGIN_WAITING, STR_NONE);
	loop_run(l->hosts->remote.loop, &w->over);
	if (w->stopped)
		return diag_error(l->ds, NULL, "Action aborted",
				  "A signal has ended the login.");
	return 0;
}

static int login_by_code(struct login *l, const struct oauth_client *c,
			 struct str *token)
{
	struct arena *a = l->arena;
	struct waiting w = { .stopped = false };
	struct str state = oauth_secret(a), verifier = oauth_secret(a);
	struct str challenge = oauth_challenge(a, verifier);
	struct callback *listener;
	struct str redirect, address;
	int rc;

	if (consent(l, LOGIN_BY_CODE))
		return -1;
	if (!state.n || !verifier.n || !challenge.n)
		return diag_error(
			l->ds, NULL, "Can't generate login request state",
			"The system has no random numbers, or crypto.so cannot be loaded.");
	listener = callback_listen(a, l->hosts->remote.loop, c->min_port,
				   c->max_port, state, on_code, &w);
	if (!listener)
		return diag_error(l->ds, NULL,
				  "Can't start temporary login server",
				  "The browser hands the answer to a server on "
				  "this computer, for which no TCP port from "
				  "%d to %d is free.",
				  c->min_port, c->max_port);
	redirect = callback_address(listener);
	address = oauth_address(a, c, redirect, state, challenge);
	tell(l,
	     browser_open(l->hosts->remote.loop, address) ? LOGIN_OPENED
							  : LOGIN_OPEN,
	     address);
	rc = wait_for_code(l, &w);
	callback_close(listener);
	return rc || ask_token(l, c,
			       oauth_code_form(a, c, redirect, w.code,
					       verifier),
			       "Failed to obtain auth token", token)
		       ? -1
		       : 0;
}

/* --- the password grant --- */

/* Each asks whether it may, and obtains a token; -1 with a diagnostic. */
static int login_by_password(struct login *l, const struct oauth_client *c,
			     struct str *token)
{
	struct arena *a = l->arena;
	struct str user, password;

	if (consent(l, LOGIN_BY_PASSWORD))
		return -1;
	tell(l, LOGIN_ABOUT_PASSWORD, STR_NONE);
	if (l->ask(l->data, l, LOGIN_ASK_USER, &user, l->ds) ||
	    l->ask(l->data, l, LOGIN_ASK_PASSWORD, &password, l->ds))
		return -1;
	return ask_token(l, c, oauth_password_form(a, c, user, password),
			 "Failed to retrieve API token", token);
}

/* --- a token that somebody makes on a page --- */

static void open_tokens(struct login *l, struct str service)
{
	struct url u = { .host = STR_NONE };
	struct str host, address;
	ptrdiff_t colon;

	url_parse(l->arena, service, &u);
	colon = str_chr(u.host, ':');
	host = colon < 0 ? u.host : str_sub(u.host, 0, (size_t)colon);
	address = str_printf(
		l->arena,
		"https://%.*s/app/settings/tokens?source=terraform-login",
		STR_ARG(host));
	tell(l,
	     browser_open(l->hosts->remote.loop, address) ? LOGIN_TOKENS_OPENED
							  : LOGIN_TOKENS_OPEN,
	     address);
}

/* Asks the host which user the token belongs to. */
static int check_token(struct login *l, struct str service, struct str token)
{
	const struct fetch_request r = {
		.url = url_resolve(l->arena, service, STR("account/details")),
		.token = token,
		.most = 1 << 20,
	};
	struct fetch_answer answer;
	struct json_error wrong;
	const struct json *j = NULL;
	struct str user, why = STR_NONE;

	fetch_wait(l->hosts->remote.fetch, &r, &answer);
	if (!answer.error.n && answer.status == 401)
		return diag_error(l->ds, NULL, "Token is invalid",
				  "The host %.*s does not know it.",
				  STR_ARG(l->host));
	if (answer.error.n)
		why = answer.error;
	else if (answer.status != 200)
		why = str_printf(l->arena, "it answered %.*s",
				 STR_ARG(fetch_status_text(l->arena,
							   answer.status)));
	else if (!(j = json_parse(l->arena, answer.body, &wrong)))
		why = STR("its answer is no JSON");
	if (why.n)
		return diag_error(l->ds, NULL,
				  "Failed to retrieve user account details",
				  "The host %.*s: %.*s.", STR_ARG(l->host),
				  STR_ARG(why));
	user = host_text(l->arena, json_get_str(json_get(json_get(j, "data"),
							 "attributes"),
						"username"));
	tell(l, LOGIN_USER, user);
	return 0;
}

/* A token that the user makes on a page of the service and pastes. */
static int login_by_page(struct login *l, struct str service, struct str *token)
{
	if (consent(l, LOGIN_BY_PAGE))
		return -1;
	open_tokens(l, service);
	tell(l, LOGIN_PASTE, STR_NONE);
	if (l->ask(l->data, l, LOGIN_ASK_TOKEN, token, l->ds))
		return -1;
	return check_token(l, service, *token);
}

/* --- what the host has --- */

static const char other_version[] =
	"The host %.*s gives tokens, but in a way that only newer versions know.";

static const char *unsupported(const struct login *l, const char *what)
{
	return arena_printf(l->arena, "Host does not support %s %s",
			    product_peer(), what);
}

/* 1: the host has none; -1: service discovery failed. */
static int find_oauth(struct login *l, struct oauth_client *c)
{
	const char *summary = unsupported(l, "login");
	struct service s =
		services_await(l->hosts->services, l->host, "login.v1");
	struct str why = STR_NONE;

	if (s.status == SERVICE_UNREACHABLE && !s.entry)
		return diag_error(
			l->ds, NULL,
			arena_printf(l->arena,
				     "Service discovery failed for %.*s",
				     STR_ARG(l->host)),
			"%.*s: %.*s.", STR_ARG(l->host), STR_ARG(s.why));
	if (!s.entry) {
		if (s.status == SERVICE_OTHER_VERSION)
			diag_warning(l->ds, NULL, summary, other_version,
				     STR_ARG(l->host));
		return 1;
	}
	if (!oauth_client_read(l->arena, &s, c, &why))
		return 0;
	diag_warning(l->ds, NULL, summary, "The host %.*s: %.*s.",
		     STR_ARG(l->host), STR_ARG(why));
	return 1;
}

/* A service whose users make tokens themselves, on a page of it. */
static int find_tokens(struct login *l, struct str *url)
{
	const char *summary = unsupported(l, "tokens API");
	struct service s =
		services_await(l->hosts->services, l->host, "tfe.v2");

	*url = s.url;
	switch (s.status) {
	case SERVICE_FOUND:
		return 0;
	case SERVICE_NONE:
		return diag_error(l->ds, NULL, summary,
				  "The host %.*s offers no way to make tokens.",
				  STR_ARG(l->host));
	case SERVICE_OTHER_VERSION:
		return diag_error(l->ds, NULL, summary, other_version,
				  STR_ARG(l->host));
	default:
		return diag_error(l->ds, NULL, summary, "The host %.*s: %.*s.",
				  STR_ARG(l->host), STR_ARG(s.why));
	}
}

/* --- both commands --- */

static int get_token(struct login *l, const struct oauth_client *c,
		     struct str service, struct str *token)
{
	if (service.n)
		return login_by_page(l, service, token);
	if (c->code)
		return login_by_code(l, c, token);
	if (c->password && str_is(l->host, LOGIN_PASSWORD_HOST))
		return login_by_password(l, c, token);
	return diag_error(
		l->ds, NULL, unsupported(l, "login"),
		"The host %.*s gives tokens, but in no way that is known here.",
		STR_ARG(l->host));
}

static int configured(struct login *l, const char *command)
{
	return diag_error(
		l->ds, NULL,
		arena_printf(l->arena,
			     "Credentials for %.*s are manually configured",
			     STR_ARG(l->host)),
		"A file of the CLI configuration has them, which \"%s %s\" does "
		"not change: remove them there, after revoking the token.",
		product_command(), command);
}

int login_host(struct arena *a, struct login *l, struct str typed,
	       struct diags *ds)
{
	struct str why;

	if (!host_check(a, typed, &l->host, &why))
		return 0;
	return diag_error(ds, NULL, "Invalid hostname",
			  "\"%.*s\" is no name of a host: %.*s.",
			  STR_ARG(typed), STR_ARG(why));
}

int login_run(struct arena *a, struct login *l, struct diags *ds)
{
	struct str service = STR_NONE, token, why = STR_NONE;
	struct oauth_client c = { .min_port = 0 };
	int rc;

	l->arena = a;
	l->ds = ds;
	l->place = token_place(a, l->cli, l->host);
	rc = find_oauth(l, &c);
	if (rc < 0)
		return -1;
	if (rc > 0)
		find_tokens(l, &service);
	if (l->place == TOKEN_OTHER)
		configured(l, "login");
	if (diags_failed(ds) || get_token(l, &c, service, &token))
		return -1;
	l->cloud = service.n != 0;
	if (!token_store(a, l->cli, l->host, token, &why))
		return 0;
	return diag_error(
		ds, NULL, "Failed to save API token",
		"The host has given a token, but it cannot be kept: %.*s.",
		STR_ARG(why));
}

int login_forget(struct arena *a, struct login *l, struct diags *ds)
{
	struct str why = STR_NONE;

	l->arena = a;
	l->ds = ds;
	l->place = token_place(a, l->cli, l->host);
	if (l->place == TOKEN_OTHER)
		return configured(l, "logout");
	if (l->place == TOKEN_NOWHERE) {
		l->told(l->data, l, LOGOUT_NOTHING, STR_NONE);
		return 1;
	}
	l->told(l->data, l, LOGOUT_REMOVING, STR_NONE);
	if (!token_forget(a, l->cli, l->host, &why))
		return 0;
	return diag_error(ds, NULL, "Failed to remove API token",
			  "The token cannot be removed: %.*s.", STR_ARG(why));
}
