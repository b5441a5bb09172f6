/* aws_services.c - temporary keys, from services; see aws.h
 *
 * Roles: the Security Token Service (docs.aws.amazon.com, "AssumeRole",
 * "AssumeRoleWithWebIdentity").  Containers and machines: a service that only
 * they reach, by plain HTTP ("Container credential provider", "Use IMDS").
 */
#include "remote/aws_services.h"

#include <stdlib.h>

#include "base/io.h"
#include "base/product.h"
#include "config/source/url.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/aws.h"
#include "remote/aws_sign.h"
#include "remote/remote.h"
#include "remote/xml.h"

enum { MACHINE_SECONDS = 2, MOST_TOKEN = 1 << 16, NHEADERS = AWS_HEADERS + 1 };

static struct str env(const char *name)
{
	return str_c(getenv(name));
}

static bool has_keys(const struct aws_keys *k)
{
	return k->id.n && k->secret.n;
}

/* "WHAT: WHY" */
static int refused(struct arena *a, const char *what, struct str why,
		   struct str *out)
{
	*out = str_printf(a, "%s: %.*s", what, STR_ARG(why));
	return -1;
}

/* --- roles --- */

/* The host of a region; without one the one of all. */
static struct str endpoint_of(struct arena *a, struct str region)
{
	const struct str own = env("AWS_ENDPOINT_URL_STS");

	if (own.n)
		return own;
	if (env("AWS_ENDPOINT_URL").n)
		return env("AWS_ENDPOINT_URL");
	if (!region.n)
		return STR("https://sts.amazonaws.com");
	return str_printf(a, "https://sts.%.*s.amazonaws.com%s",
			  STR_ARG(region),
			  str_starts(region, "cn-") ? ".cn" : "");
}

static struct str form_field(struct arena *a, struct str form, const char *name,
			     struct str value)
{
	if (!value.n)
		return form;
	return STR_CAT(a, form, STR("&"), str_c(name), STR("="),
		       aws_escape(a, value, false));
}

/* Builds the form of the request.  -1: the token file cannot be used. */
static int role_form(struct arena *a, const struct aws_role *r,
		     struct str *form, struct str *why)
{
	struct str token;

	*form = form_field(a, STR("Version=2011-06-15"), "Action",
			   r->token_file.n ? STR("AssumeRoleWithWebIdentity")
					   : STR("AssumeRole"));
	*form = form_field(a, *form, "RoleArn", r->arn);
	*form = form_field(a, *form, "RoleSessionName",
			   r->session.n ? r->session : STR(PRODUCT));
	*form = form_field(a, *form, "ExternalId", r->external);
	*form = form_field(a, *form, "DurationSeconds", r->seconds);
	if (!r->token_file.n)
		return 0;
	if (io_read_regular(a, str_dup(a, r->token_file).p, MOST_TOKEN,
			    &token) ||
	    !str_trim(token).n) {
		*why = str_printf(a, "there is no web identity in %.*s",
				  STR_ARG(r->token_file));
		return -1;
	}
	*form = form_field(a, *form, "WebIdentityToken", str_trim(token));
	return 0;
}

static int read_role_keys(struct arena *a, struct str xml, struct aws_keys *out)
{
	static const char *const names[] = { "AccessKeyId", "SecretAccessKey",
					     "SessionToken" };
	const struct str credentials = xml_element(a, &xml, "Credentials");
	struct str *const to[] = { &out->id, &out->secret, &out->token };

	for (size_t i = 0; i < 3; i++) {
		struct str rest = credentials;

		*to[i] = xml_element(a, &rest, names[i]);
	}
	return has_keys(out) ? 0 : -1;
}

int aws_role_keys(struct remote *rem, const struct aws_role *r,
		  const struct aws_keys *keys, struct str region,
		  struct aws_keys *out, struct str *why)
{
	struct arena *a = rem->a;
	const char *what = arena_printf(a, "the role %.*s cannot be taken on",
					STR_ARG(r->arn));
	const struct str endpoint = endpoint_of(a, region);
	struct fetch_header headers[NHEADERS] = {
		{ STR("Content-Type"),
		  STR("application/x-www-form-urlencoded") }
	};
	struct fetch_request ask = { .method = STR("POST"),
				     .headers = headers,
				     .nheaders = 1,
				     .retries = REMOTE_RETRIES,
				     .redirects = FETCH_NO_REDIRECTS };
	struct aws_request sign = { .path = STR("/"), .service = STR("sts") };
	struct fetch_answer answer;
	struct url u;

	if (role_form(a, r, &ask.body, why))
		return refused(a, what, *why, why);
	if (url_parse(a, endpoint, &u) || !u.host.n)
		return refused(a, what, STR("its service has no valid address"),
			       why);
	ask.url = str_printf(a, "%.*s://%.*s/", STR_ARG(u.scheme),
			     STR_ARG(u.host));
	sign.host = u.host;
	sign.region = region.n ? region : STR("us-east-1");
	sign.body = ask.body;
	if (!r->token_file.n)
		ask.nheaders +=
			aws_sign(a, &sign, keys, time(NULL), headers + 1);
	if (fetch_wait(remote_fetch(rem), &ask, &answer) ||
	    answer.status != 200)
		return refused(a, what, xml_failure(a, &answer), why);
	if (read_role_keys(a, answer.body, out))
		return refused(a, what, STR("the answer has no keys"), why);
	return 0;
}

/* --- containers and machines --- */

static int ask_json(struct remote *rem, const struct fetch_request *ask,
		    const char *what, struct aws_keys *out, struct str *why)
{
	struct fetch_answer answer;
	struct json_error wrong;
	const struct json *j;

	if (fetch_wait(remote_fetch(rem), ask, &answer) || answer.status != 200)
		return refused(rem->a, what, xml_failure(rem->a, &answer), why);
	j = json_parse(rem->a, answer.body, &wrong);
	*out = (struct aws_keys){ json_get_str(j, "AccessKeyId"),
				  json_get_str(j, "SecretAccessKey"),
				  json_get_str(j, "Token") };
	if (has_keys(out))
		return 0;
	return refused(rem->a, what, STR("the answer has no keys"), why);
}

static const char relative[] = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
static const char full[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI";

bool aws_in_container(void)
{
	return env(relative).n || env(full).n;
}

/* In the clear only to the machine itself, and to where containers have such
 * services. */
static bool is_near(const struct url *u)
{
	static const char *const hosts[] = {
		"localhost",     "127.0.0.1",      "[::1]",
		"169.254.170.2", "169.254.170.23", "[fd00:ec2::23]",
	};
	struct str host = u->host;

	if (str_is(u->scheme, "https"))
		return u->host.n > 0;
	while (host.n && strchr("0123456789", host.p[host.n - 1]))
		host.n--;
	host = host.n && host.p[host.n - 1] == ':'
		       ? str_sub(host, 0, host.n - 1)
		       : u->host;
	for (size_t i = 0; i < sizeof(hosts) / sizeof(*hosts); i++)
		if (str_is(host, hosts[i]))
			return str_is(u->scheme, "http");
	return false;
}

/* Reads the container's authorization token; empty: none is set. */
static int container_token(struct arena *a, struct str *token, struct str *why)
{
	const struct str file = env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");

	*token = env("AWS_CONTAINER_AUTHORIZATION_TOKEN");
	if (file.n && io_read_regular(a, file.p, MOST_TOKEN, token)) {
		*why = str_printf(a, "%.*s cannot be read", STR_ARG(file));
		return -1;
	}
	*token = str_trim(*token);
	if (!token->n ||
	    (str_chr(*token, '\n') < 0 && str_chr(*token, '\r') < 0))
		return 0;
	*why = STR("its token has several lines");
	return -1;
}

int aws_container_keys(struct remote *rem, struct aws_keys *out,
		       struct str *why)
{
	const char *what = "the container's credentials cannot be had";
	struct fetch_header header = { .name = STR("Authorization") };
	struct fetch_request ask = { .headers = &header,
				     .retries = REMOTE_RETRIES,
				     .redirects = FETCH_NO_REDIRECTS };
	struct url u;

	ask.url = env(relative).n ? STR_CAT(rem->a, STR("http://169.254.170.2"),
					    env(relative))
				  : env(full);
	if (url_parse(rem->a, ask.url, &u) || !is_near(&u))
		return refused(rem->a, what,
			       str_printf(rem->a,
					  "%s is no address "
					  "of such a service",
					  env(relative).n ? relative : full),
			       why);
	if (container_token(rem->a, &header.value, why))
		return refused(rem->a, what, *why, why);
	ask.nheaders = header.value.n ? 1 : 0;
	return ask_json(rem, &ask, what, out, why);
}

static int ask_machine(struct remote *rem, struct str url, const char *method,
		       struct fetch_header *header, struct fetch_answer *answer)
{
	const struct fetch_request ask = { .url = url,
					   .method = str_c(method),
					   .headers = header,
					   .nheaders = 1,
					   .seconds = MACHINE_SECONDS,
					   .redirects = FETCH_NO_REDIRECTS };

	return fetch_wait(remote_fetch(rem), &ask, answer) ||
			       answer->status != 200 ||
			       !str_trim(answer->body).n
		       ? -1
		       : 0;
}

int aws_machine_keys(struct remote *rem, struct aws_keys *out, struct str *why)
{
	struct fetch_header header = {
		STR("x-aws-ec2-metadata-token-ttl-seconds"), STR("300")
	};
	struct fetch_request ask = { .headers = &header,
				     .nheaders = 1,
				     .seconds = MACHINE_SECONDS,
				     .redirects = FETCH_NO_REDIRECTS };
	struct str top = env("AWS_EC2_METADATA_SERVICE_ENDPOINT");
	struct fetch_answer answer;
	ptrdiff_t end;

	if (str_is(str_lower(rem->a, env("AWS_EC2_METADATA_DISABLED")), "true"))
		return 1;
	if (!top.n)
		top = STR("http://169.254.169.254");
	if (str_ends(top, "/"))
		top.n--;
	if (ask_machine(rem, STR_CAT(rem->a, top, STR("/latest/api/token")),
			"PUT", &header, &answer))
		return 1;
	header = (struct fetch_header){ STR("x-aws-ec2-metadata-token"),
					str_trim(answer.body) };
	top = STR_CAT(rem->a, top,
		      STR("/latest/meta-data/iam/"
			  "security-credentials/"));
	if (ask_machine(rem, top, "GET", &header, &answer))
		return 1;
	end = str_chr(answer.body, '\n');
	ask.url = STR_CAT(rem->a, top,
			  aws_escape(rem->a,
				     str_trim(str_sub(answer.body, 0,
						      end < 0 ? answer.body.n
							      : (size_t)end)),
				     false));
	return ask_json(rem, &ask, "the machine's credentials cannot be had",
			out, why);
}
