/* aws_profile.c - see remote_int.h
 *
 * The files: docs.aws.amazon.com, "Shared config and credentials files".
 */
#include <ctype.h>
#include <stddef.h>
#include <stdlib.h>

#include "remote/remote_int.h"
#include "base/io.h"
#include "remote/aws.h"

static struct str env_or(const char *name, const char *other)
{
	const struct str s = str_env(name);

	return s.n ? s : str_env(other);
}

/* --- the files --- */

enum { MOST_FILE = 1 << 20 };

static const struct {
	const char *name;
	size_t at;
} settings[] = {
	{ "aws_access_key_id", offsetof(struct aws_profile, keys.id) },
	{ "aws_secret_access_key", offsetof(struct aws_profile, keys.secret) },
	{ "aws_session_token", offsetof(struct aws_profile, keys.token) },
	{ "ca_bundle", offsetof(struct aws_profile, ca_bundle) },
	{ "credential_process", offsetof(struct aws_profile, process) },
	{ "credential_source", offsetof(struct aws_profile, from) },
	{ "duration_seconds", offsetof(struct aws_profile, role.seconds) },
	{ "endpoint_url", offsetof(struct aws_profile, endpoint) },
	{ "external_id", offsetof(struct aws_profile, role.external) },
	{ "login_session", offsetof(struct aws_profile, login) },
	{ "max_attempts", offsetof(struct aws_profile, max_attempts) },
	{ "mfa_serial", offsetof(struct aws_profile, device) },
	{ "region", offsetof(struct aws_profile, region) },
	{ "retry_mode", offsetof(struct aws_profile, retry_mode) },
	{ "role_arn", offsetof(struct aws_profile, role.arn) },
	{ "role_session_name", offsetof(struct aws_profile, role.session) },
	{ "services", offsetof(struct aws_profile, services) },
	{ "source_profile", offsetof(struct aws_profile, source) },
	{ "sso_account_id", offsetof(struct aws_profile, sso_account) },
	{ "sso_region", offsetof(struct aws_profile, sso_region) },
	{ "sso_role_name", offsetof(struct aws_profile, sso_role) },
	{ "sso_session", offsetof(struct aws_profile, sso_session) },
	{ "sso_start_url", offsetof(struct aws_profile, sso_url) },
	{ "use_dualstack_endpoint", offsetof(struct aws_profile, dualstack) },
	{ "use_fips_endpoint", offsetof(struct aws_profile, fips) },
	{ "web_identity_token_file",
	  offsetof(struct aws_profile, role.token_file) },
	/* of a section of services */
	{ "s3.endpoint_url", offsetof(struct aws_profile, endpoints[AWS_S3]) },
	{ "dynamodb.endpoint_url",
	  offsetof(struct aws_profile, endpoints[AWS_DYNAMODB]) },
	{ "sts.endpoint_url",
	  offsetof(struct aws_profile, endpoints[AWS_STS]) },
	{ "iam.endpoint_url",
	  offsetof(struct aws_profile, endpoints[AWS_IAM]) },
	{ "sso.endpoint_url",
	  offsetof(struct aws_profile, endpoints[AWS_SSO]) },
	{ "kms.endpoint_url",
	  offsetof(struct aws_profile, endpoints[AWS_KMS]) },
};

/* A section of a file: [NAME] or [KIND NAME]. */
struct section {
	const char *kind; /* NULL: a profile */
	struct str name;
	bool config; /* not the file of credentials */
};

static bool is_section(struct str line, const struct section *s)
{
	const char *kind = s->kind ? s->kind : "profile";
	const ptrdiff_t end = str_chr(line, ']');
	const size_t n = strlen(kind);

	if (end < 0)
		return false;
	line = str_trim(str_sub(line, 1, (size_t)end));
	if (s->config && str_starts(line, kind) && line.n > n &&
	    (line.p[n] == ' ' || line.p[n] == '\t'))
		return str_eq(str_trim(str_sub(line, n, line.n)), s->name);
	return !s->kind && str_eq(line, s->name) &&
	       (!s->config || str_is(s->name, "default"));
}

/* Behind a space it is a comment; quotes around the whole are none of it. */
static struct str value_of(struct str s)
{
	for (size_t i = 0; i + 1 < s.n; i++)
		if ((s.p[i] == ' ' || s.p[i] == '\t') &&
		    (s.p[i + 1] == '#' || s.p[i + 1] == ';'))
			s = str_sub(s, 0, i);
	s = str_trim(s);
	return s.n > 1 && s.p[0] == s.p[s.n - 1] && strchr("'\"", s.p[0])
		       ? str_sub(s, 1, s.n - 1)
		       : s;
}

static void read_setting(struct aws_profile *p, struct str name,
			 struct str value)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		struct str *to = (void *)((char *)p + settings[i].at);

		if (str_is(name, settings[i].name))
			*to = value;
	}
}

/* A line of a section; one that is indented is of the setting above it. */
static void read_line(struct arena *a, struct str line, struct str *above,
		      struct aws_profile *p)
{
	const bool nested = line.p[0] == ' ' || line.p[0] == '\t';
	const ptrdiff_t eq = str_chr(line, '=');
	struct str name, value;

	if (eq <= 0)
		return;
	name = str_lower(a, str_trim(str_sub(line, 0, (size_t)eq)));
	value = value_of(str_sub(line, (size_t)eq + 1, line.n));
	if (nested)
		name = STR_CAT(a, *above, STR("."), name);
	else
		*above = value.n ? STR_NONE : name;
	read_setting(p, name, value);
}

static void read_file(struct arena *a, struct str path, const struct section *s,
		      struct aws_profile *p)
{
	struct str text, line, above = STR_NONE;
	bool ours = false;

	if (!path.n || io_read_regular(a, str_dup(a, path).p, MOST_FILE, &text))
		return;
	while (text.n) {
		const ptrdiff_t end = str_chr(text, '\n');

		line = str_sub(text, 0, end < 0 ? text.n : (size_t)end);
		text = str_sub(text, line.n + (end >= 0), text.n);
		if (!str_trim(line).n || strchr("#;", str_trim(line).p[0]))
			continue;
		if (line.p[0] == '[') {
			ours = is_section(line, s);
			p->found |= ours && !s->kind;
			above = STR_NONE;
		} else if (ours) {
			read_line(a, line, &above, p);
		}
	}
}

static struct str home_file(struct arena *a, const char *variable,
			    const char *name)
{
	const struct str own = str_env(variable), home = str_env("HOME");

	if (own.n || !home.n)
		return own;
	return str_printf(a, "%.*s/.aws/%s", STR_ARG(home), name);
}

static void read_files(struct arena *a, const struct str_vec *files,
		       struct str otherwise, const struct section *s,
		       struct aws_profile *p)
{
	for (size_t i = 0; i < files->len; i++)
		read_file(a, aws_path(a, files->items[i]), s, p);
	if (!files->len)
		read_file(a, otherwise, s, p);
}

void aws_profile_read(struct arena *a, const struct aws_settings *s,
		      struct str name, struct aws_profile *p)
{
	const struct str config = home_file(a, "AWS_CONFIG_FILE", "config");
	struct section section = { NULL, name, true };

	*p = (struct aws_profile){ .name = name };
	read_files(a, &s->config_files, config, &section, p);
	section.config = false;
	read_files(a, &s->credentials_files,
		   home_file(a, "AWS_SHARED_CREDENTIALS_FILE", "credentials"),
		   &section, p);
	section = (struct section){ "sso-session", p->sso_session, true };
	if (p->sso_session.n)
		read_files(a, &s->config_files, config, &section, p);
	section = (struct section){ "services", p->services, true };
	if (p->services.n)
		read_files(a, &s->config_files, config, &section, p);
}

/* --- the environment --- */

struct aws_keys aws_environment_keys(void)
{
	return (struct aws_keys){ env_or("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY"),
				  env_or("AWS_SECRET_ACCESS_KEY",
					 "AWS_SECRET_KEY"),
				  str_env("AWS_SESSION_TOKEN"), 0 };
}

struct aws_role aws_environment_role(void)
{
	return (struct aws_role){ .arn = str_env("AWS_ROLE_ARN"),
				  .session = str_env("AWS_ROLE_SESSION_NAME"),
				  .token_file = str_env(
					  "AWS_WEB_IDENTITY_TOKEN_FILE") };
}

static void fill(struct str *to, struct str first, struct str second)
{
	if (!to->n)
		*to = first.n ? first : second;
}

static bool is_true(struct arena *a, struct str s)
{
	return str_is(str_lower(a, s), "true");
}

static void fill_endpoints(struct arena *a, struct aws_settings *s,
			   const struct aws_profile *p)
{
	static const char *const names[AWS_SERVICES] = {
		"AWS_ENDPOINT_URL_S3",  "AWS_ENDPOINT_URL_DYNAMODB",
		"AWS_ENDPOINT_URL_STS", "AWS_ENDPOINT_URL_IAM",
		"AWS_ENDPOINT_URL_SSO", "AWS_ENDPOINT_URL_KMS",
	};

	if (is_true(a, str_env("AWS_IGNORE_CONFIGURED_ENDPOINT_URLS")))
		return;
	for (size_t i = 0; i < AWS_SERVICES; i++) {
		fill(&s->endpoints[i], str_env(names[i]),
		     str_env("AWS_ENDPOINT_URL"));
		fill(&s->endpoints[i], p->endpoints[i], p->endpoint);
	}
}

static void fill_machine(struct arena *a, struct aws_settings *s)
{
	if (s->machine == AWS_UNSET &&
	    is_true(a, str_env("AWS_EC2_METADATA_DISABLED")))
		s->machine = AWS_OFF;
	fill(&s->machine_endpoint, str_env("AWS_EC2_METADATA_SERVICE_ENDPOINT"),
	     str_env("AWS_METADATA_URL"));
	fill(&s->machine_mode,
	     str_env("AWS_EC2_METADATA_SERVICE_ENDPOINT_MODE"), STR_NONE);
}

static bool is_count(struct str s)
{
	return str_is_digits(s) && s.n < 10;
}

/* NULL, or which setting can not be as it is, whoever made it. */
static const char *wrong_setting(struct arena *a, const struct aws_settings *s,
				 struct str tries)
{
	const struct str mode = str_lower(a, s->machine_mode);

	if (s->retry_mode.n && !str_is(s->retry_mode, "standard") &&
	    !str_is(s->retry_mode, "adaptive"))
		return "the retry mode is neither standard nor adaptive";
	if (tries.n && !is_count(tries))
		return "the number of attempts is no number";
	if (mode.n && !str_is(mode, "ipv4") && !str_is(mode, "ipv6"))
		return "the mode of the EC2 metadata service's endpoint is neither IPv4 nor IPv6";
	return NULL;
}

const char *aws_settings_fill(struct arena *a, struct aws_settings *s,
			      struct aws_profile *p)
{
	const struct str name =
		s->profile.n ? s->profile
			     : env_or("AWS_PROFILE", "AWS_DEFAULT_PROFILE");
	struct str tries = STR_NONE;

	aws_profile_read(a, s, name.n ? name : STR("default"), p);
	p->named = name.n > 0;
	fill(&s->region, env_or("AWS_REGION", "AWS_DEFAULT_REGION"), p->region);
	fill(&s->ca_bundle, str_env("AWS_CA_BUNDLE"), p->ca_bundle);
	fill(&s->retry_mode, str_env("AWS_RETRY_MODE"), p->retry_mode);
	fill(&tries, str_env("AWS_MAX_ATTEMPTS"), p->max_attempts);
	if (s->tries <= 0 && is_count(tries))
		s->tries = atoi(str_dup(a, tries).p);
	s->fips |= is_true(a, str_env("AWS_USE_FIPS_ENDPOINT")) ||
		   is_true(a, p->fips);
	s->dualstack |= is_true(a, str_env("AWS_USE_DUALSTACK_ENDPOINT")) ||
			is_true(a, p->dualstack);
	fill_endpoints(a, s, p);
	fill_machine(a, s);
	return wrong_setting(a, s, tries);
}

/* --- paths --- */

/* Returns the length of the name that a variable has at p: NAME or {NAME}. */
static size_t variable_length(struct str s)
{
	size_t n = 0;

	if (s.n && s.p[0] == '{')
		return str_chr(s, '}') > 0 ? (size_t)str_chr(s, '}') + 1 : 0;
	while (n < s.n && (isalnum((unsigned char)s.p[n]) || s.p[n] == '_'))
		n++;
	return n;
}

struct str aws_path(struct arena *a, struct str path)
{
	struct buf b = BUF_INIT;

	if (path.n && path.p[0] == '~' && (path.n == 1 || path.p[1] == '/')) {
		buf_str(&b, str_env("HOME"));
		path = str_sub(path, 1, path.n);
	}
	while (path.n) {
		const struct str rest = str_sub(path, 1, path.n);
		const size_t n = path.p[0] == '$' ? variable_length(rest) : 0;
		const size_t brace = n && rest.p[0] == '{';

		if (n)
			buf_str(&b, str_env(str_dup(a, str_sub(rest, brace,
							       n - brace))
						    .p));
		else
			buf_putc(&b, path.p[0]);
		path = str_sub(path, n + 1, path.n);
	}
	return buf_take(a, &b);
}
