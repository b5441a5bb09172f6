/* google_accounts.c - tokens of service accounts and of users; see
 * google_token.h */
#include <time.h>

#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote_int.h"

enum { VALID = 3600 /* seconds */ };

static const char service[] = "https://oauth2.googleapis.com/token";

/* --- a service account --- */

static struct str taken(struct arena *a, struct buf *text)
{
	struct str out = buf_dup(a, text);

	buf_release(text);
	return out;
}

static struct str jwt_header(struct arena *a, const struct json *j)
{
	const struct str id = json_get_str(j, "private_key_id");
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	jw_object(&w);
	jw_member_str(&w, "alg", STR("RS256"));
	jw_member_str(&w, "typ", STR("JWT"));
	if (id.n)
		jw_member_str(&w, "kid", id);
	jw_object_end(&w);
	return taken(a, &text);
}

/* For whom it is; empty: for the services themselves, which take it for a
 * token. */
static struct str jwt_claims(struct arena *a, const struct json *j,
			     struct str scope, struct str audience)
{
	const struct str email = json_get_str(j, "client_email");
	const int64_t now = time(NULL);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	jw_object(&w);
	jw_member_str(&w, "iss", email);
	if (!audience.n)
		jw_member_str(&w, "sub", email);
	jw_member_str(&w, "scope", scope);
	if (audience.n)
		jw_member_str(&w, "aud", audience);
	jw_member_int(&w, "iat", now);
	jw_member_int(&w, "exp", now + VALID);
	jw_object_end(&w);
	return taken(a, &text);
}

static int jwt(struct arena *a, const struct json *j, struct str scope,
	       struct str audience, struct str *out, struct str *why)
{
	if (!json_get_str(j, "client_email").n) {
		*why = STR("it has no client_email");
		return -1;
	}
	if (!oauth_sign(a, json_get_str(j, "private_key"), jwt_header(a, j),
			jwt_claims(a, j, scope, audience), out, why))
		return 0;
	*why = str_printf(a, "its private_key is of no use: %.*s",
			  STR_ARG(*why));
	return -1;
}

/* In other universes nobody exchanges what an account has signed. */
static bool elsewhere(const struct google_settings *s, const struct json *j)
{
	const struct str said = json_get_str(j, "universe_domain");
	const struct str universe = s->universe.n ? s->universe : said;

	return universe.n && !str_is(universe, GOOGLE_UNIVERSE);
}

static int of_service(struct remote *rem, const struct google_settings *s,
		      const struct json *j, struct oauth_token *out,
		      struct str *why)
{
	struct str url = json_get_str(j, "token_uri"), signed_text;
	struct buf form = BUF_INIT;
	int rc;

	if (elsewhere(s, j)) {
		oauth_lives(out, VALID);
		return jwt(rem->a, j, s->scope, STR_NONE, &out->text, why);
	}
	if (!url.n)
		url = str_c(service);
	if (!str_starts(url, "https://")) {
		*why = STR("its token_uri is no https address");
		return -1;
	}
	if (jwt(rem->a, j, s->scope, url, &signed_text, why))
		return -1;
	oauth_form(&form, "grant_type",
		   STR("urn:ietf:params:oauth:grant-type:jwt-bearer"));
	oauth_form(&form, "assertion", signed_text);
	rc = oauth_ask(rem, &(struct fetch_request){ .url = url },
		       buf_view(&form), out, why);
	buf_release(&form);
	return rc;
}

/* --- a user --- */

static int of_user(struct remote *rem, const struct json *j,
		   struct oauth_token *out, struct str *why)
{
	static const char *const names[] = { "client_id", "client_secret",
					     "refresh_token" };
	struct buf form = BUF_INIT;
	int rc = 0;

	oauth_form(&form, "grant_type", STR("refresh_token"));
	for (size_t i = 0; !rc && i < sizeof(names) / sizeof(*names); i++) {
		const struct str value = json_get_str(j, names[i]);

		oauth_form(&form, names[i], value);
		if (value.n)
			continue;
		*why = str_printf(rem->a, "it has no %s", names[i]);
		rc = -1;
	}
	if (!rc)
		rc = oauth_ask(rem,
			       &(struct fetch_request){ .url = str_c(service) },
			       buf_view(&form), out, why);
	buf_release(&form);
	return rc;
}

/* --- for another account --- */

static struct str act_body(struct arena *a, const struct str_vec *delegates,
			   struct str scope, int64_t lifetime)
{
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	jw_object(&w);
	if (delegates->len) {
		jw_key(&w, "delegates");
		jw_array(&w);
		for (size_t i = 0; i < delegates->len; i++)
			jw_str(&w, delegates->items[i]);
		jw_array_end(&w);
	}
	jw_member_str(&w, "lifetime",
		      str_printf(a, "%llds",
				 (long long)(lifetime ? lifetime : VALID)));
	jw_key(&w, "scope");
	jw_array(&w);
	while (scope.n) {
		const ptrdiff_t at = str_chr(scope, ' ');
		const size_t n = at < 0 ? scope.n : (size_t)at;

		jw_str(&w, str_sub(scope, 0, n));
		scope = str_sub(scope, at < 0 ? n : n + 1, scope.n);
	}
	jw_array_end(&w);
	jw_object_end(&w);
	return taken(a, &text);
}

/* As 2026-01-02T03:04:05Z. */
static int64_t seconds_until(struct arena *a, struct str when)
{
	struct tm tm = { 0 };

	return strptime(str_dup(a, when).p, "%Y-%m-%dT%H:%M:%S", &tm)
		       ? (int64_t)(timegm(&tm) - time(NULL))
		       : 0;
}

int google_act_for(struct remote *rem, struct str url,
		   const struct str_vec *delegates, struct str scope,
		   int64_t lifetime, const struct oauth_token *own,
		   struct oauth_token *out, struct str *why)
{
	const struct fetch_header type = { STR("Content-Type"),
					   STR("application/json") };
	const struct fetch_request r = { .url = url,
					 .method = STR("POST"),
					 .token = own->text,
					 .headers = &type,
					 .nheaders = 1,
					 .body = act_body(rem->a, delegates,
							  scope, lifetime),
					 .retries = REMOTE_RETRIES,
					 .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer;
	struct json_error wrong;
	const struct json *j;

	if (!str_starts(url, "https://")) {
		*why = STR(
			"service_account_impersonation_url is no https address");
		return -1;
	}
	fetch_wait(remote_fetch(rem), &r, &answer);
	j = json_parse(rem->a, answer.body, &wrong);
	out->text = json_get_str(j, "accessToken");
	if (answer.status == 200 && out->text.n) {
		oauth_lives(out, seconds_until(rem->a,
					       json_get_str(j, "expireTime")));
		return 0;
	}
	j = json_get(j, "error");
	*why = str_printf(
		rem->a, "there is no token for the service account: %.*s%s%.*s",
		STR_ARG(answer.error.n
				? answer.error
				: fetch_status_text(rem->a, answer.status)),
		json_get_str(j, "message").n ? ": " : "",
		STR_ARG(host_text(rem->a, json_get_str(j, "message"))));
	return -1;
}

/* A file that names the account, and the credentials that may act for it. */
static int of_impersonated(struct remote *rem, const struct google_settings *s,
			   const struct json *j, struct oauth_token *out,
			   struct str *why)
{
	const struct json *source = json_get(j, "source_credentials");
	struct str url = json_get_str(j, "service_account_impersonation_url");
	struct google_settings own = *s;
	struct str_vec delegates = { 0 };
	struct oauth_token token = { .text = STR_NONE };

	own.scope = STR(GOOGLE_SCOPE_ALL);
	if (!source || !url.n) {
		*why = STR(
			"it has no source_credentials, or no service_account_impersonation_url");
		return -1;
	}
	if (json_texts(rem->a, json_get(j, "delegates"), &delegates)) {
		*why = STR("its delegates are no list of texts");
		return -1;
	}
	return google_by_json(rem, &own, source, &token, why) ||
			       google_act_for(rem, url, &delegates, s->scope, 0,
					      &token, out, why)
		       ? -1
		       : 0;
}

int google_by_json(struct remote *rem, const struct google_settings *s,
		   const struct json *j, struct oauth_token *out,
		   struct str *why)
{
	const struct str type = json_get_str(j, "type");

	if (str_is(type, "service_account"))
		return of_service(rem, s, j, out, why);
	if (str_is(type, "authorized_user"))
		return of_user(rem, j, out, why);
	if (str_is(type, "external_account"))
		return google_external(rem, s, j, out, why);
	if (str_is(type, "external_account_authorized_user"))
		return google_external_user(rem, j, out, why);
	if (str_is(type, "impersonated_service_account"))
		return of_impersonated(rem, s, j, out, why);
	*why = str_printf(rem->a,
			  "credentials of the type \"%.*s\" are not "
			  "supported: give a token in "
			  "GOOGLE_OAUTH_ACCESS_TOKEN",
			  STR_ARG(host_text(rem->a, type)));
	return -1;
}
