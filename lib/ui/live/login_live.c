/* login_live.c - see init_live.h */
#include <stdarg.h>

#include "ui/live/init_live.h"
#include "base/product.h"
#include "base/visible.h"
#include "ui/ask.h"
#include "ui/view.h"

/* --- saying --- */

/* Shows text to people, message to programs; both take the same values, in the
 * same order. */
__attribute__((format(printf, 2, 4))) static void say(struct view *v,
						      const char *text,
						      const char *message, ...)
{
	const char *said, *told;
	va_list ap;

	va_start(ap, message);
	said = arena_vprintf(v->arena, text, ap);
	va_end(ap);
	va_start(ap, message);
	told = arena_vprintf(v->arena, message, ap);
	va_end(ap);
	ui_say_both(v, said, told);
}

/* A rule between two parts, for people. */
static void say_line(struct view *v)
{
	static const char dashes[] =
		"\n---------------------------------------------------------"
		"------------------------\n\n";

	out_str(v->out, str_c(dashes));
	out_flush(v->out);
}

/* "Success! TEXT", in colours; more: text that follows, or "". */
static void say_success(struct view *v, struct str text, const char *more)
{
	const bool color = v->style.color;
	struct str flat = str_dup(v->arena, str_c(more));
	const char *said =
		arena_printf(v->arena, "%sSuccess!%s %s%.*s%s%s",
			     color ? PAINT_GREEN PAINT_BOLD : "",
			     color ? PAINT_PLAIN : "", color ? PAINT_BOLD : "",
			     STR_ARG(text), color ? PAINT_PLAIN : "", more);

	for (char *p = (char *)flat.p; *p; p++)
		if (*p == '\n')
			*p = ' ';
	flat = str_trim(flat);
	flat = str_printf(v->arena, "Success! %.*s%s%.*s", STR_ARG(text),
			  flat.n ? " " : "", STR_ARG(flat));
	if (flat.p[flat.n - 1] == '.') /* messages have none */
		flat = str_dup(v->arena, str_sub(flat, 0, flat.n - 1));
	ui_say_both(v, said, flat.p);
}

/* --- what will be done --- */

static void say_storage(struct view *v, const struct login *l)
{
	if (l->place == TOKEN_HELPER)
		say(v,
		    "If login is successful, %s will store the token in the configured\n"
		    "\"%.*s\" credentials helper for use by subsequent commands.\n",
		    "If login is successful, %s will store the token "
		    "in the configured \"%.*s\" credentials helper for use by "
		    "subsequent commands",
		    product_name(), STR_ARG(l->cli->helper));
	else
		say(v,
		    "If login is successful, %s will store the token in plain text in\n"
		    "the following file for use by subsequent commands:\n"
		    "    %.*s\n",
		    "If login is successful, %s will store the token "
		    "in plain text in the following file for use by "
		    "subsequent commands: %.*s",
		    product_name(), STR_ARG(token_file(v->arena)));
}

static void say_way(struct view *v, const struct login *l, enum login_step way)
{
	const char *mechanism = way == LOGIN_BY_PAGE ? "your browser" : "OAuth";

	say(v, "%s will request an API token for %.*s using %s.\n",
	    "%s will request an API token for %.*s using %s", product_name(),
	    STR_ARG(l->host), mechanism);
	if (way == LOGIN_BY_CODE)
		ui_say_both(v,
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
	say_storage(v, l);
}

static void say_password(struct view *v)
{
	say_line(v);
	ui_say_both(
		v,
		arena_printf(
			v->arena,
			"%s must temporarily use your password to request an API token.\n"
			"This password will NOT be saved locally.\n",
			product_name()),
		arena_printf(
			v->arena,
			"%s must temporarily use your password to request an API token. "
			"This password will NOT be saved locally.",
			product_name()));
}

/* --- pages --- */

/* No browser could be opened. */
static void say_address(struct view *v, const struct login *l, const char *page,
			struct str address)
{
	say(v,
	    "Open the following URL to access the %s page for %.*s:\n"
	    "    %.*s\n",
	    "Open the following URL to access the %s page for %.*s: %.*s", page,
	    STR_ARG(l->host), STR_ARG(address));
}

static void say_page(struct view *v, const struct login *l, bool opened,
		     struct str address)
{
	if (opened)
		ui_say_both(
			v,
			arena_printf(
				v->arena,
				"%s must now open a web browser to the login page for %.*s.\n\n"
				"If a browser does not open this automatically, open the following URL to proceed:\n"
				"    %.*s\n",
				product_name(), STR_ARG(l->host),
				STR_ARG(address)),
			arena_printf(
				v->arena,
				"Opening web browser to the login page for %.*s. If a "
				"browser does not open this automatically, open the "
				"following URL to proceed: %.*s",
				STR_ARG(l->host), STR_ARG(address)));
	else
		say_address(v, l, "login", address);
}

static void say_tokens(struct view *v, const struct login *l, bool opened,
		       struct str address)
{
	say_line(v);
	if (opened)
		say(v,
		    "%s must now open a web browser to the tokens page for %.*s.\n\n"
		    "If a browser does not open this automatically, open the following URL to proceed:\n"
		    "    %.*s\n",
		    "%s must now open a web browser to the tokens page "
		    "for %.*s. If a browser does not open this automatically, "
		    "open the following URL to proceed: %.*s",
		    product_name(), STR_ARG(l->host), STR_ARG(address));
	else
		say_address(v, l, "tokens", address);
}

static void say_paste(struct view *v, const struct login *l)
{
	say_line(v);
	ui_say_both(
		v,
		"Generate a token using your browser, and copy-paste it "
		"into this prompt.\n",
		"Generate a token using your browser, and copy-paste it into the prompt");
	if (l->place == TOKEN_HELPER)
		say(v,
		    "%s will store the token in the configured \"%.*s\" credentials helper\n"
		    "for use by subsequent commands.\n",
		    "%s will store the token in the configured \"%.*s\" "
		    "credentials helper for use by subsequent commands",
		    product_name(), STR_ARG(l->cli->helper));
	else
		say(v,
		    "%s will store the token in plain text in the following file\n"
		    "for use by subsequent commands:\n"
		    "    %.*s\n",
		    "%s will store the token in plain text in the "
		    "following file for use by subsequent commands: %.*s",
		    product_name(), STR_ARG(token_file(v->arena)));
}

static void say_user(struct view *v, struct str user)
{
	say(v,
	    v->style.color ? "\nRetrieved token for user " PAINT_BOLD
			     "%.*s" PAINT_PLAIN "\n"
			   : "\nRetrieved token for user %.*s\n",
	    "Retrieved token for user %.*s", STR_ARG(user));
}

/* --- logging out --- */

static void say_nothing(struct view *v, const struct login *l)
{
	say(v, "No credentials for %.*s are stored.\n",
	    "No credentials for %.*s are stored", STR_ARG(l->host));
}

static void say_removing(struct view *v, const struct login *l)
{
	if (l->place == TOKEN_HELPER)
		say(v,
		    "Removing the stored credentials for %.*s from the "
		    "configured\n\"%.*s\" credentials helper.\n",
		    "Removing the stored credentials for %.*s from the "
		    "configured \"%.*s\" credentials helper",
		    STR_ARG(l->host), STR_ARG(l->cli->helper));
	else
		say(v,
		    "Removing the stored credentials for %.*s from the "
		    "following file:\n    %.*s\n",
		    "Removing the stored credentials for %.*s from the following file: %.*s",
		    STR_ARG(l->host), STR_ARG(token_file(v->arena)));
}

static void told(void *data, const struct login *l, enum login_step step,
		 struct str text)
{
	struct view *v = data;

	switch (step) {
	case LOGIN_BY_CODE:
	case LOGIN_BY_PASSWORD:
	case LOGIN_BY_PAGE:
		say_way(v, l, step);
		break;
	case LOGIN_OPENED:
	case LOGIN_OPEN:
		say_page(v, l, step == LOGIN_OPENED, text);
		break;
	case LOGIN_WAITING:
		ui_say_both(
			v,
			arena_printf(
				v->arena,
				"%s will now wait for the host to signal that login was successful.\n",
				product_name()),
			arena_printf(
				v->arena,
				"%s will now wait for the host to signal that login was successful",
				product_name()));
		break;
	case LOGIN_ABOUT_PASSWORD:
		say_password(v);
		break;
	case LOGIN_TOKENS_OPENED:
	case LOGIN_TOKENS_OPEN:
		say_tokens(v, l, step == LOGIN_TOKENS_OPENED, text);
		break;
	case LOGIN_PASTE:
		say_paste(v, l);
		break;
	case LOGIN_USER:
		say_user(v, text);
		break;
	case LOGOUT_NOTHING:
		say_nothing(v, l);
		break;
	case LOGOUT_REMOVING:
		say_removing(v, l);
		break;
	}
}

/* --- asking --- */

static int ask(void *data, const struct login *l, enum login_question q,
	       struct str *answer, struct diags *ds)
{
	static const struct question questions[] = {
		[LOGIN_ASK_CONSENT] = { "Do you want to proceed?",
					"Only 'yes' will be accepted to confirm.",
					false, "Error collecting user prompt" },
		[LOGIN_ASK_USER] = { "Username", NULL, false,
				     "Failed to request username" },
		[LOGIN_ASK_PASSWORD] = { "Password", NULL, true,
					 "Failed to request password" },
		[LOGIN_ASK_TOKEN] = { "Token", NULL, true,
				      "Failed to retrieve token" },
	};
	struct question asked = questions[q];
	struct view *v = data;

	if (q != LOGIN_ASK_CONSENT)
		asked.query =
			arena_printf(v->arena, "%s for %.*s:", asked.query,
				     STR_ARG(l->host));
	return ui_ask(v, &asked, answer, ds);
}

void login_live_follow(struct view *v, struct login *l)
{
	l->told = told;
	l->ask = ask;
	l->data = v;
}

/* --- the end --- */

void login_live_done(struct view *v, const struct login *l)
{
	say_line(v);
	if (str_is(l->host, LOGIN_PASSWORD_HOST))
		say_success(v, STR("Logged in to cloud backend"), "\n");
	else if (l->cloud)
		say_success(v,
			    str_printf(v->arena,
				       "Logged in to the cloud backend (%.*s)",
				       STR_ARG(l->host)),
			    "\n");
	else
		say_success(
			v,
			str_printf(v->arena,
				   "%s has obtained and saved an API token.",
				   product_name()),
			arena_printf(
				v->arena,
				"\n\nThe new API token will be used for any future %s command that must make\n"
				"authenticated requests to %.*s.\n",
				product_name(), STR_ARG(l->host)));
}

void login_live_forgotten(struct view *v, const struct login *l)
{
	say_success(v,
		    str_printf(v->arena,
			       "%s has removed the stored API token for %.*s.",
			       product_name(), STR_ARG(l->host)),
		    "\n");
}
