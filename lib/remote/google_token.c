/* google_token.c - see google_token.h: where credentials are looked for, and
 * the machine's */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "remote/google_token.h"
#include "base/io.h"
#include "json/read.h"
#include "remote/remote.h"
#include "remote/remote_int.h"

enum { MOST_FILE = 1 << 20, ASKED = 2 /* seconds for a machine to answer */ };

/* The file that gcloud writes at login; only gcloud itself uses
 * CLOUDSDK_CONFIG. */
static struct str well_known(struct arena *a)
{
	const char *home = getenv("HOME");
	const char *path =
		home && *home
			? arena_printf(
				  a,
				  "%s/.config/gcloud/application_default_credentials.json",
				  home)
			: NULL;

	return path && !access(path, F_OK) ? str_c(path) : STR_NONE;
}

static int by_text(struct remote *rem, const struct google_settings *s,
		   struct str text, struct oauth_token *out, struct str *why)
{
	struct json_error wrong;
	const struct json *j = json_parse(rem->a, text, &wrong);

	if (j && j->kind == JSON_OBJECT)
		return google_by_json(rem, s, j, out, why);
	*why = STR("it is no JSON object");
	return -1;
}

static int by_file(struct remote *rem, const struct google_settings *s,
		   struct str path, struct oauth_token *out, struct str *why)
{
	struct str text;

	if (io_read_regular(rem->a, path.p, MOST_FILE, &text))
		*why = str_c(strerror(errno));
	else if (!by_text(rem, s, text, out, why))
		return 0;
	*why = str_printf(rem->a, "the credentials in %.*s are of no use: %.*s",
			  STR_ARG(path), STR_ARG(*why));
	return -1;
}

/* --- the machine --- */

static bool firmware_says_so(struct arena *a)
{
	struct str name;

	return !io_read_regular(a, "/sys/class/dmi/id/product_name", 4096,
				&name) &&
	       (str_is(str_trim(name), "Google") ||
		str_is(str_trim(name), "Google Compute Engine"));
}

/* Of the scopes, with commas between. */
static struct str scopes_query(struct arena *a, struct str scope)
{
	char *list = arena_strndup(a, scope.p, scope.n);

	for (size_t i = 0; i < scope.n; i++)
		if (list[i] == ' ')
			list[i] = ',';
	return remote_escape(a, (struct str){ list, scope.n }, false);
}

static int by_machine(struct remote *rem, const struct google_settings *s,
		      struct oauth_token *out, struct str *why)
{
	const struct str named = str_env("GCE_METADATA_HOST");
	const bool sure = named.n || firmware_says_so(rem->a);
	const struct fetch_header flavor = { STR("Metadata-Flavor"),
					     STR("Google") };
	struct fetch_request r = { .headers = &flavor,
				   .nheaders = 1,
				   .proxies = &(struct fetch_proxies){
					   STR(""), STR(""), STR("") } };
	struct fetch_answer answer;

	if (!sure && !s->ask_machine)
		return 0;
	r.url = STR_CAT(rem->a, STR("http://"),
			named.n ? named : STR("169.254.169.254"));
	if (!sure) {
		r.seconds = ASKED;
		if (fetch_wait(remote_fetch(rem), &r, &answer) ||
		    answer.status != 200)
			return 0;
	}
	r.seconds = 0;
	r.url = STR_CAT(
		rem->a, r.url,
		STR("/computeMetadata/v1/instance/service-accounts/default/token?scopes="),
		scopes_query(rem->a, s->scope));
	return oauth_ask(rem, &r, STR_NONE, out, why);
}

/* --- all of them --- */

static int own_token(struct remote *rem, const struct google_settings *s,
		     struct oauth_token *out, struct str *why)
{
	struct str path = str_env("GOOGLE_APPLICATION_CREDENTIALS");

	*out = (struct oauth_token){ .text = s->token };
	if (s->token.n)
		return 0;
	if (s->credentials.n)
		return by_text(rem, s, s->credentials, out, why);
	if (!path.n)
		path = well_known(rem->a);
	return path.n ? by_file(rem, s, path, out, why)
		      : by_machine(rem, s, out, why);
}

static int for_account(struct remote *rem, const struct google_settings *s,
		       struct oauth_token *out, struct str *why)
{
	struct google_settings own = *s;
	struct oauth_token token;

	own.scope = STR(GOOGLE_SCOPE_ALL);
	if (own_token(rem, &own, &token, why))
		return -1;
	if (!token.text.n) {
		*out = token;
		return 0;
	}
	return google_act_for(
		rem,
		str_printf(rem->a,
			   "https://iamcredentials.%.*s/v1/projects/-/"
			   "serviceAccounts/%.*s:generateAccessToken",
			   STR_ARG(s->universe.n ? s->universe
						 : STR(GOOGLE_UNIVERSE)),
			   STR_ARG(remote_escape(rem->a, s->account, false))),
		&s->delegates, s->scope, 0, &token, out, why);
}

int google_token(struct remote *rem, const struct google_settings *s,
		 struct oauth_token *token, struct str *why)
{
	struct oauth_token fresh = { .text = STR_NONE };

	if (oauth_fresh(token))
		return 0;
	if ((s->account.n ? for_account : own_token)(rem, s, &fresh, why))
		return -1;
	*token = fresh;
	return 0;
}

struct google_settings google_modules(void)
{
	return (struct google_settings){
		.token = str_env("GOOGLE_OAUTH_ACCESS_TOKEN"),
		.scope = STR(GOOGLE_SCOPE_STORE),
	};
}
