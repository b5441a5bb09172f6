/* aws_keys.c - credentials for S3: the environment, and the profiles of the AWS
 * tools; see aws.h
 *
 * The order is that of Amazon's own libraries: keys of the environment, its web
 * identity, then the profile: that of its source_profile, its keys, its
 * credential_source, its web identity, its program, a container, a machine.
 * With these a role is taken on, if it has one.
 */
#include "remote/aws_keys.h"

#include <stddef.h>
#include <stdlib.h>

#include "base/io.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/aws.h"
#include "remote/aws_services.h"
#include "remote/remote.h"
#include "remote/secret_program.h"

static struct str env(const char *name)
{
	return str_c(getenv(name));
}

static struct str env_or(const char *name, const char *other)
{
	const struct str s = env(name);

	return s.n ? s : env(other);
}

/* --- profiles --- */

struct profile {
	struct str name;
	bool found;
	struct aws_keys keys;
	struct str region;
	struct str process; /* a shell command that prints keys */
	struct str source;  /* the profile that a role is taken on from, */
	struct str from;    /* or Environment, EcsContainer, … */
	struct aws_role role;
	struct str device, login; /* cannot be asked for */
};

static const struct {
	const char *name;
	size_t at;
} settings[] = {
	{ "aws_access_key_id", offsetof(struct profile, keys.id) },
	{ "aws_secret_access_key", offsetof(struct profile, keys.secret) },
	{ "aws_session_token", offsetof(struct profile, keys.token) },
	{ "credential_process", offsetof(struct profile, process) },
	{ "credential_source", offsetof(struct profile, from) },
	{ "duration_seconds", offsetof(struct profile, role.seconds) },
	{ "external_id", offsetof(struct profile, role.external) },
	{ "mfa_serial", offsetof(struct profile, device) },
	{ "region", offsetof(struct profile, region) },
	{ "role_arn", offsetof(struct profile, role.arn) },
	{ "role_session_name", offsetof(struct profile, role.session) },
	{ "source_profile", offsetof(struct profile, source) },
	{ "sso_session", offsetof(struct profile, login) },
	{ "sso_start_url", offsetof(struct profile, login) },
	{ "web_identity_token_file",
	  offsetof(struct profile, role.token_file) },
};

/* [NAME], or [profile NAME] in the one file. */
static bool is_section_of(struct str line, struct str name, bool config)
{
	ptrdiff_t end = str_chr(line, ']');

	if (end < 0)
		return false;
	line = str_trim(str_sub(line, 1, (size_t)end));
	if (config && str_starts(line, "profile") && line.n > 7 &&
	    (line.p[7] == ' ' || line.p[7] == '\t'))
		return str_eq(str_trim(str_sub(line, 7, line.n)), name);
	return str_eq(line, name) && (!config || str_is(name, "default"));
}

/* Behind a space it is a comment. */
static struct str value_of(struct str s)
{
	for (size_t i = 0; i + 1 < s.n; i++)
		if ((s.p[i] == ' ' || s.p[i] == '\t') &&
		    (s.p[i + 1] == '#' || s.p[i + 1] == ';'))
			s = str_sub(s, 0, i);
	return str_trim(s);
}

static void read_setting(struct profile *p, struct str name, struct str value)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(*settings); i++) {
		struct str *to = (void *)((char *)p + settings[i].at);

		if (str_is(name, settings[i].name))
			*to = value;
	}
}

static void read_profile(struct arena *a, struct str path, bool config,
			 struct profile *p)
{
	struct str text, line;
	bool ours = false;

	if (!path.n || io_read_regular(a, str_dup(a, path).p, 1 << 20, &text))
		return;
	while (text.n) {
		ptrdiff_t end = str_chr(text, '\n'), eq;

		line = str_sub(text, 0, end < 0 ? text.n : (size_t)end);
		text = str_sub(text, line.n + (end >= 0), text.n);
		if (!line.n || strchr(" \t#;", line.p[0]))
			continue; /* also the settings of a service */
		if (line.p[0] == '[') {
			ours = is_section_of(line, p->name, config);
			p->found |= ours;
		} else if (ours && (eq = str_chr(line, '=')) > 0) {
			read_setting(p, str_trim(str_sub(line, 0, (size_t)eq)),
				     value_of(str_sub(line, (size_t)eq + 1,
						      line.n)));
		}
	}
}

static struct str file_of(struct arena *a, const char *variable,
			  const char *name)
{
	const struct str own = env(variable), home = env("HOME");

	if (own.n || !home.n)
		return own;
	return str_printf(a, "%.*s/.aws/%s", STR_ARG(home), name);
}

static void find_profile(struct arena *a, struct str name, struct profile *p)
{
	*p = (struct profile){ .name = name };
	read_profile(a, file_of(a, "AWS_CONFIG_FILE", "config"), true, p);
	read_profile(a,
		     file_of(a, "AWS_SHARED_CREDENTIALS_FILE", "credentials"),
		     false, p);
}

/* --- who asks --- */

static bool has_keys(const struct aws_keys *k)
{
	return k->id.n && k->secret.n;
}

/* Runs the program of a profile for keys (docs.aws.amazon.com, "Sourcing
 * credentials with an external process"). */
static int keys_of_process(struct arena *a, const struct profile *p,
			   struct aws_keys *out, struct str *why)
{
	const char *const argv[] = { "/bin/sh", "-c", str_dup(a, p->process).p,
				     NULL };
	struct buf said = BUF_INIT;
	struct json_error wrong;
	const struct json *j = NULL;

	if (!secret_program_run(a, argv, STR_NONE, &said, why))
		j = json_parse(a, buf_view(&said), &wrong);
	buf_release(&said);
	*out = (struct aws_keys){ json_get_str(j, "AccessKeyId"),
				  json_get_str(j, "SecretAccessKey"),
				  json_get_str(j, "SessionToken") };
	if (json_get_int(j, "Version", 0) == 1 && has_keys(out))
		return 0;
	*why = str_printf(a,
			  "the credential_process of the profile \"%.*s\" "
			  "%s%.*s",
			  STR_ARG(p->name),
			  why->n ? "cannot be used: " : "tells no keys",
			  STR_ARG(*why));
	return -1;
}

static struct aws_keys keys_of_environment(void)
{
	return (struct aws_keys){ env_or("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY"),
				  env_or("AWS_SECRET_ACCESS_KEY",
					 "AWS_SECRET_KEY"),
				  env("AWS_SESSION_TOKEN") };
}

static int keys_of_machine(struct remote *rem, const struct profile *p,
			   struct aws_keys *out, struct str *why)
{
	const int rc = aws_machine_keys(rem, out, why);

	if (rc > 0)
		*why = str_printf(rem->a,
				  "there are no credentials for S3, "
				  "neither in AWS_ACCESS_KEY_ID and "
				  "AWS_SECRET_ACCESS_KEY nor in the profile "
				  "\"%.*s\"",
				  STR_ARG(p->name));
	return rc ? -1 : 0;
}

/* credential_source */
static int keys_of_place(struct remote *rem, const struct profile *p,
			 struct aws_keys *out, struct str *why)
{
	if (str_is(p->from, "EcsContainer"))
		return aws_container_keys(rem, out, why);
	if (str_is(p->from, "Ec2InstanceMetadata"))
		return keys_of_machine(rem, p, out, why);
	*out = keys_of_environment();
	if (str_is(p->from, "Environment") && has_keys(out))
		return 0;
	*why = str_printf(rem->a,
			  "there are no credentials in the "
			  "credential_source of the profile \"%.*s\", %.*s",
			  STR_ARG(p->name), STR_ARG(p->from));
	return -1;
}

enum { MOST_PROFILES = 16 }; /* that name each other */

static int keys_of_profile(struct remote *rem, const struct profile *p,
			   struct str region, int depth, struct aws_keys *out,
			   struct str *why);

static int keys_of_source(struct remote *rem, const struct profile *p,
			  struct str region, int depth, struct aws_keys *out,
			  struct str *why)
{
	struct profile source;

	find_profile(rem->a, p->source, &source);
	if (str_eq(p->source, p->name)) /* its own keys */
		source.role.arn = source.source = STR_NONE;
	if (source.found && depth < MOST_PROFILES)
		return keys_of_profile(rem, &source, region, depth + 1, out,
				       why);
	*why = str_printf(rem->a,
			  source.found
				  ? "the profile \"%.*s\" has no end of "
				    "profiles that it takes its keys from"
				  : "there is no profile \"%.*s\" in the files "
				    "of AWS",
			  STR_ARG(p->source));
	return -1;
}

static int cannot_ask(struct remote *rem, const struct profile *p,
		      const char *setting, struct str *why)
{
	*why = str_printf(rem->a,
			  "the profile \"%.*s\" has its credentials by "
			  "%s, which this version cannot follow",
			  STR_ARG(p->name), setting);
	return -1;
}

/* Without its role. */
static int keys_before_role(struct remote *rem, const struct profile *p,
			    struct str region, int depth, struct aws_keys *out,
			    struct str *why)
{
	if (p->source.n && p->role.arn.n)
		return keys_of_source(rem, p, region, depth, out, why);
	*out = p->keys;
	if (has_keys(out))
		return 0;
	if (p->from.n)
		return keys_of_place(rem, p, out, why);
	if (p->login.n)
		return cannot_ask(rem, p, "sso_session", why);
	if (p->process.n)
		return keys_of_process(rem->a, p, out, why);
	if (aws_in_container())
		return aws_container_keys(rem, out, why);
	return keys_of_machine(rem, p, out, why);
}

static int keys_of_profile(struct remote *rem, const struct profile *p,
			   struct str region, int depth, struct aws_keys *out,
			   struct str *why)
{
	struct aws_role role = p->role;
	struct aws_keys keys;

	if (role.token_file.n && role.arn.n && !p->source.n &&
	    !has_keys(&p->keys))
		return aws_role_keys(rem, &role, NULL, region, out, why);
	role.token_file = STR_NONE;
	if (role.arn.n && p->device.n)
		return cannot_ask(rem, p, "mfa_serial", why);
	if (keys_before_role(rem, p, region, depth, &keys, why))
		return -1;
	*out = keys;
	return role.arn.n ? aws_role_keys(rem, &role, &keys, region, out, why)
			  : 0;
}

int aws_keys_find(struct remote *rem, struct str profile, struct aws_keys *out,
		  struct str *region, struct str *why)
{
	const struct str name =
		profile.n ? profile
			  : env_or("AWS_PROFILE", "AWS_DEFAULT_PROFILE");
	const struct aws_role web = { .arn = env("AWS_ROLE_ARN"),
				      .session = env("AWS_ROLE_SESSION_NAME"),
				      .token_file = env(
					      "AWS_WEB_IDENTITY_TOKEN_FILE") };
	struct profile p;

	find_profile(rem->a, name.n ? name : STR("default"), &p);
	if (!region->n)
		*region = env_or("AWS_REGION", "AWS_DEFAULT_REGION");
	if (!region->n)
		*region = p.region;
	*out = keys_of_environment();
	if (!profile.n && has_keys(out))
		return 0;
	if (!profile.n && web.token_file.n)
		return aws_role_keys(rem, &web, NULL, *region, out, why);
	if (!name.n || p.found)
		return keys_of_profile(rem, &p, *region, 0, out, why);
	*why = str_printf(rem->a,
			  "there is no profile \"%.*s\" in the files of "
			  "AWS",
			  STR_ARG(name));
	return -1;
}
