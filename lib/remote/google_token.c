/* google_token.c - see google_token.h */
#include "remote/google_token.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/base64.h"
#include "base/io.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/aws_sign.h"
#include "remote/remote.h"

enum { MOST_FILE = 1 << 20, VALID = 3600 /* seconds */ };

static const char service[] = "https://oauth2.googleapis.com/token";
static const char scope[] =
	"https://www.googleapis.com/auth/cloud-platform "
	"https://www.googleapis.com/auth/devstorage.full_control";

/* The file that gcloud writes at login; only gcloud itself uses
 * CLOUDSDK_CONFIG. */
static struct str well_known(struct arena *a)
{
	const char *home = getenv("HOME");
	const char *path = home && *home ? arena_printf(a,
							"%s/.config/gcloud/"
							"application_default_"
							"credentials.json",
							home)
					 : NULL;

	return path && !access(path, F_OK) ? str_c(path) : STR_NONE;
}

/* --- a service account --- */

static struct str encoded(struct arena *a, struct buf *text)
{
	struct str out = base64_url(a, buf_view(text));

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
	return encoded(a, &text);
}

static struct str jwt_claims(struct arena *a, const struct json *j,
			     struct str url)
{
	const int64_t now = time(NULL);
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	jw_object(&w);
	jw_member_str(&w, "iss", json_get_str(j, "client_email"));
	jw_member_str(&w, "scope", str_c(scope));
	jw_member_str(&w, "aud", url);
	jw_member_int(&w, "iat", now);
	jw_member_int(&w, "exp", now + VALID);
	jw_object_end(&w);
	return encoded(a, &text);
}

static int signature(struct arena *a, struct str pem, struct str text,
		     struct str *out, struct str *why)
{
	struct buf bytes = BUF_INIT;
	struct rsa_key *key;
	const char *wrong = rsa_key_parse(pem, &key);
	int rc = -1;

	if (wrong) {
		*why = str_printf(a, "its private_key is of no use: %s", wrong);
		return -1;
	}
	if (rsa_sign(key, text, &bytes))
		*why = STR("its private_key does not sign");
	else
		rc = 0;
	*out = base64_url(a, buf_view(&bytes));
	buf_release(&bytes);
	rsa_key_free(key);
	return rc;
}

static int service_form(struct arena *a, const struct json *j, struct str url,
			struct str *form, struct str *why)
{
	const struct str text =
		STR_CAT(a, jwt_header(a, j), STR("."), jwt_claims(a, j, url));
	struct str sum;

	if (!json_get_str(j, "client_email").n) {
		*why = STR("it has no client_email");
		return -1;
	}
	if (signature(a, json_get_str(j, "private_key"), text, &sum, why))
		return -1;
	*form = STR_CAT(a,
			STR("grant_type=urn%3Aietf%3Aparams%3Aoauth%3A"
			    "grant-type%3Ajwt-bearer&assertion="),
			text, STR("."), sum);
	return 0;
}

/* --- a user --- */

static int user_form(struct arena *a, const struct json *j, struct str *form,
		     struct str *why)
{
	static const char *const names[] = { "client_id", "client_secret",
					     "refresh_token" };

	*form = STR("grant_type=refresh_token");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		const struct str value = json_get_str(j, names[i]);

		if (!value.n) {
			*why = str_printf(a, "it has no %s", names[i]);
			return -1;
		}
		*form = STR_CAT(a, *form, STR("&"), str_c(names[i]), STR("="),
				aws_escape(a, value, false));
	}
	return 0;
}

/* --- asking --- */

static int read_answer(struct arena *a, const struct fetch_answer *answer,
		       struct str *token, struct str *why)
{
	struct json_error wrong;
	const struct json *j = json_parse(a, answer->body, &wrong);
	struct str said = json_get_str(j, "error_description");

	*token = json_get_str(j, "access_token");
	if (answer->status == 200 && token->n &&
	    strcspn(str_dup(a, *token).p, "\r\n") == token->n)
		return 0;
	if (!said.n)
		said = json_get_str(j, "error");
	if (answer->error.n)
		*why = answer->error;
	else if (answer->status == 200)
		*why = STR("the answer has no token");
	else
		*why = str_printf(a, "%.*s%s%.*s",
				  STR_ARG(fetch_status_text(a, answer->status)),
				  said.n ? ": " : "",
				  STR_ARG(host_text(a, said)));
	return -1;
}

static int ask(struct remote *rem, struct str url, struct str form,
	       struct str *token, struct str *why)
{
	const struct fetch_header header = {
		STR("Content-Type"), STR("application/x-www-form-urlencoded")
	};
	const struct fetch_request r = { .url = url,
					 .method = STR("POST"),
					 .body = form,
					 .headers = &header,
					 .nheaders = 1,
					 .retries = REMOTE_RETRIES,
					 .redirects = FETCH_NO_REDIRECTS };
	struct fetch_answer answer;

	fetch_wait(remote_fetch(rem), &r, &answer);
	if (!read_answer(rem->a, &answer, token, why))
		return 0;
	*why = str_printf(rem->a, "%.*s gives no token for it: %.*s",
			  STR_ARG(url_redacted(rem->a, url)), STR_ARG(*why));
	return -1;
}

/* Requests a token, by the kind of credentials. */
static int ask_for(struct remote *rem, const struct json *j, struct str *token,
		   struct str *why)
{
	const struct str type = json_get_str(j, "type");
	struct str url = str_c(service), form;

	if (str_is(type, "authorized_user"))
		return user_form(rem->a, j, &form, why) ||
				       ask(rem, url, form, token, why)
			       ? -1
			       : 0;
	if (!str_is(type, "service_account")) {
		*why = str_printf(rem->a,
				  "credentials of the type \"%.*s\" are not "
				  "supported: give a token in "
				  "GOOGLE_OAUTH_ACCESS_TOKEN",
				  STR_ARG(host_text(rem->a, type)));
		return -1;
	}
	if (json_get_str(j, "token_uri").n)
		url = json_get_str(j, "token_uri");
	if (!str_starts(url, "https://")) {
		*why = STR("its token_uri is no https address");
		return -1;
	}
	return service_form(rem->a, j, url, &form, why) ||
			       ask(rem, url, form, token, why)
		       ? -1
		       : 0;
}

static int by_file(struct remote *rem, struct str path, struct str *token,
		   struct str *why)
{
	struct json_error wrong;
	const struct json *j;
	struct str text;

	if (io_read_regular(rem->a, path.p, MOST_FILE, &text)) {
		*why = str_c(strerror(errno));
		return -1;
	}
	j = json_parse(rem->a, text, &wrong);
	if (j && j->kind == JSON_OBJECT)
		return ask_for(rem, j, token, why);
	*why = STR("it is no JSON object");
	return -1;
}

int google_token(struct remote *rem, struct str *token, struct str *why)
{
	struct str path = str_c(getenv("GOOGLE_APPLICATION_CREDENTIALS"));

	*token = str_c(getenv("GOOGLE_OAUTH_ACCESS_TOKEN"));
	if (token->n)
		return 0;
	*token = rem->google_token;
	if (!path.n)
		path = well_known(rem->a);
	if (token->n || !path.n)
		return 0;
	if (by_file(rem, path, token, why)) {
		*why = str_printf(rem->a,
				  "the credentials in %.*s are of no use: "
				  "%.*s",
				  STR_ARG(path), STR_ARG(*why));
		return -1;
	}
	rem->google_token = *token;
	return 0;
}
