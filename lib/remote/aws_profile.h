/*
 * aws_profile.h - what the environment and the files of the AWS tools
 * (~/.aws/config, ~/.aws/credentials) say; see aws.h
 */
#ifndef TFPIPE_REMOTE_AWS_PROFILE_H
#define TFPIPE_REMOTE_AWS_PROFILE_H

#include "remote/aws.h"

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
/* Reads the profile that counts, and fills what is empty. */
void aws_settings_fill(struct arena *a, struct aws_settings *s,
		       struct aws_profile *p);
/* The keys of the environment, or none. */
struct aws_keys aws_environment_keys(void);
/* The role of the environment, for an identity on the web. */
struct aws_role aws_environment_role(void);
/* The path with variables ($NAME) and a user's directory (~) put in. */
struct str aws_path(struct arena *a, struct str path);

#endif
