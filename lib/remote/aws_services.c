/* aws_services.c - temporary keys, from services; see aws.h
 *
 * Roles: the Security Token Service (docs.aws.amazon.com, "AssumeRole",
 * "AssumeRoleWithWebIdentity").  Containers and machines: a service that only
 * they reach, by plain HTTP ("Container credential provider", "Use IMDS").  The
 * portal: "IAM Identity Center credential provider".
 */
#include <stdlib.h>
#include <time.h>

#include "remote/remote_int.h"
#include "base/io.h"
#include "base/product.h"
#include "config/source/url.h"
#include "crypto/crypto.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/aws.h"
#include "remote/remote.h"
#include "remote/xml.h"

enum { MACHINE_SECONDS = 2, MOST_TOKEN = 1 << 16 };

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

bool aws_arn_resource(struct str s, struct str *resource)
{
	if (!str_starts(s, "arn:"))
		return false;
	for (int i = 0; i < 5; i++) {
		const ptrdiff_t colon = str_chr(s, ':');

		if (colon < 0)
			return false;
		s = str_sub(s, (size_t)colon + 1, s.n);
	}
	*resource = s;
	return true;
}

static struct str number(struct arena *a, const char *before, size_t i,
			 const char *after)
{
	return str_printf(a, "%s%zu%s", before, i + 1, after);
}

static void add_field(struct arena *a, struct aws_pairs *form, struct str name,
		      struct str value)
{
	if (value.n)
		vec_push(a, form, (struct aws_pair){ name, value });
}

static void add_limits(struct arena *a, const struct aws_role *r,
		       struct aws_pairs *form)
{
	add_field(a, form, STR("Policy"), r->policy);
	for (size_t i = 0; i < r->policies.len; i++)
		add_field(a, form, number(a, "PolicyArns.member.", i, ".arn"),
			  r->policies.items[i]);
	for (size_t i = 0; i < r->tags.len; i++) {
		add_field(a, form, number(a, "Tags.member.", i, ".Key"),
			  r->tags.items[i].name);
		/* a value may be empty */
		vec_push(a, form,
			 (struct aws_pair){
				 number(a, "Tags.member.", i, ".Value"),
				 r->tags.items[i].value });
	}
	for (size_t i = 0; i < r->transitive.len; i++)
		add_field(a, form,
			  number(a, "TransitiveTagKeys.member.", i, ""),
			  r->transitive.items[i]);
}

/* Finds the identity on the web.  -1: the token file cannot be used. */
static int web_token(struct arena *a, const struct aws_role *r, struct str *out,
		     struct str *why)
{
	*out = r->token;
	if (r->token.n)
		return 0;
	if (!io_read_regular(a, aws_path(a, r->token_file).p, MOST_TOKEN,
			     out) &&
	    str_trim(*out).n) {
		*out = str_trim(*out);
		return 0;
	}
	*why = str_printf(a, "there is no web identity in %.*s",
			  STR_ARG(r->token_file));
	return -1;
}

/* Builds the form of the request. */
static int role_form(struct arena *a, const struct aws_role *r, bool web,
		     struct str *out, struct str *why)
{
	struct aws_pairs form = { 0 };
	struct str token = STR_NONE;

	if (web && web_token(a, r, &token, why))
		return -1;
	add_field(a, &form, STR("Version"), STR("2011-06-15"));
	add_field(a, &form, STR("Action"),
		  web ? STR("AssumeRoleWithWebIdentity") : STR("AssumeRole"));
	add_field(a, &form, STR("RoleArn"), r->arn);
	add_field(a, &form, STR("RoleSessionName"),
		  r->session.n ? r->session : STR(PRODUCT));
	add_field(a, &form, STR("ExternalId"), r->external);
	add_field(a, &form, STR("DurationSeconds"), r->seconds);
	add_limits(a, r, &form);
	add_field(a, &form, STR("WebIdentityToken"), token);
	*out = aws_query(a, &form);
	return 0;
}

time_t aws_time(struct arena *a, struct str text)
{
	struct tm tm = { 0 };

	return text.n && strptime(str_dup(a, text).p, "%Y-%m-%dT%H:%M:%S", &tm)
		       ? timegm(&tm)
		       : 0;
}

static int read_role_keys(struct arena *a, struct str xml, struct aws_keys *out)
{
	static const char *const names[] = { "AccessKeyId", "SecretAccessKey",
					     "SessionToken" };
	const struct str credentials = xml_element(a, &xml, "Credentials");
	struct str *const to[] = { &out->id, &out->secret, &out->token };
	struct str rest = credentials;

	out->expires = aws_time(a, xml_element(a, &rest, "Expiration"));
	for (size_t i = 0; i < 3; i++) {
		rest = credentials;
		*to[i] = xml_element(a, &rest, names[i]);
	}
	return has_keys(out) ? 0 : -1;
}

int aws_role_keys(struct aws *c, const struct aws_role *r,
		  const struct aws_keys *keys, struct aws_keys *out,
		  struct str *why)
{
	const struct fetch_header type = {
		STR("Content-Type"), STR("application/x-www-form-urlencoded")
	};
	struct arena *a = c->a;
	const char *what = arena_printf(a, "the role %.*s cannot be taken on",
					STR_ARG(r->arn));
	struct aws_call call = { .service = AWS_STS,
				 .headers = &type,
				 .nheaders = 1 };
	const bool web = r->token.n || r->token_file.n;
	struct fetch_answer answer;

	if (role_form(a, r, web, &call.body, why) ||
	    aws_ask_with(c, &call, web ? NULL : keys, &answer, why))
		return refused(a, what, *why, why);
	if (answer.status != 200)
		return refused(a, what, aws_error_text(a, &answer), why);
	if (read_role_keys(a, answer.body, out))
		return refused(a, what, STR("the answer has no keys"), why);
	return 0;
}

/* --- containers and machines --- */

static int ask_json(struct aws *c, const struct fetch_request *ask,
		    const char *what, struct aws_keys *out, struct str *why)
{
	struct remote *rem = c->rem;
	struct fetch_answer answer;
	struct json_error wrong;
	const struct json *j;

	if (fetch_wait(remote_fetch(rem), ask, &answer) || answer.status != 200)
		return refused(rem->a, what, xml_failure(rem->a, &answer), why);
	j = json_parse(rem->a, answer.body, &wrong);
	*out = (struct aws_keys){
		json_get_str(j, "AccessKeyId"),
		json_get_str(j, "SecretAccessKey"), json_get_str(j, "Token"),
		aws_time(rem->a, json_get_str(j, "Expiration"))
	};
	if (has_keys(out))
		return 0;
	return refused(rem->a, what, STR("the answer has no keys"), why);
}

static const char relative[] = "AWS_CONTAINER_CREDENTIALS_RELATIVE_URI";
static const char full[] = "AWS_CONTAINER_CREDENTIALS_FULL_URI";

bool aws_in_container(void)
{
	return str_env(relative).n || str_env(full).n;
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
	const struct str file =
		str_env("AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE");

	*token = str_env("AWS_CONTAINER_AUTHORIZATION_TOKEN");
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

int aws_container_keys(struct aws *c, struct aws_keys *out, struct str *why)
{
	struct remote *rem = c->rem;
	const char *what = "the container's credentials cannot be had";
	struct fetch_header header = { .name = STR("Authorization") };
	struct fetch_request ask = { .headers = &header,
				     .retries = REMOTE_RETRIES,
				     .redirects = FETCH_NO_REDIRECTS };
	struct url u;

	ask.url = str_env(relative).n
			  ? STR_CAT(rem->a, STR("http://169.254.170.2"),
				    str_env(relative))
			  : str_env(full);
	if (url_parse(rem->a, ask.url, &u) || !is_near(&u))
		return refused(
			rem->a, what,
			str_printf(rem->a, "%s is no address of such a service",
				   str_env(relative).n ? relative : full),
			why);
	if (container_token(rem->a, &header.value, why))
		return refused(rem->a, what, *why, why);
	ask.nheaders = header.value.n ? 1 : 0;
	return ask_json(c, &ask, what, out, why);
}

static struct str machine_address(struct arena *a, const struct aws_settings *s)
{
	struct str top = s->machine_endpoint;

	if (!top.n)
		top = str_is(str_lower(a, s->machine_mode), "ipv6")
			      ? STR("http://[fd00:ec2::254]")
			      : STR("http://169.254.169.254");
	while (str_ends(top, "/"))
		top.n--;
	return top;
}

static int ask_machine(struct aws *c, struct str url, const char *method,
		       const struct fetch_header *header, size_t nheaders,
		       struct fetch_answer *answer)
{
	const struct fetch_request ask = { .url = url,
					   .method = str_c(method),
					   .headers = header,
					   .nheaders = nheaders,
					   .seconds = MACHINE_SECONDS,
					   .redirects = FETCH_NO_REDIRECTS };

	return fetch_wait(remote_fetch(c->rem), &ask, answer);
}

static bool has_text(const struct fetch_answer *answer)
{
	return answer->status == 200 && str_trim(answer->body).n;
}

int aws_machine_keys(struct aws *c, struct aws_keys *out, struct str *why)
{
	struct fetch_header header = {
		STR("x-aws-ec2-metadata-token-ttl-seconds"), STR("300")
	};
	struct fetch_request ask = { .headers = &header,
				     .seconds = MACHINE_SECONDS,
				     .redirects = FETCH_NO_REDIRECTS };
	struct str top = machine_address(c->a, &c->s), name, rest;
	struct fetch_answer answer;

	if (c->s.machine == AWS_OFF ||
	    ask_machine(c, STR_CAT(c->a, top, STR("/latest/api/token")), "PUT",
			&header, 1, &answer))
		return 1;
	if (has_text(&answer))
		ask.nheaders = 1;
	else if (answer.status != 403 && answer.status != 404 &&
		 answer.status != 405) /* of one that knows no tokens */
		return 1;
	header = (struct fetch_header){ STR("x-aws-ec2-metadata-token"),
					str_trim(answer.body) };
	top = STR_CAT(c->a, top,
		      STR("/latest/meta-data/iam/security-credentials/"));
	if (ask_machine(c, top, "GET", &header, ask.nheaders, &answer) ||
	    !has_text(&answer))
		return 1;
	rest = str_trim(answer.body);
	name = str_chr(rest, '\n') < 0
		       ? rest
		       : str_sub(rest, 0, (size_t)str_chr(rest, '\n'));
	ask.url =
		STR_CAT(c->a, top, remote_escape(c->a, str_trim(name), false));
	return ask_json(c, &ask, "the machine's credentials cannot be had", out,
			why);
}

/* --- a portal --- */

/* What the tools keep of a login: ~/.aws/sso/cache/SHA1.json, of the name of
 * its session, or of the portal's address. */
static const struct json *login_of(struct arena *a, const struct aws_profile *p)
{
	unsigned char sum[DIGEST_MAX];
	const struct str what = p->sso_session.n ? p->sso_session : p->sso_url;
	const size_t n = digest_of("sha1", what, sum);
	struct json_error wrong;
	struct str text;

	if (io_read_regular(a,
			    arena_printf(a, "%s/.aws/sso/cache/%.*s.json",
					 str_env("HOME").n ? str_env("HOME").p
							   : "",
					 STR_ARG(str_hex(a, sum, n))),
			    1 << 20, &text))
		return NULL;
	return json_parse(a, text, &wrong);
}

static int read_portal_keys(struct arena *a, struct str body,
			    struct aws_keys *out)
{
	struct json_error wrong;
	const struct json *j =
		json_get(json_parse(a, body, &wrong), "roleCredentials");

	*out = (struct aws_keys){ json_get_str(j, "accessKeyId"),
				  json_get_str(j, "secretAccessKey"),
				  json_get_str(j, "sessionToken"),
				  json_get_int(j, "expiration", 0) / 1000 };
	return has_keys(out) ? 0 : -1;
}

int aws_portal_keys(struct aws *c, const struct aws_profile *p,
		    struct aws_keys *out, struct str *why)
{
	const char *what =
		arena_printf(c->a, "the login of the profile \"%.*s\"",
			     STR_ARG(p->name));
	const struct json *login = login_of(c->a, p);
	const struct fetch_header token = { STR("x-amz-sso_bearer_token"),
					    json_get_str(login,
							 "accessToken") };
	struct aws_settings s = c->s;
	struct aws_call call = { .service = AWS_SSO,
				 .path = STR("federation/credentials"),
				 .headers = &token,
				 .nheaders = 1 };
	struct fetch_answer answer;
	int rc;

	if (!token.value.n ||
	    aws_time(c->a, json_get_str(login, "expiresAt")) <= time(NULL))
		return refused(
			c->a, what,
			STR("there is none that is still valid; \"aws sso login\" makes one"),
			why);
	vec_push(c->a, &call.query,
		 (struct aws_pair){ STR("account_id"), p->sso_account });
	vec_push(c->a, &call.query,
		 (struct aws_pair){ STR("role_name"), p->sso_role });
	c->s.region = p->sso_region; /* where the portal is */
	rc = aws_ask_with(c, &call, NULL, &answer, why);
	c->s = s;
	if (rc)
		return refused(c->a, what, *why, why);
	if (answer.status != 200)
		return refused(c->a, what, aws_error_text(c->a, &answer), why);
	if (read_portal_keys(c->a, answer.body, out))
		return refused(c->a, what, STR("the answer has no keys"), why);
	return 0;
}
