/*
 * google_external.c - identities that others vouch for, exchanged for a token
 * of Google's (RFC 8693, google.aip.dev/auth/4117)
 *
 * Who they are is a text in a file, behind a URL, printed by a program, or a
 * request to Amazon (google_aws.c).
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/base64.h"
#include "base/io.h"
#include "config/source/url.h"
#include "json/read.h"
#include "json/tree.h"
#include "json/write.h"
#include "remote/remote_int.h"
#include "remote/credentials.h"

enum { MOST_FILE = 1 << 20 };

static const char exchange[] =
	"urn:ietf:params:oauth:grant-type:token-exchange";
static const char access_type[] =
	"urn:ietf:params:oauth:token-type:access_token";

/* --- who it is --- */

/* The text itself, or a member of it. */
static int formatted(struct arena *a, const struct json *format,
		     struct str text, struct str *out, struct str *why)
{
	const struct str type = json_get_str(format, "type");
	struct json_error wrong;

	*out = str_trim(text);
	if (!str_is(type, "json"))
		return 0;
	*out = json_get_str(
		json_parse(a, text, &wrong),
		str_dup(a, json_get_str(format, "subject_token_field_name")).p);
	if (out->n)
		return 0;
	*why = STR("what vouches for it has no member that is named "
		   "in subject_token_field_name");
	return -1;
}

static int by_file(struct arena *a, const struct json *source, struct str path,
		   struct str *out, struct str *why)
{
	struct str text;

	if (!io_read_regular(a, str_dup(a, path).p, MOST_FILE, &text))
		return formatted(a, json_get(source, "format"), text, out, why);
	*why = str_printf(a, "%.*s cannot be read: %s", STR_ARG(path),
			  strerror(errno));
	return -1;
}

static int by_url(struct remote *rem, const struct json *source, struct str url,
		  struct str *out, struct str *why)
{
	const struct json *headers = json_get(source, "headers");
	struct fetch_request r = { .url = url,
				   .retries = REMOTE_RETRIES,
				   .redirects = FETCH_NO_REDIRECTS };
	struct fetch_header *h;
	struct fetch_answer answer;

	if (headers && headers->kind == JSON_OBJECT) {
		h = ARENA_ARRAY(rem->a, struct fetch_header, headers->len + 1);
		for (uint32_t i = 0; i < headers->len; i++)
			if (headers->members[i].value.kind == JSON_STRING)
				h[r.nheaders++] = (struct fetch_header){
					headers->members[i].name,
					headers->members[i].value.text
				};
		r.headers = h;
	}
	if (!fetch_wait(remote_fetch(rem), &r, &answer) && answer.status == 200)
		return formatted(rem->a, json_get(source, "format"),
				 answer.body, out, why);
	*why = str_printf(rem->a, "%.*s does not vouch for it: %.*s",
			  STR_ARG(url_redacted(rem->a, url)),
			  STR_ARG(answer.error.n
					  ? answer.error
					  : fetch_status_text(rem->a,
							      answer.status)));
	return -1;
}

/* What a program has printed, or left in a file for the next run. */
static int said_by_program(struct arena *a, struct str text, struct str *out,
			   struct str *why)
{
	struct json_error wrong;
	const struct json *j = json_parse(a, text, &wrong);
	const int64_t until = json_get_int(j, "expiration_time", 0);

	*out = json_get_str(j, "id_token");
	if (!out->n)
		*out = json_get_str(j, "saml_response");
	if (!json_get_bool(j, "success", false))
		*why = str_printf(
			a, "the program does not vouch for it: %.*s",
			STR_ARG(host_text(a, json_get_str(j, "message"))));
	else if (json_get_int(j, "version", 0) != 1)
		*why = STR(
			"the program's answer is of a version that is not known");
	else if (until && until < time(NULL))
		*why = STR("what the program has answered has expired");
	else if (!out->n)
		*why = STR("the program's answer has no token");
	else
		return 0;
	return -1;
}

/* NAME=VALUE, for env(1). */
static const char *setting(struct arena *a, const char *name, struct str value)
{
	return arena_printf(a, "GOOGLE_EXTERNAL_ACCOUNT_%s=%.*s", name,
			    STR_ARG(value));
}

static const char **program_words(struct arena *a, const struct json *j,
				  struct str command, struct str file)
{
	struct str url = json_get_str(j, "service_account_impersonation_url");
	const ptrdiff_t slash = str_find(url, STR("serviceAccounts/"));
	const ptrdiff_t colon = str_find(url, STR(":generateAccessToken"));
	const char **argv = ARENA_ARRAY(a, const char *, command.n + 8);
	size_t n = 0;

	argv[n++] = "env";
	argv[n++] = setting(a, "AUDIENCE", json_get_str(j, "audience"));
	argv[n++] =
		setting(a, "TOKEN_TYPE", json_get_str(j, "subject_token_type"));
	argv[n++] = setting(a, "INTERACTIVE", STR("0"));
	if (slash >= 0 && colon > slash)
		argv[n++] = setting(
			a, "IMPERSONATED_EMAIL",
			str_sub(url, (size_t)slash + strlen("serviceAccounts/"),
				(size_t)colon));
	if (file.n)
		argv[n++] = setting(a, "OUTPUT_FILE", file);
	while ((command = str_trim(command)).n) {
		size_t len = 0;

		while (len < command.n && !strchr(" \t\r\n", command.p[len]))
			len++;
		argv[n++] = arena_strndup(a, command.p, len);
		command = str_sub(command, len, command.n);
	}
	argv[n] = NULL;
	return argv;
}

static int by_program(struct arena *a, const struct json *j,
		      const struct json *how, struct str *out, struct str *why)
{
	const struct str command = json_get_str(how, "command");
	const struct str file = json_get_str(how, "output_file");
	const struct str allowed =
		str_env("GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES");
	struct buf said = BUF_INIT;
	struct str kept, ignored;
	int rc;

	if (file.n &&
	    !io_read_regular(a, str_dup(a, file).p, MOST_FILE, &kept) &&
	    kept.n && !said_by_program(a, kept, out, &ignored))
		return 0;
	if (!str_is(allowed, "1")) {
		*why = STR("it names a program, which is run only where "
			   "GOOGLE_EXTERNAL_ACCOUNT_ALLOW_EXECUTABLES is 1");
		return -1;
	}
	rc = secret_program_run(a, program_words(a, j, command, file), STR_NONE,
				&said, why);
	if (!rc)
		rc = said_by_program(a, buf_dup(a, &said), out, why);
	buf_release(&said);
	return rc;
}

static int subject(struct remote *rem, const struct json *j, struct str *out,
		   struct str *why)
{
	const struct json *source = json_get(j, "credential_source");
	const struct json *program = json_get(source, "executable");
	const struct str file = json_get_str(source, "file");
	const struct str url = json_get_str(source, "url");

	if (json_get_str(source, "environment_id").n)
		return google_aws_subject(rem, j, out, why);
	if (file.n)
		return by_file(rem->a, source, file, out, why);
	else if (url.n)
		return by_url(rem, source, url, out, why);
	else if (json_get_str(program, "command").n)
		return by_program(rem->a, j, program, out, why);
	else
		*why = STR(
			"its credential_source has no file, url or executable");
	return -1;
}

/* --- the exchange --- */

/* A client that has a secret of its own says who it is. */
static struct fetch_header client(struct arena *a, const struct json *j)
{
	const struct str id = json_get_str(j, "client_id");
	const struct str secret = json_get_str(j, "client_secret");

	if (!id.n || !secret.n)
		return (struct fetch_header){ .name = STR_NONE };
	return (struct fetch_header){
		STR("Authorization"),
		STR_CAT(a, STR("Basic "),
			base64_encode(a, STR_CAT(a, id, STR(":"), secret)))
	};
}

static int ask(struct remote *rem, const struct json *j, struct str url,
	       struct buf *form, struct oauth_token *out, struct str *why)
{
	const struct fetch_header header = client(rem->a, j);
	const struct fetch_request r = { .url = url,
					 .headers = &header,
					 .nheaders = header.name.n != 0 };
	int rc = -1;

	if (str_starts(url, "https://"))
		rc = oauth_ask(rem, &r, buf_view(form), out, why);
	else
		*why = STR("its token_url is no https address");
	buf_release(form);
	return rc;
}

static void add_project(struct buf *form, const struct json *j)
{
	const struct str project =
		json_get_str(j, "workforce_pool_user_project");
	struct buf text = BUF_INIT;
	struct jw w = JW_INIT(&text);

	if (!project.n || json_get_str(j, "client_id").n)
		return;
	jw_object(&w);
	jw_member_str(&w, "userProject", project);
	jw_object_end(&w);
	oauth_form(form, "options", buf_view(&text));
	buf_release(&text);
}

int google_external(struct remote *rem, const struct google_settings *s,
		    const struct json *j, struct oauth_token *out,
		    struct str *why)
{
	static const struct str_vec nobody = { NULL, 0, 0 };
	struct str url = json_get_str(j, "token_url"), token;
	struct str act = json_get_str(j, "service_account_impersonation_url");
	struct oauth_token own = { .text = STR_NONE };
	struct buf form = BUF_INIT;

	if (!url.n)
		url = str_printf(rem->a, "https://sts.%.*s/v1/token",
				 STR_ARG(s->universe.n ? s->universe
						       : STR(GOOGLE_UNIVERSE)));
	if (subject(rem, j, &token, why))
		return -1;
	oauth_form(&form, "audience", json_get_str(j, "audience"));
	oauth_form(&form, "grant_type", str_c(exchange));
	add_project(&form, j);
	oauth_form(&form, "requested_token_type", str_c(access_type));
	oauth_form(&form, "scope", act.n ? STR(GOOGLE_SCOPE_ALL) : s->scope);
	oauth_form(&form, "subject_token", token);
	oauth_form(&form, "subject_token_type",
		   json_get_str(j, "subject_token_type"));
	if (ask(rem, j, url, &form, act.n ? &own : out, why))
		return -1;
	return act.n ? google_act_for(
			       rem, act, &nobody, s->scope,
			       json_get_int(
				       json_get(
					       j,
					       "service_account_impersonation"),
				       "token_lifetime_seconds", 0),
			       &own, out, why)
		     : 0;
}

int google_external_user(struct remote *rem, const struct json *j,
			 struct oauth_token *out, struct str *why)
{
	struct str url = json_get_str(j, "token_url");
	struct buf form = BUF_INIT;

	oauth_form(&form, "grant_type", STR("refresh_token"));
	oauth_form(&form, "refresh_token", json_get_str(j, "refresh_token"));
	return ask(rem, j, url, &form, out, why);
}
