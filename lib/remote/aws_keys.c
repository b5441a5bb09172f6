/* aws_keys.c - see aws.h
 *
 * The order is that of Amazon's own libraries: keys of the settings, those of
 * the environment, its web identity, then the profile: that of its
 * source_profile, its keys, its credential_source, its web identity, its
 * portal, its program, a container, a machine.  With these a role is taken on,
 * if it has one, and then that of the settings.
 */
#include <time.h>

#include "remote/aws.h"
#include "base/io.h"
#include "json/json.h"
#include "json/read.h"
#include "json/tree.h"
#include "remote/remote_int.h"
#include "remote/credentials.h"

static bool has_keys(const struct aws_keys *k)
{
	return k->id.n && k->secret.n;
}

/* Runs the program of a profile for keys (docs.aws.amazon.com, "Sourcing
 * credentials with an external process"). */
static int keys_of_process(struct arena *a, const struct aws_profile *p,
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
				  json_get_str(j, "SessionToken"),
				  aws_time(a, json_get_str(j, "Expiration")) };
	if (json_get_int(j, "Version", 0) == 1 && has_keys(out))
		return 0;
	*why = str_printf(
		a, "the credential_process of the profile \"%.*s\" %s%.*s",
		STR_ARG(p->name), why->n ? "cannot be used: " : "tells no keys",
		STR_ARG(*why));
	return -1;
}

static int keys_of_machine(struct aws *c, const struct aws_profile *p,
			   struct aws_keys *out, struct str *why)
{
	const int rc = aws_machine_keys(c, out, why);

	if (rc > 0)
		*why = str_printf(c->a,
				  "there are no credentials for S3, "
				  "neither in AWS_ACCESS_KEY_ID and "
				  "AWS_SECRET_ACCESS_KEY nor in the profile "
				  "\"%.*s\"",
				  STR_ARG(p->name));
	return rc ? -1 : 0;
}

/* credential_source */
static int keys_of_place(struct aws *c, const struct aws_profile *p,
			 struct aws_keys *out, struct str *why)
{
	if (str_is(p->from, "EcsContainer"))
		return aws_container_keys(c, out, why);
	if (str_is(p->from, "Ec2InstanceMetadata"))
		return keys_of_machine(c, p, out, why);
	*out = aws_environment_keys();
	if (str_is(p->from, "Environment") && has_keys(out))
		return 0;
	*why = str_printf(c->a,
			  "there are no credentials in the "
			  "credential_source of the profile \"%.*s\", %.*s",
			  STR_ARG(p->name), STR_ARG(p->from));
	return -1;
}

enum { MOST_PROFILES = 16 }; /* that name each other */

static int keys_of_profile(struct aws *c, const struct aws_profile *p,
			   int depth, struct aws_keys *out, struct str *why);

static int keys_of_source(struct aws *c, const struct aws_profile *p, int depth,
			  struct aws_keys *out, struct str *why)
{
	struct aws_profile source;

	aws_profile_read(c->a, &c->s, p->source, &source);
	if (str_eq(p->source, p->name)) /* its own keys */
		source.role.arn = source.source = STR_NONE;
	if (source.found && depth < MOST_PROFILES)
		return keys_of_profile(c, &source, depth + 1, out, why);
	*why = str_printf(
		c->a,
		source.found
			? "the profile \"%.*s\" has no end of profiles that it takes its keys from"
			: "there is no profile \"%.*s\" in the files of AWS",
		STR_ARG(p->source));
	return -1;
}

static int cannot_ask(struct aws *c, const struct aws_profile *p,
		      const char *setting, struct str *why)
{
	*why = str_printf(c->a,
			  "the profile \"%.*s\" has its credentials by "
			  "%s, which this version cannot follow",
			  STR_ARG(p->name), setting);
	return -1;
}

/* Without its role. */
static int keys_before_role(struct aws *c, const struct aws_profile *p,
			    int depth, struct aws_keys *out, struct str *why)
{
	if (p->source.n && p->role.arn.n)
		return keys_of_source(c, p, depth, out, why);
	*out = p->keys;
	if (has_keys(out))
		return 0;
	if (p->from.n)
		return keys_of_place(c, p, out, why);
	if (p->sso_session.n || p->sso_url.n)
		return aws_portal_keys(c, p, out, why);
	if (p->login.n)
		return cannot_ask(c, p, "login_session", why);
	if (p->process.n)
		return keys_of_process(c->a, p, out, why);
	if (aws_in_container())
		return aws_container_keys(c, out, why);
	return keys_of_machine(c, p, out, why);
}

static int keys_of_profile(struct aws *c, const struct aws_profile *p,
			   int depth, struct aws_keys *out, struct str *why)
{
	struct aws_role role = p->role;
	struct aws_keys keys;

	if (role.token_file.n && role.arn.n && !p->source.n &&
	    !has_keys(&p->keys))
		return aws_role_keys(c, &role, NULL, out, why);
	role.token_file = STR_NONE;
	if (role.arn.n && p->device.n)
		return cannot_ask(c, p, "mfa_serial", why);
	if (keys_before_role(c, p, depth, &keys, why))
		return -1;
	*out = keys;
	return role.arn.n ? aws_role_keys(c, &role, &keys, out, why) : 0;
}

/* Without the role of the settings. */
static int find(struct aws *c, struct aws_keys *out, struct str *why)
{
	const struct aws_keys *own = &c->s.keys;
	const struct aws_role web = aws_environment_role();

	c->trouble = AWS_NO_KEYS;
	*out = *own;
	if (has_keys(own))
		return 0;
	if (own->id.n || own->secret.n || own->token.n) {
		*why = STR("of the two keys that are given one is empty");
		return -1;
	}
	if (c->s.web) {
		c->trouble = AWS_NO_WEB_ROLE;
		return aws_role_keys(c, c->s.web, NULL, out, why);
	}
	*out = aws_environment_keys();
	if (!c->s.profile.n && has_keys(out))
		return 0;
	if (!c->s.profile.n && web.token_file.n)
		return aws_role_keys(c, &web, NULL, out, why);
	if (!c->profile.named || c->profile.found)
		return keys_of_profile(c, &c->profile, 0, out, why);
	*why = str_printf(c->a,
			  "there is no profile \"%.*s\" in the files of AWS",
			  STR_ARG(c->profile.name));
	return -1;
}

/* --- kept keys --- */

/* What expires so soon is of no use to a request that has to travel. */
enum { MARGIN = 60 };

static bool is_good(const struct aws *c, const struct aws_keys *k)
{
	return has_keys(k) &&
	       (!k->expires || time(NULL) + c->skew + MARGIN < k->expires);
}

/* The services' own margin: keys that live for less than ours are taken as they
 * are. */
static void note(const struct aws *c, struct aws_keys *k)
{
	const time_t now = time(NULL) + c->skew;

	if (k->expires && k->expires > now && k->expires <= now + MARGIN)
		k->expires += MARGIN;
}

void aws_keys_take(struct aws *c, const struct aws *from)
{
	c->found = from->found;
	c->keys = from->keys;
}

void aws_keys_forget(struct aws *c)
{
	c->found = c->keys = (struct aws_keys){ .expires = 0 };
}

int aws_keys_of(struct aws *c, struct aws_keys *out, struct str *why)
{
	if (!is_good(c, &c->keys)) {
		if (!is_good(c, &c->found)) {
			if (find(c, &c->found, why))
				return -1;
			note(c, &c->found);
		}
		c->keys = c->found;
		c->trouble = AWS_NO_ROLE;
		if (c->s.role &&
		    aws_role_keys(c, c->s.role, &c->found, &c->keys, why))
			return -1;
		note(c, &c->keys);
		c->trouble = AWS_FINE;
	}
	*out = c->keys;
	return 0;
}
