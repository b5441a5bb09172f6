/* remote_int.h - what the files of this room share */
#ifndef TFPIPE_REMOTE_REMOTE_INT_H
#define TFPIPE_REMOTE_REMOTE_INT_H

#include "remote/aws.h"
#include "remote/azure.h"
#include "remote/remote.h"
#include "json/json.h"
#include "remote/fetch.h"
#include "remote/google_token.h"

struct aws;
struct aws_profile;

/*
 * aws_profile.c: what the environment and the files of the AWS tools
 * (~/.aws/config, ~/.aws/credentials) say; see aws.h
 */

struct aws_profile {
	struct str name;
	bool named; /* by the settings or the environment */
	bool found;
	struct aws_keys keys;
	struct str process; /* a shell command that prints keys */
	struct str source;  /* the profile that a role is taken on from, */
	struct str from;    /* or Environment, EcsContainer, … */
	struct aws_role role;
	struct str device, login; /* cannot be asked for */
	/* Who has logged in at a portal. */
	struct str sso_session, sso_url, sso_region, sso_account, sso_role;

	struct str region, ca_bundle, retry_mode, max_attempts;
	struct str fips, dualstack; /* "true" */
	struct str endpoint, services;
	struct str endpoints[AWS_SERVICES];
};

/* Reads a profile out of the files that the settings name, or those that the
 * tools have. */
void aws_profile_read(struct arena *a, const struct aws_settings *s,
		      struct str name, struct aws_profile *p);
/* Reads the profile that counts, and fills what is empty.  NULL, or what is
 * wrong, a sentence without its full stop: the SDK refuses the same. */
const char *aws_settings_fill(struct arena *a, struct aws_settings *s,
			      struct aws_profile *p);
/* The keys of the environment, or none. */
struct aws_keys aws_environment_keys(void);
/* The role of the environment, for an identity on the web. */
struct aws_role aws_environment_role(void);
/* The path with variables ($NAME) and a user's directory (~) put in. */
struct str aws_path(struct arena *a, struct str path);

/* A client, as the files of aws.h share it */

struct aws {
	struct remote *rem;
	struct arena *a; /* of it */
	struct aws_settings s;
	struct aws_profile profile; /* that the settings or the environment
				       name, or "default" */
	/* Kept until they expire: found, and after the role of the settings. */
	struct aws_keys found, keys;
	time_t skew;       /* the services' clock less ours, in seconds */
	uint64_t pause_ms; /* before each request, in adaptive mode */
	enum aws_trouble trouble;
};

/* aws_services.c: temporary keys, from services; see aws.h */

/* All: 0, or -1 with *why. */
/* keys: of who asks; not for an identity on the web. */
int aws_role_keys(struct aws *c, const struct aws_role *r,
		  const struct aws_keys *keys, struct aws_keys *out,
		  struct str *why);
/* Does the environment name a container's service? */
bool aws_in_container(void);
int aws_container_keys(struct aws *c, struct aws_keys *out, struct str *why);
/* The service of a virtual machine (EC2): 1 where there is none. */
int aws_machine_keys(struct aws *c, struct aws_keys *out, struct str *why);
/* The portal that somebody has logged in at, by the AWS tools. */
int aws_portal_keys(struct aws *c, const struct aws_profile *p,
		    struct aws_keys *out, struct str *why);
/* "2026-01-02T03:04:05Z"; 0: it is none. */
time_t aws_time(struct arena *a, struct str text);

/* Ways to a token of Azure's; see azure.h */

struct azure_asking {
	struct remote *rem;
	const struct azure_settings *s;
	const struct azure_cloud *cloud;
	struct str scope;
};

/* The functions of azure_machine.c return what azure_token does, but never 1.
 */

/* A token of the machine that this runs on. */
int azure_machine_token(const struct azure_asking *q, struct oauth_token *out,
			struct str *why);
/* A token of who has logged in with az(1). */
int azure_cli_token(const struct azure_asking *q, struct oauth_token *out,
		    struct str *why);

/* fetch.c: requests and answers as tf-fetch(1) has them */

/* Adds the line of a request, and its body. */
void fetch_write(struct buf *to, const struct fetch_request *r, size_t id,
		 bool progress);
/* Reads the line of an answer. */
void fetch_read(struct arena *a, const struct json *j,
		struct fetch_answer *out);

/* The kinds of Google's credentials; see google_token.h */

/* As google_token: one token, by the JSON of credentials. */
int google_by_json(struct remote *rem, const struct google_settings *s,
		   const struct json *j, struct oauth_token *out,
		   struct str *why);
/* For another account, as the one that `own` is of; lifetime in seconds, 0: an
 * hour. */
int google_act_for(struct remote *rem, struct str url,
		   const struct str_vec *delegates, struct str scope,
		   int64_t lifetime, const struct oauth_token *own,
		   struct oauth_token *out, struct str *why);
/* --- google_external.c --- */

/* The type external_account. */
int google_external(struct remote *rem, const struct google_settings *s,
		    const struct json *j, struct oauth_token *out,
		    struct str *why);
/* The type external_account_authorized_user. */
int google_external_user(struct remote *rem, const struct json *j,
			 struct oauth_token *out, struct str *why);

/* --- google_aws.c --- */

/* Who it is, where Amazon vouches for it. */
int google_aws_subject(struct remote *rem, const struct json *j,
		       struct str *out, struct str *why);

#endif
