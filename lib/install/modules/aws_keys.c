/* aws_keys.c - who asks S3: the environment, and the files of profiles that the
 * AWS tools have; see aws.h */
#include "install/modules/aws.h"

#include <stdlib.h>

#include "base/io.h"
#include "install/hosts/cli_hosts.h"
#include "json/json.h"

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

/* What this version cannot do to obtain keys. */
static const char *const unknown_ways[] = {
	"role_arn", "sso_session", "sso_start_url", "web_identity_token_file",
};
enum { WAYS = sizeof(unknown_ways) / sizeof(*unknown_ways) };

struct profile {
	struct str name;
	bool found;
	struct aws_keys keys;
	struct str region;
	struct str way; /* the first of unknown_ways that it has */
	struct str process; /* a shell's command that tells keys */
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
	if (str_is(name, "aws_access_key_id"))
		p->keys.id = value;
	else if (str_is(name, "aws_secret_access_key"))
		p->keys.secret = value;
	else if (str_is(name, "aws_session_token"))
		p->keys.token = value;
	else if (str_is(name, "region"))
		p->region = value;
	else if (str_is(name, "credential_process"))
		p->process = value;
	for (size_t i = 0; i < WAYS; i++)
		if (str_is(name, unknown_ways[i]) && !p->way.n)
			p->way = name;
}

static void read_profile(struct arena *a, struct str path, bool config,
			 struct profile *p)
{
	struct str text, line;
	bool ours = false;

	if (!path.n ||
	    io_read_regular(a, str_dup(a, path).p, 1 << 20, &text))
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
	read_profile(a, file_of(a, "AWS_SHARED_CREDENTIALS_FILE",
				"credentials"), false, p);
}

/* --- who asks --- */

static bool has_keys(const struct aws_keys *k)
{
	return k->id.n && k->secret.n;
}

/* What the program of a profile answers (docs.aws.amazon.com, "Sourcing
 * credentials with an external process"). */
static int keys_of_process(struct arena *a, const struct profile *p,
			   struct aws_keys *out, struct str *why)
{
	const char *const argv[] = { "/bin/sh", "-c",
				     str_dup(a, p->process).p, NULL };
	struct buf said = BUF_INIT;
	struct json_error wrong;
	const struct json *j = NULL;

	if (!helper_run(a, argv, STR_NONE, &said, why))
		j = json_parse(a, buf_view(&said), &wrong);
	buf_release(&said);
	*out = (struct aws_keys){ json_get_str(j, "AccessKeyId"),
				  json_get_str(j, "SecretAccessKey"),
				  json_get_str(j, "SessionToken") };
	if (json_get_int(j, "Version", 0) == 1 && has_keys(out))
		return 0;
	*why = str_printf(a, "the credential_process of the profile \"%.*s\" "
			     "%s%.*s", STR_ARG(p->name),
			  why->n ? "cannot be used: " : "tells no keys",
			  STR_ARG(*why));
	return -1;
}

/* How others would obtain them. */
static int no_keys(struct arena *a, const struct profile *p, struct str *why)
{
	static const char *const variables[] = {
		"AWS_WEB_IDENTITY_TOKEN_FILE", "AWS_METADATA_URL",
		"AWS_CONTAINER_CREDENTIALS_RELATIVE_URI",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI",
	};

	for (size_t i = 0; i < sizeof(variables) / sizeof(*variables); i++)
		if (env(variables[i]).n) {
			*why = str_printf(a, "this version obtains no "
					  "credentials by %s", variables[i]);
			return -1;
		}
	*why = str_printf(a, "there are no credentials for S3, neither in "
			  "AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY nor in "
			  "the profile \"%.*s\"", STR_ARG(p->name));
	return -1;
}

int aws_keys_find(struct arena *a, struct str profile, struct aws_keys *out,
		  struct str *region, struct str *why)
{
	struct str name = profile.n ? profile : env_or("AWS_PROFILE",
						       "AWS_DEFAULT_PROFILE");
	struct profile p;

	find_profile(a, name.n ? name : STR("default"), &p);
	*region = env_or("AWS_REGION", "AWS_DEFAULT_REGION");
	if (!region->n)
		*region = p.region;
	*out = (struct aws_keys){
		env_or("AWS_ACCESS_KEY_ID", "AWS_ACCESS_KEY"),
		env_or("AWS_SECRET_ACCESS_KEY", "AWS_SECRET_KEY"),
		env("AWS_SESSION_TOKEN") };
	if (!profile.n && has_keys(out))
		return 0;
	if (name.n && !p.found) {
		*why = str_printf(a, "there is no profile \"%.*s\" in the "
				  "files of AWS", STR_ARG(name));
		return -1;
	}
	*out = p.keys;
	if (p.way.n && (!has_keys(out) || str_is(p.way, "role_arn"))) {
		*why = str_printf(a, "the profile \"%.*s\" has its credentials "
				  "by %.*s, which this version cannot follow",
				  STR_ARG(p.name), STR_ARG(p.way));
		return -1;
	}
	if (has_keys(out))
		return 0;
	return p.process.n ? keys_of_process(a, &p, out, why)
			   : no_keys(a, &p, why);
}
