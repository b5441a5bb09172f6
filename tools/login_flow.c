/* login_flow.c - the ways to a token; see tf-login.h */
#include "tf-login.h"

#include <signal.h>

#include "base/product.h"
#include "config/url.h"
#include "install/hosts/callback.h"
#include "install/providers/remote.h"
#include "json/json.h"

/* --- consent --- */

static void say_storage(struct tool *t)
{
	if (t->place == TOKEN_HELPER)
		login_say(t, "If login is successful, " PRODUCT " will store "
			     "the token in the configured\n\"%.*s\" "
			     "credentials helper for use by subsequent "
			     "commands.\n",
			  "If login is successful, " PRODUCT " will store the "
			  "token in the configured \"%.*s\" credentials helper "
			  "for use by subsequent commands",
			  STR_ARG(t->cli.hosts.helper));
	else
		login_say(t, "If login is successful, " PRODUCT " will store "
			     "the token in plain text in\nthe following file "
			     "for use by subsequent commands:\n    %.*s\n",
			  "If login is successful, " PRODUCT " will store the "
			  "token in plain text in the following file for use "
			  "by subsequent commands: %.*s",
			  STR_ARG(token_file(&t->arena)));
}

static int consent(struct tool *t, const char *mechanism, bool browser)
{
	struct str said;

	login_say(t, PRODUCT " will request an API token for %.*s using %s.\n",
		  PRODUCT " will request an API token for %.*s using %s",
		  STR_ARG(t->host), mechanism);
	if (browser)
		ui_say_both(&t->v,
			    "This will work only if you are able to use a web "
			    "browser on this computer to\ncomplete a login "
			    "process. If not, you must obtain an API token by "
			    "another\nmeans and configure it in the CLI "
			    "configuration manually.\n",
			    "This will work only if you are able to use a web "
			    "browser on this computer to complete a login "
			    "process. If not, you must obtain an API token by "
			    "another means and configure it in the CLI "
			    "configuration manually.");
	say_storage(t);
	if (login_ask(t, "Do you want to proceed?",
		      "Only 'yes' will be accepted to confirm.", false,
		      "Error collecting user prompt", &said))
		said = STR_NONE;
	if (str_is(str_lower(&t->arena, said), "yes"))
		return 0;
	return diag_error(&t->ds, NULL, "Login cancelled",
			  "Nobody has confirmed it with 'yes'.");
}

/* --- the authorization code grant --- */

struct waiting {
	struct tool *t;
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

static void open_page(struct tool *t, struct str address)
{
	if (login_browse(t, address)) {
		login_say(t, PRODUCT " must now open a web browser to the login "
			     "page for %.*s.\n\nIf a browser does not open "
			     "this automatically, open the following URL to "
			     "proceed:\n    %.*s\n",
			  "Opening web browser to the login page for %.*s. If "
			  "a browser does not open this automatically, open "
			  "the following URL to proceed: %.*s",
			  STR_ARG(t->host), STR_ARG(address));
		return;
	}
	login_say(t, "Open the following URL to access the login page for "
		     "%.*s:\n    %.*s\n",
		  "Open the following URL to access the login page for %.*s: "
		  "%.*s", STR_ARG(t->host), STR_ARG(address));
}

static int ask_token(struct tool *t, const struct oauth_client *c,
		     struct str form, const char *summary, struct str *token)
{
	static const struct fetch_header type = {
		STR_INIT("Content-Type"),
		STR_INIT("application/x-www-form-urlencoded") };
	const struct fetch_request r = {
		.url = c->token, .method = STR("POST"), .body = form,
		.headers = &type, .nheaders = 1, .most = 1 << 20,
		/* whom the host names gets the secrets, nobody else */
		.redirects = FETCH_NO_REDIRECTS,
	};
	struct fetch_answer answer;
	struct str why = STR_NONE;

	fetch_wait(t->hosts.fetch, &r, &answer);
	if (!oauth_token(&t->arena, &answer, token, &why))
		return 0;
	return diag_error(&t->ds, NULL, summary,
			  "The host %.*s has given no token: %.*s.",
			  STR_ARG(t->host), STR_ARG(why));
}

static int wait_for_code(struct tool *t, struct waiting *w)
{
	static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

	for (size_t i = 0; i < sizeof(signals) / sizeof(*signals); i++)
		loop_signal(t->hosts.loop, signals[i], on_signal, w);
	ui_say_both(&t->v, PRODUCT " will now wait for the host to signal that "
			   "login was successful.\n",
		    PRODUCT " will now wait for the host to signal that login "
		    "was successful");
	loop_run(t->hosts.loop, &w->over);
	if (w->stopped)
		return diag_error(&t->ds, NULL, "Action aborted",
				  "A signal has ended the login.");
	return 0;
}

int login_by_code(struct tool *t, const struct oauth_client *c,
		  struct str *token)
{
	struct arena *a = &t->arena;
	struct waiting w = { .t = t };
	struct str state = oauth_secret(a), verifier = oauth_secret(a);
	struct str challenge = oauth_challenge(a, verifier);
	struct callback *listener;
	struct str redirect;
	int rc;

	if (consent(t, "OAuth", true))
		return -1;
	if (!state.n || !verifier.n || !challenge.n)
		return diag_error(&t->ds, NULL, "Can't generate login request "
						"state",
				  "The system has no random numbers, or "
				  "crypto.so cannot be loaded.");
	listener = callback_listen(a, t->hosts.loop, c->min_port, c->max_port,
				   state, on_code, &w);
	if (!listener)
		return diag_error(&t->ds, NULL,
				  "Can't start temporary login server",
				  "The browser hands the answer to a server on "
				  "this computer, for which no TCP port from "
				  "%d to %d is free.", c->min_port,
				  c->max_port);
	redirect = callback_address(listener);
	open_page(t, oauth_address(a, c, redirect, state, challenge));
	rc = wait_for_code(t, &w);
	callback_close(listener);
	return rc || ask_token(t, c, oauth_code_form(a, c, redirect, w.code,
						     verifier),
			       "Failed to obtain auth token", token) ? -1 : 0;
}

/* --- the password grant --- */

int login_by_password(struct tool *t, const struct oauth_client *c,
		      struct str *token)
{
	struct arena *a = &t->arena;
	struct str user, password;

	if (consent(t, "OAuth", false))
		return -1;
	login_line(t);
	ui_say_both(&t->v, PRODUCT " must temporarily use your password to "
			   "request an API token.\nThis password will NOT be "
			   "saved locally.\n",
		    PRODUCT " must temporarily use your password to request an "
		    "API token. This password will NOT be saved locally.");
	if (login_ask(t, arena_printf(a, "Username for %.*s:",
				      STR_ARG(t->host)),
		      NULL, false, "Failed to request username", &user) ||
	    login_ask(t, arena_printf(a, "Password for %.*s:",
				      STR_ARG(t->host)),
		      NULL, true, "Failed to request password", &password))
		return -1;
	return ask_token(t, c, oauth_password_form(a, c, user, password),
			 "Failed to retrieve API token", token);
}

/* --- a token that somebody makes on a page --- */

static void open_tokens(struct tool *t, struct str service)
{
	struct url u = { .host = STR_NONE };
	struct str host, address;
	ptrdiff_t colon;

	url_parse(&t->arena, service, &u);
	colon = str_chr(u.host, ':');
	host = colon < 0 ? u.host : str_sub(u.host, 0, (size_t)colon);
	address = str_printf(&t->arena, "https://%.*s/app/settings/tokens"
					"?source=terraform-login",
			     STR_ARG(host));
	if (login_browse(t, address))
		login_say(t, PRODUCT " must now open a web browser to the "
			     "tokens page for %.*s.\n\nIf a browser does not "
			     "open this automatically, open the following URL "
			     "to proceed:\n    %.*s\n",
			  PRODUCT " must now open a web browser to the tokens "
			  "page for %.*s. If a browser does not open this "
			  "automatically, open the following URL to proceed: "
			  "%.*s", STR_ARG(t->host), STR_ARG(address));
	else
		login_say(t, "Open the following URL to access the tokens page "
			     "for %.*s:\n    %.*s\n",
			  "Open the following URL to access the tokens page "
			  "for %.*s: %.*s", STR_ARG(t->host), STR_ARG(address));
}

/* Whose token is it? */
static int check_token(struct tool *t, struct str service, struct str token)
{
	const struct fetch_request r = {
		.url = url_resolve(&t->arena, service, STR("account/details")),
		.token = token, .most = 1 << 20,
	};
	struct fetch_answer answer;
	struct json_error wrong;
	const struct json *j = NULL;
	struct str user, why = STR_NONE;

	fetch_wait(t->hosts.fetch, &r, &answer);
	if (!answer.error.n && answer.status == 401)
		return diag_error(&t->ds, NULL, "Token is invalid",
				  "The host %.*s does not know it.",
				  STR_ARG(t->host));
	if (answer.error.n)
		why = answer.error;
	else if (answer.status != 200)
		why = str_printf(&t->arena, "it answered %.*s",
				 STR_ARG(fetch_status_text(&t->arena,
							   answer.status)));
	else if (!(j = json_parse(&t->arena, answer.body, &wrong)))
		why = STR("its answer is no JSON");
	if (why.n)
		return diag_error(&t->ds, NULL,
				  "Failed to retrieve user account details",
				  "The host %.*s: %.*s.", STR_ARG(t->host),
				  STR_ARG(why));
	user = host_text(&t->arena, json_get_str(
		json_get(json_get(j, "data"), "attributes"), "username"));
	login_say(t, t->v.style.color
			     ? "\nRetrieved token for user \033[1m%.*s\033[0m\n"
			     : "\nRetrieved token for user %.*s\n",
		  "Retrieved token for user %.*s", STR_ARG(user));
	return 0;
}

int login_by_page(struct tool *t, struct str service, struct str *token)
{
	if (consent(t, "your browser", false))
		return -1;
	login_line(t);
	open_tokens(t, service);
	login_line(t);
	ui_say_both(&t->v, "Generate a token using your browser, and "
			   "copy-paste it into this prompt.\n",
		    "Generate a token using your browser, and copy-paste it "
		    "into the prompt");
	if (t->place == TOKEN_HELPER)
		login_say(t, PRODUCT " will store the token in the configured "
			     "\"%.*s\" credentials helper\nfor use by "
			     "subsequent commands.\n",
			  PRODUCT " will store the token in the configured "
			  "\"%.*s\" credentials helper for use by subsequent "
			  "commands", STR_ARG(t->cli.hosts.helper));
	else
		login_say(t, PRODUCT " will store the token in plain text in "
			     "the following file\nfor use by subsequent "
			     "commands:\n    %.*s\n",
			  PRODUCT " will store the token in plain text in the "
			  "following file for use by subsequent commands: "
			  "%.*s", STR_ARG(token_file(&t->arena)));
	if (login_ask(t, arena_printf(&t->arena, "Token for %.*s:",
				      STR_ARG(t->host)),
		      NULL, true, "Failed to retrieve token", token))
		return -1;
	return check_token(t, service, *token);
}
